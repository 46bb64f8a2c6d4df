//! What can go wrong with a path, and the sentence for each.

use crate::call::{ErrorKind, ToolError};
use crate::message::Message;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// Leaves the workspace and the other roots.
    Outside,
    /// Not a usable path: empty, NUL, too long, a loop of links, a file used as a directory.
    Invalid,
    /// Nothing is there.
    NotFound,
    /// Something is there already.
    Exists,
    /// The policy keeps it closed.
    Secret,
    /// The policy keeps it from being written.
    Protected,
    /// The root is only for reading.
    ReadOnly,
    /// A FIFO, a device, a socket.
    Special,
    /// A directory where a file is needed.
    IsDirectory,
    /// A file where a directory is needed.
    NotADirectory,
    /// Changed since it was read.
    Changed,
    /// The permit does not cover it.
    NotGranted,
    /// Longer than the limit.
    TooLarge,
    /// The system's permissions say no.
    PermissionDenied,
    /// No space left.
    DiskFull,
    /// Anything else that the system reported.
    Io,
}

/// A failed operation on one path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {kind:?} {detail}")]
pub struct FileError {
    /// What went wrong.
    pub kind: FileErrorKind,
    /// The path as given, or as shown.
    pub path: String,
    /// The rule's id, the system's words, or neighbours; may be empty.
    pub detail: String,
}

impl FileError {
    /// An error on this path.
    #[must_use]
    pub fn new(kind: FileErrorKind, path: impl Into<String>) -> Self {
        Self { kind, path: path.into(), detail: String::new() }
    }

    /// Adds the rule's id, the system's words, or neighbours.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// The sentence for the model.
    #[must_use]
    pub fn into_tool_error(self) -> ToolError {
        use FileErrorKind as K;
        let (kind, key) = match self.kind {
            K::Outside => (ErrorKind::Outside, "file-outside"),
            K::Invalid => (ErrorKind::InvalidArguments, "file-invalid-path"),
            K::NotFound => (ErrorKind::NotFound, "file-not-found"),
            K::Exists => (ErrorKind::Exists, "file-exists"),
            K::Secret => (ErrorKind::Secret, "file-secret"),
            K::Protected => (ErrorKind::Protected, "file-protected"),
            K::ReadOnly => (ErrorKind::Protected, "file-read-only-root"),
            K::Special => (ErrorKind::SpecialFile, "file-special"),
            K::IsDirectory => (ErrorKind::WrongType, "file-is-directory"),
            K::NotADirectory => (ErrorKind::WrongType, "file-not-a-directory"),
            K::Changed => (ErrorKind::Conflict, "file-changed"),
            K::NotGranted => (ErrorKind::NotGranted, "file-not-granted"),
            K::TooLarge => (ErrorKind::TooLarge, "file-too-large"),
            K::PermissionDenied => (ErrorKind::PermissionDenied, "file-permission-denied"),
            K::DiskFull => (ErrorKind::DiskFull, "file-disk-full"),
            K::Io => (ErrorKind::Io, "file-io"),
        };
        ToolError::new(kind, Message::new(key).with("path", self.path).with("detail", self.detail))
    }
}
