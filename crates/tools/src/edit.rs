//! The text algorithms behind `edit_file` and `apply_patch`: exact replacement, unified diffs, patches.
//!
//! Text in, values out. Nothing here reads a file, knows a workspace or speaks to a model: the tools do, with these
//! values. The surprising decision: only `\n` ends a line (with the `\r` before it belonging to the ending). Form
//! feeds, lone `\r` and U+2028 are ordinary characters, as they are for git, compilers and every line-numbered error.

mod apply_patch;
pub mod diff;
mod edit_file;
mod lines;
mod nearest;
pub mod patch;
pub mod replace;
mod words;

pub use lines::LineEnd;
pub use nearest::{NearMiss, Why};

pub(crate) use apply_patch::ApplyPatch;
pub(crate) use edit_file::{EditFile, Words};
