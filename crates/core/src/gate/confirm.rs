//! Stage 5: mode and verdicts decide whether approval is needed, and a person gives it.
//!
//! A question is stored before it is shown; its answer counts once, for exactly the arguments shown.

use super::calls::is_of_script;
use super::engine::Gate;
use super::guardrails::{self, Judgement};
use super::network;
use super::order::Ticket;
use super::trail::Trail;
use crate::call::{ErrorKind, Outcome, Phase, QuestionId, Refusal, Stage, StopReason, ToolError};
use crate::message::Message;
use crate::ports::{
    Answer, CheckedCall, CommandClass, Decision, Lasts, Question, Reason, RuleDraft, Ruling, StageDecision, Undoable,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rules whose question no other rule can answer.
const ALWAYS_ASKED: [&str; 3] = [network::ASK, guardrails::ASK_FOR_WRITES, guardrails::ASK_FOR_ACTS];

/// The rule where nobody can answer.
pub(super) const NOBODY: &str = "confirm.no_terminal";

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

/// A rule that somebody made meanwhile, in another session or process, may answer what a person would be asked.
pub(super) async fn catch_up(call: &CheckedCall, judgement: &mut Judgement, trail: &mut Trail<'_>) {
    let gate = trail.gate();
    let is_open = judgement.allowed.is_none() && !reasons(gate.mode, call, judgement).is_empty();
    let Some(rules) = gate.rules.as_ref().filter(|_| is_open) else { return };
    rules.catch_up(call.scope()).await;
    if let Some(verdict) = rules.judge(call).filter(|verdict| verdict.decision == Decision::Allow) {
        trail.verdict(Stage::Guardrails, &verdict);
        judgement.allowed = Some(verdict.rule);
    }
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
    let answered = ask(call, reasons, Moment::Before, trail).await;
    trail.spent(Phase::Store, None);
    answered.inspect_err(|outcome| trail.ended(Stage::Confirm, outcome))
}

/// When a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Before the run.
    Before,
    /// A program of the run waits for the answer: the call cannot be parked.
    During,
}

/// Puts a question, and makes sure that its answer is spent on this call only.
pub(super) async fn ask(
    call: &CheckedCall,
    reasons: Vec<Reason>,
    moment: Moment,
    trail: &mut Trail<'_>,
) -> Result<(), Box<Outcome>> {
    let gate = trail.gate();
    let ticket = trail.ticket().filter(|_| moment == Moment::Before);
    let first = reasons.first().map(|reason| reason.rule.clone());
    let question = question(gate, call, reasons);
    let place = ticket.map(Ticket::asks);
    let mut open = match ticket.and_then(Ticket::question) {
        Some(asked) => Open::again(gate, Question { id: asked.clone(), ..question }).await?,
        None if !gate.asker.can_answer(&question) => return Err(nobody(call)),
        None => Open::first(gate, question).await?,
    };
    let id = open.question.id.clone();
    trail.says(Stage::Confirm, StageDecision::Ask, first.as_deref(), Some(id.as_str()));
    trail.keep().await;
    if let Some(place) = place {
        place.comes().await;
    }
    let ruling = match open.ruling.take() {
        None => open.wait(trail).await,
        earlier => Ok(earlier),
    };
    trail.spent(Phase::Question, first.as_deref());
    let Some(ruling) = ruling? else {
        // A tool that waits for a call that it made cannot be resumed another day.
        if moment == Moment::During || is_of_script(call.origin()) || !gate.questions.outlive_the_process() {
            return Err(nobody(call));
        }
        open.is_over = true;
        ticket.into_iter().for_each(Ticket::park);
        return Err(Box::new(Outcome::Parked { question: Some(id) }));
    };
    open.is_over = true;
    let Ruling::Answered(answer) = ruling else {
        return Err(refused("confirm.expired", Message::new("confirm-expired")));
    };
    trail.says(Stage::Confirm, StageDecision::from(&answer), first.as_deref(), Some(id.as_str()));
    spend(&open, answer, trail).await
}

