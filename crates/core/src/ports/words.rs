//! Processes text before it reaches a model, a log or a person: secrets are redacted, foreign text is marked.

use serde_json::Value;
use std::borrow::Cow;

/// Redacts secrets.
pub trait Redactor: Send + Sync {
    /// The text without secrets known by value or by shape; borrowed if there are none.
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str>;

    /// Removes secrets from every string of a value except field names.
    fn redact_json(&self, value: &mut Value) {
        each_text(value, &|text| {
            if let Cow::Owned(redacted) = self.redact(text) {
                *text = redacted;
            }
        });
    }

    /// The same for text that arrives in pieces: a secret across two pieces is found, too.
    fn stream(&self) -> Box<dyn RedactStream>;
}

/// Changes every string of a value except field names.
pub(crate) fn each_text(value: &mut Value, change: &dyn Fn(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(map) => map.values_mut().for_each(|item| each_text(item, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a secret's value can be redacted without ruining ordinary text: it has at least [`SHORTEST_SECRET`] bytes
/// and is not a plain word or short number, which occur everywhere. Keys of local servers often are such words (`test`,
/// `ollama`, `no-key`); a value that begins like a provider's key (`sk-`) is not.
#[must_use]
pub fn is_searchable(value: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_lowercase() || byte == b'-' || byte == b'_';
    let is_common = value.len() < 12 && value.bytes().all(word) && !value.starts_with("sk-")
        || value.len() < 10 && value.bytes().all(|byte| byte.is_ascii_digit());
    value.len() >= SHORTEST_SECRET && !is_common
}

/// Bytes of the shortest value that is redacted.
pub const SHORTEST_SECRET: usize = 6;

/// Redacts text in pieces.
pub trait RedactStream: Send {
    /// Takes the next piece and returns the text that is certainly harmless; the rest is held back.
    fn push(&mut self, piece: &str) -> String;

    /// The end: returns what was held back.
    fn finish(&mut self) -> String;
}

/// Marks foreign text.
pub trait Marker: Send + Sync {
    /// The text between two marks that only this call knows. Forged marks, control tokens of models and invisible
    /// characters in it are made harmless. `source` names its origin in a few words of our own.
    fn mark(&self, text: &str, source: &str) -> String;

    /// One string of a structure (a title, a name): made harmless in the same way, without marks.
    fn tame(&self, text: &str) -> String;
}

/// Leaves text unchanged. For gates whose results reach no model and no log.
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
