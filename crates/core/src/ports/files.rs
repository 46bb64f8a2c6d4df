//! Door 1 as tools and the gate see it: paths are located, files opened, trees walked, changes committed.
//!
//! A door never trusts a path twice: [`Files::locate`] turns a given path into a canonical one for judging, and every
//! later operation opens that canonical path again without following any link, so exactly what was judged is touched.

use super::{GitRules, NoGitRules};
use crate::call::{Access, CallId, CanonicalPath, Digest, SessionId, ToolError};
use serde::Serialize;
use std::ffi::OsStr;
use std::fmt;
use std::io::{Read, Seek};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

mod error;
mod handle;
mod metadata;
mod nowhere;

pub use error::{ClosedBy, FileError, FileErrorKind, NotKept, RemoteFault};
pub use handle::FilesHandle;
pub use metadata::Metadata;
pub use nowhere::{NoFiles, lexical};

/// SHA-256 of a file's content.
pub type ContentHash = Digest;

/// A source of content.
pub trait Reader: Read + Seek + Send {}
impl<T: Read + Seek + Send> Reader for T {}

/// A regular file, open for reading.
pub struct OpenFile {
    /// Its real location.
    pub path: CanonicalPath,
    /// Its size and times when it was opened.
    pub info: Metadata,
    /// Its content, from the start.
    pub content: Box<dyn Reader>,
}

impl fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenFile").field("path", &self.path).field("info", &self.info).finish_non_exhaustive()
    }
}

/// The kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, not followed.
    Link,
    /// A FIFO, a device, a socket.
    Special,
}

/// One name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The last component.
    pub name: String,
    /// Its kind; links are not followed.
    pub kind: EntryKind,
}

/// One entry of a walk.
pub struct WalkEntry<'a> {
    /// Relative to the root of the tree that is walked.
    pub path: &'a Path,
    /// Its kind; links are not followed.
    pub kind: EntryKind,
    /// Components below the starting point, from 1.
    pub depth: usize,
    /// Whether it is part of the walk.
    pub inclusion: Inclusion,
    /// Opens it; see [`WalkEntry::open`].
    pub opener: &'a dyn EntryOpener,
}

impl WalkEntry<'_> {
    /// The last component of its path.
    #[must_use]
    pub fn name(&self) -> &OsStr {
        let bytes = self.path.as_os_str().as_bytes();
        let start = bytes.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
        OsStr::from_bytes(bytes.get(start..).unwrap_or_default())
    }

    /// Opens this entry's regular file: cheaper than [`Files::open`], because the walk holds its directory open.
    ///
    /// # Errors
    /// As [`Files::open`].
    pub fn open(&self) -> Result<EntryContent, FileError> {
        self.opener.open(self)
    }
}

impl fmt::Debug for WalkEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("WalkEntry");
        shown.field("path", &self.path).field("kind", &self.kind).field("depth", &self.depth);
        shown.finish_non_exhaustive()
    }
}

/// Opens entries during a walk: relative to the directory being walked, or from an overlay.
///
/// Asks the policy for every file, follows no link, and opens nothing but regular files.
pub trait EntryOpener {
    /// Opens this entry, which must come from the same walk.
    ///
    /// # Errors
    /// As [`Files::open`].
    fn open(&self, entry: &WalkEntry<'_>) -> Result<EntryContent, FileError>;
}

/// A regular file found on a walk, open for reading.
pub struct EntryContent {
    /// Its size and times when it was opened.
    pub info: Metadata,
    /// Its content, from the start.
    pub content: Box<dyn Reader>,
}

impl fmt::Debug for EntryContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntryContent").field("info", &self.info).finish_non_exhaustive()
    }
}

/// What to do after an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Continue; descend if it is a directory.
    Continue,
    /// Continue, but not into this directory.
    Skip,
    /// End the walk.
    Stop,
}

/// How to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkOptions {
    /// How many levels below the starting point; 1 is one directory.
    pub max_depth: usize,
    /// Whether `.gitignore`, `.ignore` and `.git/info/exclude` hide entries.
    pub ignore_files: Visit,
    /// Whether names that start with a dot are shown.
    pub hidden: Visit,
}

/// Whether a class of entries is part of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// Shown.
    Show,
    /// Left out.
    Hide,
    /// Reported as [`Inclusion::Ignored`] and not entered. Only for ignore files; hidden names are left out.
    Mention,
}

/// Whether an entry is part of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// It is.
    Included,
    /// Ignore files exclude it; it is reported because of [`Visit::Mention`].
    Ignored,
}

/// How a walk ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkEnd {
    /// Entries that were shown.
    pub seen: usize,
    /// Directories that could not be read, at most 20, each with its reason.
    pub unreadable: Vec<String>,
}

/// Precondition of a change: it never overwrites content that its author has not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Nothing is there.
    Absent,
    /// A file with this content is there.
    Content(ContentHash),
    /// Anything or nothing.
    Anything,
}

/// One change to the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Creates a file or replaces its content; missing parents are created. An existing file keeps its mode unless
    /// `mode` is set.
    Write {
        /// The file.
        path: CanonicalPath,
        /// Its content.
        content: Vec<u8>,
        /// The precondition.
        expect: Expect,
        /// Permission bits to set.
        mode: Option<u32>,
    },
    /// Removes a file, a link, or a directory with everything in it (links in it are removed, never followed).
    Delete {
        /// What to remove.
        path: CanonicalPath,
        /// The precondition.
        expect: Expect,
    },
    /// Gives a file or directory another name.
    Move {
        /// The old name.
        from: CanonicalPath,
        /// The new name, which must not exist.
        to: CanonicalPath,
    },
    /// Creates a directory and its missing parents.
    MakeDirectory {
        /// The directory.
        path: CanonicalPath,
    },
}

