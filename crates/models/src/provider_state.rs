//! What a model's provider wants back with an answer: signatures, encrypted reasoning, and the thoughts that go with them.
//!
//! It is kept and sent back as it came, and only to the model whose answer it belongs to, because every other one refuses it.
//! Only what is readable in it can hold a secret; a text under a signature cannot be changed, so it is kept whole or not at all.

use crate::message::ToolCall;
use palanca_core::ports::Redactor;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// Everything that one answer's provider wants back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderState {
    /// The model that answered, as `--model` names it.
    pub model: String,
    /// In the order of the answer.
    pub items: Vec<StateItem>,
}

/// One of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateItem {
    /// Bytes of the answer's text before it.
    pub text: usize,
    /// Calls of the answer before it.
    pub calls: usize,
    /// Where it stands in the wire.
    pub place: StatePlace,
    /// The JSON to be sent.
    pub json: String,
}

/// Where a wire has an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatePlace {
    /// Between texts and calls, as one of them.
    Block,
    /// A field of the message.
    Message(String),
    /// A field of the call that follows.
    Call(String),
}

/// An answer as a list of blocks.
pub(crate) enum Block<'a> {
    Text(&'a str),
    Call(&'a ToolCall),
    State(&'a RawValue),
}

/// Fields whose texts mean something to the provider alone.
const SEALED: [&str; 5] = ["signature", "thought_signature", "thought_signatures", "encrypted_content", "data"];

impl ProviderState {
    /// The items that this model is sent.
    fn items_for<'a>(state: Option<&'a Self>, model: &str) -> &'a [StateItem] {
        state.filter(|state| state.model == model).map_or(&[], |state| &state.items)
    }

    /// The fields of a message, for this model.
    pub(crate) fn message_fields<'a>(state: Option<&'a Self>, model: &str) -> Vec<(&'a str, &'a RawValue)> {
        fields(Self::items_for(state, model), |item| match &item.place {
            StatePlace::Message(name) => Some(name),
            _ => None,
        })
    }

    /// The fields of its call with this number.
    pub(crate) fn call_fields<'a>(state: Option<&'a Self>, model: &str, call: usize) -> Vec<(&'a str, &'a RawValue)> {
        fields(Self::items_for(state, model), |item| match &item.place {
            StatePlace::Call(name) if item.calls == call => Some(name),
            _ => None,
        })
    }

    /// The whole answer in its order, for this model.
    pub(crate) fn blocks<'a>(
        state: Option<&'a Self>,
        model: &str,
        (text, calls): (&'a str, &'a [ToolCall]),
    ) -> Vec<Block<'a>> {
        let mut blocks = Vec::with_capacity(calls.len() + 1);
        let (mut said, mut made) = (0, 0);
        for item in Self::items_for(state, model).iter().filter(|item| item.place == StatePlace::Block) {
            // Secrets taken out of a stored text may have moved its end.
            let at = (said..=item.text.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(said);
            blocks.extend(text.get(said..at).filter(|text| !text.is_empty()).map(Block::Text));
            said = at;
            blocks.extend(calls.iter().take(item.calls).skip(made).map(Block::Call));
            made = made.max(item.calls);
            blocks.extend(item.raw().map(Block::State));
        }
        blocks.extend(text.get(said..).filter(|text| !text.is_empty()).map(Block::Text));
        blocks.extend(calls.iter().skip(made).map(Block::Call));
        blocks
    }

    /// Its size in a request.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.items.iter().map(|item| item.json.len()).sum()
    }

    /// As it may be stored; none if it may be stored as it is. What is sealed is no text and stays.
    #[must_use]
    pub fn without_secrets(&self, redactor: &dyn Redactor) -> Option<Self> {
        let cleaned: Vec<Option<StateItem>> = self.items.iter().map(|item| item.without_secrets(redactor)).collect();
        let changed = cleaned.iter().zip(&self.items).any(|(clean, item)| clean.as_ref() != Some(item));
        changed.then(|| Self { model: self.model.clone(), items: cleaned.into_iter().flatten().collect() })
    }
}

fn fields<'a>(
    items: &'a [StateItem],
    name: impl Fn(&'a StateItem) -> Option<&'a String>,
) -> Vec<(&'a str, &'a RawValue)> {
    items.iter().filter_map(|item| Some((name(item)?.as_str(), item.raw()?))).collect()
}

impl StateItem {
    fn raw(&self) -> Option<&RawValue> {
        serde_json::from_str(&self.json).ok()
    }

    /// None where a text that is signed holds one.
    fn without_secrets(&self, redactor: &dyn Redactor) -> Option<Self> {
        let mut value: Value = serde_json::from_str(&self.json).ok()?;
        let mut sealed = false;
        unseal(&mut value, &mut sealed);
        let readable = value.clone();
        redactor.redact_json(&mut value);
        match (value == readable, sealed) {
            (true, _) => Some(self.clone()),
            (false, true) => None,
            (false, false) => Some(Self { json: value.to_string(), ..self.clone() }),
        }
    }
}

/// Takes out what is sealed, and says whether there was any.
fn unseal(value: &mut Value, sealed: &mut bool) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| unseal(item, sealed)),
        Value::Object(map) => {
            for (key, item) in map.iter_mut() {
                if !SEALED.contains(&key.as_str()) {
                    unseal(item, sealed);
                } else if !item.is_null() && *item != "" {
                    *item = Value::Null;
                    *sealed = true;
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
