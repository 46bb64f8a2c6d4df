//! The course of one run: steps, limits, and how it ends.

use super::ask::Unanswered;
use super::done::GateFailures;
use super::halt::Halt;
use super::hooks::ToldByHooks;
use super::ids::Ids;
use super::subagents::Heard;
use super::{Ended, Offered, Resumption, Turn};
use crate::budget::{Forecast, Ledger, Limited, Over, Source};
use crate::context::History;
use crate::event::{Event, Level};
use crate::prompt;
use crate::report::{RunReport, StopReason, ToolUse};
use crate::session::{Appended, Entry, Open, RunEnded, Snapshot};
use palanca_core::call::{CallId, QuestionId};
use palanca_core::message::Message;
use palanca_core::ports::TaskStatus;
use palanca_hooks::QualityGates;
use palanca_models::{Lookup, Message as Said, Misread, ModelError, ModelErrorKind, Reply, Stop};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What is said once in a run, however often it is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Remark {
    PriceUnknown,
    BudgetWarning,
    UsageEstimated,
}

/// What the run spends.
pub(super) struct Purse {
    pub(super) ledger: Ledger,
    pub(super) forecast: Forecast,
    pub(super) price: Lookup,
    /// Why the next answer was not paid for.
    pub(super) over: Option<Over>,
}

/// What the model said last, and what was wrong with it.
#[derive(Default)]
pub(super) struct LastAnswer {
    pub(super) words: String,
    /// Whether tool calls followed the words.
    pub(super) acted_on: bool,
    /// Whether the model was told that its answer is no JSON.
    pub(super) asked_for_json: bool,
    /// Whether it ended at the model's output limit.
    pub(super) cut: bool,
    /// Answers in a row with neither text nor calls.
    empty: u32,
    /// What was wrong with it, if it ended with calls that cannot be read.
    pub(super) misread: Option<Message>,
    /// Why there was none.
    pub(super) error: Option<ModelError>,
}

/// A run in its course.
pub(super) struct Course<'a> {
    pub(super) turn: &'a Turn<'a>,
    pub(super) history: &'a mut History,
    pub(super) offered: Offered,
    pub(super) halt: Arc<Halt<'a>>,
    pub(super) purse: Purse,
    pub(super) last: LastAnswer,
    pub(super) told: ToldByHooks,
    pub(super) gates: GateFailures,
    pub(super) ids: Ids,
    pub(super) step: u32,
    /// The steps of the session before this run.
    first_step: u32,
    /// Calls that an earlier process left open.
    pub(super) open: Vec<Open>,
    /// Those of them that were parked, with the question of each.
    pub(super) asked: HashMap<CallId, QuestionId>,
    /// Tasks of an earlier process whose answers are to be told.
    pub(super) untold: Vec<TaskStatus>,
    pub(super) used: Vec<ToolUse>,
    remarks: HashSet<Remark>,
}

impl<'a> Course<'a> {
    pub(super) fn new(turn: &'a Turn<'a>, history: &'a mut History, offered: Offered, resumption: Resumption) -> Self {
        let settings = &turn.settings;
        let ledger = settings
            .ledger
            .clone()
            .unwrap_or_else(|| Ledger::going_on(settings.limits.allowance(), resumption.costs, resumption.answers));
        let timeout = [settings.limits.timeout, ledger.time_left()].into_iter().flatten().min();
        let price = settings.prices.named(turn.model.name());
        if resumption.unchecked {
            turn.gates.into_iter().for_each(QualityGates::make_due);
        }
        Self {
            halt: Arc::new(Halt::new(&turn.cancel, turn.gate.intake(), turn.session, timeout)),
            ids: Ids::of(history.messages(), settings.worker.as_ref()),
            turn,
            history,
            offered,
            purse: Purse { ledger, forecast: Forecast::default(), price, over: None },
            last: LastAnswer::default(),
            told: ToldByHooks::default(),
            gates: GateFailures::default(),
            step: resumption.steps,
            first_step: resumption.steps,
            open: resumption.open,
            asked: HashMap::new(),
            untold: resumption.untold,
            used: Vec::new(),
            remarks: HashSet::new(),
        }
    }

