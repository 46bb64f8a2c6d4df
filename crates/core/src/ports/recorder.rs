//! The record of every call.

use super::{Answer, Decision};
use crate::call::{Origin, OutcomeKind, Scope, Stage};
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One ended call, as recorded: exactly one record per call.
#[derive(Debug, Serialize)]
pub struct Record<'a> {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The call's id.
    pub call: &'a str,
    /// The tool's name as requested.
    pub tool: &'a str,
    /// Who asked.
    pub origin: &'a Origin,
    /// Where the call belongs.
    #[serde(flatten)]
    pub scope: &'a Scope,
    /// The arguments that ran; long strings are cut at 200 characters with their length.
    pub arguments: &'a Value,
    /// What it would do, as text.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub effects: &'a [String],
    /// What its programs changed, the first 200: `A new.txt`, `M changed.txt`, `D gone.txt`.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub changed: &'a [String],
    /// SHA-256 of the checked arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// The error's code or the rule's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'a str>,
    /// Detail of a failure for the operator only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<&'a str>,
    /// Bytes of text given back.
    pub output_bytes: usize,
    /// Where the full output is stored, if it is long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact: Option<&'a str>,
    /// Whether nothing was really changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// Whether the call could only read; also true for one that was never understood. Not stored: the effects show it.
    #[serde(skip)]
    pub read_only: bool,
    /// From submission to return, in microseconds.
    pub duration_us: u64,
}

/// The verdict of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageDecision {
    /// No objection.
    Allow,
    /// See [`Decision::Warn`].
    Warn,
    /// A person is asked.
    Ask,
    /// A rule, a hook or a person refuses.
    Deny,
    /// See [`Decision::Halt`].
    Halt,
    /// The call failed.
    Fail,
    /// A hook changed the arguments.
    Change,
    /// The person's answer.
    Yes,
    /// The person's answer, with a rule for the next time.
    Always,
    /// The person's answer.
    No,
    /// The person ends everything.
    Abort,
    /// The run itself begins.
    Begin,
}

impl StageDecision {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Ask => "ask",
            Self::Deny => "deny",
            Self::Halt => "halt",
            Self::Fail => "fail",
            Self::Change => "change",
            Self::Yes => "yes",
            Self::Always => "always",
            Self::No => "no",
            Self::Abort => "abort",
            Self::Begin => "begin",
        }
    }
}

impl From<Decision> for StageDecision {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Allow => Self::Allow,
            Decision::Warn => Self::Warn,
            Decision::Ask => Self::Ask,
            Decision::Deny => Self::Deny,
            Decision::Halt => Self::Halt,
        }
    }
}

impl From<&Answer> for StageDecision {
    fn from(answer: &Answer) -> Self {
        match answer {
            Answer::Yes => Self::Yes,
            Answer::Always(_) => Self::Always,
            Answer::No | Answer::NoBecause(_) => Self::No,
            Answer::Abort => Self::Abort,
        }
    }
}

/// A stage's verdict on a call. Recorded before a person is asked, a hook runs or the tool runs, so that a crash leaves
/// a trace of how far the call came.
#[derive(Debug, Serialize)]
pub struct StageRecord<'a> {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The call's id.
    pub call: &'a str,
    /// The call's session.
    pub session: &'a str,
    /// The tool's name as requested.
    pub tool: &'a str,
    /// The stage.
    pub stage: Stage,
    /// Its verdict.
    pub verdict: StageDecision,
    /// The rule's id or the error's code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'a str>,
    /// The evidence, or who answered what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<&'a str>,
    /// Only for `begin`: what the call may do now.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub effects: &'a [String],
    /// Only for `begin`: SHA-256 of the checked arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<&'a str>,
}

/// Records calls, in the order in which they are handed in.
pub trait Recorder: Send + Sync {
    /// Records one call's stage verdicts, in order. They are [written](Self::written) before the call goes on, because the
    /// process may die in the next step.
    fn stages(&self, records: &[StageRecord<'_>]) {
        let _ = records;
    }

    /// Records the last stage verdicts and the end of the same call: in one write if that is cheaper than two.
    fn ended(&self, stages: &[StageRecord<'_>], record: &Record<'_>) {
        if !stages.is_empty() {
            self.stages(stages);
        }
        self.record(record);
    }

    /// Records one call. A recorder that cannot write reports it through [`Recorder::healthy`]; the call still ends.
    fn record(&self, record: &Record<'_>);

    /// Ends when everything that was handed in is recorded, or never will be.
    fn written(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// Whether everything so far was recorded.
    fn healthy(&self) -> bool {
        true
    }
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecorder;

impl Recorder for NoRecorder {
    fn record(&self, _record: &Record<'_>) {}
}
