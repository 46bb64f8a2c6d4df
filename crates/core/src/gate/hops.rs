//! Judges redirects. Their targets are not claimed by the call, so they are judged when they happen, by the same rules
//! on effects as the first address. No question can be asked in the middle of a request, so a rule that would ask
//! refuses.

use super::engine::Gate;
use crate::call::{Effect, Effects, HttpAccess};
use crate::ports::{AnyHop, ApprovalRules, CheckedCall, Decision, Hops};
use std::sync::Arc;

/// The operator's rules, applied to one call's redirects.
struct RuledHops {
    rules: Arc<dyn ApprovalRules>,
    /// The call, for rules that consider its origin and scope.
    call: CheckedCall,
}

/// The judge of this call's redirects.
pub(super) fn of(gate: &Gate, call: &CheckedCall) -> Arc<dyn Hops> {
    match &gate.rules {
        Some(rules) if call.effects().leaves_machine() => {
            Arc::new(RuledHops { rules: Arc::clone(rules), call: call.with_effects(Effects::none()) })
        }
        _ => Arc::new(AnyHop),
    }
}

impl Hops for RuledHops {
    fn judge(&self, hop: &HttpAccess) -> Result<(), String> {
        let call = self.call.with_effects(Effect::Http(Box::new(hop.clone())).into());
        match self.rules.judge(&call) {
            Some(verdict) if verdict.decision >= Decision::Ask => Err(verdict.rule),
            _ => Ok(()),
        }
    }
}
