//! The state of a session: the sum of its rows.
//!
//! The sum is the same from all rows or only from those since the conversation was last shortened, because that row holds the
//! sum so far.

use super::event::{Answered, Began, CallEnded, Delegated, Entry, Resumed, RunEnded, Terms};
use crate::budget::Source;
use crate::context::Conversation;
use crate::report::Costs;
use palanca_core::CallId;
use palanca_core::call::{QuestionId, Speaker, Waiting};
use palanca_core::ports::TaskStatus;
use palanca_models::{Message as Said, ToolCall};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Bytes of the user's words that are remembered when a conversation is made shorter, the latest first.
const MOST_TOLD: usize = 64 << 10;

/// How far a call of the last answer came.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// It was asked for and never ran; reads may have begun.
    Asked,
    /// The same, and its arguments are not all kept.
    Withheld,
    /// It waits for the answer to this question, and has not run.
    Parked(QuestionId),
    /// It began to change something, and its end is unknown.
    Begun,
    /// It ended.
    Ended(Said),
}

/// A call of the last answer, until all of them have ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// The call.
    pub call: ToolCall,
    /// How far it came.
    pub progress: Progress,
}

/// Everything that is counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// The first task.
    pub task: String,
    /// On what terms it went on last.
    pub terms: Terms,
    /// What people asked for, in order.
    pub told: Vec<String>,
    /// Tokens and dollars.
    pub costs: Costs,
    /// Model calls, without those for last words.
    pub steps: u32,
    /// Answers, all of them.
    pub answers: u32,
    /// Tool calls that ended.
    pub calls: u32,
    /// Files that were changed.
    pub files: BTreeSet<String>,
    /// Lines that were changed.
    pub lines: u64,
    /// Programs that ran.
    pub commands: u64,
    /// Calls whose results contain foreign text.
    pub foreign: BTreeSet<CallId>,
    /// Whether foreign text came that no call above names: a stranger's words, or a result that has left the conversation.
    pub overheard: bool,
    /// Tasks that were given to subagents.
    pub tasks: u64,
    /// Tasks in the background that the agent has not been told the answer of.
    pub untold: Vec<TaskStatus>,
    /// How the last run ended; none while one goes on, or after a crash.
    pub ended: Option<RunEnded>,
}

/// A session at the moment when its conversation was made shorter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// What was counted so far.
    pub totals: Totals,
    /// What the model is sent from here on.
    pub conversation: Conversation,
}

/// A session as its rows tell it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// What is counted.
    pub totals: Totals,
    /// What was said, up to the last answer; without instructions, which every run makes anew.
    pub conversation: Conversation,
    /// The calls of the last answer, if not all of them have ended.
    pub open: Vec<Open>,
}

impl Totals {
    /// Adds what a row counts.
    pub(super) fn add(&mut self, entry: &Entry) {
        match entry {
            Entry::Began(Began { task, terms, .. }) => {
                self.task.clone_from(task);
                self.terms.clone_from(terms);
            }
            Entry::Resumed(Resumed { terms }) => {
                self.terms.clone_from(terms);
                self.ended = None;
            }
            Entry::Prompt(prompt) if prompt.speaker.is_trusted() => self.told.push(prompt.text.clone()),
            Entry::Prompt(prompt) => self.overheard |= matches!(prompt.speaker, Speaker::Stranger { .. }),
            Entry::Answered(answered) => self.pay(answered),
            Entry::CallEnded(ended) => self.call(ended),
            Entry::Delegated(delegated) => self.delegated(delegated),
            Entry::SubagentSpent(spent) => self.costs.add(Source::Subagent, &spent.usage, spent.dollars),
            Entry::SubagentEnded(ended) => {
                if let Some(task) = self.untold.iter_mut().find(|task| task.id == ended.task.id) {
                    task.clone_from(&ended.task);
                }
            }
            Entry::Announced(announced) => self.untold.retain(|task| task.id != announced.task),
            Entry::Ended(ended) => self.ended = Some(ended.clone()),
            Entry::Compacted(snapshot) => self.clone_from(&snapshot.totals),
            Entry::JobSaid(said) => self.overheard |= said.foreign,
            Entry::Appended(_) | Entry::Begun(_) | Entry::Parked(_) | Entry::Notice(_) | Entry::GateTried(_) => {}
        }
    }

    /// The same, without foreign results that have left the conversation and without the user's older words: only the names of
    /// changed files grow with a session.
    pub(crate) fn bounded_by(mut self, conversation: &Conversation) -> Self {
        let results = conversation.messages.iter().filter_map(|said| match said {
            Said::Tool { call_id, .. } => Some(call_id),
            _ => None,
        });
        let there: BTreeSet<&CallId> = results.collect();
        let before = self.foreign.len();
        self.foreign.retain(|call| there.contains(call));
        self.overheard |= self.foreign.len() < before;
        let mut bytes = 0;
        let kept = self.told.iter().rev().take_while(|words| {
            bytes += words.len();
            bytes <= MOST_TOLD
        });
        let forgotten = self.told.len() - kept.count();
        self.told.drain(..forgotten);
        self
    }

    fn pay(&mut self, answered: &Answered) {
        self.answers += u32::from(!answered.cut);
        if answered.source != Source::Summary {
            self.steps = answered.step;
        }
        self.costs.add(answered.source, &answered.usage, answered.dollars);
    }

