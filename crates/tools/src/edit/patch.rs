//! Patches: reading what a model or git wrote, a unified diff or a `*** Begin Patch` envelope, and applying it to texts.
//!
//! [`parse`] turns either into [`ParsedPatch`], [`apply`] puts the hunks of one file into one text, [`plan`] does it for
//! every file of the patch through a reader and answers with file operations; [`paths`] lists what would be touched.
//! Nothing here opens a file. The surprising decision: the parser counts. Inside a hunk a line that starts with `--- `
//! or `+++ ` is content as long as the header's counts say so; only when the counts do not add up does it look for the
//! next header, and then it says that it did.

mod anchor;
mod apply;
mod envelope;
mod error;
mod failure;
mod hunk;
mod index;
mod name;
mod note;
mod parse;
mod parsed;
mod paths;
mod place;
mod plan;
mod reindent;
mod scan;
mod section;
mod tree;
mod write;

pub use apply::{Applied, HunkReport, Reindented, apply};
pub use error::{Format, PatchError, PatchErrorKind};
pub use failure::{ApplyError, FailureReason, HunkFailure, NearestPlace, NumberedLine};
pub use note::{Note, NoteKind};
pub use parse::parse;
pub use parsed::{Extent, FileChange, FileMode, FilePatch, Hunk, HunkLine, Language, LineKind, ParsedPatch, Stated};
pub use paths::{Access, Touched, paths};
pub use place::{Placement, Whitespace};
pub use plan::{FileFailure, FileOperation, Plan, PlanError, PlannedFile, plan};

#[cfg(test)]
mod tests;
