//! Ids of calls that are unique in a conversation, whatever a model gives: results are matched by them.

use super::Worker;
use palanca_core::CallId;
use palanca_models::{Message, ToolCall};
use std::collections::{HashMap, HashSet};

pub(super) struct Ids {
    /// Before every id of a subagent: its calls belong to the session of others, whose ids are their own.
    prefix: String,
    known: HashSet<CallId>,
    /// The next number behind an id that comes again: some models begin to count anew with every answer.
    numbers: HashMap<String, u64>,
}

impl Ids {
    /// Knows the ids of this conversation.
    pub(super) fn of(messages: &[Message], worker: Option<&Worker>) -> Self {
        let known = messages
            .iter()
            .filter_map(|message| match message {
                Message::Assistant { calls, .. } => Some(calls),
                _ => None,
            })
            .flatten()
            .map(|call| call.id.clone())
            .collect();
        let prefix = worker.map(|worker| format!("{}.", worker.task)).unwrap_or_default();
        Self { prefix, known, numbers: HashMap::new() }
    }

    /// The same calls; an id that is empty or taken gets a number behind it.
    pub(super) fn unique(&mut self, mut calls: Vec<ToolCall>) -> Vec<ToolCall> {
        for call in &mut calls {
            if !self.prefix.is_empty() {
                call.id = CallId::new(format!("{}{}", self.prefix, call.id));
            }
            if call.id.as_str() == self.prefix || self.known.contains(&call.id) {
                call.id = self.next(call.id.as_str());
            }
            self.known.insert(call.id.clone());
        }
        calls
    }

    fn next(&mut self, taken: &str) -> CallId {
        let whole = format!("{}call", self.prefix);
        let stem = if taken == self.prefix { &whole } else { taken };
        let number = self.numbers.entry(stem.to_owned()).or_insert(2);
        loop {
            let id = CallId::new(format!("{stem}-{number}"));
            *number += 1;
            if !self.known.contains(&id) {
                return id;
            }
        }
    }
}
