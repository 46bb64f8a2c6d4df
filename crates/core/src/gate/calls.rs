//! Calls that a running tool makes: each passes the gate like any other, beneath the guards of the call that it is made by.
//!
//! Only tools that say so ([`Spec::makes_calls`](crate::Spec::makes_calls)) get the handle. Such a call is nobody's turn: it draws no ticket and cannot
//! be parked, because the tool that waits for it could not be resumed. While it is under way, the time limit of the tool that made it stands.

use super::engine::Gate;
use crate::call::{
    ActKind, Call, CallId, Cancel, Effect, ErrorKind, Origin, Outcome, OutcomeKind, RawArguments, Scope, StopReason,
    ToolError, ToolResult,
};
use crate::message::Message;
use crate::ports::{CheckedCall, Decision, Doors, Grant, Guard, Handle, Verdict};
use crate::registry::Toolset;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

/// The calls of one run.
pub struct Calls {
    gate: Gate,
    toolset: Toolset,
    by: CallId,
    tool: String,
    scope: Scope,
    made: AtomicU64,
    state: watch::Sender<State>,
}

/// What the gate needs to know of the calls of a run.
#[derive(Debug, Default)]
struct State {
    underway: usize,
    /// A person or a rule ended everything.
    end: Option<(StopReason, ErrorKind, String)>,
}

/// The calls that a running tool makes; it has none unless its specification says that it makes some.
pub struct CallsHandle(Option<Arc<Calls>>);

impl Handle for CallsHandle {
    type Port = Calls;

    fn new(port: Option<Arc<Calls>>, _grant: Grant) -> Self {
        Self(port)
    }
}

impl CallsHandle {
    /// The tools that were offered to whoever called this tool; none if it makes no calls.
    #[must_use]
    pub fn toolset(&self) -> Option<&Toolset> {
        self.0.as_ref().map(|calls| &calls.toolset)
    }

    /// Submits a call, with the running tool as its origin. None if the tool makes no calls.
    pub async fn submit(&self, toolset: &Toolset, tool: &str, arguments: RawArguments) -> Option<ToolResult> {
        let calls = self.0.as_ref()?;
        Some(calls.submit(toolset, tool, arguments).await)
    }
}

impl Calls {
    async fn submit(&self, toolset: &Toolset, tool: &str, arguments: RawArguments) -> ToolResult {
        let number = self.made.fetch_add(1, Ordering::Relaxed) + 1;
        let call = Call {
            id: CallId::new(format!("{}.{number}", self.by)),
            tool: tool.to_owned(),
            arguments,
            origin: Origin::Script { tool: self.tool.clone() },
            scope: self.scope.clone(),
        };
        let underway = Underway::of(&self.state);
        // Boxed: the call may be one of a tool that makes calls.
        let result = Box::pin(self.gate.submit(toolset, call)).await;
        drop(underway);
        self.heed(&result);
        result
    }

    /// A person who ends everything, or a rule that ends the turn, ends the run that made the call, too.
    fn heed(&self, result: &ToolResult) {
        let is = |kind: ErrorKind| result.code.as_deref() == Some(kind.facts().code);
        let goes_anyway = self.gate.cancel().is_cancelled() || self.gate.intake().is_closed();
        if result.outcome != OutcomeKind::Stopped || goes_anyway {
            return;
        }
        let end = match () {
            () if is(ErrorKind::Halted) => (StopReason::Halted, ErrorKind::Halted),
            () if is(ErrorKind::Cancelled) => (StopReason::Aborted, ErrorKind::Cancelled),
            () => return,
        };
        let why = result.error.clone().unwrap_or_default();
        self.state.send_modify(|state| state.end = state.end.take().or(Some((end.0, end.1, why))));
    }
}

/// One more call under way, until it is dropped.
struct Underway<'a>(&'a watch::Sender<State>);

impl<'a> Underway<'a> {
    fn of(state: &'a watch::Sender<State>) -> Self {
        state.send_modify(|state| state.underway += 1);
        Self(state)
    }
}

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|state| state.underway -= 1);
    }
}

/// The doors of a call, with the calls that it may make, and the gate's side of them.
pub(super) fn of(gate: &Gate, call: &CheckedCall, toolset: &Toolset, cancel: &Cancel) -> (Doors, Made) {
    let mut doors = gate.doors.clone();
    if !call.spec().makes_calls {
        return (doors, Made(None));
    }
    let ceiling = Within { tool: call.spec().name.clone().into_owned(), is_called: is_of_script(call.origin()) };
    let (state, seen) = watch::channel(State::default());
    let mut beneath = gate.under(cancel.clone(), gate.mode, Some(Arc::new(ceiling)));
    // What made the call gets its result as a whole, and shows what it wants of it.
    beneath.limits.artifact_bytes = usize::MAX;
    doors.set(Arc::new(Calls {
        gate: beneath,
        toolset: toolset.clone(),
        by: call.id().clone(),
        tool: call.spec().name.clone().into_owned(),
        scope: call.scope().clone(),
        made: AtomicU64::new(0),
        state,
    }));
    (doors, Made(Some(seen)))
}

/// Whether a call is made by a running tool, which cannot wait for an answer of another day.
pub(super) const fn is_of_script(origin: &Origin) -> bool {
    matches!(origin, Origin::Script { .. })
}

/// What the calls of a run have come to.
#[derive(Clone)]
pub(super) struct Made(Option<watch::Receiver<State>>);

impl Made {
    /// Returns when one of them ended everything.
    pub(super) async fn end(&mut self) -> Box<Outcome> {
        if let Some(state) = &mut self.0
            && let Ok(state) = state.wait_for(|state| state.end.is_some()).await
            && let Some((reason, kind, why)) = &state.end
        {
            let error = ToolError::new(*kind, Message::new("calls-ended").with("why", why.as_str()));
            return Box::new(Outcome::Stopped(*reason, error));
        }
        std::future::pending().await
    }

    /// Returns when so much time is spent in which none of them was under way.
    pub(super) async fn spend(&mut self, mut left: Duration) {
        let Some(state) = &mut self.0 else { return sleep(left).await };
        loop {
            // ignored: the sender is gone when the run has ended, which is noticed elsewhere.
            drop(state.wait_for(|state| state.underway == 0).await);
            let since = Instant::now();
            tokio::select! {
                () = sleep(left) => return,
                Ok(_) = state.wait_for(|state| state.underway > 0) => left = left.saturating_sub(since.elapsed()),
            }
        }
    }
}

/// Tools that make calls do not call each other in circles, and give no tasks away: what they start ends with them.
struct Within {
    tool: String,
    /// Whether the tool itself was called by one.
    is_called: bool,
}

impl Guard for Within {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        let spec = call.spec();
        let is_task = |effect: &Effect| match effect {
            Effect::Delegate(_) => true,
            Effect::Act(act) => act.kind == ActKind::AskBot,
            _ => false,
        };
        let key = match () {
            () if spec.name == self.tool => "calls-circle",
            () if spec.makes_calls && self.is_called => "calls-deep",
            () if call.effects().iter().any(is_task) => "calls-task",
            () => return None,
        };
        Some(Verdict {
            decision: Decision::Deny,
            rule: "calls.within".to_owned(),
            to_model: Message::new(key).with("tool", &*spec.name).with("by", self.tool.as_str()),
            to_operator: format!("{} calls {}", self.tool, spec.name),
        })
    }
}
