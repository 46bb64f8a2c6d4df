//! Ids as separate types, so that a chat is never mistaken for a session.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::sync::Arc;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// An id with this text, unchanged.
            #[must_use]
            pub fn new(text: impl Into<Arc<str>>) -> Self {
                Self(text.into())
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::new(text)
            }
        }
    };
}

id!(
    /// One call; unique within its session. If the model gave an id, that one.
    ///
    /// ```
    /// # use palanca_core as palanca;
    /// use palanca::CallId;
    ///
    /// assert_eq!(CallId::new("call_1").as_str(), "call_1");
    /// ```
    CallId
);
id!(
    /// One conversation or one batch of calls.
    SessionId
);
id!(
    /// One of several assistants that live in the same process.
    BotId
);
id!(
    /// The conversation with a person or a group, as its channel names it.
    ChatId
);
id!(
    /// A way to reach people: `terminal`, `telegram`, `webhook`.
    ChannelId
);

id!(
    /// A program that runs in the background.
    ProcessId
);
id!(
    /// A stored question to a person.
    QuestionId
);
id!(
    /// A text stored in full because it was too long to be shown.
    ArtifactId
);
id!(
    /// A task that an agent gave to another agent.
    TaskId
);

/// SHA-256 of a call's checked arguments: exactly what was judged runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of the tool's name and its arguments in canonical JSON (keys in the order of the schema).
    #[must_use]
    pub fn of_call(tool: &str, arguments: &serde_json::Value) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(tool.as_bytes());
        hasher.update([0]);
        // ignored: writing JSON into a hasher cannot fail, and a Value always serialises.
        let _ = serde_json::to_writer(HashWriter(&mut hasher), arguments);
        Self(hasher.finalize().into())
    }

    /// A digest that was computed incrementally.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The digest of a file's content.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Its 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// 64 hexadecimal digits.
    #[must_use]
    pub fn to_hex(&self) -> String {
        HEXLOWER.encode(&self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

struct HashWriter<'a>(&'a mut Sha256);

impl std::io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
