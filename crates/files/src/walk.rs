//! Walks a directory tree on several threads, for listings and searches. It follows no link, opens no path by its full
//! name, and holds a bounded number of directories open however deep the tree is.
//!
//! The surprising decision: every directory is opened *by name from the handle of its parent*, so a directory that is
//! swapped for a link while the walk runs is an error on that name and never a way out. Ignore files are read through
//! the same handles, and equal ones are compiled once for the whole walk.

mod directory;
mod ignored;
mod opener;
mod place;
mod queue;
mod worker;

use palanca_core::ports::{FileError, Flow, PathRules, WalkEnd, WalkEntry, WalkOptions};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::Stat;
use std::path::Path;

/// Where a walk starts.
pub struct Start<'a> {
    /// The directory, already opened beneath its root without following a link. May be an `O_PATH` handle.
    pub directory: OwnedFd,
    /// Its path relative to the root; empty for the root itself. Entries are reported below it.
    pub prefix: &'a Path,
    /// The root, when the ignore files between it and the directory shall count.
    pub root: Option<BorrowedFd<'a>>,
    /// Asked for every file that `visit` opens.
    pub rules: &'a dyn PathRules,
    /// Asked once more about the file that was opened.
    pub judge: Judge<'a>,
}

/// Judges an open file by what it is, not by its name: its path below the root, itself, and what is known of it.
pub type Judge<'a> = &'a (dyn Fn(&Path, BorrowedFd<'_>, &Stat) -> Result<(), FileError> + Sync);

/// Shows `visit` every entry below `start` that `options` let through. `visit` is called from several threads at once,
/// in no particular order, but for a directory always before anything in it.
///
/// After [`Flow::Stop`] no new call of `visit` begins on any thread; calls under way are waited for. Entries that vanish
/// or turn into something else meanwhile are left out without a word. A panic of `visit` ends the walk and goes on in
/// the caller.
///
/// # Errors
/// When the starting directory cannot be read; directories below it that cannot are in [`WalkEnd::unreadable`].
pub fn walk(
    start: &Start<'_>,
    options: WalkOptions,
    visit: &(dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
) -> Result<WalkEnd, FileError> {
    worker::walk(start, options, visit)
}

#[cfg(test)]
mod tests;
