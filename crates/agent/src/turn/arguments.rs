//! A call's arguments on one line, for people.

use serde_json::{Map, Value};

/// Characters of one value.
const VALUE_CHARS: usize = 100;

/// `path=src/main.rs, content=fn main() {…`: every value on one line and cut at a hundred characters. Text that is no JSON
/// object is shown as it is, cut the same way.
#[must_use]
pub fn arguments_line(arguments: &str) -> String {
    let Ok(object) = serde_json::from_str::<Map<String, Value>>(arguments) else {
        return cut(arguments.trim());
    };
    let parts: Vec<String> = object
        .iter()
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name}={}", cut(text)),
            other => format!("{name}={}", cut(&other.to_string())),
        })
        .collect();
    parts.join(", ")
}

/// The beginning of a text, on one line.
pub(super) fn cut(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(VALUE_CHARS + 8));
    for (count, character) in text.chars().enumerate() {
        if count == VALUE_CHARS {
            line.push('…');
            break;
        }
        match character {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            control if control.is_control() => line.extend(control.escape_unicode()),
            other => line.push(other),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn arguments_become_one_line() {
        let long = "x".repeat(150);
        for (arguments, expected) in [
            (r#"{"path":"a.rs","limit":3}"#.to_owned(), "path=a.rs, limit=3".to_owned()),
            (r#"{"content":"a\nb\u001b[31m"}"#.to_owned(), "content=a\\nb\\u{1b}[31m".to_owned()),
            (format!(r#"{{"c":"{long}"}}"#), format!("c={}…", &long[..100])),
            ("{}".to_owned(), String::new()),
            (" {broken".to_owned(), "{broken".to_owned()),
            (String::new(), String::new()),
        ] {
            assert_eq!(arguments_line(&arguments), expected);
        }
    }
}
