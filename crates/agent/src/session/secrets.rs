//! Takes secrets out of an entry before it is a row, where they stand in JSON within a text: found as they are meant, not as they
//! are written. All other texts of a row are cleaned as they are.

use super::event::{Answered, Entry};
use palanca_core::ports::Redactor;
use palanca_models::{Message as Said, ProviderState, ToolCall};
use serde_json::Value;
use std::borrow::Cow;

/// The arguments of calls, and what a provider wants back.
pub(super) fn without<'e>(redactor: &dyn Redactor, entry: &'e Entry) -> Cow<'e, Entry> {
    match entry {
        Entry::Answered(answered) => clean_answer(redactor, answered).map_or(Cow::Borrowed(entry), Cow::Owned),
        Entry::Compacted(snapshot) => {
            let mut messages = Cow::Borrowed(snapshot.conversation.messages.as_slice());
            for (at, said) in snapshot.conversation.messages.iter().enumerate() {
                if let Some(clean) = clean_state(redactor, said)
                    && let Some(Said::Assistant { provider_state, .. }) = messages.to_mut().get_mut(at)
                {
                    *provider_state = Some(clean);
                }
            }
            let Cow::Owned(messages) = messages else { return Cow::Borrowed(entry) };
            let mut snapshot = snapshot.clone();
            snapshot.conversation.messages = messages;
            Cow::Owned(Entry::Compacted(snapshot))
        }
        _ => Cow::Borrowed(entry),
    }
}

fn clean_state(redactor: &dyn Redactor, said: &Said) -> Option<ProviderState> {
    let Said::Assistant { provider_state: Some(state), .. } = said else { return None };
    state.without_secrets(redactor)
}

fn clean_answer(redactor: &dyn Redactor, answered: &Answered) -> Option<Entry> {
    let Some(said @ Said::Assistant { calls, .. }) = &answered.message else { return None };
    let cleaned: Vec<Option<String>> = calls.iter().map(|call| clean_arguments(redactor, call)).collect();
    let state = clean_state(redactor, said);
    if state.is_none() && cleaned.iter().all(Option::is_none) {
        return None;
    }
    let mut answered = answered.clone();
    if let Some(Said::Assistant { calls, provider_state, .. }) = &mut answered.message {
        if state.is_some() {
            *provider_state = state;
        }
        for (call, arguments) in calls.iter_mut().zip(cleaned) {
            if let Some(arguments) = arguments {
                answered.withheld.push(call.id.clone());
                call.arguments = arguments;
            }
        }
    }
    Some(Entry::Answered(answered))
}

/// None where there is nothing to take out.
fn clean_arguments(redactor: &dyn Redactor, call: &ToolCall) -> Option<String> {
    if let Ok(mut value) = serde_json::from_str::<Value>(&call.arguments) {
        let before = value.clone();
        redactor.redact_json(&mut value);
        if value != before {
            return Some(value.to_string());
        }
    }
    match redactor.redact(&call.arguments) {
        Cow::Owned(clean) if clean != call.arguments => Some(clean),
        _ => None,
    }
}
