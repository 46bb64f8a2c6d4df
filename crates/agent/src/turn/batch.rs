//! The calls of one answer: through the gate, each with exactly one result, in order.
//!
//! Calls go to the gate one by one rather than as a list, because front ends show when each begins and ends, and because an
//! aborted run must still give a result to calls that never began.

use super::arguments;
use super::course::Course;
use super::halt::Halt;
use super::{Inbox, Turn};
use crate::context::Allowance;
use crate::event::{Event, Output};
use crate::report::{StopReason, ToolUse};
use crate::session::{Entry, Parked};
use futures_util::future::FutureExt as _;
use futures_util::stream::{self, StreamExt as _};
use palanca_core::call::{Call, CallId, ErrorKind, Origin, OutcomeKind, QuestionId, RawArguments};
use palanca_core::gate::{CallOrder, Ticket};
use palanca_core::message::{Catalogue, Message};
use palanca_core::ports::{Heard, Hearing, LogLevel, LogLine, Tail};
use palanca_core::tool::Extent;
use palanca_core::{ToolResult, Toolset};
use palanca_models::{Message as Said, ToolCall};
use std::collections::HashMap;
use std::convert::Infallible;
use std::future::pending;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a stopped call may take to say how it ended.
const LAST_MOMENT: Duration = Duration::from_secs(1);
/// Between two samples of what a program prints.
const SAMPLED: Duration = Duration::from_millis(150);

impl Course<'_> {
    /// Runs the calls and tells the model how each ended. With `ending`, none is run and each is told why. Returns why the
    /// run ends, if it does.
    pub(super) async fn batch(&mut self, calls: &[ToolCall], ending: Option<StopReason>) -> Option<StopReason> {
        let allowance = self.history.allowance();
        if ending == Some(StopReason::Parked) {
            // They stay open, behind the one that waits.
            return ending;
        }
        if let Some(reason) = ending {
            for call in calls {
                let result = not_run(call, reason, self.turn.catalogue);
                let told = self.turn.keep_result(&result, &allowance);
                self.add_result(result, told);
            }
            return ending;
        }
        let turn = self.turn;
        // Shared with the calls that are still running, while results are kept.
        let halt = std::sync::Arc::clone(&self.halt);
        let toolset = self.offered.toolset.clone();
        let asked = std::mem::take(&mut self.asked);
        let parked = AtomicBool::new(false);
        let shared = Shared { halt: &halt, asked: &asked, parked: &parked };
        let cut = calls.last().filter(|_| self.last.cut).map(|call| &call.id);
        let door = Door { turn, toolset: &toolset, shared, allowance, origin: self.origin(), cut };
        let width = turn.settings.limits.parallel.max(1);
        let order = CallOrder::new();
        // Boxed first: the compiler cannot show that a stream over borrowed calls may move between threads.
        let waiting: Vec<_> = calls.iter().map(|call| door.submit(order.ticket(), call).boxed()).collect();
        let mut results = stream::iter(waiting).buffered(width);
        while let Some(ended) = results.next().await {
            if let Some((result, told)) = ended {
                self.add_result(result, told);
            }
        }
        drop(results);
        let is_parked = parked.load(Ordering::Relaxed);
        self.halt.reason().or_else(|| is_parked.then_some(StopReason::Parked))
    }

    /// A result becomes part of the conversation.
    pub(super) fn add_result(&mut self, result: ToolResult, told: Said) {
        self.turn.sink.event(&Event::ToolEnded { result: &result });
        self.add(told);
        self.used.push(ToolUse {
            path: text_of(&result, &["path", "file_path"]).map(str::to_owned),
            command: text_of(&result, &["command"]).map(arguments::cut),
            name: result.tool,
            success: result.success,
            error: result.error,
            code: result.code,
        });
    }
}

/// What a call needs on its way.
struct Door<'a> {
    turn: &'a Turn<'a>,
    toolset: &'a Toolset,
    shared: Shared<'a>,
    allowance: Allowance,
    origin: Origin,
    /// The call in which the answer reached its output limit.
    cut: Option<&'a CallId>,
}

/// What the calls of one answer have in common.
#[derive(Clone, Copy)]
struct Shared<'a> {
    halt: &'a Halt<'a>,
    /// Questions about them that were asked when they were parked.
    asked: &'a HashMap<CallId, QuestionId>,
    /// Whether one waits for an answer: the others that have not begun stay open behind it.
    parked: &'a AtomicBool,
}

