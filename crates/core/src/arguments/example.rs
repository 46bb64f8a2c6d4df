//! An example of what a schema requires.

use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Properties that are shown.
const MOST: usize = 32;

/// The smallest object that illustrates a schema of arguments: its required properties (32 at most), or else its first
/// one, each with a value of its type. Texts are `…`.
#[must_use]
pub fn example(schema: &Value) -> Map<String, Value> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Map::new() };
    let required = schema.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let required: HashSet<&str> = required.iter().filter_map(Value::as_str).collect();
    let is_shown = |name: &&String| required.contains(name.as_str());
    let names = properties.keys().filter(is_shown).chain(properties.keys().take(usize::from(required.is_empty())));
    names.take(MOST).filter_map(|name| Some((name.clone(), value(properties.get(name)?)))).collect()
}

fn value(property: &Value) -> Value {
    if let Some(first) = property.pointer("/enum/0") {
        return first.clone();
    }
    match property.get("type").and_then(|kind| kind.as_str().or_else(|| kind.get(0)?.as_str())) {
        Some("integer" | "number") => property.get("minimum").cloned().unwrap_or_else(|| 1.into()),
        Some("boolean") => true.into(),
        Some("array") => json!(["…"]),
        Some("object") => json!({}),
        _ => "…".into(),
    }
}
