//! Token counts by a real tokenizer, for answers whose provider reports none.
//!
//! The vocabularies are OpenAI's: exact for its own texts, an approximation, reported as such, for every other model.
//! They are unpacked on first use, never if providers report usage. Texts are counted in pieces, because a tokenizer's
//! time grows with the square of a text without any space; a boundary costs at most one token.

use crate::message::Message;
use crate::model::Reply;
use crate::request::ToolOffer;
use tiktoken_rs::CoreBPE;

/// Bytes counted at once.
const PIECE: usize = 4096;
/// Tokens around each message and each call.
const AROUND: u64 = 4;

/// A loaded tokenizer.
#[derive(Clone, Copy)]
pub struct Tokens(&'static CoreBPE);

impl Tokens {
    /// The tokenizer of this model, as `--model` names it. Unpacking it the first time takes about half a second.
    #[must_use]
    pub fn of(model: &str) -> Self {
        if is_older(model) {
            Self(tiktoken_rs::cl100k_base_singleton())
        } else {
            Self(tiktoken_rs::o200k_base_singleton())
        }
    }

    /// Of a text.
    #[must_use]
    pub fn text(self, text: &str) -> u64 {
        let (mut rest, mut count) = (text, 0);
        while !rest.is_empty() {
            let piece = rest.get(..rest.floor_char_boundary(PIECE)).unwrap_or(rest);
            count += self.0.encode_ordinary(piece).len() as u64;
            rest = rest.get(piece.len()..).unwrap_or_default();
        }
        count
    }

    /// Of a request.
    #[must_use]
    pub fn request(self, messages: &[Message], tools: &[ToolOffer]) -> u64 {
        let said = messages.iter().map(|message| {
            AROUND
                + match message {
                    Message::System { text } | Message::User { text } => self.text(text),
                    Message::Assistant { text, calls } => {
                        let call = |(name, arguments): (&str, &str)| AROUND + self.text(name) + self.text(arguments);
                        self.text(text) + calls.iter().map(|made| call((&made.name, &made.arguments))).sum::<u64>()
                    }
                    Message::Tool { content, .. } => self.text(content),
                }
        });
        let offered = tools.iter().map(|tool| {
            AROUND + self.text(tool.name()) + self.text(tool.description()) + self.text(tool.schema().get())
        });
        said.sum::<u64>() + offered.sum::<u64>()
    }

    /// Of an answer.
    #[must_use]
    pub fn reply(self, reply: &Reply) -> u64 {
        let calls = reply.calls.iter().map(|call| AROUND + self.text(&call.name) + self.text(&call.arguments));
        self.text(&reply.text) + self.text(&reply.reasoning) + calls.sum::<u64>()
    }
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}

/// GPT-4 and 3.5 have the older vocabulary; `gpt-4o` and `gpt-4.1` have the newer one.
fn is_older(model: &str) -> bool {
    let name = model.rsplit([':', '/']).next().unwrap_or(model);
    let four = name == "gpt-4" || name.starts_with("gpt-4-");
    four || name.starts_with("gpt-3.5")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn tokens_are_counted_as_the_models_do() {
        for (model, text, expected) in [
            ("openai:gpt-4o", "hello world", 2),
            ("openai:gpt-4", "hello world", 2),
            ("openai:gpt-4o", "", 0),
            ("anthropic:claude-haiku-4-5", "tiktoken is great!", 6),
            ("openai:gpt-3.5-turbo", "tiktoken is great!", 6),
        ] {
            assert_eq!(Tokens::of(model).text(text), expected, "{model} {text}");
        }
        assert!(is_older("openai:gpt-4-turbo") && !is_older("openai:gpt-4.1") && !is_older("openai:gpt-4o-mini"));
    }

    #[test]
    fn pieces_cost_a_token_a_border_at_most() {
        let tokens = Tokens::of("openai:gpt-4o");
        let text = "añ ".repeat(20_000);
        let (counted, borders) = (tokens.text(&text), (text.len() / PIECE) as u64 + 1);
        let whole = tokens.0.encode_ordinary(&text).len() as u64;
        assert!(counted >= whole && counted <= whole + borders, "{counted} of {whole}");
    }
}