/// What the answer says; a yes is spent.
async fn spend(open: &Open<'_>, answer: Answer, trail: &mut Trail<'_>) -> Result<(), Box<Outcome>> {
    let Open { gate, question, .. } = open;
    match answer {
        Answer::No => return Err(refused("confirm.declined", Message::new("confirm-declined"))),
        Answer::NoBecause(why) => {
            return Err(refused("confirm.declined", Message::new("confirm-declined-because").with("why", why)));
        }
        Answer::Abort => {
            let error = ToolError::new(ErrorKind::Cancelled, Message::new("confirm-aborted"));
            return Err(Box::new(Outcome::Stopped(StopReason::Aborted, error)));
        }
        Answer::Yes | Answer::Always(_) => {}
    }
    gate.questions.spend(question).await.map_err(|why| refused("confirm.spent", why))?;
    if let Answer::Always(draft) = answer {
        // A rule that cannot be saved does not revoke the yes: this is reported, and the call runs.
        learn(gate, &draft, question).await.unwrap_or_else(|why| trail.note(why));
    }
    Ok(())
}

fn nobody(call: &CheckedCall) -> Box<Outcome> {
    refused(NOBODY, Message::new("confirm-no-terminal").with("tool", &*call.spec().name))
}

/// A question that is taken back when nobody waits for its answer any more.
struct Open<'g> {
    gate: &'g Gate,
    question: Question,
    /// Given before it was opened here.
    ruling: Option<Ruling>,
    /// It has its ruling, or is left to whoever answers it later.
    is_over: bool,
}

impl<'g> Open<'g> {
    async fn first(gate: &'g Gate, mut question: Question) -> Result<Self, Box<Outcome>> {
        let stored = gate.questions.open(&mut question);
        // Before the wait: a call that is dropped meanwhile takes its question back.
        let mut open = Self { gate, question, ruling: None, is_over: false };
        if let Err(why) = stored.await {
            open.is_over = true;
            return Err(refused("confirm.not_kept", why));
        }
        Ok(open)
    }

    /// The call was parked with this question.
    async fn again(gate: &'g Gate, question: Question) -> Result<Self, Box<Outcome>> {
        let ruling = gate.questions.ruled(&question).await.map_err(|why| refused("confirm.not_kept", why))?;
        Ok(Self { gate, question, ruling, is_over: false })
    }

    /// Waits for the ruling; None where nobody answers now.
    async fn wait(&self, trail: &mut Trail<'_>) -> Result<Option<Ruling>, Box<Outcome>> {
        let Self { gate, question, .. } = self;
        let asked = gate.clock.elapsed();
        let answer = async { if gate.asker.can_answer(question) { gate.asker.ask(question).await } else { None } };
        let ruling = tokio::select! {
            biased;
            ruling = gate.questions.ruling(question) => Some(ruling),
            answer = answer => match answer {
                Some(answer) => {
                    let settled = gate.questions.settle(question, answer).await;
                    Some(settled.map_err(|why| refused("confirm.not_kept", why))?)
                }
                None => None,
            },
            () = trail.cancelled() => {
                self.take_back();
                Some(Ruling::Answered(Answer::Abort))
            }
        };
        trail.waited(gate.clock.elapsed().saturating_sub(asked));
        Ok(ruling)
    }

    fn take_back(&self) {
        // Nobody waits: a question that stays open expires, and its answer has no effect any more.
        drop(self.gate.questions.settle(&self.question, Answer::Abort));
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.take_back();
        }
    }
}

async fn learn(gate: &Gate, draft: &RuleDraft, question: &Question) -> Result<(), Message> {
    let Some(rules) = &gate.rules else { return Ok(()) };
    rules.learn(draft)?;
    match draft.lasts {
        Lasts::Session => Ok(()),
        Lasts::For(_) => gate.questions.remember(draft, question).await,
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
