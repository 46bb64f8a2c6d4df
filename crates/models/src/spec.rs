//! `PROVIDER:MODEL`, parsed once.

use palanca_core::Message as Sentence;
use palanca_core::registry::nearest;
use std::fmt;
use std::str::FromStr;

/// A provider and its API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// OpenAI's Chat Completions, or any compatible server.
    OpenAi,
    /// OpenAI's Responses, or any compatible server.
    OpenAiResponses,
    /// Anthropic's Messages, or any compatible server.
    Anthropic,
    /// Ollama, through its OpenAI-compatible API.
    Ollama,
    /// The program `claude`, which answers and calls no tools.
    ClaudeCli,
    /// A recorded session.
    Replay,
}

impl Provider {
    /// Every provider.
    pub const ALL: [Self; 6] =
        [Self::OpenAi, Self::OpenAiResponses, Self::Anthropic, Self::Ollama, Self::ClaudeCli, Self::Replay];

    /// As it is written before the colon.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Ollama => "ollama",
            Self::ClaudeCli => "claude-cli",
            Self::Replay => "replay",
        }
    }
}

/// A model by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelSpec {
    /// The provider.
    pub provider: Provider,
    /// The provider's name for it, or the replay's file; never empty. May contain colons (`qwen3:8b`).
    pub name: String,
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider.as_str(), self.name)
    }
}

/// An invalid model name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Nothing, or an unknown word, before the colon.
    #[error("'{given}' names no provider. Write it as {near}")]
    Provider {
        /// What was given.
        given: String,
        /// The probable correction.
        near: String,
    },
    /// Nothing after the colon.
    #[error("'{given}' names no model. Write it as {given}NAME")]
    Name {
        /// What was given.
        given: String,
    },
}

impl SpecError {
    /// The catalogue's sentence.
    #[must_use]
    pub fn message(&self) -> Sentence {
        match self {
            Self::Provider { given, near } => {
                Sentence::new("model-no-provider").with("given", given).with("near", near)
            }
            Self::Name { given } => Sentence::new("model-no-name").with("given", given),
        }
    }
}

impl FromStr for ModelSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let (word, name) = text.split_once(':').unwrap_or(("", text));
        let Some(provider) = Provider::ALL.into_iter().find(|provider| provider.as_str().eq_ignore_ascii_case(word))
        else {
            return Err(SpecError::Provider { given: text.to_owned(), near: suggestion(word, name) });
        };
        if name.is_empty() {
            return Err(SpecError::Name { given: text.to_owned() });
        }
        Ok(Self { provider, name: name.to_owned() })
    }
}

/// `gpt-4.1` → `openai:gpt-4.1`; `opnai:x` → `openai:x`; otherwise every form.
fn suggestion(word: &str, name: &str) -> String {
    let by_name = [
        ("gpt", Provider::OpenAi),
        ("o1", Provider::OpenAi),
        ("o3", Provider::OpenAi),
        ("o4", Provider::OpenAi),
        ("claude", Provider::Anthropic),
    ];
    let whole = if word.is_empty() { name.to_owned() } else { format!("{word}:{name}") };
    if Provider::ALL.iter().any(|provider| provider.as_str() == whole) {
        return format!("{whole}:NAME");
    }
    if let Some((_, provider)) = by_name.iter().find(|(start, _)| whole.starts_with(start)) {
        return format!("{}:{whole}", provider.as_str());
    }
    if whole.ends_with(".jsonl") {
        return format!("replay:{whole}");
    }
    let known = Provider::ALL.map(Provider::as_str);
    match nearest(word, known, 1).first() {
        Some(near) if !word.is_empty() && !name.is_empty() => format!("{near}:{name}"),
        _ => {
            "openai:NAME, openai-responses:NAME, anthropic:NAME, ollama:NAME, claude-cli:NAME or replay:FILE".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn names_are_parsed_or_explained() {
        let ok = |text: &str| text.parse::<ModelSpec>().unwrap();
        let fail = |text: &str| text.parse::<ModelSpec>().unwrap_err().to_string();
        assert_eq!(ok("ollama:qwen3:8b").name, "qwen3:8b");
        assert_eq!(ok("OpenAI:gpt-4.1").to_string(), "openai:gpt-4.1");
        assert_eq!(ok("openai-responses:gpt-5").provider, Provider::OpenAiResponses);
        assert_eq!(ok("claude-cli:sonnet").provider, Provider::ClaudeCli);
        assert_eq!(ok("replay:a/b.jsonl").provider, Provider::Replay);
        assert_eq!(fail("gpt-4o"), "'gpt-4o' names no provider. Write it as openai:gpt-4o");
        assert_eq!(fail("opnai:x"), "'opnai:x' names no provider. Write it as openai:x");
        assert_eq!(fail("claude-cli"), "'claude-cli' names no provider. Write it as claude-cli:NAME");
        assert_eq!(fail("s.jsonl"), "'s.jsonl' names no provider. Write it as replay:s.jsonl");
        assert!(fail("").contains("anthropic:NAME"));
        assert_eq!(fail("ollama:"), "'ollama:' names no model. Write it as ollama:NAME");
    }
}
