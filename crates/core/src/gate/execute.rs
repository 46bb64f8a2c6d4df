//! Stage 7: the permit is minted and spent; time, cancellation and panics stay inside.

use super::order::Ticket;
use super::subagents::{OfCall, Parent};
use super::trail::Trail;
use super::validate::Ready;
use super::{calls, dry_run, hops, writes};
use crate::call::{Cancel, Effect, ErrorKind, Lane, Outcome, Output, Phase, Spec, StopReason, ToolError};
use crate::message::Message;
use crate::ports::{CalledTool as _, ChangedFiles, CheckedCall, Voice};
use crate::registry::Toolset;
use crate::tool::{Permit, ToolCx, World};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinError, JoinHandle};
use tracing::Instrument as _;

/// Grace period for an aborted run.
const ABORT_GRACE: Duration = Duration::from_secs(2);

type RunResult = Result<Output, ToolError>;

pub(super) async fn execute(ready: &Ready, toolset: &Toolset, trail: &mut Trail<'_>) -> Result<Output, Box<Outcome>> {
    trail.begins(&ready.call).await;
    let gate = trail.gate();
    let call = &ready.call;
    let spec = call.spec();
    let Some(prepared) = ready.pending.take() else {
        return Err(cancelled(&spec.name));
    };
    let cancel = gate.cancel.child_token();
    // Dropping this future ends the tool, too: nothing keeps running without a caller.
    let _ends_with_us = cancel.clone().drop_guard();
    let held = tokio::select! {
        biased;
        () = trail.cancelled() => Err(cancelled(&spec.name)),
        held = gate.lanes.enter(call) => Ok(held),
        // Last, because a timer is only set up when it is polled.
        () = tokio::time::sleep(spec.timeout) => Err(timed_out(spec)),
    };
    trail.spent(Phase::Lane, None);
    let held = held?;
    let parent = Parent {
        scope: call.scope().clone(),
        origin: call.origin().clone(),
        toolset: toolset.clone(),
        cancel: cancel.clone(),
    };
    let changed = ChangedFiles::default();
    let (questions, mut asked) = writes::questions(call, gate);
    let (doors, mut made) = calls::of(gate, call, toolset, &cancel);
    let world = World {
        files: Arc::clone(&call.files),
        processes: Arc::clone(&gate.processes),
        web: Arc::clone(&gate.web),
        hops: hops::of(gate, call),
        subagents: Arc::new(OfCall { subagents: Arc::clone(&gate.subagents), parent }),
        doors,
        clock: Arc::clone(&gate.clock),
        voice: Voice::new(trail.ticket().and_then(Ticket::hearing), Arc::clone(&gate.redactor)),
        tail: trail.ticket().and_then(Ticket::tail),
        questions,
        changed: Arc::clone(&changed),
        readings: call.commands().to_vec(),
    };
    #[expect(clippy::disallowed_methods, reason = "the one place that makes permits")]
    let permit = Permit::mint(call);
    let cx = ToolCx::new(permit, world, cancel.clone());
    let (pending, revoked) = (Arc::clone(&ready.pending), cancel.clone());
    let run = async move {
        // Held until the run ends, not the wait: an aborted tool may still be using its files.
        let _held = held;
        tokio::select! {
            result = prepared.run(cx) => result,
            () = revoked.cancelled() => Err(cancelled_error(&pending.spec().name)),
        }
    };
    let run = run.in_current_span();
    let mut task = match spec.lane {
        Lane::Cooperative => tokio::spawn(run),
        Lane::Reading if is_at_hand(call) => tokio::spawn(run),
        Lane::Blocking | Lane::Reading => {
            let runtime = tokio::runtime::Handle::current();
            tokio::task::spawn_blocking(move || runtime.block_on(run))
        }
    };
    let (mut left, mut ending) = (spec.timeout, made.clone());
    let ended = loop {
        let since = tokio::time::Instant::now();
        tokio::select! {
            biased;
            ended = &mut task => break Ok(ended),
            () = trail.cancelled() => break Err(give_up(&cancel, &task, cancelled(&spec.name))),
            question = asked.next() => {
                left = left.saturating_sub(since.elapsed());
                trail.spent(Phase::Run, None);
                if let Err(outcome) = asked.decide(question, call, trail).await {
                    break Err(give_up(&cancel, &task, outcome));
                }
            }
            outcome = ending.end() => break Err(give_up(&cancel, &task, outcome)),
            () = made.spend(left) => break Err(give_up(&cancel, &task, timed_out(spec))),
        }
    };
    if ended.is_err() && !call.commands().is_empty() {
        // An aborted run ends its programs when it is dropped, so that the next call does not meet them. ignored: a
        // tool that does not end is abandoned.
        let _ = tokio::time::timeout(ABORT_GRACE, &mut task).await;
    }
    trail.spent(Phase::Run, None);
    // ignored: set once, here.
    let _ = call.changed.set(std::mem::take(&mut changed.lock()));
    let own = trail.ticket().and_then(Ticket::cancel);
    let was_cancelled = cancel.is_cancelled() || own.is_some_and(Cancel::is_cancelled);
    let output = unwrap(ended?, spec).map_err(|error| {
        // A cancelled run may have said so before its end was asked for.
        let stopped = was_cancelled && error.kind() == ErrorKind::Cancelled;
        Box::new(if stopped { Outcome::Stopped(StopReason::Cancelled, error) } else { Outcome::Failed(error) })
    })?;
    Ok(dry_run::describe(gate, call, output))
}

