//! What the parser tolerated: told to the author of the patch, never silently accepted.

use serde::Serialize;

/// One tolerated oddity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("patch line {line}: {kind}")]
pub struct Note {
    /// 1-based line of the patch.
    pub line: usize,
    /// What was tolerated.
    pub kind: NoteKind,
}

/// The oddities that are tolerated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub enum NoteKind {
    /// The hunk header's counts did not match its lines; the lines were believed.
    #[error(
        "the hunk header says {} old and {} new lines, the hunk has {} and {}; the lines were used",
        stated.0, stated.1, actual.0, actual.1
    )]
    CountsCorrected {
        /// Old and new count as written.
        stated: (usize, usize),
        /// Old and new count of the lines.
        actual: (usize, usize),
    },
    /// The hunk header has no line numbers; the hunk must fit in exactly one place.
    #[error("the hunk header has no line numbers; the hunk was placed by its content")]
    PositionMissing,
    /// Context lines had lost their leading space.
    #[error("{lines} context line(s) without their leading space were accepted")]
    SpaceRestored {
        /// How many lines of this hunk.
        lines: usize,
    },
    /// A hunk without added or removed lines was left out.
    #[error("the hunk adds and removes nothing; it was left out")]
    EmptyHunk,
    /// Text after a hunk looks like a change but is not part of one.
    #[error("this line is not part of any hunk; it was ignored")]
    Ignored,
    /// The `path` argument was used instead of the header's name.
    #[error("the header names \"{header}\"; the path argument was used instead")]
    PathOverridden {
        /// The name in the header.
        header: String,
    },
    /// Only one of the two lines `---` and `+++` was there.
    #[error("a file header needs both a --- and a +++ line; the one given was used")]
    HalfHeader,
    /// A hunk of an envelope says neither after which lines it adds its own nor below which: they went to the end.
    #[error("the hunk has no context; its lines were added at the end of the file")]
    Appended,
    /// The patch itself has CRLF line ends on its header lines, so they were not taken as content.
    #[error("the patch has CRLF line ends; they were not taken as part of the content")]
    CrlfPatch,
}
