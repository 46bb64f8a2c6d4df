//! What a server wants back with its answer. OpenAI's API has no such fields; each of these is another provider's.

use crate::provider_state::StatePlace;
use crate::wire::{Part, json};
use serde_json::{Map, Value};

/// Thoughts as text: DeepSeek, Kimi, GLM and the servers of open models.
const TEXTS: [&str; 2] = ["reasoning_content", "reasoning"];
/// Thoughts as a list, whose entries come in pieces: OpenRouter and MiniMax, LiteLLM.
const LISTS: [&str; 2] = ["reasoning_details", "thinking_blocks"];
/// What stands beside a message or a call: Gemini, LiteLLM. Both hold signatures of thoughts.
const BESIDE: [&str; 2] = ["extra_content", "provider_specific_fields"];
/// The texts of entries, which come in pieces.
const PIECES: [&str; 5] = ["text", "summary", "data", "thinking", "signature"];

/// The fields of one answer, as far as they came.
#[derive(Debug, Default)]
pub(super) struct State {
    fields: Map<String, Value>,
}

impl State {
    /// What a call has beside it.
    pub(super) fn of_call(call: &Value) -> Option<(&'static str, &Value)> {
        BESIDE.iter().find_map(|name| Some((*name, json::part(call, name)?)))
    }

    /// Takes a piece of the message.
    pub(super) fn read(&mut self, delta: &Value) {
        for name in TEXTS {
            if let Some(Value::String(piece)) = delta.get(name) {
                append(&mut self.fields, name, piece);
            }
        }
        for name in LISTS {
            for entry in json::list(delta, name).filter_map(Value::as_object) {
                let list = self.fields.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                list.as_array_mut().into_iter().for_each(|list| add(list, entry));
            }
        }
        for name in BESIDE {
            // The rest of it describes the piece.
            if let Some(beside) = json::part(delta, name).filter(|beside| is_signed(beside)) {
                self.fields.insert(name.to_owned(), beside.clone());
            }
        }
    }

    /// Releases them.
    pub(super) fn hand_out(&mut self, out: &mut Vec<Part>) {
        let fields = std::mem::take(&mut self.fields).into_iter();
        out.extend(fields.map(|(name, value)| Part::State(StatePlace::Message(name), value)));
    }
}

fn append(map: &mut Map<String, Value>, name: &str, piece: &str) {
    match map.get_mut(name) {
        Some(Value::String(text)) => text.push_str(piece),
        _ => drop(map.insert(name.to_owned(), piece.into())),
    }
}

/// An entry begins a further one unless it is of the last one's kind and number; a signature ends one.
fn add(list: &mut Vec<Value>, entry: &Map<String, Value>) {
    let goes_on = |last: &&mut Map<String, Value>| {
        let same = ["type", "index"].iter().all(|key| last.get(*key) == entry.get(*key));
        same && (last.get("signature").is_none_or(|signature| signature.is_null() || signature == ""))
    };
    let Some(last) = list.last_mut().and_then(Value::as_object_mut).filter(goes_on) else {
        list.push(Value::Object(entry.clone()));
        return;
    };
    for (key, value) in entry {
        match value {
            Value::Null => {}
            Value::String(piece) if PIECES.contains(&key.as_str()) => append(last, key, piece),
            value => drop(last.insert(key.clone(), value.clone())),
        }
    }
}

fn is_signed(beside: &Value) -> bool {
    match beside {
        Value::Object(map) => map.iter().any(|(key, value)| key.starts_with("thought_signature") || is_signed(value)),
        _ => false,
    }
}
