//! Stage 3: the strictest verdict wins and every reason is kept.

use super::confirm::ConfirmMode;
use super::engine::Gate;
use super::network;
use super::trail::Trail;
use crate::call::{Access, Call, Effect, ErrorKind, Outcome, RawArguments, Refusal, Stage, StopReason, ToolError};
use crate::message::{Message, Text};
use crate::ports::{CheckedCall, ClosedBy, Decision, FileError, FileErrorKind, Verdict};

/// The rule that asks a person about protected files.
pub(super) const ASK_FOR_WRITES: &str = "writes.ask";
/// The rule that asks a person about acts that only a person may let happen.
pub(super) const ASK_FOR_ACTS: &str = "acts.ask";

/// The verdicts that remain if none of them ends the call.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    /// A rule that covers the whole call.
    pub(super) allowed: Option<String>,
    /// Warnings for the model, shown with the result.
    pub(super) warnings: Vec<Verdict>,
    /// Verdicts that need approval.
    pub(super) asking: Vec<Verdict>,
}

/// The doors' own rules on paths, commands that may never run, then every guard and the rules.
pub(super) fn guardrails(call: &CheckedCall, trail: &mut Trail<'_>) -> Result<Judgement, Box<Outcome>> {
    let gate = trail.gate();
    let guards = gate.guards.iter().filter_map(|guard| guard.judge(call));
    let rules = gate.rules.iter().filter_map(|rules| rules.judge(call));
    let mut judgement = Judgement::default();
    let mut denials = Vec::new();
    let doors = closed_paths(call).chain(refused_commands(call)).chain(asked_writes(gate, call));
    let doors = doors.chain(asked_acts(gate, call));
    let (unmet, network): (Vec<_>, Vec<_>) =
        network::judge(gate, call).partition(|verdict| verdict.decision == Decision::Deny);
    // What cannot be had says less than what must not be done.
    for verdict in doors.chain(network).chain(guards).chain(rules).chain(unmet) {
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

/// The guards' final verdicts. Every guard is asked, even after a denial, because each also learns of the end.
pub(super) fn begin(call: &CheckedCall, trail: &mut Trail<'_>) -> Result<(), Box<Outcome>> {
    let verdicts = trail.gate().guards.iter().filter_map(|guard| guard.begin(call));
    let denials: Vec<Verdict> = verdicts.filter(|verdict| verdict.decision >= Decision::Deny).collect();
    denials.iter().for_each(|verdict| trail.verdict(Stage::Guardrails, verdict));
    strictest(denials)
}

/// Of equally strict verdicts the first decides; the reasons of the others are kept.
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

/// Notes for the model: every warning and, in a mode without questions, what a person would have been asked.
pub(super) fn warn(judgement: Judgement, trail: &mut Trail<'_>) {
    let unasked = if trail.gate().mode == ConfirmMode::Yolo { judgement.asking } else { Vec::new() };
    judgement.warnings.into_iter().chain(unasked).for_each(|verdict| trail.note(verdict.to_model));
}

/// The guards' verdicts on a call that never became a checked one: a note for the model, or the end of the turn.
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

/// Tells every guard how a call ended, and stores what its programs changed for the next question.
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
    let (kind, evidence) = (error.kind, error.to_string());
    let error = error.into_tool_error();
    Verdict {
        decision: Decision::Deny,
        // For files closed by the operator, the rule is the operator's list.
        rule: match kind {
            FileErrorKind::Secret(ClosedBy::Operator) => "guardrails.sensitive_files".to_owned(),
            FileErrorKind::Protected(ClosedBy::Operator) => "guardrails.protected_files".to_owned(),
            _ => format!("paths.{}", error.kind().facts().code),
        },
        to_model: error.message().clone(),
        to_operator: evidence,
    }
}

/// Acts that a person decides on, each time.
fn asked_acts(gate: &Gate, call: &CheckedCall) -> impl Iterator<Item = Verdict> {
    call.effects().iter().filter_map(|effect| {
        let Effect::Act(act) = effect else { return None };
        let why = gate.performer(act.kind)?.needs_a_person(act, call.scope())?;
        let (decision, rule, to_model) = match gate.mode {
            ConfirmMode::Yolo => (Decision::Deny, "acts.unasked", Message::new("acts-unasked").with("why", why)),
            _ => (Decision::Ask, ASK_FOR_ACTS, why),
        };
        Some(Verdict { decision, rule: rule.to_owned(), to_model, to_operator: act.to_string() })
    })
}

/// Protected files that a program requests to change: a person decides, where that is allowed. Files that no path rule
/// protects are asked about, too, because other rules may protect them.
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
