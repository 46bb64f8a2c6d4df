//! Why a text is not a patch. Every error names the line, and the file and hunk where there is one.

use std::fmt;

use serde::Serialize;

/// A patch that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PatchError {
    /// 1-based line of the patch.
    pub line: usize,
    /// The file whose section it is, as far as it is known.
    pub file: Option<String>,
    /// 1-based hunk within the section.
    pub hunk: Option<usize>,
    /// What is wrong.
    pub kind: PatchErrorKind,
}

/// What can be wrong with a patch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub enum PatchErrorKind {
    /// Nothing but white space.
    #[error("the patch is empty; send a unified diff with at least one hunk")]
    Empty,
    /// No hunk, no file header.
    #[error("there is no hunk in it; a hunk starts with a line like \"@@ -10,3 +10,4 @@\"")]
    NoHunks,
    /// Another patch language.
    #[error(
        "this is {0}, which is not taken; send a unified diff, or an envelope from *** Begin Patch to *** End Patch"
    )]
    OtherFormat(Format),
    /// A diff and an envelope in one text.
    #[error("the text holds a unified diff and a *** Begin Patch envelope; send one of them")]
    Mixed,
    /// An envelope without its first line.
    #[error("the envelope does not start with *** Begin Patch")]
    EnvelopeStart,
    /// An envelope without its last line: it may have been cut off.
    #[error("the envelope does not end with *** End Patch; send all of it")]
    EnvelopeEnd,
    /// A line of an envelope that belongs to no section.
    #[error(
        "{0:?} is not part of an envelope; a section starts with *** Add File: PATH, *** Update File: PATH or *** Delete File: PATH"
    )]
    EnvelopeLine(String),
    /// A line of a created file without its sign.
    #[error("{0:?} in a new file does not start with +; every line of a new file does, empty ones too")]
    UnsignedAddition(String),
    /// The envelope is meant for another directory.
    #[error("the patch is to be applied after {0:?}; leave that out and write paths relative to the workspace")]
    Elsewhere(String),
    /// `@@@` or `diff --cc`.
    #[error("this is a combined diff of a merge; send a diff against one parent")]
    CombinedDiff,
    /// A hunk before any file header and no path argument.
    #[error("the hunk has no file header before it; add --- a/FILE and +++ b/FILE, or pass the path")]
    HunkWithoutFile,
    /// Numbers that cannot be read.
    #[error("the hunk header {0:?} cannot be read; it must look like \"@@ -10,3 +10,4 @@\"")]
    HunkHeader(String),
    /// A header followed by nothing.
    #[error("the hunk has no lines")]
    EmptyBody,
    /// A body line with no sign.
    #[error("{0:?} inside a hunk starts with none of space, + and -; context lines start with one space")]
    Unsigned(String),
    /// A quoted name with a bad escape, not UTF-8, or an empty name.
    #[error("the file name {0:?} cannot be read; write it plainly, or quoted as git does")]
    Name(String),
    /// A name that holds a line break.
    #[error("the file name {0:?} has a line break in it; such a file is not patched, rename it first")]
    NameBreak(String),
    /// A tab in an unquoted name, where a time stamp usually follows.
    #[error("the file name {0:?} has a tab in it and no time stamp after the tab; quote the name as git does")]
    NameTab(String),
    /// `diff --git` that cannot be split, with nothing else naming the file.
    #[error("the header does not say clearly which file is meant; add --- a/FILE and +++ b/FILE")]
    NameMissing,
    /// Two names for one file.
    #[error(
        "the headers name two files, \"{0}\" and \"{1}\"; use the same name twice, or add \"rename from\" and \"rename to\" lines"
    )]
    TwoNames(String, String),
    /// `rename from` without `rename to`, or the reverse.
    #[error("the header has \"{0}\" without its partner; \"from\" and \"to\" come together")]
    HalfMove(&'static str),
    /// Two of a creation, a deletion, a rename and a copy, which git refuses as well.
    #[error("{0:?} contradicts the header lines before it; a file is created, deleted, renamed or copied")]
    Contradiction(String),
    /// The path argument is not one of several files.
    #[error("the patch changes several files and \"{0}\" is not among them; leave the path out")]
    PathNotInPatch(String),
    /// `GIT binary patch` or `Binary files differ`.
    #[error("the patch changes a binary file; only text can be patched, write the file as a whole instead")]
    Binary,
    /// Mode 120000.
    #[error("the patch creates or changes a symbolic link (mode 120000); only regular files can be patched")]
    Symlink,
    /// Mode 160000.
    #[error("the patch changes a submodule (mode 160000); only regular files can be patched")]
    Submodule,
    /// Any other mode.
    #[error("the file mode {0:?} is not one of 100644 and 100755")]
    Mode(String),
    /// A created file with old lines.
    #[error("the patch creates this file, so its hunk can only add lines; it has context or removed lines")]
    OldLinesInCreation,
    /// A deleted file with new lines.
    #[error("the patch deletes this file, so its hunk can only remove lines; it has context or added lines")]
    NewLinesInDeletion,
    /// Neither hunks nor header lines that change anything.
    #[error("the patch changes nothing in this file; add a hunk with + or - lines")]
    NoChange,
}

/// Formats that are recognised in order to be refused by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
pub enum Format {
    /// `<<<<<<< SEARCH`
    #[error("a search/replace block")]
    SearchReplace,
    /// `***************`, from `diff -c`.
    #[error("a context diff")]
    Context,
    /// `1,2c1,2` with `<` and `>`, from `diff` without options.
    #[error("a diff without -u")]
    Normal,
    /// `[-old-]{+new+}` or lines with a lone `~`, from `git diff --word-diff`.
    #[error("a word diff")]
    Words,
    /// Escape sequences, from `git diff --color`.
    #[error("a coloured diff")]
    Coloured,
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "patch line {}", self.line)?;
        if let Some(file) = &self.file {
            write!(f, ", file \"{file}\"")?;
        }
        if let Some(hunk) = self.hunk {
            write!(f, ", hunk {hunk}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl std::error::Error for PatchError {}
