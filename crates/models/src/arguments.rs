//! A call's argument text on its way back to a provider.
//!
//! Servers parse the arguments of earlier calls and refuse the whole conversation where one does not parse, so text that is
//! no JSON object travels inside one; the model still sees what it wrote.

use serde::Serialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

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

/// The text as text that holds an object.
pub(crate) fn as_object_text(text: &str) -> Cow<'_, str> {
    match as_object(text) {
        Object::Verbatim(raw) => Cow::Borrowed(raw.get()),
        // The other two hold only a string or nothing; `{}` stands where rendering fails, which it cannot.
        other => Cow::Owned(serde_json::to_string(&other).unwrap_or_else(|_| "{}".to_owned())),
    }
}

/// Arguments as they stand in a line of JSON: a string holds the model's own text, anything else is that text itself, without
/// the blanks between its parts. Parsed JSON would print its numbers otherwise.
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