impl Change {
    /// The paths that the change touches.
    pub fn paths(&self) -> impl Iterator<Item = &CanonicalPath> {
        let (first, second) = match self {
            Self::Write { path, .. } | Self::Delete { path, .. } | Self::MakeDirectory { path } => (path, None),
            Self::Move { from, to } => (from, Some(to)),
        };
        std::iter::once(first).chain(second)
    }
}

/// The call that makes a change, for the undo journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeOrigin {
    /// The session.
    pub session: SessionId,
    /// The call.
    pub call: CallId,
}

/// What a commit did to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The file.
    pub path: CanonicalPath,
    /// The hash of its content before; none if it did not exist.
    pub before: Option<ContentHash>,
    /// The hash of its content now; none if it does not exist.
    pub after: Option<ContentHash>,
}

/// Why the policy refuses a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRefusal {
    /// [`FileErrorKind::Secret`] or [`FileErrorKind::Protected`].
    pub kind: FileErrorKind,
    /// The rule's id; for git's configuration the key, or the line that cannot be read.
    pub rule: String,
}

impl PathRefusal {
    /// The error for this path.
    #[must_use]
    pub fn on(self, path: impl Into<String>) -> FileError {
        FileError::new(self.kind, path).detail(self.rule)
    }
}

/// The policy on paths, applied to every file that a door opens or changes.
pub trait PathRules: Send + Sync {
    /// Refuses a path, or returns none. `relative` is canonical.
    fn refuse(&self, relative: &Path, access: Access) -> Option<PathRefusal>;

    /// Refuses a change of a name or its content by a program, or returns none. Files in a `.git` are judged by
    /// [`Self::git`].
    fn refuse_program(&self, relative: &Path) -> Option<PathRefusal> {
        self.refuse(relative, Access::Write)
    }

    /// The rules on files that git obeys.
    fn git(&self) -> &dyn GitRules {
        &NoGitRules
    }
}

/// The workspace and the read-only roots.
///
/// All methods block; none follows a link out of its root, opens anything but regular files and directories, or shows
/// content that the policy refuses.
pub trait Files: Send + Sync {
    /// The workspace's path, for messages.
    fn root(&self) -> String;

    /// The real location of a path given by a model or a person. Relative paths start at the workspace; absolute ones
    /// must lie inside a root; links are followed as long as they stay inside. The last components need not exist.
    ///
    /// # Errors
    /// [`FileErrorKind::Outside`], [`FileErrorKind::Invalid`] (NUL, too long, a loop, a file used as a directory).
    fn locate(&self, path: &str) -> Result<CanonicalPath, FileError>;

    /// Like [`Files::locate`], but a link in the last component is not followed: for removing or renaming the link
    /// itself. The default implementation follows it.
    ///
    /// # Errors
    /// As [`Files::locate`].
    fn locate_entry(&self, path: &str) -> Result<CanonicalPath, FileError> {
        self.locate(path)
    }

    /// The policy's verdict on this access.
    ///
    /// # Errors
    /// [`FileErrorKind::Secret`], [`FileErrorKind::Protected`], or [`FileErrorKind::ReadOnly`].
    fn judge(&self, path: &CanonicalPath, access: Access) -> Result<(), FileError>;

    /// Metadata of a path, without reading its content.
    ///
    /// # Errors
    /// [`FileErrorKind::NotFound`] and what the system reports.
    fn info(&self, path: &CanonicalPath) -> Result<Metadata, FileError>;

    /// Whether reading this file takes no time worth another thread: it is short, and on a disk of this machine.
    fn is_at_hand(&self, path: &CanonicalPath) -> bool {
        let _ = path;
        false
    }

    /// Opens a regular file for reading.
    ///
    /// # Errors
    /// Also [`FileErrorKind::IsDirectory`] and [`FileErrorKind::Special`].
    fn open(&self, path: &CanonicalPath) -> Result<OpenFile, FileError>;

    /// The names in one directory, sorted.
    ///
    /// # Errors
    /// Also [`FileErrorKind::NotADirectory`].
    fn entries(&self, path: &CanonicalPath) -> Result<Vec<Entry>, FileError>;

    /// Walks a tree on several threads; `visit` is called from all of them, in no particular order.
    ///
    /// # Errors
    /// When the starting point cannot be read.
    fn walk(
        &self,
        path: &CanonicalPath,
        options: WalkOptions,
        visit: &(dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
    ) -> Result<WalkEnd, FileError>;

    /// Makes all changes or none: all preconditions are checked and all new content is written next to its target
    /// before the first target changes.
    ///
    /// # Errors
    /// Also [`FileErrorKind::Changed`] when a precondition fails, [`FileErrorKind::DiskFull`].
    fn commit(&self, changes: &[Change], origin: &ChangeOrigin) -> Result<Vec<Committed>, FileError>;
}

impl From<FileError> for ToolError {
    fn from(error: FileError) -> Self {
        error.into_tool_error()
    }
}
