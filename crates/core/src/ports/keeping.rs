//! Storage errors, independent of the database.

use crate::message::Message;

/// A failed operation of a store; nothing of it took effect. Its subject is named by kind and name: `session 0199…`,
/// `artifact art-…`, `output call-1` for a call's output.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreFault {
    /// One of that name exists.
    Exists {
        /// What exists: `session 0199…`.
        what: String,
    },
    /// None of that name exists.
    Missing {
        /// What is missing.
        what: String,
    },
    /// Another process is using it.
    Held {
        /// What is in use.
        what: String,
    },
    /// Another process has changed it meanwhile.
    Moved {
        /// What was changed.
        what: String,
    },
    /// Another process was given it meanwhile, because this one seemed to be gone: it must not be written to any more.
    Lost {
        /// What was lost.
        what: String,
    },
    /// It is an image, audio or other bytes, and has no text.
    NotText {
        /// What has no text.
        what: String,
    },
    /// It exceeds the size limit.
    TooLarge {
        /// What is too large.
        what: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// The store itself cannot be used: the sentence says which one and what to do.
    Broken(Message),
}

impl StoreFault {
    /// The sentence for people and models.
    #[must_use]
    pub fn message(&self) -> Message {
        let (key, what) = match self {
            Self::Exists { what } => ("store-exists", what),
            Self::Missing { what } => ("store-missing", what),
            Self::Held { what } => ("store-held", what),
            Self::Moved { what } => ("store-moved", what),
            Self::Lost { what } => ("store-lost", what),
            Self::NotText { what } => ("store-not-text", what),
            Self::TooLarge { what, limit } => {
                return about("store-too-large", what).with("limit", *limit);
            }
            Self::Broken(message) => return message.clone(),
        };
        about(key, what)
    }
}

/// The kind is translated if known.
fn about(key: &'static str, what: &str) -> Message {
    let (kind, name) = what.split_once(' ').unwrap_or((what, ""));
    Message::new(key).with("kind", kind).with("name", name).with("what", what)
}

impl std::fmt::Display for StoreFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for StoreFault {}
