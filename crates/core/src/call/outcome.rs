//! How a call ended: exactly once, in one of five ways.

use super::error::ToolError;
use super::output::{Output, Provenance};
use crate::message::Text;
use serde::{Deserialize, Serialize};

/// The stages of one call, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Name to tool, among those offered.
    Resolve,
    /// Text to typed arguments, effects on canonical paths.
    Validate,
    /// Deterministic rules.
    Guardrails,
    /// Programs that may block or change the call.
    PreHooks,
    /// Mode, rules and people.
    Confirm,
    /// Preview in place of effects.
    DryRun,
    /// The tool itself.
    Execute,
    /// Programs that may add to the result.
    PostHooks,
    /// What is kept of the call.
    Record,
    /// The one result.
    Return,
}

impl Stage {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Validate => "validate",
            Self::Guardrails => "guardrails",
            Self::PreHooks => "pre_hooks",
            Self::Confirm => "confirm",
            Self::DryRun => "dry_run",
            Self::Execute => "execute",
            Self::PostHooks => "post_hooks",
            Self::Record => "record",
            Self::Return => "return",
        }
    }
}

/// A call that a rule or a person turned down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where it was turned down.
    pub stage: Stage,
    /// The rule that did it, for logs and `explain`: `paths.secret`, `confirm.no_terminal`.
    pub rule: String,
    /// For the model: the reason and what to do instead.
    pub message: Text,
    /// Further reasons, when several rules said no.
    pub others: Vec<Text>,
}

/// Why a call was stopped in its course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The person who was asked wants everything to end.
    Aborted,
    /// The caller cancelled.
    Cancelled,
    /// Its time was over.
    Timeout,
    /// A rule ended the turn.
    Halted,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The tool did its work.
    Done(Output),
    /// A rule or a person said no; nothing was done.
    Refused(Refusal),
    /// The call or the tool had a fault.
    Failed(ToolError),
    /// The call was ended from outside.
    Stopped(StopReason, ToolError),
    /// The question waits for a person who is not present.
    Parked {
        /// The stored question's name.
        question: String,
    },
}

/// How a call ended, without what came of it: the name in results, records and sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// See [`Outcome::Done`].
    Done,
    /// See [`Outcome::Refused`].
    Refused,
    /// See [`Outcome::Failed`].
    Failed,
    /// See [`Outcome::Stopped`].
    Stopped,
    /// See [`Outcome::Parked`].
    Parked,
    /// Its process ended first; it may have been done in part.
    Interrupted,
}

impl OutcomeKind {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
            Self::Parked => "parked",
            Self::Interrupted => "interrupted",
        }
    }
}

impl std::fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Outcome {
    /// Which of the ways.
    #[must_use]
    pub fn kind(&self) -> OutcomeKind {
        match self {
            Self::Done(_) => OutcomeKind::Done,
            Self::Refused(_) => OutcomeKind::Refused,
            // A door or a tool that says no is a refusal too, whatever path the error took.
            Self::Failed(error) if error.kind().facts().refusal => OutcomeKind::Refused,
            Self::Failed(_) => OutcomeKind::Failed,
            Self::Stopped(..) => OutcomeKind::Stopped,
            Self::Parked { .. } => OutcomeKind::Parked,
        }
    }

    /// What only the operator may see of a failure.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Failed(error) | Self::Stopped(_, error) => error.detail(),
            Self::Done(_) | Self::Refused(_) | Self::Parked { .. } => None,
        }
    }

    /// Where the text of the result comes from, if nobody here has written it: what the tool says of that, or its own name.
    #[must_use]
    pub fn foreign<'o>(&'o self, tool: &'o str) -> Option<&'o str> {
        match self {
            Self::Done(output) if output.provenance == Provenance::External => {
                Some(output.source.as_deref().unwrap_or(tool))
            }
            Self::Failed(error) | Self::Stopped(_, error) => error.foreign(),
            Self::Done(_) | Self::Refused(_) | Self::Parked { .. } => None,
        }
    }
}
