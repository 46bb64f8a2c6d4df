//! Resumes a session: calls left open by a crash get their one result, then the loop continues.
//!
//! A call that never began goes to the gate again, which judges it anew. A call that began may have been done in part: it is not
//! repeated, and the model is told. A call that ended keeps its result.

use super::batch::without_run;
use super::course::Course;
use crate::prompt;
use crate::report::{Costs, Status, StopReason};
use crate::session::enclosed::without_bytes;
use crate::session::{Entry, Open, Progress, Prompt, State};
use palanca_core::call::{OutcomeKind, Part, Speaker};
use palanca_core::message::Message;
use palanca_core::ports::TaskStatus;
use palanca_models::{Message as Said, ToolCall};

/// What a run goes on with, beside the conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resumption {
    /// Model calls so far.
    pub steps: u32,
    /// What was used so far. Where the run's account is given, that says it.
    pub costs: Costs,
    /// Answers so far.
    pub answers: u32,
    /// The calls of the last answer, if not all have ended.
    pub open: Vec<Open>,
    /// Tasks in the background whose answers were not told.
    pub untold: Vec<TaskStatus>,
    /// Whether files were changed by a run that did not come to its end.
    pub unchecked: bool,
}

impl Resumption {
    /// From a session's state.
    #[must_use]
    pub fn of(state: &State) -> Self {
        let totals = &state.totals;
        Self {
            steps: totals.steps,
            costs: totals.costs.clone(),
            answers: totals.answers,
            open: state.open.clone(),
            untold: totals.untold.clone(),
            unchecked: !totals.files.is_empty()
                && totals.ended.as_ref().is_none_or(|ended| ended.status != Status::Success),
        }
    }
}

impl Course<'_> {
    /// Everything before the first step. Returns why the run ends at once, if it does.
    pub(super) async fn begin(&mut self, task: Option<&str>) -> Option<StopReason> {
        let open = std::mem::take(&mut self.open);
        // A new task is part of the conversation before anything else happens, unless calls still wait for their results.
        let (now, later) = if open.is_empty() { (task, None) } else { (None, task) };
        self.begin_with(now);
        let words = task.map(str::to_owned).unwrap_or_default();
        if let Some(task) = task {
            self.turn.gate.hear(&self.turn.settings.scope, &self.turn.speaker, task);
        }
        if let Some(reason) = self.hooks_at_start(&words).await {
            self.take_up(open, Some(reason)).await;
            self.begin_with(later);
            return Some(reason);
        }
        let ended = self.take_up(open, None).await;
        self.tell_of_lost_tasks();
        self.begin_with(later);
        if ended.is_none() && matches!(self.history.messages().last(), Some(Said::Assistant { .. })) {
            // Models answer users, not themselves.
            self.append(Said::user(prompt::go_on()));
        }
        ended
    }

    fn begin_with(&mut self, task: Option<&str>) {
        if let Some(task) = task {
            self.ask_with(&self.turn.speaker, task, self.turn.message.clone(), &self.turn.enclosed);
        }
    }

    /// Adds words to the conversation.
    pub(super) fn ask_for(&mut self, speaker: &Speaker, task: &str, message: Option<String>) {
        self.ask_with(speaker, task, message, &[]);
    }

    /// The same with what was sent with them.
    fn ask_with(&mut self, speaker: &Speaker, task: &str, message: Option<String>, enclosed: &[Part]) {
        let text = match speaker {
            Speaker::Stranger { name } => self.turn.gate.mark(task, name),
            _ => task.to_owned(),
        };
        let parts = enclosed.iter().map(without_bytes).collect();
        self.turn.keep(|| Entry::Prompt(Prompt { text: text.clone(), speaker: speaker.clone(), message, parts }));
        self.history.ask(&text, enclosed.to_vec());
        self.tell_last();
    }

    /// Gives every open call its result.
    async fn take_up(&mut self, open: Vec<Open>, mut ending: Option<StopReason>) -> Option<StopReason> {
        let mut waiting: Vec<ToolCall> = Vec::new();
        for Open { call, progress } in open {
            match &progress {
                Progress::Asked => {}
                Progress::Parked(question) => drop(self.asked.insert(call.id.clone(), question.clone())),
                _ => {
                    // In the order of the calls: those before it first.
                    ending = self.submit_again(&mut waiting, ending).await;
                }
            }
            match progress {
                Progress::Asked | Progress::Parked(_) => waiting.push(call),
                Progress::Ended(said) => self.add(said),
                Progress::Withheld => self.without(&call, "agent-call-withheld"),
                Progress::Begun => self.without(&call, "agent-call-interrupted"),
            }
        }
        self.submit_again(&mut waiting, ending).await
    }

    async fn submit_again(&mut self, calls: &mut Vec<ToolCall>, ending: Option<StopReason>) -> Option<StopReason> {
        if calls.is_empty() {
            return ending;
        }
        let calls = std::mem::take(calls);
        self.batch(&calls, ending).await
    }

    fn without(&mut self, call: &ToolCall, key: &'static str) {
        let why = self.turn.catalogue.render(&Message::new(key));
        let result = without_run(call, OutcomeKind::Interrupted, OutcomeKind::Interrupted.name(), why);
        let told = self.turn.keep_result(&result, &self.history.allowance());
        self.add_result(result, told);
    }
}
