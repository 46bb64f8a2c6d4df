//! Stage 3: the strictest verdict wins and every reason is kept.

use super::checked::CheckedCall;
use crate::call::{Outcome, Refusal, Stage};
use crate::message::{Message, Text};
use crate::ports::{Decision, Guard, Verdict};
use std::sync::Arc;

/// The doors' own rules on paths, what may never run, then every guard. Returns the verdicts that ask for a person.
pub(super) fn judge(guards: &[Arc<dyn Guard>], call: &CheckedCall) -> Result<Vec<Verdict>, Box<Outcome>> {
    let mut verdicts: Vec<Verdict> = closed_paths(call).chain(refused_commands(call)).collect();
    verdicts.extend(guards.iter().filter_map(|guard| guard.judge(call)));
    let (denials, rest): (Vec<_>, Vec<_>) =
        verdicts.into_iter().partition(|verdict| verdict.decision == Decision::Deny);
    let mut denials = denials.into_iter();
    match denials.next() {
        None => Ok(rest.into_iter().filter(|verdict| verdict.decision == Decision::Ask).collect()),
        Some(first) => Err(Box::new(Outcome::Refused(Refusal {
            stage: Stage::Guardrails,
            rule: first.rule,
            message: Text::from(Message::new("guardrail")).then(" ").then(first.to_model),
            others: denials.map(|verdict| verdict.to_model.into()).collect(),
        }))),
    }
}

fn refused_commands(call: &CheckedCall) -> impl Iterator<Item = Verdict> {
    call.commands().iter().filter_map(|command| {
        Some(Verdict {
            decision: Decision::Deny,
            rule: command.rule.clone(),
            to_model: command.refused.clone()?,
            to_operator: format!("{}: {}", command.class.name(), command.reason),
        })
    })
}

fn closed_paths(call: &CheckedCall) -> impl Iterator<Item = Verdict> {
    call.effects().iter().flat_map(crate::call::Effect::paths).filter_map(|(path, access)| {
        let error = call.files.judge(path, access).err()?;
        let evidence = error.to_string();
        let error = error.into_tool_error();
        Some(Verdict {
            decision: Decision::Deny,
            rule: format!("paths.{}", error.kind().facts().code),
            to_model: error.message().clone(),
            to_operator: evidence,
        })
    })
}