    /// Only the first agent's own tasks are told to it; those of subagents end with them.
    fn delegated(&mut self, delegated: &Delegated) {
        self.tasks += 1;
        if delegated.waiting == Waiting::Background && delegated.task.depth == 1 {
            self.untold.push(delegated.task.clone());
        }
    }

    fn call(&mut self, ended: &CallEnded) {
        self.calls += 1;
        self.files.extend(ended.changes.files.iter().cloned());
        self.lines += ended.changes.lines;
        self.commands += ended.changes.commands;
        if ended.foreign {
            self.foreign.insert(ended.call.clone());
        }
    }
}

impl State {
    /// Adds one row. They must come in order.
    pub fn add(&mut self, entry: Entry) {
        self.totals.add(&entry);
        match entry {
            Entry::Prompt(prompt) => {
                self.settle();
                self.conversation.ask(prompt.text, prompt.parts);
            }
            Entry::Appended(appended) => {
                self.settle();
                self.conversation.messages.push(appended.message);
            }
            Entry::Announced(announced) => {
                self.settle();
                self.conversation.messages.push(announced.message);
            }
            Entry::JobSaid(said) => {
                self.settle();
                self.conversation.messages.push(said.message);
            }
            Entry::Answered(Answered { message: Some(message), withheld, .. }) => {
                self.settle();
                if let Said::Assistant { calls, .. } = &message {
                    let open = |call: &ToolCall| {
                        let progress = if withheld.contains(&call.id) { Progress::Withheld } else { Progress::Asked };
                        Open { call: call.clone(), progress }
                    };
                    self.open = calls.iter().map(open).collect();
                }
                self.conversation.messages.push(message);
            }
            Entry::Begun(begun) => {
                if let Some(open) = self.open_call(&begun.call) {
                    open.progress = Progress::Begun;
                }
            }
            Entry::Parked(parked) => {
                if let Some(open) = self.open_call(&parked.call)
                    && open.progress == Progress::Asked
                {
                    open.progress = Progress::Parked(parked.question);
                }
            }
            Entry::CallEnded(ended) => {
                if let Some(open) = self.open_call(&ended.call) {
                    open.progress = Progress::Ended(ended.said());
                }
                if self.open.iter().all(|open| matches!(open.progress, Progress::Ended(_))) {
                    self.settle();
                }
            }
            Entry::Compacted(snapshot) => {
                self.open.clear();
                self.conversation = snapshot.conversation;
            }
            Entry::Answered(_)
            | Entry::Began(_)
            | Entry::Resumed(_)
            | Entry::Delegated(_)
            | Entry::SubagentSpent(_)
            | Entry::SubagentEnded(_)
            | Entry::Notice(_)
            | Entry::GateTried(_)
            | Entry::Ended(_) => {}
        }
    }

    fn open_call(&mut self, call: &CallId) -> Option<&mut Open> {
        self.open.iter_mut().find(|open| open.call.id == *call && !matches!(open.progress, Progress::Ended(_)))
    }

    /// What ended joins the conversation, in the order of the calls.
    fn settle(&mut self) {
        for open in self.open.drain(..) {
            if let Progress::Ended(said) = open.progress {
                self.conversation.messages.push(said);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::super::event::Prompt;
    use super::*;

    fn prompt(speaker: Speaker, text: &str) -> Entry {
        Entry::Prompt(Prompt { text: text.to_owned(), speaker, message: None, parts: Vec::new() })
    }

    #[test]
    fn only_trusted_words_are_told_and_a_strangers_are_overheard() {
        let mut totals = Totals::default();
        totals.add(&prompt(Speaker::User, "one"));
        totals.add(&prompt(Speaker::Agent, "task"));
        totals.add(&prompt(Speaker::Trusted { name: "ana".to_owned() }, "two"));
        assert_eq!((totals.told.as_slice(), totals.overheard), (&["one".to_owned(), "two".to_owned()][..], false));
        totals.add(&prompt(Speaker::Stranger { name: "eve".to_owned() }, "three"));
        assert_eq!((totals.told.len(), totals.overheard), (2, true));
        // As it is kept: the user's own prompts look as they always did.
        let own = Prompt { text: "x".to_owned(), speaker: Speaker::User, message: None, parts: Vec::new() };
        let row = serde_json::to_value(own).unwrap();
        assert_eq!(row, serde_json::json!({"text": "x"}));
    }

    #[test]
    fn what_is_counted_does_not_grow_with_a_conversation_of_months() {
        let mut totals = Totals::default();
        for number in 0..2_000 {
            totals.add(&prompt(Speaker::User, &format!("{number}: {}", "word ".repeat(100))));
            totals.foreign.insert(CallId::new(number.to_string()));
        }
        let there = |number: u32| Said::Tool {
            call_id: CallId::new(number.to_string()),
            name: "fetch".to_owned(),
            content: "foreign".into(),
            is_error: false,
            parts: Vec::new(),
        };
        let conversation = Conversation { messages: (1_990..2_000).map(there).collect(), ..Conversation::default() };
        let bounded = totals.bounded_by(&conversation);
        assert!(serde_json::to_string(&bounded).unwrap().len() < 80 << 10);
        assert!(bounded.told.last().unwrap().starts_with("1999: "), "the latest words stay");
        assert_eq!((bounded.foreign.len(), bounded.overheard), (10, true), "what has left was foreign all the same");
    }
}