    pub(super) async fn run(mut self, task: Option<&str>) -> Ended {
        self.say_what_is_not_known();
        let reason = match self.begin(task).await {
            Some(reason) => reason,
            None => self.steps().await,
        };
        self.turn.stored().await;
        let reason = if self.halt.unkept() { StopReason::StoreFailed } else { reason };
        let (output, answer) = self.output(reason).await;
        self.turn.keep(|| {
            let stop_reason = reason.name().to_owned();
            Entry::Ended(RunEnded { status: reason.status(), stop_reason, output: output.clone() })
        });
        self.turn.stored().await;
        self.hooks_at_end(reason, &output).await;
        let duration = self.halt.deadline().elapsed();
        self.turn.sink.event(&Event::Ended { reason, steps: self.step, duration });
        let costs = (self.purse.ledger.calls() > 0).then(|| self.purse.ledger.spent());
        Ended {
            report: RunReport {
                session: self.turn.session.map(|session| session.id().clone()),
                status: reason.status(),
                stop_reason: reason,
                output,
                steps: self.step,
                tools_used: self.used,
                duration_seconds: duration.as_secs_f64(),
                model: Some(self.turn.model.name().to_owned()),
                cost: costs.as_ref().and_then(|costs| costs.total_cost_usd),
                costs,
            },
            answer,
            error: self.last.error,
        }
    }

    async fn steps(&mut self) -> StopReason {
        loop {
            if let Some(reason) = self.net() {
                return reason;
            }
            if let Some(reason) = self.make_room().await {
                return reason;
            }
            if let Some(reason) = self.hooks_before_model().await {
                return reason;
            }
            self.hear_subagents();
            self.hear_inbox();
            self.renew_offers();
            let tools = Arc::clone(&self.offered.tools);
            let reserved = match self.reserve(&tools).await {
                Ok(reserved) => reserved,
                Err(reason) => return reason,
            };
            if let Some(session) = self.turn.session {
                session.stored_before_this_step().await;
            }
            self.step += 1;
            self.turn.sink.event(&Event::StepStarted { step: self.step });
            let ended = match self.ask(&tools, Source::Agent, reserved).await {
                Ok(reply) => {
                    // A person who wants an end waits for no hook: the nets find that.
                    let _ = self.hooks_after_model(&reply).await;
                    self.act_on(reply).await
                }
                Err(Unanswered::Halted(reason)) => Some(reason),
                Err(Unanswered::Failed(error)) => self.recover(error),
            };
            if let Some(reason) = ended {
                return reason;
            }
        }
    }

    /// The safety nets, in their order; the last one is [`Self::make_room`].
    fn net(&self) -> Option<StopReason> {
        let max_steps = self.turn.agent.max_steps;
        if self.halt.unkept() {
            return Some(StopReason::StoreFailed);
        }
        if self.halt.interrupted() {
            return Some(StopReason::UserInterrupt);
        }
        if max_steps > 0 && self.step - self.first_step >= max_steps {
            return Some(StopReason::MaxSteps);
        }
        self.overspent().or_else(|| self.halt.reason())
    }

    fn overspent(&self) -> Option<StopReason> {
        self.purse.ledger.overspent().map(Limited::reason)
    }

