//! Storage errors, independent of the database.

use crate::message::Message;

/// What goes wrong with a store. Nothing of the operation happened. What it is about is named by its kind and its name:
/// `session 0199…`, `artifact art-…`, `output call-1` for what a call said.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreFault {
    /// There is one of that name.
    Exists {
        /// What is there: `session 0199…`.
        what: String,
    },
    /// There is none of that name.
    Missing {
        /// What is not there.
        what: String,
    },
    /// Another process works on it.
    Held {
        /// What is held.
        what: String,
    },
    /// Another process has changed it meanwhile.
    Moved {
        /// What was changed.
        what: String,
    },
    /// It is more than may be kept.
    TooLarge {
        /// What is too large.
        what: String,
        /// Bytes that may be.
        limit: u64,
    },
    /// The store itself cannot be used: the sentence says which and what to do.
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
            Self::TooLarge { what, limit } => {
                return about("store-too-large", what).with("limit", *limit);
            }
            Self::Broken(message) => return message.clone(),
        };
        about(key, what)
    }
}

/// The kind is translated where it is known.
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
