//! How a call ended: exactly once, in one of five ways.

use super::error::ToolError;
use super::ids::QuestionId;
use super::output::{Output, Provenance};
use crate::message::Text;
use serde::{Deserialize, Serialize};

/// The stages of one call, in order.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::Stage;
///
/// assert_eq!(Stage::PreHooks.name(), "pre_hooks");
/// assert!(Stage::Guardrails < Stage::Execute);
/// ```
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
    /// A preview instead of effects.
    DryRun,
    /// The tool itself.
    Execute,
    /// Programs that may add to the result.
    PostHooks,
    /// The record of the call.
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

/// A call that a rule or a person refused.
///
/// The content of [`Outcome::Refused`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The stage that refused it.
    pub stage: Stage,
    /// The refusing rule, for logs and `explain`: `paths.secret`, `confirm.no_terminal`.
    pub rule: String,
    /// For the model: the reason and what to do instead.
    pub message: Text,
    /// Further reasons, if several rules refused.
    pub others: Vec<Text>,
}

/// Why a call was stopped while running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The person who was asked ends everything.
    Aborted,
    /// The caller cancelled.
    Cancelled,
    /// It reached its time limit.
    Timeout,
    /// A rule ended the turn.
    Halted,
}

/// How a call ended.
///
/// A guard sees it in [`Guard::settle`](crate::ports::Guard::settle); callers get a [`ToolResult`](super::ToolResult).
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The tool did its work.
    Done(Output),
    /// A rule or a person refused; nothing was done.
    Refused(Refusal),
    /// The call or the tool failed.
    Failed(ToolError),
    /// The call was ended from outside.
    Stopped(StopReason, ToolError),
    /// Its question waits for a person who is not present. The answer is spent on the same call, submitted again with this
    /// question ([`Ticket::asked`](crate::gate::Ticket::asked)).
    Parked {
        /// The stored question. None: the call waits for the end of an earlier one that is parked.
        question: Option<QuestionId>,
    },
}

/// How a call ended, without its content: the name in results, records and sessions.
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
    /// The kind of this outcome.
    #[must_use]
    pub fn kind(&self) -> OutcomeKind {
        match self {
            Self::Done(_) => OutcomeKind::Done,
            Self::Refused(_) => OutcomeKind::Refused,
            // An error by which a door or a tool refuses is a refusal too.
            Self::Failed(error) if error.kind().facts().refusal => OutcomeKind::Refused,
            Self::Failed(_) => OutcomeKind::Failed,
            Self::Stopped(..) => OutcomeKind::Stopped,
            Self::Parked { .. } => OutcomeKind::Parked,
        }
    }

    /// Detail of a failure for the operator only.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Failed(error) | Self::Stopped(_, error) => error.detail(),
            Self::Done(_) | Self::Refused(_) | Self::Parked { .. } => None,
        }
    }

    /// The source of the result's text, if it is foreign: as the tool names it, or the tool's own name.
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
