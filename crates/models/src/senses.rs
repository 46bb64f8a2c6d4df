//! Which models see images and hear audio. Whatever is not known to is told in words what it was not shown: a server that does
//! not take images refuses the whole request.

use crate::endpoint::Endpoint;
use crate::spec::Provider;
use crate::wire::WireFormat;
use palanca_core::call::Part;

/// Whether a model is shown images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Vision {
    /// By its name: see the table in this file.
    #[default]
    Auto,
    /// It is.
    On,
    /// It is told in words.
    Off,
}

/// What a model takes, in bytes of the longest; 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Takes {
    pub(crate) image_bytes: usize,
    pub(crate) audio_bytes: usize,
}

/// Anthropic takes images of 5 MiB, counted as base64.
const ANTHROPIC_IMAGE: usize = (5 << 20) / 4 * 3;

/// Beginnings of the names of models that see.
const SEEING: [&str; 22] = [
    "claude-3",
    "claude-fable",
    "claude-haiku",
    "claude-mythos",
    "claude-opus",
    "claude-sonnet",
    "chatgpt-4o",
    "gemini-",
    "gemma-3",
    "gemma3",
    "gpt-4-turbo",
    "gpt-4.1",
    "gpt-4.5",
    "gpt-4o",
    "gpt-5",
    "grok-4",
    "llama-4",
    "llava",
    "o1",
    "o3",
    "o4-mini",
    "pixtral",
];
/// Parts of names of models that see.
const SEEING_PARTS: [&str; 3] = ["-vl", "vl-", "vision"];
/// Beginnings and parts of names of models that would be counted above, and do not see.
const BLIND: [&str; 6] = ["o1-mini", "o1-preview", "o3-mini", "-audio", "-embed", "-transcribe"];

impl Takes {
    pub(crate) const NOTHING: Self = Self { image_bytes: 0, audio_bytes: 0 };

    /// What the model behind this address takes.
    pub(crate) fn of(endpoint: &Endpoint, vision: Vision) -> Self {
        // `anthropic/claude-…` and `claude-…` are the same, behind any gateway.
        let name = endpoint.model.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        let is_ollama = endpoint.place.model.starts_with(Provider::Ollama.as_str());
        let sees = match vision {
            Vision::On => true,
            Vision::Off => false,
            Vision::Auto => !is_ollama && sees(&name),
        };
        let (image_bytes, hears) = match endpoint.wire {
            WireFormat::Anthropic => (ANTHROPIC_IMAGE, false),
            WireFormat::OpenAiResponses => (Part::MAX_BYTES, false),
            WireFormat::OpenAiChat => (Part::MAX_BYTES, name.contains("-audio")),
        };
        Self { image_bytes: if sees { image_bytes } else { 0 }, audio_bytes: if hears { Part::MAX_BYTES } else { 0 } }
    }
}

fn sees(name: &str) -> bool {
    let is_blind = BLIND.iter().any(|part| name.contains(part));
    let is_seeing =
        SEEING.iter().any(|start| name.starts_with(start)) || SEEING_PARTS.iter().any(|part| name.contains(part));
    is_seeing && !is_blind
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;
    use crate::endpoint::{ApiKey, Overrides};

    #[test]
    fn what_models_take() {
        let takes = |spec: &str, vision| {
            let overrides = Overrides { key: Some(ApiKey::new("unused")), ..Overrides::default() };
            let endpoint = Endpoint::resolve(&spec.parse().unwrap(), &overrides, &|_| None).unwrap();
            let Takes { image_bytes, audio_bytes } = Takes::of(&endpoint, vision);
            (image_bytes, audio_bytes)
        };
        const MOST: usize = Part::MAX_BYTES;
        for (spec, vision, expected) in [
            ("anthropic:claude-sonnet-4-5", Vision::Auto, (3_932_160, 0)),
            ("anthropic:claude-3-5-haiku-latest", Vision::Auto, (3_932_160, 0)),
            ("anthropic:claude-2.1", Vision::Auto, (0, 0)),
            ("anthropic:claude-sonnet-4-5", Vision::Off, (0, 0)),
            ("openai:gpt-4o-mini", Vision::Auto, (MOST, 0)),
            ("openai:GPT-5", Vision::Auto, (MOST, 0)),
            ("openai:gpt-3.5-turbo", Vision::Auto, (0, 0)),
            ("openai:gpt-3.5-turbo", Vision::On, (MOST, 0)),
            ("openai:o3-mini", Vision::Auto, (0, 0)),
            ("openai:gpt-4o-audio-preview", Vision::Auto, (0, MOST)),
            ("openai:anthropic/claude-opus-4-1", Vision::Auto, (MOST, 0)),
            ("openai:qwen2.5-vl-7b", Vision::Auto, (MOST, 0)),
            ("openai-responses:gpt-5", Vision::Auto, (MOST, 0)),
            ("openai-responses:gpt-4o-audio-preview", Vision::Auto, (0, 0)),
            ("ollama:llava", Vision::Auto, (0, 0)),
            ("ollama:llava", Vision::On, (MOST, 0)),
        ] {
            assert_eq!(takes(spec, vision), expected, "{spec} {vision:?}");
        }
    }
}
