//! The stored events of a run: one row each, as JSON that programs can read.
//!
//! A row is written once and never changed. `state` owns its meaning for the session, `keep` stores it. Kinds that a later program adds are skipped when they are read here.

mod call;

pub use call::{Begun, CallEnded, Changes, Judged, Parked};

use super::state::Snapshot;
use crate::budget::Source;
use crate::report::Status;
use palanca_core::ConfirmMode;
use palanca_core::call::{CallId, Part, SessionId, Speaker, TaskId, Waiting};
use palanca_core::ports::{StoredEvent, TaskStatus};
use palanca_models::{Message as Said, Usage};
use serde::{Deserialize, Serialize};

/// The shape of these rows.
pub const VERSION: u32 = 1;

/// The settings of an agent, which a resumed session keeps unless they are set again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    /// The agent's name.
    pub agent: String,
    /// The model as it was named.
    pub model: Option<String>,
    /// The model's address, if one was given for this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_base: Option<String>,
    /// When a person was asked.
    pub mode: ConfirmMode,
    /// The vocabulary of tools.
    pub toolset: String,
    /// The workspace's absolute path.
    pub workspace: String,
    /// Whether commands were allowed or forbidden for this run; none where the configuration decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commands: Option<bool>,
    /// What was said for this run.
    pub limits: KeptLimits,
}

/// The limits set for a run; those of the configuration are read again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptLimits {
    /// Model calls of one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u32>,
    /// Tokens of the whole session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Dollars of the whole session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_usd: Option<f64>,
    /// Seconds of one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<f64>,
}

/// A session begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Began {
    /// [`VERSION`].
    pub version: u32,
    /// What is to be done.
    pub task: String,
    /// On what terms.
    pub terms: Terms,
}

/// A session goes on, in another process as a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resumed {
    /// On what terms.
    pub terms: Terms,
}

/// What a person asks for, at the start and later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// The words, as they stand in the conversation.
    pub text: String,
    /// Who said them.
    #[serde(default, skip_serializing_if = "Speaker::is_user")]
    pub speaker: Speaker,
    /// The last message that they hold, as the channel that they came over names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What was sent with them, named as in [`enclosed`](super::enclosed), without its bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

/// A message without cost: from a hook, a quality gate or the loop; a truncated answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Appended {
    /// The message.
    pub message: Said,
}

/// The model answered: the answer and its price are one row, kept before any of its calls runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The step that it ended, counted over the whole session.
    pub step: u32,
    /// What it was for.
    pub source: Source,
    /// None where the model said nothing.
    pub message: Option<Said>,
    /// Tokens.
    pub usage: Usage,
    /// Dollars; none where the price is not known.
    pub dollars: Option<f64>,
    /// Whether it was cut off, by a person, the time or a fault, and counts for what it cost alone.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut: bool,
    /// Calls whose arguments hold a secret that is not kept here: they cannot be repeated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<CallId>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// Something was said aloud.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// Whether it was a warning.
    pub warning: bool,
    /// The sentence, in the language of the run.
    pub text: String,
}

/// A quality gate was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateTried {
    /// Its name.
    pub name: String,
    /// Whether it passed.
    pub passed: bool,
    /// Whether the run may end without it.
    pub required: bool,
    /// How long it took, in microseconds.
    #[serde(default)]
    pub duration_us: u64,
}

/// A task was taken for a subagent, which works on it as soon as there is a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Delegated {
    /// The task as it stands then.
    pub task: TaskStatus,
    /// Whether the call that gave it waits for the answer.
    pub waiting: Waiting,
    /// The session that keeps the subagent's conversation, once it works.
    pub session: SessionId,
}

/// What one model call of a subagent cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubagentSpent {
    /// The task.
    pub task: TaskId,
    /// Tokens.
    pub usage: Usage,
    /// Dollars; none where the price is not known.
    pub dollars: Option<f64>,
}

/// A task ended, and this is how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubagentEnded {
    /// The task with its answer.
    pub task: TaskStatus,
}

