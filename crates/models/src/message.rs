//! The conversation, in one form for every wire format.
//!
//! A tool call keeps the model's argument text as received, valid or not: the gate judges it, and the model is told.

use crate::provider_state::ProviderState;
use palanca_core::CallId;
use palanca_core::call::Part;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

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
        /// Images and the like that go with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        parts: Vec<Part>,
    },
    /// A model's answer.
    Assistant {
        /// The text; may be empty if there are calls.
        #[serde(default)]
        text: String,
        /// The tool calls, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
        /// What its provider wants back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider_state: Option<ProviderState>,
    },
    /// The result of one call. Every call of an assistant message needs one before the next user message: providers
    /// refuse a conversation without it.
    Tool {
        /// Which call.
        call_id: CallId,
        /// The tool's own name.
        name: String,
        /// The text for the model.
        content: Content,
        /// Whether the call failed; only some wire formats have a field for it.
        #[serde(default)]
        is_error: bool,
        /// Images and the like beside the text.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        parts: Vec<Part>,
    },
}

impl Message {
    /// Instructions.
    pub fn system(text: impl Into<String>) -> Self {
        Self::System { text: text.into() }
    }

    /// A user's words.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into(), parts: Vec::new() }
    }

    /// A model's words without calls.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::calling(text, Vec::new())
    }

    /// A model's words and calls.
    pub fn calling(text: impl Into<String>, calls: Vec<ToolCall>) -> Self {
        Self::Assistant { text: text.into(), calls, provider_state: None }
    }
}

/// A text that is sent with every request: a tool's description, or a result, of which most of a conversation consists. Its
/// JSON is rendered once.
#[derive(Clone, Debug, Default)]
pub struct Content {
    text: String,
    json: OnceLock<Box<RawValue>>,
}

impl Content {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn json(&self) -> &RawValue {
        // A text always renders; `null` is the fallback.
        self.json.get_or_init(|| to_raw_value(&self.text).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }
}

impl Deref for Content {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self { text, json: OnceLock::new() }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Content {}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
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
