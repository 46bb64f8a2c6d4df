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
    /// A folder whose files must be moved one by one, so that each is judged.
    MoveByFile,
    /// The system's permissions say no.
    PermissionDenied,
    /// No space left.
    DiskFull,
    /// Anything else that the system reported.
    Io,
    /// What a program would have replaced could not be kept; `detail` says where, and the system's words.
    NotKept(NotKept),
    /// A source of files beyond the network: what is wrong with it, or with this file there.
    Remote(RemoteFault),
}

/// Why something could not be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotKept {
    /// No space left where it is kept.
    DiskFull,
    /// The system's permissions say no.
    PermissionDenied,
    /// Anything else that the system reported.
    Io,
}

/// What is wrong with a source of files that is not on this machine.
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
    /// Asked too often; `detail` says until when.
    RateLimited,
    /// More than a named limit; `detail` names it.
    TooLarge,
    /// No answer, or one that says that the server has failed.
    Unavailable,
    /// An answer that is no answer: cut short, or not what it should be.
    Malformed,
    /// It refers to a host that may not be asked; `detail` names it.
    Elsewhere,
    /// This entry stands for another repository.
    Submodule,
    /// This entry is a symbolic link; `detail` is its target.
    Link,
    /// This file's content is kept elsewhere, and only a pointer to it is here.
    Pointer,
    /// The server has no content for this file, or none that is the file's; `detail` says which.
    Unreadable,
    /// This file would take a request of its own, and a walk makes only so many; `detail` says why there is no archive.
    LeftOut,
}

impl RemoteFault {
    /// Whether it is about one entry only, so that others can still be read.
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

    /// Whether a person may say yes to it before a command: the operator's own lists, our own files and what would move
    /// rules to other names stay closed.
    #[must_use]
    pub fn can_be_asked_for(&self) -> bool {
        let never = ["guardrails.", "protected.own", "moved"];
        self.kind == FileErrorKind::Protected && !never.iter().any(|rule| self.detail.starts_with(rule))
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
            K::Protected => return self.into_protected(),
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

    /// A rule may carry what it is about behind a space: `git.config.key core.fsmonitor`.
    fn into_protected(self) -> ToolError {
        let (rule, about) = self.detail.split_once(' ').unwrap_or((&self.detail, &self.detail));
        let key = match rule {
            "git.config.in-place" => "file-git-in-place",
            "git.config.key" => "file-git-key",
            "git.config.unreadable" | "git.config.too-long" => "file-git-unreadable",
            "git.hook" => "file-git-hook",
            "git.repository" => "file-git-repository",
            "git.obeyed" => "file-git-obeyed",
            "moved" => "file-moved",
            _ => "file-protected",
        };
        let path = on_one_line(&self.path);
        ToolError::new(ErrorKind::Protected, Message::new(key).with("path", path).with("detail", about))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_not_asked_for_what_decides_about_calls() {
        for (kind, rule, asked) in [
            (FileErrorKind::Protected, "protected.editor", true),
            (FileErrorKind::Protected, "git.hook", true),
            (FileErrorKind::Protected, "protected.own", false),
            (FileErrorKind::Protected, "protected.own-home", false),
            (FileErrorKind::Protected, "guardrails.protected_files[*.lock]", false),
            (FileErrorKind::Protected, "moved protected.editor", false),
            (FileErrorKind::Secret, "secret.dotenv", false),
            (FileErrorKind::ReadOnly, "", false),
        ] {
            assert_eq!(FileError::new(kind, "x").detail(rule).can_be_asked_for(), asked, "{rule}");
        }
    }
}
