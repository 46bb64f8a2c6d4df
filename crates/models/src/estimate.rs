//! Estimates of token counts that the provider did not report.
//!
//! Texts are split where OpenAI's tokenizers split them, and each piece costs what its kind costs on average. No
//! vocabulary is in the program: those providers that leave out counts have vocabularies of their own, so an exact count
//! by another one would be an estimate, too.

use crate::message::Message;
use crate::model::Reply;
use crate::parts;
use crate::request::ToolOffer;
use palanca_core::call::{Content, Link, Part, Resource};

/// Tokens around each message and each call.
const AROUND: u64 = 4;

/// The estimated tokens of this many bytes of text or JSON: one for four, rounded up.
#[must_use]
pub const fn estimate_tokens(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(4)
}

/// The estimated tokens of a text: for prose, code and JSON rather too many than too few, by up to a quarter; random
/// text, such as base64, has up to a third more.
#[must_use]
pub fn estimate_text(text: &str) -> u64 {
    let (mut tokens, mut before) = (0, None);
    let mut letters = text.chars().map(Kind::of).peekable();
    while let Some(kind) = letters.next() {
        let mut length = 1;
        while letters.next_if_eq(&kind).is_some() {
            length += 1;
        }
        tokens += kind.tokens(length, before);
        before = Some(kind);
    }
    tokens
}

/// The estimated tokens of a request.
#[must_use]
pub fn estimate_request(messages: &[Message], tools: &[ToolOffer]) -> u64 {
    let said = messages.iter().map(|message| {
        AROUND
            + estimate_parts(parts::of(message))
            + match message {
                Message::System { text } | Message::User { text, .. } => estimate_text(text),
                Message::Assistant { text, calls, provider_state } => {
                    let state = provider_state.as_ref().map_or(0, |state| estimate_tokens(state.bytes()));
                    let call = |(name, arguments)| AROUND + estimate_text(name) + estimate_text(arguments);
                    estimate_text(text)
                        + state
                        + calls.iter().map(|made| call((&made.name, &made.arguments))).sum::<u64>()
                }
                Message::Tool { content, .. } => estimate_text(content),
            }
    });
    let offered = tools.iter().map(|tool| {
        AROUND + estimate_text(tool.name()) + estimate_text(tool.description()) + estimate_text(tool.schema().get())
    });
    said.sum::<u64>() + offered.sum::<u64>()
}

/// Tokens of an image: the most that a provider counts for one that it has not made smaller before.
const IMAGE: u64 = 1600;
/// Bytes of media that count as a token at least, so that a conversation with many stays within what a request may have.
const MEDIA_BYTES: u64 = 512;
/// Tokens of what stands for bytes that are not shown.
const NOT_SHOWN: u64 = 40;

/// The estimated tokens of the parts of a message, where a model takes them.
#[must_use]
pub fn estimate_parts(parts: &[Part]) -> u64 {
    parts.iter().map(estimate_part).sum()
}

fn estimate_part(part: &Part) -> u64 {
    let media = |bytes: &[u8], least: u64| least.max(bytes.len() as u64 / MEDIA_BYTES);
    match part {
        Part::Audio(audio) => media(audio.bytes(), NOT_SHOWN),
        Part::Link(Link { uri, name, title, description, .. }) => {
            let texts = [Some(uri), Some(name), title.as_ref(), description.as_ref()];
            AROUND + texts.into_iter().flatten().map(|text| estimate_text(text)).sum::<u64>()
        }
        Part::Resource(Resource { uri, content: Content::Text { text, .. } }) => {
            AROUND + estimate_text(uri) + estimate_text(text)
        }
        part => part.to_see().map_or(NOT_SHOWN, |image| media(image.bytes(), IMAGE)),
    }
}

/// The estimated tokens of an answer.
#[must_use]
pub fn estimate_reply(reply: &Reply) -> u64 {
    let calls = reply.calls.iter().map(|call| AROUND + estimate_text(&call.name) + estimate_text(&call.arguments));
    estimate_text(&reply.text) + estimate_text(&reply.reasoning) + calls.sum::<u64>()
}

/// The bytes of a message that a model reads.
pub(crate) fn message_bytes(message: &Message) -> usize {
    match message {
        Message::System { text } | Message::User { text, .. } => text.len(),
        Message::Assistant { text, calls, .. } => {
            text.len() + calls.iter().map(|call| call.name.len() + call.arguments.len()).sum::<usize>()
        }
        Message::Tool { name, content, .. } => name.len() + content.len(),
    }
}

/// Characters that stay in one piece with others of their kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    Digit,
    Blank,
    Mark,
    Break,
    /// Letters of alphabets other than the Latin one.
    Alphabet,
    /// Ideographs, emoji and whatever else tends to be a token of its own.
    Sign,
}

impl Kind {
    const fn of(letter: char) -> Self {
        match letter {
            'A'..='Z' => Self::Upper,
            'a'..='z' | '\u{c0}'..='\u{24f}' => Self::Lower,
            '0'..='9' => Self::Digit,
            ' ' | '\t' => Self::Blank,
            '\n' | '\r' => Self::Break,
            '\0'..='\u{bf}' => Self::Mark,
            '\u{250}'..='\u{1fff}' => Self::Alphabet,
            _ => Self::Sign,
        }
    }

    /// Of a run of this kind.
    fn tokens(self, length: u64, before: Option<Self>) -> u64 {
        match self {
            // A word that began with a capital, which counted.
            Self::Lower if before == Some(Self::Upper) => (length - 1) / 7,
            Self::Lower => 1 + (length - 1) / 7,
            Self::Upper | Self::Digit | Self::Mark => length.div_ceil(3),
            // A single space belongs to the word behind it.
            Self::Blank => u64::from(length > 1),
            Self::Break => 1,
            Self::Alphabet => length.div_ceil(5),
            Self::Sign => (length * 2).div_ceil(3),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    /// Counted with `o200k_base`.
    #[test]
    fn an_estimate_is_rather_too_many_than_too_few() {
        for (text, counted) in SAMPLES {
            let estimated = estimate_text(text);
            assert!(estimated * 10 >= counted * 9 && estimated * 4 <= counted * 5, "{estimated} for {counted}: {text}");
        }
    }

    const SAMPLES: [(&str, u64); 8] = [
        (
            "The gate resolves a call, judges its effects, asks a person if it must, and records what happened before it \
             returns the result to the model.",
            30,
        ),
        (
            "El juicio de cada llamada queda registrado, y quien la deshace recupera los archivos tal como estaban antes \
             de que el programa los cambiara.",
            30,
        ),
        (
            "pub fn read(&self, path: &Path) -> Result<Vec<u8>, Error> {\n    let file = \
             File::open(path).map_err(|error| Error::new(path, error))?;\n    Ok(bytes)\n}\n",
            47,
        ),
        (
            r#"{"id":17,"name":"notes/2026-11-23.md","size":20480,"changed":true,"owner":"maria","tags":["plan","week 47"]}"#,
            40,
        ),
        ("git log --oneline -n 20 -- crates/core/src/gate && cargo test -p palanca-core --lib gate::tests", 28),
        ("Каждый вызов проверяется, записывается в журнал и может быть отменён.", 18),
        ("每个调用都要经过审核,记录在日志中,并且可以撤销。", 19),
        ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 43),
    ];
}
