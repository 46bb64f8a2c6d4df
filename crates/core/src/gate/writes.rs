//! Stages 3 to 5 again while a program runs: one of its writes waits for a person.
//!
//! The write is judged as if the call had requested the file beforehand. Nothing here can allow what would be refused then.

use super::confirm::{self, ConfirmMode, Moment};
use super::engine::Gate;
use super::guardrails::{ASK_FOR_WRITES, guardrails};
use super::hooks::hooks_meanwhile;
use super::trail::Trail;
use crate::call::{Outcome, Phase, Stage};
use crate::message::Message;
use crate::ports::{
    CheckedCall, Reason, StageDecision, WriteAnswer, WriteQuestion, WriteQuestionSender, WriteQuestions,
};
use tokio::sync::mpsc;

/// The questions of a call's programs.
pub(super) struct Asked(Option<mpsc::UnboundedReceiver<WriteQuestion>>);

/// For the programs of this call; none where nobody is asked.
pub(super) fn questions(call: &CheckedCall, gate: &Gate) -> (Option<WriteQuestionSender>, Asked) {
    if call.commands().is_empty() || gate.run_mode.is_dry() || gate.mode == ConfirmMode::Yolo {
        return (None, Asked(None));
    }
    let (sender, receiver) = mpsc::unbounded_channel();
    (Some(sender), Asked(Some(receiver)))
}

impl Asked {
    /// The next question. Never ends where there is none.
    pub(super) async fn next(&mut self) -> WriteQuestion {
        if let Some(questions) = &mut self.0
            && let Some(question) = questions.recv().await
        {
            return question;
        }
        std::future::pending().await
    }

    /// Answers one question, unless its program no longer waits. After one that nobody answers in time nobody is asked any more.
    ///
    /// # Errors
    /// The person ends everything, or the call is cancelled.
    pub(super) async fn decide(
        &mut self,
        mut question: WriteQuestion,
        call: &CheckedCall,
        trail: &mut Trail<'_>,
    ) -> Result<(), Box<Outcome>> {
        let requesting = call.requesting(&question.launch, &question.path);
        let decided = tokio::select! {
            biased;
            () = question.withdrawn() => Err("confirm.withdrawn"),
            decided = ask(&requesting, trail) => Ok(decided),
            () = tokio::time::sleep(WriteQuestions::TIME) => {
                self.0 = None;
                Err("confirm.expired")
            }
        };
        let answer = match decided {
            Ok(Ok(())) => {
                trail.may_change(&question.path);
                WriteAnswer::Yes
            }
            Ok(Err(outcome)) => match *outcome {
                Outcome::Refused(refusal) if refusal.rule == confirm::NOBODY => WriteAnswer::Unanswered,
                Outcome::Refused(refusal) => WriteAnswer::No(refusal.message),
                ended => return Err(Box::new(ended)),
            },
            Err(rule) => {
                trail.spent(Phase::Question, Some(ASK_FOR_WRITES));
                trail.says(Stage::Confirm, StageDecision::Deny, Some(rule), None);
                WriteAnswer::Unanswered
            }
        };
        trail.keep().await;
        question.answer(answer);
        Ok(())
    }
}

async fn ask(call: &CheckedCall, trail: &mut Trail<'_>) -> Result<(), Box<Outcome>> {
    let judgement = guardrails(call, trail)?;
    hooks_meanwhile(call, trail).await?;
    let mut reasons = confirm::reasons(trail.gate().mode, call, &judgement);
    let words = Message::new("writes-waiting").with("seconds", WriteQuestions::TIME.as_secs());
    reasons.push(Reason { rule: ASK_FOR_WRITES.to_owned(), words });
    let asked = confirm::ask(call, reasons, Moment::During, trail).await;
    asked.inspect_err(|outcome| trail.ended(Stage::Confirm, outcome))
}
