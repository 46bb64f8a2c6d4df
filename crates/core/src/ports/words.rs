//! Text processing before a model, a log or a person gets it: secrets are redacted, foreign text is marked.

use std::borrow::Cow;

/// Takes secrets out of text.
pub trait Redactor: Send + Sync {
    /// The text without any secret that is known by value or by shape; borrowed when there is none.
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str>;

    /// The same for text that comes in pieces: a secret that lies across two of them is found, too.
    fn stream(&self) -> Box<dyn RedactStream>;
}

/// Whether a secret's value can be taken out of texts that are still to be read afterwards: it has at least
/// [`SHORTEST_SECRET`] bytes and is no plain word or short number, which stand everywhere. Keys of local servers often are
/// such words (`test`, `ollama`, `no-key`); what begins like a provider's key (`sk-`) is none.
#[must_use]
pub fn is_searchable(value: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_lowercase() || byte == b'-' || byte == b'_';
    let is_common = value.len() < 12 && value.bytes().all(word) && !value.starts_with("sk-")
        || value.len() < 10 && value.bytes().all(|byte| byte.is_ascii_digit());
    value.len() >= SHORTEST_SECRET && !is_common
}

/// Bytes of the shortest value that is taken out of texts.
pub const SHORTEST_SECRET: usize = 6;

/// Text in pieces.
pub trait RedactStream: Send {
    /// Takes the next piece and returns what is certain by now; the rest is held back.
    fn push(&mut self, piece: &str) -> String;

    /// The end: returns what was held back.
    fn finish(&mut self) -> String;
}

/// Marks foreign text.
pub trait Marker: Send + Sync {
    /// The text between two marks that only this call knows, with everything in it made harmless that looks like a mark, a
    /// control token of a model, or is invisible. `source` names where it comes from, in a few words of our own.
    fn mark(&self, text: &str, source: &str) -> String;

    /// One string of a structure (a title, a name): made harmless in the same way, without marks around it.
    fn tame(&self, text: &str) -> String;
}

/// Leaves text as it is. For gates whose results no model and no log gets.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsItIs;

impl Redactor for AsItIs {
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(text)
    }

    fn stream(&self) -> Box<dyn RedactStream> {
        Box::new(Self)
    }
}

impl RedactStream for AsItIs {
    fn push(&mut self, piece: &str) -> String {
        piece.to_owned()
    }

    fn finish(&mut self) -> String {
        String::new()
    }
}

impl Marker for AsItIs {
    fn mark(&self, text: &str, _source: &str) -> String {
        text.to_owned()
    }

    fn tame(&self, text: &str) -> String {
        text.to_owned()
    }
}
