//! Deterministic judgement of a checked call.

use super::checked::CheckedCall;
use crate::call::{Call, Outcome, Scope};
use crate::message::Message;

/// What a verdict says; later ones are stricter, and the strictest of all verdicts wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// A rule of the operator, or of a person, covers all that the call would do: nobody is asked unless another verdict
    /// asks.
    Allow,
    /// Go on, and tell the model why with the result.
    Warn,
    /// A person must say yes; where nobody is ever asked (`yolo`), the same as [`Decision::Warn`].
    Ask,
    /// No. Nothing can allow it.
    Deny,
    /// No, and the turn that asked should end: going on would only repeat it.
    Halt,
}

/// A decision with the rule that made it and two texts: one for the model, one for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What to do.
    pub decision: Decision,
    /// The rule's id.
    pub rule: String,
    /// For the model: why, and what to do instead.
    pub to_model: Message,
    /// For the operator's log: the evidence.
    pub to_operator: String,
}

/// What a session did before this gate: a guard that counts or remembers goes on where it was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// What the user said.
    pub told: Vec<String>,
    /// Text that nobody here has written and the model has read. One that is no longer at hand is an empty text.
    pub foreign: Vec<String>,
    /// What the model has read here.
    pub read: Vec<String>,
    /// Files that were changed, as paths are shown.
    pub files: Vec<String>,
    /// Lines that were changed.
    pub lines: u64,
    /// Programs that ran.
    pub commands: u64,
}

/// A rule that nothing a model says can turn off.
pub trait Guard: Send + Sync {
    /// Judges a call. No verdict means that the guard has nothing against it. Must be quick; of the world it may only look at
    /// the call's own [`preview`](CheckedCall::preview). Judging changes nothing that is counted: the same call may be judged
    /// several times before it runs, or never run.
    fn judge(&self, call: &CheckedCall) -> Option<Verdict>;

    /// The last word, after everybody else's and right before the run: asked at most once a call, and followed by exactly one
    /// [`settle`](Self::settle) with the same call, whatever happens. A guard that counts takes its share here, so that calls
    /// that run side by side cannot exceed together what each of them may do alone. Only a verdict of [`Decision::Deny`] or
    /// [`Decision::Halt`] changes anything.
    fn begin(&self, call: &CheckedCall) -> Option<Verdict> {
        let _ = call;
        None
    }

    /// Learns how a call ended that was judged: for limits that count successes. What it returns is added to the result.
    fn settle(&self, call: &CheckedCall, outcome: &Outcome) -> Option<Message> {
        let _ = (call, outcome);
        None
    }

    /// Learns what a session did before, in another process: called before any call of that session.
    fn resume(&self, scope: &Scope, past: &Past) {
        let _ = (scope, past);
    }

    /// Learns of a call that never became a checked one: no such tool, arguments that do not fit. Only a verdict of
    /// [`Decision::Warn`] or [`Decision::Halt`] changes anything.
    fn unreadable(&self, call: &Call, outcome: &Outcome) -> Option<Verdict> {
        let _ = (call, outcome);
        None
    }
}
