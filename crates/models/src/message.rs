//! The conversation, in one form for every wire format.
//!
//! A tool call keeps the model's argument text as received, valid or not: the gate judges it, and the model is told.

use palanca_core::CallId;
use serde::{Deserialize, Serialize};

/// One entry of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub enum Message {
    /// Instructions.
    System {
        /// The text.
        text: String,
    },
    /// A message from the user, or from the loop on the user's behalf.
    User {
        /// The text.
        text: String,
    },
    /// A model's answer.
    Assistant {
        /// The text; may be empty if there are calls.
        #[serde(default)]
        text: String,
        /// The tool calls, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
    },
    /// The result of one call. Every call of an assistant message needs one before the next user message: providers
    /// refuse a conversation without it.
    Tool {
        /// Which call.
        call_id: CallId,
        /// The tool's own name.
        name: String,
        /// The text for the model.
        content: String,
        /// Whether the call failed; only some wire formats have a field for it.
        #[serde(default)]
        is_error: bool,
    },
}

impl Message {
    /// Instructions.
    pub fn system(text: impl Into<String>) -> Self {
        Self::System { text: text.into() }
    }

    /// A user's words.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into() }
    }

    /// A model's words without calls.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::Assistant { text: text.into(), calls: Vec::new() }
    }
}

/// One tool call as requested by the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The model's id, or `call_` and eight hex digits if it gave none. Unique within one reply.
    pub id: CallId,
    /// The tool's own name, never the mangled one.
    pub name: String,
    /// The arguments as text: meant to be a JSON object, but not checked.
    pub arguments: String,
}
