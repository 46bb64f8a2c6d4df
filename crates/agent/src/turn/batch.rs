//! The calls of one answer: through the gate, each with exactly one result, in order.
//!
//! Calls go to the gate one by one rather than as a list, because front ends show when each begins and ends, and because an
//! aborted run must still give a result to calls that never began.

use super::Turn;
use super::arguments;
use super::course::Course;
use super::halt::Halt;
use crate::context::Allowance;
use crate::event::{Event, Output};
use crate::report::{StopReason, ToolUse};
use futures_util::future::FutureExt as _;
use futures_util::stream::{self, StreamExt as _};
use palanca_core::call::{Call, CallId, ErrorKind, Origin, OutcomeKind, RawArguments};
use palanca_core::gate::{CallOrder, Ticket};
use palanca_core::message::{Catalogue, Message};
use palanca_core::ports::Tail;
use palanca_core::tool::Extent;
use palanca_core::{ToolResult, Toolset};
use palanca_models::{Message as Said, ToolCall};
use std::convert::Infallible;
use std::future::pending;
use std::pin::pin;
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
        let door = Door { turn, toolset: self.offered.toolset, halt: &halt, allowance, origin: self.origin() };
        let width = turn.settings.limits.parallel.max(1);
        let order = CallOrder::new();
        // Boxed first: the compiler cannot show that a stream over borrowed calls may move between threads.
        let waiting: Vec<_> = calls.iter().map(|call| door.submit(order.ticket(), call).boxed()).collect();
        let mut results = stream::iter(waiting).buffered(width);
        while let Some((result, told)) = results.next().await {
            self.add_result(result, told);
        }
        self.halt.reason()
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
    halt: &'a Halt<'a>,
    allowance: Allowance,
    origin: Origin,
}

impl Door<'_> {
    /// How the call ended, and what the model is told of that: kept as soon as it is known, whatever calls before it do.
    async fn submit(&self, ticket: Ticket, call: &ToolCall) -> (ToolResult, Said) {
        let result = self.end(ticket, call).await;
        let told = self.turn.keep_result(&result, &self.allowance);
        (result, told)
    }

    async fn end(&self, ticket: Ticket, call: &ToolCall) -> ToolResult {
        let (gate, catalogue) = (self.turn.gate, self.turn.catalogue);
        if let Some(reason) = self.halt.reason() {
            return not_run(call, reason, catalogue);
        }
        self.turn.sink.event(&Event::ToolStarted { call });
        let tail = (self.turn.sink.output() == Output::Watched).then(Tail::default);
        let submitted = Call {
            id: call.id.clone(),
            tool: call.name.clone(),
            arguments: RawArguments::Text(call.arguments.clone()),
            origin: self.origin.clone(),
            scope: self.turn.settings.scope.clone(),
        };
        let mut submitted = pin!(gate.submit_in_order(ticket.watched(tail.clone()), self.toolset, submitted));
        let reason = tokio::select! {
            biased;
            result = &mut submitted => {
                self.notice_abort(&result);
                self.notice_loop(&result);
                return result;
            }
            reason = self.halt.end_of_work() => reason,
            never = self.pass_on(&call.id, tail.as_ref()) => match never {},
        };
        gate.cancel().cancel();
        let left = self.halt.deadline().left().map_or(LAST_MOMENT, |left| (left / 2).min(LAST_MOMENT));
        tokio::time::timeout(left, submitted).await.unwrap_or_else(|_| not_run(call, reason, catalogue))
    }

    /// Tells of what programs print, until the call has ended.
    async fn pass_on(&self, call: &CallId, tail: Option<&Tail>) -> Infallible {
        let Some(tail) = tail else { return pending().await };
        loop {
            tail.changed().await;
            self.turn.sink.event(&Event::ToolOutput { call, tail: &tail.text() });
            tokio::time::sleep(SAMPLED).await;
        }
    }

    /// A rule wants the turn to end. What runs beside the call may go on to its own end.
    fn notice_loop(&self, result: &ToolResult) {
        if result.code.as_deref() == Some(ErrorKind::Halted.facts().code) {
            self.halt.begin_no_more(StopReason::LoopDetected);
        }
    }

    /// A call that was stopped from outside: a person answered "abort", or the gate was cancelled.
    fn notice_abort(&self, result: &ToolResult) {
        let cancelled =
            result.outcome == OutcomeKind::Stopped && result.code.as_deref() == Some(ErrorKind::Cancelled.facts().code);
        if !cancelled || self.halt.reason().is_some() {
            return;
        }
        if self.turn.gate.cancel().is_cancelled() {
            self.halt.end(StopReason::UserInterrupt);
        } else {
            self.halt.end(StopReason::Aborted);
            self.turn.gate.cancel().cancel();
        }
    }
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
        notes: Vec::new(),
        diff: None,
        truncated: false,
        extent: Extent::default(),
        foreign: false,
        artifact: None,
        repairs: Vec::new(),
        duration: Duration::ZERO,
    }
}

/// The first of these arguments that is a text.
fn text_of<'r>(result: &'r ToolResult, names: &[&str]) -> Option<&'r str> {
    names.iter().find_map(|name| result.input.get(name)?.as_str())
}
