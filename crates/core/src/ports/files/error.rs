//! Path errors, and the sentence for each.

use crate::call::{ErrorKind, ToolError};
use crate::message::{Message, on_one_line};

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
    /// Something already exists there.
    Exists,
    /// The policy refuses it as secret.
    Secret(ClosedBy),
    /// The policy protects it from changes.
    Protected(ClosedBy),
    /// The root is read-only.
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
    /// A folder whose files must be moved one by one, so that each is judged.
    MoveByFile,
    /// The system's permissions deny it.
    PermissionDenied,
    /// No space left.
    DiskFull,
    /// Anything else that the system reported.
    Io,
    /// The content that a program would replace could not be saved; `detail` has the place and the system's message.
    NotKept(NotKept),
    /// A remote source of files, or this file there, has a problem.
    Remote(RemoteFault),
}

/// The part of the policy that refuses a path: it decides whether a person may be asked, and which sentence explains
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClosedBy {
    /// A rule on names; `detail` is its id.
    Rule,
    /// The operator's guardrails; `detail` is the rule's id.
    Operator,
    /// It belongs to this program; `detail` is the rule's id.
    Own,
    /// A folder would move together with files that this rule protects; `detail` is its id.
    Moved,
    /// Git's configuration cannot be written in place.
    GitInPlace,
    /// Git's new configuration would start a program or point elsewhere; `detail` is the key.
    GitKey,
    /// Git cannot read the new configuration.
    GitUnreadable,
    /// Git runs files there.
    GitHook,
    /// It would turn a folder into a repository whose configuration git obeys.
    GitRepository,
    /// Git's configuration refers to it; `detail` is the key.
    GitObeyed,
}

impl ClosedBy {
    const fn sentence(self) -> &'static str {
        match self {
            Self::Rule | Self::Operator | Self::Own => "file-protected",
            Self::Moved => "file-moved",
            Self::GitInPlace => "file-git-in-place",
            Self::GitKey => "file-git-key",
            Self::GitUnreadable => "file-git-unreadable",
            Self::GitHook => "file-git-hook",
            Self::GitRepository => "file-git-repository",
            Self::GitObeyed => "file-git-obeyed",
        }
    }
}

/// Why content could not be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotKept {
    /// No space left in the undo store.
    DiskFull,
    /// The system's permissions deny it.
    PermissionDenied,
    /// Anything else that the system reported.
    Io,
}

/// A problem of a remote source of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RemoteFault {
    /// No source is set up: no token, no repository, or a product that has none.
    NotConnected,
    /// No such repository, or the token may not see it.
    Missing,
    /// The repository has no such branch, tag or commit.
    NoSuchRef,
    /// The repository has no commit yet.
    Empty,
    /// The token is not, or no longer, accepted.
    Expired,
    /// The token is accepted and may not do this.
    Forbidden,
    /// Too many requests; `detail` says until when.
    RateLimited,
    /// More than a named limit; `detail` names it.
    TooLarge,
    /// No answer, or a server error.
    Unavailable,
    /// An invalid answer: truncated, or of the wrong form.
    Malformed,
    /// It refers to a host that is not allowed; `detail` names it.
    Elsewhere,
    /// This entry is another repository.
    Submodule,
    /// This entry is a symbolic link; `detail` is its target.
    Link,
    /// This file's content is stored elsewhere; only a pointer is here.
    Pointer,
    /// The server has no content for this file, or content that does not match it; `detail` says which.
    Unreadable,
    /// This file needs a separate request, and a walk makes only a limited number; `detail` says why there is no
    /// archive.
    LeftOut,
}

impl RemoteFault {
    /// Whether it concerns only one entry, so that others can still be read.
    #[must_use]
    pub const fn is_of_one_entry(self) -> bool {
        matches!(self, Self::Submodule | Self::Link | Self::Pointer | Self::Unreadable | Self::LeftOut)
    }

