//! Errors in starting or reaching a program, and the sentence for each.

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
    /// This machine cannot isolate a program as strictly as required.
    Isolation,
    /// The workspace contains Palanca's own state, which no program may change.
    Exposed,
    /// The directory is gone or was replaced since it was judged.
    Directory,
    /// A folder that a program of this profile may not reach.
    OutOfReach,
    /// There is no such program.
    NoProgram,
    /// A variable that would change what a program loads.
    Environment,
    /// The maximum number of background programs is running.
    TooMany,
    /// No background program of this name, or another owner's.
    Unknown,
    /// It is still running.
    Running,
    /// It has ended, or no longer reads its input.
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
    /// The command, directory, variable or name concerned.
    pub what: String,
    /// The system's message, a limit, or what is missing; may be empty.
    pub detail: String,
}

impl ProcessError {
    /// An error on this.
    #[must_use]
    pub fn new(kind: ProcessErrorKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), detail: String::new() }
    }

    /// Adds the system's message, a limit, or what is missing.
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
            K::OutOfReach => (ErrorKind::Conflict, "process-out-of-reach"),
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
