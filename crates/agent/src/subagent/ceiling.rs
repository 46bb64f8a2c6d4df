//! The permission ceiling of a kind of subagent, whatever tools it is offered: judged by effects, in addition to all guards.

use palanca_core::call::Effect;
use palanca_core::gate::CheckedCall;
use palanca_core::message::Message;
use palanca_core::ports::{Decision, Guard, Verdict};

/// The most that a subagent may do, from most to least. A task that a subagent gives away has its ceiling or a lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ceiling {
    /// Whatever its parent may.
    Parent,
    /// Look, and start programs.
    Programs,
    /// Look.
    Looking,
}

impl Ceiling {
    fn allows(self, effect: &Effect) -> bool {
        match effect {
            Effect::ReadFile(_) | Effect::ReadTree(_) | Effect::ReadArtifact(_) => true,
            // What another bot is told, it may remember.
            Effect::Delegate(delegation) => delegation.bot().is_none(),
            Effect::Http(reach) => reach.method.only_reads(),
            Effect::Run(_) | Effect::Feed { .. } | Effect::Stop(_) => !matches!(self, Self::Looking),
            _ => false,
        }
    }
}

impl Guard for Ceiling {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        if *self == Self::Parent {
            return None;
        }
        let above = call.effects().iter().find(|effect| !self.allows(effect))?;
        Some(Verdict {
            decision: Decision::Deny,
            rule: "subagent.ceiling".to_owned(),
            to_model: Message::new("subagents-ceiling"),
            to_operator: above.to_string(),
        })
    }
}
