//! Stage 3: the strictest verdict wins and every reason is kept.

use super::confirm::ConfirmMode;
use super::engine::Gate;
use super::network;
use super::trail::Trail;
use crate::call::{Access, Call, Effect, ErrorKind, Outcome, RawArguments, Refusal, Stage, StopReason, ToolError};
use crate::message::{Message, Text};
use crate::ports::{CheckedCall, Decision, FileError, Verdict};

/// The rule that asks a person about protected files.
pub(super) const ASK_FOR_WRITES: &str = "writes.ask";

/// What is left of the verdicts when none of them ends the call.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    /// A rule that covers the whole call.
    pub(super) allowed: Option<String>,
    /// What the model is told with the result.
    pub(super) warnings: Vec<Verdict>,
    /// What a person must say yes to.
    pub(super) asking: Vec<Verdict>,
}

/// The doors' own rules on paths, what may never run, then every guard and the rules.
pub(super) fn guardrails(call: &CheckedCall, trail: &mut Trail<'_>) -> Result<Judgement, Box<Outcome>> {
    let gate = trail.gate();
    let guards = gate.guards.iter().filter_map(|guard| guard.judge(call));
    let rules = gate.rules.iter().filter_map(|rules| rules.judge(call));
    let mut judgement = Judgement::default();
    let mut denials = Vec::new();
    let doors = closed_paths(call).chain(refused_commands(call)).chain(asked_writes(gate, call));
    for verdict in doors.chain(network::judge(gate, call)).chain(guards).chain(rules) {
        trail.verdict(Stage::Guardrails, &verdict);
        match verdict.decision {
            Decision::Allow => judgement.allowed = Some(verdict.rule),
            Decision::Warn => judgement.warnings.push(verdict),
            Decision::Ask => judgement.asking.push(verdict),
            Decision::Deny | Decision::Halt => denials.push(verdict),
        }
    }
    strictest(denials)?;
    if judgement.allowed.is_none() && judgement.warnings.is_empty() && judgement.asking.is_empty() {
        trail.passed(Stage::Guardrails);
    }
    Ok(judgement)
}

/// The guards' last word. Every guard is asked, whatever the others say: each hears of the end, too.
pub(super) fn begin(call: &CheckedCall, trail: &mut Trail<'_>) -> Result<(), Box<Outcome>> {
    let verdicts = trail.gate().guards.iter().filter_map(|guard| guard.begin(call));
    let denials: Vec<Verdict> = verdicts.filter(|verdict| verdict.decision >= Decision::Deny).collect();
    denials.iter().for_each(|verdict| trail.verdict(Stage::Guardrails, verdict));
    strictest(denials)
}

/// Of several that are equally strict, the first speaks; the reasons of the others are kept.
fn strictest(mut denials: Vec<Verdict>) -> Result<(), Box<Outcome>> {
    denials.sort_by_key(|verdict| std::cmp::Reverse(verdict.decision));
    let mut denials = denials.into_iter();
    match denials.next() {
        None => Ok(()),
        Some(first) if first.decision == Decision::Halt => Err(halted(first)),
        Some(first) => Err(Box::new(Outcome::Refused(Refusal {
            stage: Stage::Guardrails,
            rule: first.rule,
            message: Text::from(Message::new("guardrail")).then(" ").then(first.to_model),
            others: denials.map(|verdict| verdict.to_model.into()).collect(),
        }))),
    }
}

/// What the model is told: every warning, and where nobody is ever asked, what a person would have been asked.
pub(super) fn warn(judgement: Judgement, trail: &mut Trail<'_>) {
    let unasked = if trail.gate().mode == ConfirmMode::Yolo { judgement.asking } else { Vec::new() };
    judgement.warnings.into_iter().chain(unasked).for_each(|verdict| trail.note(verdict.to_model));
}

/// What the guards think of a call that never became a checked one: a note for the model, or the end of the turn.
pub(super) fn unreadable(raw: &mut RawArguments, outcome: Box<Outcome>, trail: &mut Trail<'_>) -> Box<Outcome> {
    let gate = trail.gate();
    if gate.guards.is_empty() {
        return outcome;
    }
    let call = Call { arguments: raw.take(), ..trail.call().clone() };
    let mut halt = None;
    for verdict in gate.guards.iter().filter_map(|guard| guard.unreadable(&call, &outcome)) {
        match verdict.decision {
            Decision::Halt => {
                halt = Some(halted(verdict));
                break;
            }
            Decision::Warn => trail.note(verdict.to_model),
            Decision::Allow | Decision::Ask | Decision::Deny => {}
        }
    }
    *raw = call.arguments;
    halt.unwrap_or(outcome)
}

/// Every guard learns how a call ended that it judged, and the next question what its programs changed.
pub(super) fn settle(call: &CheckedCall, outcome: &Outcome, trail: &mut Trail<'_>) {
    let gate = trail.gate();
    gate.guards.iter().filter_map(|guard| guard.settle(call, outcome)).for_each(|note| trail.note(note));
    gate.has_changed(&call.scope().session, call.changed_by_programs());
}

fn halted(verdict: Verdict) -> Box<Outcome> {
    let error = ToolError::new(ErrorKind::Halted, verdict.to_model).with_detail(verdict.to_operator);
    Box::new(Outcome::Stopped(StopReason::Halted, error))
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
    call.effects()
        .iter()
        .flat_map(Effect::paths)
        .filter_map(|(path, access)| call.files.judge(path, access).err().map(closed))
}

fn closed(error: FileError) -> Verdict {
    let evidence = error.to_string();
    // What the operator closed is named by the operator's own rule.
    let own = error.detail.split(['(', '[']).next().filter(|rule| rule.starts_with("guardrails.")).map(str::to_owned);
    let error = error.into_tool_error();
    Verdict {
        decision: Decision::Deny,
        rule: own.unwrap_or_else(|| format!("paths.{}", error.kind().facts().code)),
        to_model: error.message().clone(),
        to_operator: evidence,
    }
}

/// Files that a program asks to change although a rule is against it: a person decides, as far as a person may. What no rule
/// on paths is against is asked about, too: others may be.
fn asked_writes(gate: &Gate, call: &CheckedCall) -> impl Iterator<Item = Verdict> {
    let asked = call.effects().iter().flat_map(|effect| match effect {
        Effect::Run(launch) => launch.writes.as_slice(),
        _ => &[],
    });
    asked.map(|path| {
        let refused = call.files.judge(path, Access::Write).err();
        let evidence = refused.as_ref().map_or_else(|| path.to_string(), FileError::to_string);
        let (decision, rule, key) = match &refused {
            Some(error) if !error.can_be_asked_for() => return closed(error.clone()),
            _ if gate.mode == ConfirmMode::Yolo => (Decision::Deny, "writes.unasked", "writes-unasked"),
            _ => (Decision::Ask, ASK_FOR_WRITES, "writes-ask"),
        };
        let to_model = Message::new(key).with("path", path.to_string().escape_debug().to_string());
        Verdict { decision, rule: rule.to_owned(), to_model, to_operator: evidence }
    })
}
