//! The report of a run: how it ended, its answer, its usage, its cost.

use palanca_core::call::SessionId;
use palanca_core::message::Message;
use palanca_core::ports::SessionStatus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a run ended, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The model said that it was done.
    Success,
    /// A limit or a person ended it before.
    Partial,
    /// The model, or the place where the session is kept, could not be used.
    Failed,
}

impl Status {
    /// The stable name, as in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Partial => "partial",
            Self::Failed => "failed",
        }
    }
}

impl From<Status> for SessionStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Success => Self::Success,
            Status::Partial => Self::Partial,
            Status::Failed => Self::Failed,
        }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model answered without asking for a tool.
    LlmDone,
    /// The limit of model calls.
    MaxSteps,
    /// The limit of tokens, over the whole run. Its name is that of a spent budget, too: tokens are one.
    #[serde(rename = "budget_exceeded")]
    TokenLimit,
    /// The limit of cost.
    BudgetExceeded,
    /// The model's last answer was truncated at its output limit.
    OutputLimit,
    /// The conversation does not fit into the model's context, even without its oldest parts.
    ContextFull,
    /// The total time.
    Timeout,
    /// The cancel token: Ctrl-C was pressed. Or the process ends.
    UserInterrupt,
    /// A question was answered with "abort".
    Aborted,
    /// The model made the same call over and over, and a rule put an end to it.
    LoopDetected,
    /// A hook before a model call said no.
    HookBlocked,
    /// The model said three times that it was done, and the same quality gate failed each time.
    QualityGates,
    /// JSON was asked for, and the model gave none, twice.
    AnswerNotJson,
    /// The model could not be reached, refused, or answered twice with nothing or with a tool call that cannot be read.
    LlmError,
    /// A call waits for the answer to a question. The session goes on when it is taken up with that answer.
    Parked,
    /// What happened could not be kept, so nothing more was done.
    StoreFailed,
}

impl StopReason {
    /// The stable name, the key of the sentence, and the status.
    const fn facts(self) -> (&'static str, &'static str, Status) {
        match self {
            Self::LlmDone => ("llm_done", "agent-reason-done", Status::Success),
            Self::MaxSteps => ("max_steps", "agent-reason-steps", Status::Partial),
            Self::TokenLimit => ("budget_exceeded", "agent-reason-tokens", Status::Partial),
            Self::BudgetExceeded => ("budget_exceeded", "agent-reason-budget", Status::Partial),
            Self::OutputLimit => ("output_limit", "agent-reason-output", Status::Partial),
            Self::ContextFull => ("context_full", "agent-reason-context", Status::Partial),
            Self::Timeout => ("timeout", "agent-reason-timeout", Status::Partial),
            Self::UserInterrupt => ("user_interrupt", "agent-reason-user-interrupt", Status::Partial),
            Self::Aborted => ("aborted", "agent-reason-aborted", Status::Partial),
            Self::LoopDetected => ("loop_detected", "agent-reason-loop", Status::Partial),
            Self::HookBlocked => ("hook_blocked", "agent-reason-hook", Status::Partial),
            Self::QualityGates => ("quality_gates", "agent-reason-gates", Status::Partial),
            Self::AnswerNotJson => ("answer_not_json", "agent-reason-json", Status::Partial),
            Self::LlmError => ("llm_error", "agent-reason-model", Status::Failed),
            Self::Parked => ("parked", "agent-reason-parked", Status::Partial),
            Self::StoreFailed => ("store_failed", "agent-reason-store", Status::Failed),
        }
    }

    /// The stable name, as in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().0
    }

    /// The reason as part of a sentence: "the time limit of this run is reached".
    #[must_use]
    pub fn message(self) -> Message {
        Message::new(self.facts().1)
    }

    /// The status that goes with it.
    #[must_use]
    pub const fn status(self) -> Status {
        self.facts().2
    }

    /// The status in the words of the `contracts` documents: `completed`, `budget_exceeded`, `max_turns`, `timeout`,
    /// `failed`, or, for what those do not know, the reason's own name.
    #[must_use]
    pub const fn contract_status(self) -> &'static str {
        match self {
            Self::LlmDone => "completed",
            Self::MaxSteps => "max_turns",
            Self::LlmError | Self::StoreFailed => "failed",
            other => other.name(),
        }
    }

    /// Whether the model is asked for last words: not where that would cost what must not be spent, nor when a person
    /// wants an end.
    pub(crate) const fn closes_with_words(self) -> bool {
        matches!(self, Self::MaxSteps | Self::ContextFull | Self::Timeout | Self::LoopDetected)
    }
}

/// One ended tool call, as the report shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToolUse {
    /// The tool as asked for.
    pub name: String,
    /// Whether it did its work.
    pub success: bool,
    /// The path that it was about, where it had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The beginning of the command that it was to run, where it was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The error's stable code, or the rule that refused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl ToolUse {
    /// Whether it was refused because no person could approve it.
    #[must_use]
    pub fn needed_a_person(&self) -> bool {
        self.code.as_deref() == Some("confirm.no_terminal")
    }
}

/// What was used and what it cost, in dollars. Costs are none when the model's price is not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Costs {
    /// Tokens read, cached ones included.
    pub total_input_tokens: u64,
    /// Tokens written.
    pub total_output_tokens: u64,
    /// Tokens of the input that the provider had cached.
    pub total_cached_tokens: u64,
    /// Input and output.
    pub total_tokens: u64,
    /// Dollars.
    pub total_cost_usd: Option<f64>,
    /// Dollars by what they were spent on.
    pub by_source: BySource,
}

/// Dollars by what they were spent on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BySource {
    /// The steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<f64>,
    /// The last words of a run that a limit ended, and summaries of what left the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<f64>,
    /// Agents that worked for this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagent: Option<f64>,
}

/// The report of one run: what `run --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunReport {
    /// The session that the run is kept in, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub session: Option<SessionId>,
    /// How it ended.
    pub status: Status,
    /// Why.
    pub stop_reason: StopReason,
    /// The model's last words, or why there are none.
    pub output: String,
    /// Model calls of the session so far, without those for last words.
    pub steps: u32,
    /// Every tool call of this run, in order.
    pub tools_used: Vec<ToolUse>,
    /// From start to end.
    pub duration_seconds: f64,
    /// The model's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What the session has used so far; none when the model was never reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub costs: Option<Costs>,
    /// Dollars of the session so far; none when the price is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}
