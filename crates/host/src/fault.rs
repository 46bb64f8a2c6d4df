//! Why something cannot be built.

use palanca_core::Message;
use palanca_files::StateError;
use std::fmt::{self, Display};
use std::io::ErrorKind;

/// A sentence, and what kind of trouble it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of trouble.
    pub kind: FaultKind,
    /// What failed, on what, and what to do.
    pub message: Message,
}

/// What kind of trouble it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The configuration or what was asked for.
    Usage,
    /// A key is missing.
    Authentication,
    /// The machine: a disk, a folder that cannot be written.
    Machine,
}

impl Fault {
    /// The configuration or what was asked for is wrong.
    #[must_use]
    pub const fn said(message: Message) -> Self {
        Self { kind: FaultKind::Usage, message }
    }

    /// The same in English words that no catalogue has.
    #[must_use]
    pub fn usage(words: impl Display) -> Self {
        Self::said(Message::new("system-words").with("words", words.to_string()))
    }
}

/// The key and the values, without a catalogue.
impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Fault {}

/// A file that the operator named cannot be used.
impl From<StateError> for Fault {
    fn from(error: StateError) -> Self {
        Self::said(unusable(&error))
    }
}

/// The sentence for a file that cannot be used.
#[must_use]
pub fn unusable(error: &StateError) -> Message {
    let StateError { what, path, source } = error;
    Message::new("cli-file-failed")
        .with("what", *what)
        .with("path", path.display().to_string())
        .with("reason", reason(source))
}

/// The system's own words are English; what happens most has a sentence.
fn reason(error: &std::io::Error) -> Message {
    Message::new(match error.kind() {
        ErrorKind::NotFound => "cli-io-not-found",
        ErrorKind::PermissionDenied => "cli-io-permission",
        ErrorKind::IsADirectory => "cli-io-directory",
        ErrorKind::NotADirectory => "cli-io-no-directory",
        ErrorKind::StorageFull => "cli-io-full",
        // A folder was to be made where something else is.
        ErrorKind::AlreadyExists => "cli-io-file",
        ErrorKind::InvalidData => "cli-io-text",
        ErrorKind::ReadOnlyFilesystem => "cli-io-read-only",
        _ => return Message::new("system-words").with("words", error.to_string()),
    })
}
