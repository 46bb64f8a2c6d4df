//! The events at which hooks run. The names are the documents'.

use serde::Serialize;
use std::fmt;

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Before a tool runs; may block, change the arguments, add to the result.
    PreToolUse,
    /// After a tool ran; may add to the result.
    PostToolUse,
    /// After a call changed files; adds its output to the result in the older form.
    PostEdit,
    /// Before the model is called; may end the turn, or add text for the model.
    PreLlmCall,
    /// After the model answered.
    PostLlmCall,
    /// A run begins.
    SessionStart,
    /// A run has ended.
    SessionEnd,
    /// A run failed.
    OnError,
    /// Costs passed the warning threshold.
    BudgetWarning,
    /// Older messages were dropped from the conversation.
    ContextCompress,
    /// The agent says that it is done, and nothing objects.
    AgentComplete,
}

impl Event {
    /// Every event, in the order of the documents.
    pub const ALL: [Self; 11] = [
        Self::PreToolUse,
        Self::PostToolUse,
        Self::PostEdit,
        Self::PreLlmCall,
        Self::PostLlmCall,
        Self::SessionStart,
        Self::SessionEnd,
        Self::OnError,
        Self::BudgetWarning,
        Self::ContextCompress,
        Self::AgentComplete,
    ];

    /// The name in configuration files, payloads and variables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "pre_tool_use",
            Self::PostToolUse => "post_tool_use",
            Self::PostEdit => "post_edit",
            Self::PreLlmCall => "pre_llm_call",
            Self::PostLlmCall => "post_llm_call",
            Self::SessionStart => "session_start",
            Self::SessionEnd => "session_end",
            Self::OnError => "on_error",
            Self::BudgetWarning => "budget_warning",
            Self::ContextCompress => "context_compress",
            Self::AgentComplete => "agent_complete",
        }
    }

    /// Whether a hook can still stop the next step.
    #[must_use]
    pub const fn can_block(self) -> bool {
        matches!(self, Self::PreToolUse | Self::PreLlmCall)
    }

    /// Whether it concerns a tool call.
    #[must_use]
    pub const fn is_of_a_call(self) -> bool {
        matches!(self, Self::PreToolUse | Self::PostToolUse | Self::PostEdit)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
