//! The bytes in a row: images and audio as base64, and what a model's provider wants back. No secret is looked for in them: what
//! looks like one there is chance, and taking it out would break the image or the signature.

use super::event::{Announced, Answered, Appended, Entry};
use palanca_models::Message as Said;
use serde_json::Value;

/// Whether an entry's row may hold some.
pub(super) fn are_in(entry: &Entry) -> bool {
    let of_message = |message: &Said| match message {
        Said::User { parts, .. } | Said::Tool { parts, .. } => !parts.is_empty(),
        Said::Assistant { provider_state, .. } => provider_state.is_some(),
        Said::System { .. } => false,
    };
    match entry {
        Entry::CallEnded(ended) => !ended.parts.is_empty(),
        Entry::Appended(Appended { message }) | Entry::Announced(Announced { message, .. }) => of_message(message),
        Entry::Answered(Answered { message, .. }) => message.as_ref().is_some_and(of_message),
        Entry::Compacted(snapshot) => snapshot.conversation.messages.iter().any(of_message),
        _ => false,
    }
}

/// Takes the texts of all bytes out, in an order that [`give_back`] knows.
pub(super) fn take(entry: &Entry, row: &mut Value) -> Vec<String> {
    let mut taken = Vec::new();
    each(entry, row, &mut |text| taken.push(std::mem::take(text)));
    taken
}

/// Puts back what [`take`] took.
pub(super) fn give_back(entry: &Entry, row: &mut Value, taken: Vec<String>) {
    if taken.is_empty() {
        return;
    }
    let mut taken = taken.into_iter();
    each(entry, row, &mut |text| *text = taken.next().unwrap_or_default());
}

fn each(entry: &Entry, row: &mut Value, visit: &mut dyn FnMut(&mut String)) {
    // Only where the row has messages of models: what a tool gives may have fields of any name.
    match entry {
        Entry::Answered(_) => row.get_mut("message").into_iter().for_each(|message| of_state(message, visit)),
        Entry::Compacted(_) => {
            let messages = row.pointer_mut("/conversation/messages").and_then(Value::as_array_mut);
            messages.into_iter().flatten().for_each(|message| of_state(message, visit));
        }
        _ => {}
    }
    each_part(row, visit);
}

/// Secrets were looked for in it before.
fn of_state(message: &mut Value, visit: &mut dyn FnMut(&mut String)) {
    let items = message.pointer_mut("/provider_state/items").and_then(Value::as_array_mut);
    for item in items.into_iter().flatten() {
        if let Some(Value::String(text)) = item.get_mut("json") {
            visit(text);
        }
    }
}

fn each_part(value: &mut Value, visit: &mut dyn FnMut(&mut String)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each_part(item, visit)),
        Value::Object(map) => {
            for (key, item) in map {
                match (key.as_str(), item) {
                    ("parts", Value::Array(parts)) => parts.iter_mut().for_each(|part| of_part(part, visit)),
                    (_, item) => each_part(item, visit),
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