    async fn act_on(&mut self, reply: Reply) -> Option<StopReason> {
        let Reply { text, calls, provider_state, stop, misread, .. } = reply;
        if !text.trim().is_empty() {
            self.last.words.clone_from(&text);
        } else if calls.is_empty() {
            return self.empty_reply();
        }
        self.last.acted_on = !calls.is_empty();
        self.last.empty = 0;
        self.last.cut = stop == Stop::Length;
        // Where it ends the run, the reason of the end says so.
        if self.last.cut && !calls.is_empty() {
            self.turn.notice(Level::Warning, Message::new("agent-reply-cut"));
        }
        // Kept already, with its price.
        self.add(Said::Assistant { text, calls: calls.clone(), provider_state });
        let overspent = self.overspent();
        if let Some(misread) = misread {
            return overspent.or_else(|| self.misread_reply(&misread));
        }
        self.last.misread = None;
        if calls.is_empty() {
            return match overspent {
                Some(reason) => Some(reason),
                None => match self.wait_for_subagents().await {
                    Some(Heard::News) => None,
                    Some(Heard::Halted(reason)) => Some(reason),
                    None => {
                        let done = self.says_done().await;
                        let cut = |done| {
                            if done == StopReason::LlmDone && self.last.cut { StopReason::OutputLimit } else { done }
                        };
                        done.map(cut)
                    }
                },
            };
        }
        let ending = overspent.or_else(|| self.halt.reason());
        self.batch(&calls, ending).await
    }

    /// Neither text nor calls: asked once more, then given up.
    fn empty_reply(&mut self) -> Option<StopReason> {
        self.last.empty += 1;
        if self.last.empty > 1 {
            return Some(StopReason::LlmError);
        }
        self.turn.notice(Level::Warning, Message::new("agent-empty-reply-retry"));
        self.append(Said::user(prompt::nudge()));
        None
    }

    /// Calls that cannot be read: the model is told once what is wrong with them, then the run fails.
    fn misread_reply(&mut self, misread: &Misread) -> Option<StopReason> {
        if self.last.misread.replace(misread.message()).is_some() {
            return Some(StopReason::LlmError);
        }
        let reason = self.turn.catalogue.render(&misread.message());
        self.turn.notice(Level::Warning, Message::new("agent-misread-retry").with("reason", reason));
        self.append(Said::user(prompt::misread(misread)));
        None
    }

    /// A provider's context may be smaller than ours: then half of the conversation leaves, until nothing more can.
    fn recover(&mut self, error: ModelError) -> Option<StopReason> {
        if error.kind() != ModelErrorKind::ContextTooLong {
            self.last.error = Some(error);
            return Some(StopReason::LlmError);
        }
        self.turn.notice(Level::Warning, error.message());
        match self.history.halve(self.turn.catalogue) {
            0 => Some(StopReason::ContextFull),
            count => {
                self.say_windowed(count);
                None
            }
        }
    }

    fn say_what_is_not_known(&mut self) {
        let model = self.turn.model.name();
        if self.turn.settings.prices.lack(model) {
            self.remark(Remark::PriceUnknown, Message::new("agent-price-unknown").with("model", model));
        }
    }

    /// Whether it was said already.
    pub(super) fn has_remarked(&self, remark: Remark) -> bool {
        self.remarks.contains(&remark)
    }

    pub(super) fn remark(&mut self, remark: Remark, message: Message) {
        if self.remarks.insert(remark) {
            self.turn.notice(Level::Warning, message);
        }
    }

    /// Adds a message without cost, stores it, and reports it.
    pub(super) fn append(&mut self, message: Said) {
        self.turn.keep(|| Entry::Appended(Appended { message: message.clone() }));
        self.add(message);
    }

    /// Adds a message that is kept already, and tells of it.
    pub(super) fn add(&mut self, message: Said) {
        self.history.push(message);
        self.tell_last();
    }

    /// To be called after every change of the conversation that is not a message at its end: whoever takes the session up
    /// again begins here.
    pub(super) fn conversation_changed(&self) {
        let Some(session) = self.turn.session else { return };
        let conversation = self.history.conversation();
        let totals = session.totals().bounded_by(&conversation);
        session.keep(&Entry::Compacted(Box::new(Snapshot { totals, conversation })));
    }

    /// Tells of the newest message.
    pub(super) fn tell_last(&self) {
        if let Some(message) = self.history.messages().last() {
            self.turn.sink.event(&Event::Appended { message });
        }
    }
}
