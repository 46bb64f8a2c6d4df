//! Stage 5: mode and verdicts decide whether approval is needed, and a person gives it.
//!
//! A question is stored before it is shown; its answer counts once, for exactly the arguments shown.

use super::engine::Gate;
use super::guardrails::{self, Judgement};
use super::network;
use super::trail::Trail;
use crate::call::{ErrorKind, Outcome, QuestionId, Refusal, Stage, StopReason, ToolError};
use crate::message::Message;
use crate::ports::{
    Answer, CheckedCall, CommandClass, Lasts, Question, Reason, RuleDraft, Ruling, StageDecision, Undoable,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rules whose question no other rule can answer.
const ALWAYS_ASKED: [&str; 2] = [network::ASK, guardrails::ASK_FOR_WRITES];

/// When a person is asked before a call runs, from least to most often.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::ConfirmMode;
///
/// assert_eq!(ConfirmMode::Yolo.stricter(ConfirmMode::ConfirmAll), ConfirmMode::ConfirmAll);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
// Without the example, for the configuration's schema.
#[schemars(description = "When a person is asked before a call runs, from least to most often.")]
#[serde(rename_all = "kebab-case")]
pub enum ConfirmMode {
    /// Never. Guardrails and secrets still refuse.
    Yolo,
    /// Before calls that write, delete, run, message or spend, and those of tools declared sensitive.
    #[default]
    ConfirmSensitive,
    /// Before every call.
    ConfirmAll,
}

impl ConfirmMode {
    /// The name in configurations and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yolo => "yolo",
            Self::ConfirmSensitive => "confirm-sensitive",
            Self::ConfirmAll => "confirm-all",
        }
    }

    /// The stricter mode: the one that asks more often.
    #[must_use]
    pub fn stricter(self, other: Self) -> Self {
        self.max(other)
    }
}

/// Why approval is needed; empty if it is not. Reasons of guards come first; a rule that covers the call takes the
/// mode's place, never a guard's.
pub(super) fn reasons(mode: ConfirmMode, call: &CheckedCall, judgement: &Judgement) -> Vec<Reason> {
    if mode == ConfirmMode::Yolo {
        return Vec::new();
    }
    let by_mode = match mode {
        _ if judgement.allowed.is_some() => None,
        ConfirmMode::ConfirmAll => Some(("confirm.all", "confirm-why-all")),
        ConfirmMode::ConfirmSensitive if call.is_sensitive() => Some(("confirm.sensitive", "confirm-why-sensitive")),
        ConfirmMode::ConfirmSensitive | ConfirmMode::Yolo => None,
    };
    let guards = judgement.asking.iter().map(|verdict| (verdict.rule.clone(), verdict.to_model.clone()));
    let mode = by_mode.map(|(rule, key)| (rule.to_owned(), Message::new(key)));
    guards.chain(mode).map(|(rule, words)| Reason { rule, words }).collect()
}

/// Asks a person if necessary, and makes sure that the answer is spent on this call only.
pub(super) async fn confirm(
    call: &CheckedCall,
    judgement: &Judgement,
    trail: &mut Trail<'_>,
) -> Result<(), Box<Outcome>> {
    let reasons = reasons(trail.gate().mode, call, judgement);
    if reasons.is_empty() {
        trail.passed(Stage::Confirm);
        return Ok(());
    }
    let answered = ask(call, reasons, trail).await;
    answered.inspect_err(|outcome| trail.ended(Stage::Confirm, outcome))
}

async fn ask(call: &CheckedCall, reasons: Vec<Reason>, trail: &mut Trail<'_>) -> Result<(), Box<Outcome>> {
    let gate = trail.gate();
    let first = reasons.first().map(|reason| reason.rule.clone());
    if !gate.asker.can_answer() {
        let message = Message::new("confirm-no-terminal").with("tool", &*call.spec().name);
        return Err(refused("confirm.no_terminal", message));
    }
    let mut question = question(gate, call, reasons);
    gate.questions.open(&mut question).map_err(|why| refused("confirm.not_kept", why))?;
    trail.says(Stage::Confirm, StageDecision::Ask, first.as_deref(), Some(question.id.as_str()));
    trail.keep();
    let asked = gate.clock.elapsed();
    let ruling = tokio::select! {
        biased;
        ruling = gate.questions.ruling(&question) => ruling,
        answer = gate.asker.ask(&question) => {
            gate.questions.settle(&question, answer).map_err(|why| refused("confirm.not_kept", why))?
        }
        () = gate.cancel.cancelled() => {
            // ignored: a question that stays open expires, and its answer has no effect any more.
            let _ = gate.questions.settle(&question, Answer::Abort);
            Ruling::Answered(Answer::Abort)
        }
    };
    trail.waited(gate.clock.elapsed().saturating_sub(asked));
    let Ruling::Answered(answer) = ruling else {
        return Err(refused("confirm.expired", Message::new("confirm-expired")));
    };
    trail.says(Stage::Confirm, StageDecision::from(&answer), first.as_deref(), Some(question.id.as_str()));
    match answer {
        Answer::No => return Err(refused("confirm.declined", Message::new("confirm-declined"))),
        Answer::Abort => {
            let error = ToolError::new(ErrorKind::Cancelled, Message::new("confirm-aborted"));
            return Err(Box::new(Outcome::Stopped(StopReason::Aborted, error)));
        }
        Answer::Yes | Answer::Always(_) => {}
    }
    gate.questions.spend(&question).map_err(|why| refused("confirm.spent", why))?;
    if let Answer::Always(draft) = answer {
        // A rule that cannot be saved does not revoke the yes: this is reported, and the call runs.
        learn(gate, &draft, &question).unwrap_or_else(|why| trail.note(why));
    }
    Ok(())
}

fn learn(gate: &Gate, draft: &RuleDraft, question: &Question) -> Result<(), Message> {
    let Some(rules) = &gate.rules else { return Ok(()) };
    rules.learn(draft)?;
    match draft.lasts {
        Lasts::Session => Ok(()),
        Lasts::For(_) => gate.questions.remember(draft, question),
    }
}

fn question(gate: &Gate, call: &CheckedCall, reasons: Vec<Reason>) -> Question {
    Question {
        id: QuestionId::new(call.id().as_str()),
        call: call.id().clone(),
        tool: call.spec().name.clone().into_owned(),
        arguments: call.arguments().clone(),
        effects: call.effects().clone(),
        commands: call.commands().to_vec(),
        isolation: call.effects().has_commands().then(|| gate.processes.isolation()),
        diff: call.preview().ok().flatten().map(|preview| preview.diff.clone()),
        undo: undo(gate, call),
        changed: gate.changed_since(&call.scope().session),
        // A rule that would not prevent the next question is not offered.
        drafts: match &gate.rules {
            Some(rules) if !reasons.iter().any(|reason| ALWAYS_ASKED.contains(&reason.rule.as_str())) => {
                rules.drafts(call)
            }
            _ => Vec::new(),
        },
        reasons,
        origin: call.origin().clone(),
        scope: call.scope().clone(),
        digest: call.digest(),
    }
}

/// The file door saves what tools change; only the process door knows about programs.
fn undo(gate: &Gate, call: &CheckedCall) -> Undoable {
    if call.commands().iter().any(|command| command.class > CommandClass::Safe) {
        gate.processes.undoable()
    } else {
        Undoable::Yes
    }
}

fn refused(rule: &str, message: Message) -> Box<Outcome> {
    Box::new(Outcome::Refused(Refusal {
        stage: Stage::Confirm,
        rule: rule.to_owned(),
        message: message.into(),
        others: Vec::new(),
    }))
}
