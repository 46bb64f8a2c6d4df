//! The rows of a call, from its beginning to its end.

use palanca_core::ToolResult;
use palanca_core::call::{ArtifactId, CallId, OutcomeKind, Part, QuestionId, Stage, Timing};
use palanca_core::ports::StageDecision;
use palanca_models::Message as Said;
use serde::{Deserialize, Serialize};

/// The gate lets a call run that does more than read: from here on it may have been done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Begun {
    /// The call.
    pub call: CallId,
    /// The tool.
    pub tool: String,
    /// What it may do.
    pub effects: Vec<String>,
    /// Files that it may write itself: beside them a process that is killed may leave something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<String>,
}

/// A call waits for the answer to a question: nothing of it has run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parked {
    /// The call.
    pub call: CallId,
    /// The stored question.
    pub question: QuestionId,
}

/// What a stage of the gate had to say of a call, where that was more than "go on".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// The stage.
    pub stage: Stage,
    /// What it said.
    pub verdict: StageDecision,
    /// The rule's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// What a call really changed and ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Changes {
    /// Files that were written, moved or removed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Lines that came or went.
    pub lines: u64,
    /// Programs that ran.
    pub commands: u64,
}

impl Changes {
    /// Adds what was changed beside this.
    pub(in crate::session) fn add(&mut self, more: Self) {
        self.files.extend(more.files);
        self.files.sort();
        self.files.dedup();
        self.lines += more.lines;
        self.commands += more.commands;
    }
}

/// A call ended: one row a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallEnded {
    /// The call.
    pub call: CallId,
    /// The tool as asked for.
    pub tool: String,
    /// What the model is told.
    pub content: String,
    /// What it is shown beside that, byte for byte.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// Whether the tool did its work.
    pub success: bool,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// The error's code or the rule's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What the stages said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<Judged>,
    /// From submission to return, in microseconds.
    pub duration_us: u64,
    /// Where its time went, questions and hooks included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timings: Vec<Timing>,
    /// A unified diff of what changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// What it changed and ran.
    #[serde(default)]
    pub changes: Changes,
    /// Where the whole output is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactId>,
    /// Whether the model read foreign text.
    #[serde(default)]
    pub foreign: bool,
}

impl CallEnded {
    /// How this call ended, told to the model like this.
    #[must_use]
    pub fn of(result: &ToolResult, (content, parts): (String, Vec<Part>)) -> Self {
        Self {
            call: result.id.clone(),
            tool: result.tool.clone(),
            content,
            parts,
            success: result.success,
            outcome: result.outcome,
            code: result.code.clone(),
            error: result.error.clone(),
            verdicts: Vec::new(),
            duration_us: u64::try_from(result.duration.as_micros()).unwrap_or(u64::MAX),
            timings: result.timings.clone(),
            diff: result.diff.clone(),
            changes: Changes::default(),
            artifact: result.artifact.clone(),
            foreign: result.foreign,
        }
    }

    /// As a message of the conversation.
    #[must_use]
    pub fn said(&self) -> Said {
        Said::Tool {
            call_id: self.call.clone(),
            name: self.tool.clone(),
            content: self.content.as_str().into(),
            is_error: !self.success,
            parts: self.parts.clone(),
        }
    }
}
