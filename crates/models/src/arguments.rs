//! A call's argument text when it is sent back to a provider.
//!
//! Servers parse the arguments of earlier calls and refuse the whole conversation if one does not parse, so text that
//! is not a JSON object is wrapped in one; the model still sees what it wrote.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashMap;

/// The only key of an object that wraps arguments as written.
const WRITTEN: &str = "\0written";

/// Arguments as a JSON object.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Object<'a> {
    /// The model's own text, byte for byte.
    Verbatim(&'a RawValue),
    /// The model's broken text.
    Wrapped { unparsed: &'a str },
    /// No text at all.
    Empty {},
}

/// The text as an object.
pub(crate) fn as_object(text: &str) -> Object<'_> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Object::Empty {};
    }
    match serde_json::from_str::<&RawValue>(trimmed) {
        Ok(raw) if trimmed.starts_with('{') => Object::Verbatim(raw),
        _ => Object::Wrapped { unparsed: text },
    }
}

/// The text as a string that contains an object.
pub(crate) fn as_object_text(text: &str) -> Cow<'_, str> {
    match as_object(text) {
        Object::Verbatim(raw) => Cow::Borrowed(raw.get()),
        // The other two contain only a string or nothing; `{}` is the fallback for a rendering error, which cannot
        // happen.
        other => Cow::Owned(serde_json::to_string(&other).unwrap_or_else(|_| "{}".to_owned())),
    }
}

/// Arguments as in a line of JSON: a string contains the model's own text, anything else is that text itself, without
/// blanks between its parts. Parsed JSON would print its numbers differently.
pub(crate) fn as_text(raw: &str) -> String {
    serde_json::from_str(raw).unwrap_or_else(|_| {
        let (mut is_string, mut is_escaped) = (false, false);
        let kept = |character: &char| {
            let was_string = is_string;
            if *character == '"' && !is_escaped {
                is_string = !is_string;
            }
            is_escaped = was_string && *character == '\\' && !is_escaped;
            was_string || !character.is_ascii_whitespace()
        };
        raw.chars().filter(kept).collect()
    })
}

/// Replaces each call's argument object by its text if it contains numbers that would print differently: some servers
/// send an object instead of text. `text` is what `value` was parsed from.
pub(crate) fn keep_digits(value: &mut Value, text: &str) {
    if !has_double(value) {
        return;
    }
    match value {
        Value::Object(map) => {
            let Ok(parts) = serde_json::from_str::<HashMap<String, &RawValue>>(text) else { return };
            let is_call = map.contains_key("name");
            for (key, part) in map.iter_mut() {
                let Some(raw) = parts.get(key) else { continue };
                let is_arguments = is_call && part.is_object() && matches!(&**key, "arguments" | "input");
                match is_arguments && has_double(part) {
                    true => *part = json!({ WRITTEN: as_text(raw.get()) }),
                    false => keep_digits(part, raw.get()),
                }
            }
        }
        Value::Array(items) => {
            let Ok(parts) = serde_json::from_str::<Vec<&RawValue>>(text) else { return };
            items.iter_mut().zip(parts).for_each(|(item, raw)| keep_digits(item, raw.get()));
        }
        _ => {}
    }
}

fn has_double(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_double),
        Value::Object(map) => map.values().any(has_double),
        _ => false,
    }
}

/// Arguments received as an object, as text.
pub(crate) fn printed(value: &Value) -> String {
    value.get(WRITTEN).and_then(Value::as_str).map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn only_objects_travel_as_they_are() {
        let check = |text: &str, expected: &str| {
            assert_eq!(as_object_text(text), expected);
            assert_eq!(serde_json::to_string(&as_object(text)).unwrap(), expected);
        };
        check(r#"{"a": 1}"#, r#"{"a": 1}"#);
        check(r#" {"a":1} "#, r#"{"a":1}"#);
        check("", "{}");
        check(r#"{"a": "#, r#"{"unparsed":"{\"a\": "}"#);
        check("[1]", r#"{"unparsed":"[1]"}"#);
        check("null", r#"{"unparsed":"null"}"#);
    }

    #[test]
    fn an_object_of_a_server_keeps_its_digits() {
        for (event, place) in [
            (r#"{"cost": 0.50, "item": {"name": "f", "arguments": ARGS}}"#, "/item/arguments"),
            (
                r#"{"content": [{"type": "text"}, {"type": "tool_use", "name": "f", "input": ARGS}]}"#,
                "/content/1/input",
            ),
            (r#"{"tool_calls": [{"function": {"name": "f", "arguments": ARGS}}]}"#, "/tool_calls/0/function/arguments"),
        ] {
            for args in [r#"{"a":1.10,"b":["x y",1e3]}"#, r#"{"a":12345678901234567890123}"#, r#"{"a":1}"#, "{}"] {
                let text = event.replace("ARGS", args);
                let mut value: Value = serde_json::from_str(&text).unwrap();
                keep_digits(&mut value, &text);
                assert_eq!(printed(value.pointer(place).unwrap()), args, "{text}");
            }
        }
        let plain = r#"{"usage": {"input": {"cost": 1.50}}, "name": 1.0}"#;
        let mut value: Value = serde_json::from_str(plain).unwrap();
        keep_digits(&mut value, plain);
        assert_eq!(value, serde_json::from_str::<Value>(plain).unwrap());
    }

    #[test]
    fn text_keeps_its_digits_and_its_strings() {
        for (raw, text) in [
            (r#"{"a": 1.10, "b" : [1e3, "x \" , \\"] }"#, r#"{"a":1.10,"b":[1e3,"x \" , \\"]}"#),
            (r#""{\"a\": 1""#, r#"{"a": 1"#),
            ("[ 1 ]", "[1]"),
        ] {
            assert_eq!(as_text(raw), text);
        }
    }
}
