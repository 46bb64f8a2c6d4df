//! The conversation, in one form for every wire format.
//!
//! A tool call keeps the model's argument text as it came, broken or not: the gate judges it, and the model is told.

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
    /// What the person, or the loop on the person's behalf, says.
    User {
        /// The text.
        text: String,
    },
    /// What the model said.
    Assistant {
        /// The text; may be empty where there are calls.
        #[serde(default)]
        text: String,
        /// The tool calls, in the order in which they were asked for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
    },
    /// The result of one call. Every call of an assistant message needs one before the next user message: providers
    /// refuse a conversation in which it is missing.
    Tool {
        /// Which call.
        call_id: CallId,
        /// The tool's own name.
        name: String,
        /// What the model is told.
        content: String,
        /// Whether the call failed; only some wires can say so apart from the text.
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

/// One tool call as the model asked for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The model's id, or `call_` and eight hex digits where it gave none. Unique within one reply.
    pub id: CallId,
    /// The tool's own name, never the mangled one.
    pub name: String,
    /// The arguments as text: meant to be a JSON object, but not checked.
    pub arguments: String,
}