    const fn sentence(self) -> (ErrorKind, &'static str) {
        match self {
            Self::NotConnected => (ErrorKind::Unreachable, "remote-not-connected"),
            Self::Missing => (ErrorKind::NotFound, "remote-missing"),
            Self::NoSuchRef => (ErrorKind::NotFound, "remote-no-such-ref"),
            Self::Empty => (ErrorKind::NotFound, "remote-empty"),
            Self::Expired => (ErrorKind::PermissionDenied, "remote-expired"),
            Self::Forbidden => (ErrorKind::PermissionDenied, "remote-forbidden"),
            Self::RateLimited => (ErrorKind::RateLimited, "remote-rate-limited"),
            Self::TooLarge => (ErrorKind::TooLarge, "remote-too-large"),
            Self::Unavailable => (ErrorKind::Unreachable, "remote-unavailable"),
            Self::Malformed => (ErrorKind::Io, "remote-malformed"),
            Self::Elsewhere => (ErrorKind::ForbiddenHost, "remote-elsewhere"),
            Self::Submodule => (ErrorKind::WrongType, "remote-submodule"),
            Self::Link => (ErrorKind::WrongType, "remote-link"),
            Self::Pointer => (ErrorKind::NotFound, "remote-pointer"),
            Self::Unreadable => (ErrorKind::Io, "remote-unreadable"),
            Self::LeftOut => (ErrorKind::TooLarge, "remote-left-out"),
        }
    }
}

/// A failed operation on one path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {kind:?} {detail}")]
pub struct FileError {
    /// What went wrong.
    pub kind: FileErrorKind,
    /// The path as given, or as shown.
    pub path: String,
    /// The rule's id, the system's message, or neighbouring names; may be empty.
    pub detail: String,
}

impl FileError {
    /// An error on this path.
    #[must_use]
    pub fn new(kind: FileErrorKind, path: impl Into<String>) -> Self {
        Self { kind, path: path.into(), detail: String::new() }
    }

    /// Adds the rule's id, the system's message, or neighbouring names.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Whether a person may approve it before a command: the operator's own lists, our own files, and moves that would
    /// change which rules apply cannot be approved.
    #[must_use]
    pub const fn can_be_asked_for(&self) -> bool {
        use ClosedBy::{Moved, Operator, Own};
        matches!(self.kind, FileErrorKind::Protected(by) if !matches!(by, Operator | Own | Moved))
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
            K::Secret(_) => (ErrorKind::Secret, "file-secret"),
            K::Protected(by) => (ErrorKind::Protected, by.sentence()),
            K::ReadOnly => (ErrorKind::Protected, "file-read-only-root"),
            K::Special => (ErrorKind::SpecialFile, "file-special"),
            K::IsDirectory => (ErrorKind::WrongType, "file-is-directory"),
            K::NotADirectory => (ErrorKind::WrongType, "file-not-a-directory"),
            K::Changed => (ErrorKind::Conflict, "file-changed"),
            K::NotGranted => (ErrorKind::NotGranted, "file-not-granted"),
            K::TooLarge => (ErrorKind::TooLarge, "file-too-large"),
            K::MoveByFile => (ErrorKind::TooLarge, "file-move-by-file"),
            K::PermissionDenied => (ErrorKind::PermissionDenied, "file-permission-denied"),
            K::DiskFull => (ErrorKind::DiskFull, "file-disk-full"),
            K::Io => (ErrorKind::Io, "file-io"),
            K::NotKept(NotKept::DiskFull) => (ErrorKind::DiskFull, "file-unkept"),
            K::NotKept(NotKept::PermissionDenied) => (ErrorKind::PermissionDenied, "file-unkept"),
            K::NotKept(NotKept::Io) => (ErrorKind::Io, "file-unkept"),
            K::Remote(fault) => fault.sentence(),
        };
        ToolError::new(kind, Message::new(key).with("path", on_one_line(&self.path)).with("detail", self.detail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_not_asked_for_what_decides_about_calls() {
        use ClosedBy as By;
        for (kind, asked) in [
            (FileErrorKind::Protected(By::Rule), true),
            (FileErrorKind::Protected(By::GitHook), true),
            (FileErrorKind::Protected(By::Own), false),
            (FileErrorKind::Protected(By::Operator), false),
            (FileErrorKind::Protected(By::Moved), false),
            (FileErrorKind::Secret(By::Rule), false),
            (FileErrorKind::ReadOnly, false),
        ] {
            assert_eq!(FileError::new(kind, "x").can_be_asked_for(), asked, "{kind:?}");
        }
    }
}
