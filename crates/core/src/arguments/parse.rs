//! Text to a JSON object.

use super::example::example;
use super::raw::RawArguments;
use crate::message::Message;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Why the text is not a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Not JSON.
    #[error("line {line}, column {column}: {reason}")]
    NotJson {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// The parser's words, in English, without the place.
        reason: String,
    },
    /// JSON, but not an object.
    #[error("found {found}, expected object")]
    NotAnObject {
        /// `string`, `array`, `number` or `boolean`.
        found: &'static str,
    },
}

impl ParseError {
    /// The sentence for the model, with an example of what the schema requires.
    #[must_use]
    pub fn message(&self, schema: &Value) -> Message {
        let example = Value::Object(example(schema)).to_string();
        match self {
            Self::NotJson { line, column, reason } => Message::new("arguments-not-json")
                .with("line", *line)
                .with("column", *column)
                .with("reason", reason)
                .with("example", example),
            Self::NotAnObject { found } => {
                Message::new("arguments-not-object").with("found", *found).with("example", example)
            }
        }
    }
}

/// Parses arguments. Empty text and `null` mean no arguments; a string that contains JSON is unwrapped, at most twice.
///
/// # Errors
/// [`ParseError`], with its position.
pub fn parse(raw: &RawArguments) -> Result<Map<String, Value>, ParseError> {
    match raw {
        RawArguments::Json(value) => object(value.clone(), 2),
        RawArguments::Text(text) => from_text(text, 2),
    }
}

fn from_text(text: &str, depth: u8) -> Result<Map<String, Value>, ParseError> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    object(serde_json::from_str(text).map_err(|error| not_json(&error))?, depth)
}

/// The text of the object that [`parse`] reads, unwrapped from the strings around it; `None` for JSON that was never
/// text.
pub(super) fn opened(raw: &RawArguments) -> Option<Cow<'_, str>> {
    let (mut text, depth) = match raw {
        RawArguments::Text(text) => (Cow::Borrowed(&**text), 2),
        RawArguments::Json(Value::String(text)) => (Cow::Borrowed(&**text), 1),
        RawArguments::Json(_) => return None,
    };
    for _ in 0..depth {
        if text.trim_start().starts_with('"') {
            text = Cow::Owned(serde_json::from_str(&text).ok()?);
        }
    }
    Some(text)
}

fn not_json(error: &serde_json::Error) -> ParseError {
    let words = error.to_string();
    // The parser appends the position to its message.
    let reason = words.rsplit_once(" at line ").map_or(words.as_str(), |(reason, _)| reason).to_owned();
    ParseError::NotJson { line: error.line(), column: error.column(), reason }
}

fn object(value: Value, depth: u8) -> Result<Map<String, Value>, ParseError> {
    match value {
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        Value::String(inner) if depth > 0 && inner.trim_start().starts_with(['{', '"']) => from_text(&inner, depth - 1),
        Value::String(_) => Err(ParseError::NotAnObject { found: "string" }),
        Value::Array(_) => Err(ParseError::NotAnObject { found: "array" }),
        Value::Number(_) => Err(ParseError::NotAnObject { found: "number" }),
        Value::Bool(_) => Err(ParseError::NotAnObject { found: "boolean" }),
    }
}
