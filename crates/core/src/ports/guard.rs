//! Deterministic judgement of a checked call.

use super::checked::CheckedCall;
use crate::call::{Call, Outcome, Scope, Speaker};
use crate::message::Message;

/// The decision of a verdict; later variants are stricter, and the strictest of all verdicts wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// A rule by the operator or a person covers the whole call: no question unless another verdict asks.
    Allow,
    /// Continue, and tell the model why with the result.
    Warn,
    /// A person must approve; in a mode without questions (`yolo`), the same as [`Decision::Warn`].
    Ask,
    /// Refused. Nothing can allow it.
    Deny,
    /// Refused, and the turn should end, because continuing would only repeat it.
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

/// What a session did before this gate, so that a guard that counts or remembers can continue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// The user's words.
    pub told: Vec<String>,
    /// Foreign text that the model has read; empty for texts that are no longer available.
    pub foreign: Vec<String>,
    /// Local text that the model has read.
    pub read: Vec<String>,
    /// Changed files, as displayed.
    pub files: Vec<String>,
    /// Lines that were changed.
    pub lines: u64,
    /// Programs that ran.
    pub commands: u64,
}

/// A rule that no model output can turn off.
///
/// Implemented in the example [`guard.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/guard.rs).
pub trait Guard: Send + Sync {
    /// Somebody said something to the agent of this conversation.
    fn heard(&self, _scope: &Scope, _speaker: &Speaker, _words: &str) {}

    /// Judges a call. No verdict means no objection. Must be fast, and may read nothing of the world but the call's own
    /// [`preview`](CheckedCall::preview). Judging must not change counters: the same call may be judged several times
    /// before it runs, again while its program asks for a file, or never run.
    fn judge(&self, call: &CheckedCall) -> Option<Verdict>;

    /// The final verdict, after all others and right before the run: requested at most once per call, and always
    /// followed by exactly one [`settle`](Self::settle) with the same call. A guard that counts takes its share here,
    /// so that concurrent calls cannot exceed a limit together. Only a verdict of [`Decision::Deny`] or
    /// [`Decision::Halt`] has an effect.
    fn begin(&self, call: &CheckedCall) -> Option<Verdict> {
        let _ = call;
        None
    }

    /// Learns how a judged call ended, for limits that count successes. The returned message is added to the result.
    fn settle(&self, call: &CheckedCall, outcome: &Outcome) -> Option<Message> {
        let _ = (call, outcome);
        None
    }

    /// Learns what a session did before, in another process: called before any call of that session.
    fn resume(&self, scope: &Scope, past: &Past) {
        let _ = (scope, past);
    }

    /// Lets go of what it remembers of a session that no call comes from any more; taken up again, a session is
    /// [resumed](Self::resume).
    fn leave(&self, scope: &Scope) {
        let _ = scope;
    }

    /// Learns of a call that never became a checked one: no such tool, arguments that do not fit. Only a verdict of
    /// [`Decision::Warn`] or [`Decision::Halt`] has an effect.
    fn unreadable(&self, call: &Call, outcome: &Outcome) -> Option<Verdict> {
        let _ = (call, outcome);
        None
    }
}
