//! Deterministic judgement of a checked call.

use crate::call::Outcome;
use crate::gate::CheckedCall;
use crate::message::Message;

/// What a verdict says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// Go on.
    Allow,
    /// A person must say yes, whatever the mode.
    Ask,
    /// No. Beats every other decision.
    Deny,
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

/// A rule that nothing a model says can turn off.
pub trait Guard: Send + Sync {
    /// Judges a call. No verdict means that the guard has nothing against it. Must be quick and must not do I/O.
    fn judge(&self, call: &CheckedCall) -> Option<Verdict>;

    /// Learns how a call that it let pass ended: for limits that count successes.
    fn settle(&self, call: &CheckedCall, outcome: &Outcome) {
        let _ = (call, outcome);
    }
}
