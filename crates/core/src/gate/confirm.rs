//! Stage 5: mode and verdicts say whether a person must say yes, and the person says it.

use super::checked::CheckedCall;
use super::engine::Gate;
use crate::call::{ErrorKind, Outcome, Refusal, Stage, StopReason, ToolError};
use crate::message::Message;
use crate::ports::{Answer, Question, Verdict};
use serde::{Deserialize, Serialize};

/// When a person is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConfirmMode {
    /// Never.
    Yolo,
    /// Before sensitive calls: those that change something, and tools that say they are sensitive.
    #[default]
    ConfirmSensitive,
    /// Before every call.
    ConfirmAll,
}

/// The rule that makes a person necessary, if one does.
pub(super) fn needs_person(mode: ConfirmMode, call: &CheckedCall, asking: &[Verdict]) -> Option<String> {
    match mode {
        ConfirmMode::Yolo => None,
        ConfirmMode::ConfirmAll => Some("confirm.all".into()),
        ConfirmMode::ConfirmSensitive if call.is_sensitive() => Some("confirm.sensitive".into()),
        ConfirmMode::ConfirmSensitive => asking.first().map(|verdict| verdict.rule.clone()),
    }
}

pub(super) async fn confirm(gate: &Gate, call: &CheckedCall, rule: String) -> Result<(), Box<Outcome>> {
    let asker = &*gate.asker;
    if !asker.can_answer() {
        return Err(refused(
            "confirm.no_terminal",
            Message::new("confirm-no-terminal").with("tool", &*call.spec().name),
        ));
    }
    let question = Question {
        call: call.id().clone(),
        tool: call.spec().name.clone().into_owned(),
        arguments: call.arguments().clone(),
        effects: call.effects().clone(),
        commands: call.commands().to_vec(),
        isolation: call.effects().has_commands().then(|| gate.processes.isolation()),
        diff: call.preview().ok().flatten().map(|preview| preview.diff.clone()),
        rule,
        origin: call.origin().clone(),
        digest: call.digest(),
    };
    match asker.ask(&question).await {
        Answer::Yes => Ok(()),
        Answer::No => Err(refused("confirm.declined", Message::new("confirm-declined"))),
        Answer::Abort => Err(Box::new(Outcome::Stopped(
            StopReason::Aborted,
            ToolError::new(ErrorKind::Cancelled, Message::new("confirm-aborted")),
        ))),
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
