//! The shape of a parsed patch. It borrows from the patch's text and promises that counts are true.

use serde::Serialize;

use super::note::Note;
use crate::edit::lines::LineEnd;

/// Everything a patch says, file by file, in its order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParsedPatch<'a> {
    /// What it is written in.
    pub language: Language,
    /// One entry for each file section; a file may have several.
    pub files: Vec<FilePatch<'a>>,
    /// What was tolerated on the way, to be told to the author.
    pub notes: Vec<Note>,
}

/// What a patch is written in, which decides how its sections build on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum Language {
    /// A unified diff. As in `git apply`, renames and copies start from the files as they were before the patch, whatever
    /// other sections do with them; a deletion must take every line away.
    #[default]
    Diff,
    /// A `*** Begin Patch` envelope: each section starts from what those before it left; a deletion does not say what
    /// the file holds.
    Envelope,
}

/// The changes of one section of the patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePatch<'a> {
    /// Which file, and what happens to it as a whole.
    pub change: FileChange,
    /// The mode the file shall have, when the patch states one.
    pub mode: Option<FileMode>,
    /// Changes inside the file, in the order of the patch.
    pub hunks: Vec<Hunk<'a>>,
    /// 1-based line of the patch where the section starts.
    pub patch_line: usize,
}

/// What happens to a file as a whole. Paths have no `a/` or `b/` prefix; they are not checked for containment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum FileChange {
    /// The file must not exist.
    Create {
        /// The new file.
        path: String,
    },
    /// The file exists and stays where it is.
    Modify {
        /// The file.
        path: String,
    },
    /// The file goes away; the hunks of a diff must take its whole content away.
    Delete {
        /// The file.
        path: String,
    },
    /// The file moves, possibly with changes.
    Rename {
        /// Where it is.
        from: String,
        /// Where it will be.
        to: String,
    },
    /// A copy is made, possibly with changes.
    Copy {
        /// Where the original is and stays.
        from: String,
        /// The new file.
        to: String,
    },
}

impl FileChange {
    /// The path that names this change in messages: the target, or the file that goes away.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Create { path } | Self::Modify { path } | Self::Delete { path } => path,
            Self::Rename { to, .. } | Self::Copy { to, .. } => to,
        }
    }

    /// The path whose content the hunks start from; a created file has none.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        match self {
            Self::Create { .. } => None,
            Self::Modify { path } | Self::Delete { path } => Some(path),
            Self::Rename { from, .. } | Self::Copy { from, .. } => Some(from),
        }
    }
}

/// The two modes git keeps for regular files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum FileMode {
    /// `100644`
    Regular,
    /// `100755`
    Executable,
}

/// The numbers of a hunk header, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Stated {
    /// First line in the old file, 1-based; with a count of 0, the line *after* which lines are added.
    pub old_start: usize,
    /// Lines of the old file that the hunk covers.
    pub old_count: usize,
    /// First line in the new file, 1-based.
    pub new_start: usize,
    /// Lines of the new file that the hunk produces.
    pub new_count: usize,
}

/// One hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// 1-based number of the hunk within its section.
    pub number: usize,
    /// 1-based line of the patch that holds the hunk's header.
    pub patch_line: usize,
    /// The header's numbers; `None` for a bare `@@`, which must then fit in exactly one place.
    pub stated: Option<Stated>,
    /// Lines of the file that stand above the hunk, outermost first: what `@@ class A` and `@@ def f():` name.
    pub anchors: Vec<&'a str>,
    /// Whether its old lines must be the last ones.
    pub extent: Extent,
    /// The body; counts are what the lines say, whatever the header stated.
    pub lines: Vec<HunkLine<'a>>,
    /// Empty lines at the end of the body that were read as context without their space; they may be mere separators.
    pub soft_tail: usize,
}

impl Hunk<'_> {
    /// Lines that must be in the file.
    #[must_use]
    pub fn old_count(&self) -> usize {
        self.lines.iter().filter(|line| line.kind != LineKind::Added).count()
    }

    /// Lines that will be in the file.
    #[must_use]
    pub fn new_count(&self) -> usize {
        self.lines.iter().filter(|line| line.kind != LineKind::Removed).count()
    }
}

/// Where the old lines of a hunk are, beside what its numbers say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum Extent {
    /// Anywhere in the file.
    #[default]
    Anywhere,
    /// Before its first line: `@@ -0,0` in a diff that shows that the file was not empty.
    StartOfFile,
    /// At its end: `*** End of File` follows the hunk.
    EndOfFile,
}

/// What one line of a hunk does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum LineKind {
    /// Stays.
    Context,
    /// Goes.
    Removed,
    /// Comes.
    Added,
}

/// One line of a hunk, without its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HunkLine<'a> {
    /// What it does.
    pub kind: LineKind,
    /// The line without its ending.
    pub text: &'a str,
    /// Its ending; `None` when `\ No newline at end of file` follows.
    pub end: LineEnd,
}