impl Door<'_> {
    /// How the call ended, and what the model is told of that: kept as soon as it is known, whatever calls before it do. None where
    /// it stays open: it waits for an answer, or for a call that does.
    async fn submit(&self, ticket: Ticket, call: &ToolCall) -> Option<(ToolResult, Said)> {
        let mut result = self.end(ticket, call).await?;
        if let (Some(error), true) = (&mut result.error, self.cut == Some(&call.id)) {
            *error = self.turn.catalogue.render(&Message::new("agent-call-cut").with("error", error.as_str()));
        }
        if let (OutcomeKind::Parked, Some(session)) = (result.outcome, self.turn.session) {
            if let Some(question) = &result.question {
                self.shared.parked.store(true, Ordering::Relaxed);
                session.keep(&Entry::Parked(Parked { call: call.id.clone(), question: question.clone() }));
                self.turn.sink.event(&Event::ToolEnded { result: &result });
            }
            return None;
        }
        let told = self.turn.keep_result(&result, &self.allowance);
        Some((result, told))
    }

    fn is_behind_one_that_waits(&self) -> bool {
        self.shared.parked.load(Ordering::Relaxed)
    }

    async fn end(&self, ticket: Ticket, call: &ToolCall) -> Option<ToolResult> {
        let (gate, catalogue, halt) = (self.turn.gate, self.turn.catalogue, self.shared.halt);
        if let Some(reason) = halt.reason() {
            return Some(not_run(call, reason, catalogue));
        }
        if self.is_behind_one_that_waits() {
            return None;
        }
        if self.turn.inbox.is_some_and(Inbox::has_orders) {
            return Some(put_off(call, catalogue));
        }
        self.turn.sink.event(&Event::ToolStarted { call });
        let watched = (self.turn.sink.output() == Output::Watched).then(<(Tail, Hearing)>::default);
        let (tail, hearing) = watched.clone().unzip();
        let submitted = Call {
            id: call.id.clone(),
            tool: call.name.clone(),
            arguments: RawArguments::Text(call.arguments.clone()),
            origin: self.origin.clone(),
            scope: self.turn.settings.scope.clone(),
        };
        let ticket = ticket.watched(tail).heard(hearing).asked(self.shared.asked.get(&call.id).cloned());
        let mut submitted = pin!(gate.submit_in_order(ticket, self.toolset, submitted));
        let reason = tokio::select! {
            biased;
            result = &mut submitted => {
                self.notice_abort(&result);
                self.notice_loop(&result);
                return Some(result);
            }
            reason = halt.end_of_work() => reason,
            never = self.pass_on(&call.id, watched.as_ref()) => match never {},
        };
        gate.cancel().cancel();
        let left = halt.deadline().left().map_or(LAST_MOMENT, |left| (left / 2).min(LAST_MOMENT));
        Some(tokio::time::timeout(left, submitted).await.unwrap_or_else(|_| not_run(call, reason, catalogue)))
    }

    /// Tells of what programs print and what the tool says, until the call has ended.
    async fn pass_on(&self, call: &CallId, watched: Option<&(Tail, Hearing)>) -> Infallible {
        let Some((tail, hearing)) = watched else { return pending().await };
        let sink = self.turn.sink;
        loop {
            let mut heard = tokio::select! {
                () = tail.changed() => {
                    sink.event(&Event::ToolOutput { call, tail: &tail.text() });
                    None
                }
                heard = hearing.next() => Some(heard),
            };
            while let Some(said) = heard.or_else(|| hearing.try_next()) {
                match said {
                    Heard::Progress(progress) => sink.event(&Event::ToolProgress { call, progress: &progress }),
                    Heard::Log(line) => sink.event(&Event::ToolLog { call, line: &line }),
                    Heard::LogLost(count) => {
                        let text = format!("… (+{count})");
                        sink.event(&Event::ToolLog { call, line: &LogLine { level: LogLevel::Warning, text } });
                    }
                    Heard::Asked(inquiry) => sink.asked(call, inquiry),
                }
                heard = None;
            }
            tokio::time::sleep(SAMPLED).await;
        }
    }

    /// A rule wants the turn to end. What runs beside the call may go on to its own end.
    fn notice_loop(&self, result: &ToolResult) {
        if result.code.as_deref() == Some(ErrorKind::Halted.facts().code) {
            self.shared.halt.begin_no_more(StopReason::LoopDetected);
        }
    }

    /// A call that was stopped from outside: a person answered "abort", or the gate was cancelled.
    fn notice_abort(&self, result: &ToolResult) {
        if !is_cancelled(result) || self.shared.halt.reason().is_some() {
            return;
        }
        if self.turn.gate.cancel().is_cancelled() {
            self.shared.halt.end(StopReason::UserInterrupt);
        } else {
            self.shared.halt.end(StopReason::Aborted);
            self.turn.gate.cancel().cancel();
        }
    }
}

fn is_cancelled(result: &ToolResult) -> bool {
    result.outcome == OutcomeKind::Stopped && result.code.as_deref() == Some(ErrorKind::Cancelled.facts().code)
}

/// The result of a call that had not begun when its user said something else: the model hears that first.
fn put_off(call: &ToolCall, catalogue: &dyn Catalogue) -> ToolResult {
    let why = catalogue.render(&Message::new("agent-call-put-off"));
    without_run(call, OutcomeKind::Stopped, ErrorKind::Cancelled.facts().code, why)
}

/// The result of a call that never reached a tool, or whose end is unknown.
fn not_run(call: &ToolCall, reason: StopReason, catalogue: &dyn Catalogue) -> ToolResult {
    let reason = catalogue.render(&reason.message());
    let why = Message::new("agent-call-not-run").with("reason", reason);
    without_run(call, OutcomeKind::Stopped, ErrorKind::Cancelled.facts().code, catalogue.render(&why))
}

/// The result of a call that no tool gave one, with its code and the reason.
pub(super) fn without_run(call: &ToolCall, outcome: OutcomeKind, code: &str, why: String) -> ToolResult {
    ToolResult {
        id: call.id.clone(),
        tool: call.name.clone(),
        input: RawArguments::Text(call.arguments.clone()).to_value(),
        success: false,
        output: String::new(),
        error: Some(why),
        code: Some(code.to_owned()),
        outcome,
        data: None,
        parts: Vec::new(),
        notes: Vec::new(),
        diff: None,
        truncated: false,
        extent: Extent::default(),
        foreign: false,
        artifact: None,
        question: None,
        repairs: Vec::new(),
        duration: Duration::ZERO,
        timings: Vec::new(),
    }
}

/// The first of these arguments that is a text.
fn text_of<'r>(result: &'r ToolResult, names: &[&str]) -> Option<&'r str> {
    names.iter().find_map(|name| result.input.get(name)?.as_str())
}
