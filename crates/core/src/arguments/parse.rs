//! Text to a JSON object.

use crate::call::RawArguments;
use serde_json::{Map, Value};

/// Why the text is no JSON object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Not JSON.
    #[error("line {line}, column {column}: {reason}")]
    NotJson {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// The parser's words.
        reason: String,
    },
    /// JSON, but not an object.
    #[error("found {found} in place of an object")]
    NotAnObject {
        /// `a string`, `an array`, …
        found: &'static str,
    },
}

/// Reads arguments. Empty text and `null` mean no arguments; a string that holds JSON is opened, at most twice.
///
/// # Errors
/// [`ParseError`], with the place of the fault.
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
    let value = serde_json::from_str(text).map_err(|error| ParseError::NotJson {
        line: error.line(),
        column: error.column(),
        reason: error.to_string(),
    })?;
    object(value, depth)
}

fn object(value: Value, depth: u8) -> Result<Map<String, Value>, ParseError> {
    match value {
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        Value::String(inner) if depth > 0 && inner.trim_start().starts_with(['{', '"']) => from_text(&inner, depth - 1),
        Value::String(_) => Err(ParseError::NotAnObject { found: "a string" }),
        Value::Array(_) => Err(ParseError::NotAnObject { found: "an array" }),
        Value::Number(_) => Err(ParseError::NotAnObject { found: "a number" }),
        Value::Bool(_) => Err(ParseError::NotAnObject { found: "a boolean" }),
    }
}
