//! The search engine: text in files, and files by name. It walks and opens through the call's [`FilesHandle`] alone, so
//! secret files are never read, and it knows no tool names, defaults or sentences.
//!
//! [`FilesHandle`]: palanca_core::ports::FilesHandle
//!
//! The surprising decision: results are the *first* ones in path order, whatever the order in which threads met them.
//! Once enough are known, files and directories that would sort behind them are not even opened, so a limit makes a search
//! both repeatable and fast.

pub mod content;
pub mod globs;
pub mod names;
pub mod needle;

mod best;
mod find_files;
mod find_text;
mod left_out;
mod line;
mod matcher;
mod matches;
mod read;
mod report;
mod sink;

pub use content::{ContentQuery, Counts, FileHits, Found, search};
pub use globs::{Glob, GlobError};
pub use left_out::LeftOut;
pub use line::{Cut, Line, Role};
pub use names::{Kinds, NameQuery, Named, Names, find};
pub use needle::{Needle, NeedleError, Syntax};

pub(crate) use find_files::{FindFiles, split};
pub(crate) use find_text::{FilePattern, FindText, Reach, unusable_glob};
pub(crate) use matches::Matches;
pub(crate) use report::{Layout, left_out, unreadable};

use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{EntryKind, Inclusion, Visit, WalkEntry, WalkOptions};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Whether upper and lower case are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// Yes.
    #[default]
    Sensitive,
    /// No.
    Insensitive,
    /// Only when the pattern has an upper-case letter.
    Smart,
}

/// Which part of a tree is searched.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Depth, ignore files, hidden names.
    pub walk: WalkOptions,
    /// Names of directories that are not entered, at any depth below the start.
    pub skip: &'a [String],
    /// Whether directories whose names start with a dot are entered; their names are still found.
    pub dotted: Visit,
}

impl Scope<'_> {
    fn enters(&self, entry: &WalkEntry<'_>) -> bool {
        if entry.kind != EntryKind::Directory {
            return true;
        }
        let name = entry.name();
        let dotted = self.dotted == Visit::Hide && name.as_bytes().starts_with(b".");
        !(dotted || self.skip.iter().any(|skipped| name == OsStr::new(skipped)))
    }

    /// Whether a reader should know that this entry is left out. Git's own files are not missed.
    fn leaves_out(&self, entry: &WalkEntry<'_>) -> bool {
        (entry.inclusion == Inclusion::Ignored || !self.enters(entry)) && entry.name() != ".git"
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was looked at.
    Complete,
    /// There is more than the limit; what is shown comes first in path order.
    Limit,
    /// Ended from outside, by time or by the caller: there may be more, anywhere.
    Halted,
}

/// Says from outside that a search shall end: asked before each file, and now and then in long ones.
pub type Halt<'a> = &'a (dyn Fn() -> bool + Sync);

/// The path as results show it: relative to the workspace, or marked with its root.
fn shown(root: Root, path: &Path) -> String {
    match root {
        Root::Workspace => path.display().to_string(),
        other => CanonicalPath::new(other, path.to_owned()).to_string(),
    }
}

/// `path` below `start`; for the start itself, its name.
fn below<'a>(path: &'a Path, start: &Path) -> &'a Path {
    if start.as_os_str().is_empty() {
        return path;
    }
    match path.strip_prefix(start) {
        Ok(rest) if !rest.as_os_str().is_empty() => rest,
        _ => path,
    }
}

#[cfg(test)]
mod tests;
