//! Reads untyped JSON, and writes lists without building them.

use super::fault::Fault;
use crate::arguments::keep_digits;
use crate::error::{MAX_NONSENSE, quote};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Bytes that should be a JSON object.
pub(super) fn document(body: &[u8]) -> Result<Value, Fault> {
    match serde_json::from_slice(body) {
        Ok(mut value @ Value::Object(_)) => {
            keep_digits(&mut value, str::from_utf8(body).unwrap_or_default());
            Ok(value)
        }
        _ => Err(Fault::nonsense(&String::from_utf8_lossy(body))),
    }
}

/// One part of a document, as text.
pub(super) fn value(text: &str) -> Result<Value, Fault> {
    let mut value = serde_json::from_str(text).map_err(|_| Fault::nonsense(text))?;
    keep_digits(&mut value, text);
    Ok(value)
}

/// A non-empty string.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// A part that exists and is not null.
pub(super) fn part<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    value.get(key).filter(|part| !part.is_null())
}

/// A list; empty if there is none.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// The first of these numbers that exists.
pub(super) fn count(value: &Value, pointers: &[&str]) -> Option<u64> {
    pointers.iter().find_map(|pointer| {
        let number = value.pointer(pointer)?;
        number.as_u64().or_else(|| {
            // Some servers count in floating point.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            number.as_f64().map(|float| float as u64)
        })
    })
}

/// Content as a string, or as a list of parts with `text`.
pub(super) fn content(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| match part {
                Value::String(text) => Some(text.as_str()),
                part => text(part, "text").or_else(|| text(part, "refusal")),
            })
            .collect(),
        _ => String::new(),
    }
}

/// The text received instead of an answer, short enough to show.
pub(super) fn shown(value: &Value) -> String {
    quote(&value.to_string(), MAX_NONSENSE)
}

/// The fields of a request that have a value.
pub(super) fn given<const N: usize>(fields: [(&str, Option<Value>); N]) -> Map<String, Value> {
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// Anthropic's mark: what stands before it is read from the cache when it comes again.
#[derive(Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum CacheControl {
    Ephemeral,
}

/// A list written item by item.
pub(super) struct Each<I>(pub(super) I);

impl<I> Serialize for Each<I>
where
    I: Iterator + Clone,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}
