//! The bytes in a row: images and audio as base64, in which no secret is looked for. What looks like one there is chance, and
//! taking it out would break the image.

use super::event::{Announced, Appended, Entry};
use palanca_models::Message as Said;
use serde_json::Value;

/// Whether an entry's row may hold some.
pub(super) fn are_in(entry: &Entry) -> bool {
    let of_message = |message: &Said| match message {
        Said::User { parts, .. } | Said::Tool { parts, .. } => !parts.is_empty(),
        Said::System { .. } | Said::Assistant { .. } => false,
    };
    match entry {
        Entry::CallEnded(ended) => !ended.parts.is_empty(),
        Entry::Appended(Appended { message }) | Entry::Announced(Announced { message, .. }) => of_message(message),
        Entry::Compacted(snapshot) => snapshot.conversation.messages.iter().any(of_message),
        _ => false,
    }
}

/// Takes the texts of all bytes out, in an order that [`give_back`] knows.
pub(super) fn take(row: &mut Value) -> Vec<String> {
    let mut taken = Vec::new();
    each(row, &mut |text| taken.push(std::mem::take(text)));
    taken
}

/// Puts back what [`take`] took.
pub(super) fn give_back(row: &mut Value, taken: Vec<String>) {
    if taken.is_empty() {
        return;
    }
    let mut taken = taken.into_iter();
    each(row, &mut |text| *text = taken.next().unwrap_or_default());
}

fn each(value: &mut Value, visit: &mut dyn FnMut(&mut String)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, visit)),
        Value::Object(map) => {
            for (key, item) in map {
                match (key.as_str(), item) {
                    ("parts", Value::Array(parts)) => parts.iter_mut().for_each(|part| of_part(part, visit)),
                    (_, item) => each(item, visit),
                }
            }
        }
        _ => {}
    }
}

fn of_part(part: &mut Value, visit: &mut dyn FnMut(&mut String)) {
    for pointer in ["/data", "/resource/blob"] {
        if let Some(Value::String(text)) = part.pointer_mut(pointer) {
            visit(text);
        }
    }
}
