//! The stored form of a conversation, for resuming in another process: without instructions, which every run creates, and
//! without sizes, which are recounted.

use super::{ContextLimits, History, mend};
use crate::session::enclosed::without_bytes;
use palanca_core::call::Part;
use palanca_core::message::Catalogue;
use palanca_models::Message as Said;
use serde::{Deserialize, Serialize};

/// A conversation, oldest message first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Conversation {
    /// What was said.
    pub messages: Vec<Said>,
    /// Which message is the present task.
    pub task: Option<usize>,
    /// Which message stands for the steps that were summarised.
    pub summary: Option<usize>,
    /// How many messages it stands for.
    pub summarised: usize,
    /// How many messages have left without a trace.
    pub left_out: usize,
    /// The first user's words without the note on what was left out.
    pub first_words: Option<String>,
}

impl Conversation {
    /// Adds a task, and what was sent with it.
    pub fn ask(&mut self, task: String, parts: Vec<Part>) {
        self.task = Some(self.messages.len());
        self.messages.push(Said::User { text: task, parts });
    }
}

impl History {
    /// What is to be kept of it.
    pub(crate) fn conversation(&self) -> Conversation {
        let instructions = usize::from(matches!(self.messages.first(), Some(Said::System { .. })));
        let first = self.messages.iter().find_map(|message| match message {
            Said::User { text, .. } => Some(text),
            _ => None,
        });
        let kept = |message: &Said| match message {
            Said::User { text, parts } => {
                Said::User { text: text.clone(), parts: parts.iter().map(without_bytes).collect() }
            }
            message => message.clone(),
        };
        Conversation {
            messages: self.messages.iter().skip(instructions).map(kept).collect(),
            task: self.task.and_then(|task| task.checked_sub(instructions)),
            summary: self.summary.and_then(|summary| summary.checked_sub(instructions)),
            summarised: self.summarised,
            left_out: self.left_out,
            first_words: first.zip(self.first_words).and_then(|(text, bytes)| text.get(..bytes)).map(str::to_owned),
        }
    }

    /// A conversation that goes on. Calls without a result get one that says so, and results without a call are left out;
    /// the calls of the last message are let be while `open` says that they are still being worked on.
    pub(crate) fn restored(
        limits: ContextLimits,
        mut kept: Conversation,
        open: Calls,
        catalogue: &dyn Catalogue,
    ) -> Self {
        let last = if open == Calls::Open { kept.messages.pop() } else { None };
        let mut history = Self::new(limits);
        let count = kept.messages.len();
        for message in mend::mend(kept.messages, catalogue).into_iter().chain(last) {
            history.push(message);
        }
        let is_user = |at: &usize| matches!(history.messages.get(*at), Some(Said::User { .. }));
        // Where something had to be mended, the place is another one.
        history.task = kept.task.filter(|at| *at < count && is_user(at));
        history.summary = kept.summary.filter(|at| *at < count && is_user(at));
        history.summarised = kept.summarised;
        history.left_out = kept.left_out;
        let first = history.messages.iter().find_map(|message| match message {
            Said::User { text, .. } => Some(text),
            _ => None,
        });
        history.first_words = kept
            .first_words
            .filter(|words| first.is_some_and(|text| text.starts_with(words.as_str())))
            .map(|w| w.len());
        history
    }
}

/// Whether the calls of the last message are still being worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// They are.
    Open,
    /// All have ended.
    Ended,
}
