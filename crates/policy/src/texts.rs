//! Small questions to texts, answered once for every room of this crate.

use palanca_core::call::Effect;
use serde_json::Value;
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// Whether a list of words between blanks has this one.
pub(crate) fn holds(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// The beginning of a text.
pub(crate) fn short(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Every string of a value.
pub(crate) fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(fields) => fields.values().flat_map(strings).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// What a program is given: its own text with its variables, or input while it runs.
pub(crate) fn of_program(effect: &Effect) -> Option<Cow<'_, str>> {
    match effect {
        Effect::Run(launch) => Some(launch.typed().into()),
        Effect::Feed { input, .. } => Some(input.into()),
        _ => None,
    }
}

/// A path without `.` and `..`, by name alone.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}