/// Whether the call reads files that take no time, and does nothing else.
fn is_at_hand(call: &CheckedCall) -> bool {
    let mut effects = call.effects().iter().peekable();
    effects.peek().is_some()
        && effects.all(|effect| matches!(effect, Effect::ReadFile(path) if call.files.is_at_hand(path)))
}

/// Cancels the tool and abandons it: its handles no longer change anything.
fn give_up(cancel: &Cancel, task: &JoinHandle<RunResult>, outcome: Box<Outcome>) -> Box<Outcome> {
    cancel.cancel();
    task.abort();
    outcome
}

fn unwrap(ended: Result<RunResult, JoinError>, spec: &Spec) -> RunResult {
    ended.unwrap_or_else(|error| Err(panicked(error, spec)))
}

pub(super) fn panicked(error: JoinError, spec: &Spec) -> ToolError {
    let detail = match error.try_into_panic() {
        Ok(payload) => match payload.downcast::<String>() {
            Ok(words) => *words,
            Err(payload) => {
                payload.downcast::<&str>().map_or_else(|_| "no words".to_owned(), |words| (*words).to_owned())
            }
        },
        Err(error) => error.to_string(),
    };
    ToolError::new(ErrorKind::Panicked, Message::new("tool-panicked").with("tool", &*spec.name)).with_detail(detail)
}

pub(super) fn cancelled(tool: &str) -> Box<Outcome> {
    Box::new(Outcome::Stopped(StopReason::Cancelled, cancelled_error(tool)))
}

/// The process ends.
pub(super) fn not_taken(tool: &str) -> Box<Outcome> {
    let error = ToolError::new(ErrorKind::Cancelled, Message::new("tool-not-taken").with("tool", tool));
    Box::new(Outcome::Stopped(StopReason::Cancelled, error))
}

fn cancelled_error(tool: &str) -> ToolError {
    ToolError::new(ErrorKind::Cancelled, Message::new("tool-cancelled").with("tool", tool))
}

fn timed_out(spec: &Spec) -> Box<Outcome> {
    let message = Message::new("tool-timeout").with("tool", &*spec.name).with("seconds", seconds(spec.timeout));
    Box::new(Outcome::Stopped(StopReason::Timeout, ToolError::new(ErrorKind::Timeout, message)))
}

fn seconds(limit: Duration) -> String {
    format!("{}", limit.as_secs_f64())
}