/// The agent was told of the answer of a task in the background.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Announced {
    /// The task.
    pub task: TaskId,
    /// As a message of the conversation.
    pub message: Said,
}

/// A job of the bot has said something in this chat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobSaid {
    /// The number of the message: later ones are higher.
    pub number: i64,
    /// The job's name.
    pub job: String,
    /// As a message of the conversation.
    pub message: Said,
    /// Whether it may hold what others wrote.
    #[serde(default, skip_serializing_if = "is_false")]
    pub foreign: bool,
}

/// A run of the session ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunEnded {
    /// How.
    pub status: Status,
    /// Why: a stop reason's name.
    pub stop_reason: String,
    /// The model's last words, or why there are none.
    pub output: String,
}

macro_rules! entries {
    ($($(#[$doc:meta])* $name:ident($body:ty) = $kind:literal,)*) => {
        /// One thing that happened.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "entries are made one at a time, and written")]
        pub enum Entry {
            $($(#[$doc])* $name($body),)*
        }

        impl Entry {
            /// The kind of the row.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $kind,)*
                }
            }

            /// The row's body.
            pub(crate) fn value(&self) -> serde_json::Result<serde_json::Value> {
                match self {
                    $(Self::$name(body) => serde_json::to_value(body),)*
                }
            }

            /// Reads a row; none for a kind that is not known here.
            ///
            /// # Errors
            /// A body that is not what its kind says.
            pub fn read(event: &StoredEvent) -> serde_json::Result<Option<Self>> {
                Ok(match event.kind.as_str() {
                    $($kind => Some(Self::$name(serde_json::from_str(&event.body)?)),)*
                    _ => None,
                })
            }
        }
    };
}

entries! {
    /// The first row.
    Began(Began) = "began",
    /// The session was taken up again.
    Resumed(Resumed) = "resumed",
    /// A person's words.
    Prompt(Prompt) = "prompt",
    /// A message beside answers and results.
    Appended(Appended) = "message",
    /// An answer with its price.
    Answered(Answered) = "answered",
    /// A call really begins to run.
    Begun(Begun) = "begun",
    /// A call waits for an answer.
    Parked(Parked) = "parked",
    /// How a call ended.
    CallEnded(CallEnded) = "result",
    /// A task for a subagent.
    Delegated(Delegated) = "delegated",
    /// What a subagent's model call cost.
    SubagentSpent(SubagentSpent) = "subagent_spent",
    /// The end of a task.
    SubagentEnded(SubagentEnded) = "subagent_ended",
    /// The answer of a task, told to the agent.
    Announced(Announced) = "announced",
    /// A message of a job.
    JobSaid(JobSaid) = "job_said",
    /// A sentence.
    Notice(Notice) = "notice",
    /// A quality gate.
    GateTried(GateTried) = "quality_gate",
    /// Messages left the conversation, or a summary took their place: the conversation as it is from here on, with everything
    /// that was counted so far. Whoever takes the session up again begins with the last of these.
    Compacted(Box<Snapshot>) = "compacted",
    /// The end of a run.
    Ended(RunEnded) = "ended",
}

impl Entry {
    /// The kind of rows that a session is taken up from.
    pub const COMPACTED: &'static str = "compacted";
    /// The kind of rows that hold answers.
    pub(crate) const ANSWERED: &'static str = "answered";
    /// The kind of rows that hold messages beside answers and results.
    pub(crate) const APPENDED: &'static str = "message";
    /// The kind of rows that jobs have said.
    pub(crate) const JOB_SAID: &'static str = "job_said";
    /// The kind of rows that hold what people ask for.
    pub(crate) const PROMPT: &'static str = "prompt";
    /// The kind of rows that end a run.
    pub(crate) const ENDED: &'static str = "ended";

    /// The call that it is about.
    #[must_use]
    pub const fn call(&self) -> Option<&CallId> {
        match self {
            Self::Begun(begun) => Some(&begun.call),
            Self::Parked(parked) => Some(&parked.call),
            Self::CallEnded(ended) => Some(&ended.call),
            _ => None,
        }
    }
}
