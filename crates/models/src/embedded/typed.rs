//! Converts a bare text parameter to the JSON type of its schema.
//!
//! A text is unchanged, and a number keeps its digits. A value that does not fit is passed on as text, so that the gate can
//! report the error.

use serde_json::Value;
use serde_json::value::RawValue;

/// References and alternatives that are followed inside one another.
const MAX_STEPS: u8 = 5;

/// The text of a parameter as JSON.
pub(super) fn json(text: &str, key: &str, schema: Option<&Value>) -> String {
    let property = schema.and_then(|schema| schema.get("properties")?.get(key));
    let types =
        schema.zip(property).map(|(schema, property)| types_of(schema, property, MAX_STEPS)).unwrap_or_default();
    let trimmed = text.trim();
    let is = |wanted: &str| types.contains(&wanted);
    let may_be = |wanted: &str| types.is_empty() || is(wanted);
    if is("string") {
        return if is("null") && trimmed == "null" { "null".to_owned() } else { quoted(text) };
    }
    let word = match trimmed {
        "True" | "TRUE" => "true",
        "False" | "FALSE" => "false",
        "None" if is("null") => "null",
        _ => trimmed,
    };
    let fits = match word.chars().next() {
        Some('{') => may_be("object"),
        Some('[') => may_be("array"),
        Some('t' | 'f') => may_be("boolean"),
        Some('n') => may_be("null"),
        Some('-' | '0'..='9') => may_be("number") || is("integer"),
        _ => false,
    };
    let word = super::cursor::with_controls_escaped(word);
    if fits && serde_json::from_str::<&RawValue>(&word).is_ok() { word.into_owned() } else { quoted(text) }
}

/// A text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The JSON types that a property declares.
fn types_of<'s>(root: &'s Value, property: &'s Value, depth: u8) -> Vec<&'s str> {
    if depth == 0 {
        return Vec::new();
    }
    let mut types: Vec<&str> = match property.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let referred = property.get("$ref").and_then(Value::as_str).and_then(|path| root.pointer(path.strip_prefix('#')?));
    let options = ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| property.get(*key)?.as_array()).flatten();
    for option in options.chain(referred) {
        types.extend(types_of(root, option, depth - 1));
    }
    let values = property.get("enum").and_then(Value::as_array).into_iter().flatten().chain(property.get("const"));
    if types.is_empty() && values.into_iter().any(Value::is_string) {
        types.push("string");
    }
    types
}
