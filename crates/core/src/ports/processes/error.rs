//! Errors of a program before it runs, and the sentence for each.

use crate::call::{ErrorKind, ToolError};
use crate::message::Message;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProcessErrorKind {
    /// The permit does not cover it.
    NotGranted,
    /// There is no way to start programs.
    Disabled,
    /// This machine cannot keep a program in as strictly as is asked for.
    Isolation,
    /// The workspace holds the program's own state, which no program may change.
    Exposed,
    /// The directory is gone or was exchanged since it was judged.
    Directory,
    /// There is no such program.
    NoProgram,
    /// A variable that would change what a program loads.
    Environment,
    /// As many background programs as are allowed.
    TooMany,
    /// No background program of this name, or another owner's.
    Unknown,
    /// It still runs.
    Running,
    /// It has ended, or no longer reads.
    Ended,
    /// Anything else that the system reported.
    Io,
}

/// A program that could not be started or reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {kind:?} {detail}")]
pub struct ProcessError {
    /// What went wrong.
    pub kind: ProcessErrorKind,
    /// The command, the directory, the variable or the name that it is about.
    pub what: String,
    /// The system's words, a limit, or what is missing; may be empty.
    pub detail: String,
}

impl ProcessError {
    /// An error on this.
    #[must_use]
    pub fn new(kind: ProcessErrorKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), detail: String::new() }
    }

    /// Adds the system's words, a limit, or what is missing.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// The sentence for the model.
    #[must_use]
    pub fn into_tool_error(self) -> ToolError {
        use ProcessErrorKind as K;
        let (kind, key) = match self.kind {
            K::NotGranted => (ErrorKind::NotGranted, "process-not-granted"),
            K::Disabled => (ErrorKind::Disabled, "process-disabled"),
            K::Isolation => (ErrorKind::Disabled, "process-isolation"),
            K::Exposed => (ErrorKind::Disabled, "process-exposed"),
            K::Directory => (ErrorKind::Conflict, "process-directory"),
            K::NoProgram => (ErrorKind::NotFound, "process-no-program"),
            K::Environment => (ErrorKind::InvalidArguments, "process-environment"),
            K::TooMany => (ErrorKind::TooLarge, "process-too-many"),
            K::Unknown => (ErrorKind::NotFound, "process-unknown"),
            K::Running => (ErrorKind::Conflict, "process-running"),
            K::Ended => (ErrorKind::Conflict, "process-ended"),
            K::Io => (ErrorKind::Io, "process-io"),
        };
        ToolError::new(kind, Message::new(key).with("what", self.what).with("detail", self.detail))
    }
}
