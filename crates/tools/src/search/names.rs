//! Files by name: a tree is walked on several threads, and the first names in path order are kept. Links are shown as
//! links and never followed; nothing is opened.

use super::best::Best;
use super::left_out::Collector;
use super::{End, Glob, Halt, LeftOut, Scope, below, shown};
use memchr::memmem;
use palanca_core::call::CanonicalPath;
use palanca_core::ports::{EntryKind, FileError, FilesHandle, Flow, Inclusion, WalkEntry};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Which kinds of entries are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// Regular files and links.
    Files,
    /// Directories too, and what is neither.
    All,
}

/// What to look for, and where.
#[derive(Clone, Copy)]
pub struct NameQuery<'a> {
    /// What; everything unless given.
    pub glob: Option<&'a Glob>,
    /// Only paths that hold this text.
    pub holding: Option<&'a str>,
    /// Of which kinds.
    pub kinds: Kinds,
    /// Which part of the tree.
    pub scope: Scope<'a>,
    /// The most names.
    pub most: usize,
    /// When to end early.
    pub halt: Halt<'a>,
}

/// What a search for names found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// By path.
    pub found: Vec<Named>,
    /// All that match, shown or not. Exact unless `end` is [`End::Halted`].
    pub total: usize,
    /// Whether `found` is all.
    pub end: End,
    /// What was left out: files only if they match, and directories.
    pub left_out: LeftOut,
    /// Directories that could not be read, at most 20, each with its reason.
    pub unreadable: Vec<String>,
}

impl Names {
    /// Whether everything was met, shown or not: a limit does not end the walk.
    pub(crate) const fn met(&self) -> End {
        match self.end {
            End::Halted => End::Halted,
            End::Complete | End::Limit => End::Complete,
        }
    }
}

/// One name found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Relative to the workspace, or marked with its root; lossy when it is not UTF-8.
    pub path: String,
    /// What it is; links are not followed.
    pub kind: EntryKind,
}

/// Looks for names in the tree below a directory.
///
/// # Errors
/// When the start is no directory or cannot be read.
pub fn find(files: &FilesHandle, start: &CanonicalPath, query: &NameQuery<'_>) -> Result<Names, FileError> {
    let search = Search {
        start,
        query,
        best: Best::new(query.most),
        left_out: Collector::default(),
        total: AtomicUsize::new(0),
        halted: AtomicBool::new(false),
    };
    let walked = files.walk(start, query.scope.walk, &|entry| search.visit(entry))?;
    let total = search.total.into_inner();
    let found = search.best.into_sorted().take(query.most);
    let found: Vec<_> =
        found.map(|(path, _, kind)| Named { path: shown(start.root(), Path::new(&path)), kind }).collect();
    let end = match (search.halted.into_inner(), total > found.len()) {
        (true, _) => End::Halted,
        (false, true) => End::Limit,
        (false, false) => End::Complete,
    };
    Ok(Names { found, total, end, left_out: search.left_out.into_left_out(), unreadable: walked.unreadable })
}

struct Search<'a> {
    start: &'a CanonicalPath,
    query: &'a NameQuery<'a>,
    best: Best<EntryKind>,
    left_out: Collector,
    total: AtomicUsize,
    halted: AtomicBool,
}

impl Search<'_> {
    fn visit(&self, entry: &WalkEntry<'_>) -> Flow {
        if (self.query.halt)() {
            self.halted.store(true, Ordering::Relaxed);
            return Flow::Stop;
        }
        let is_wanted = match self.query.kinds {
            Kinds::Files => matches!(entry.kind, EntryKind::File | EntryKind::Link),
            Kinds::All => true,
        };
        let matches = || {
            let holds = |text: &str| memmem::find(entry.path.as_os_str().as_bytes(), text.as_bytes()).is_some();
            self.query.glob.is_none_or(|glob| glob.matches(below(entry.path, self.start.relative())))
                && self.query.holding.is_none_or(holds)
        };
        let ignored = entry.inclusion == Inclusion::Ignored;
        if self.query.scope.leaves_out(entry) && (entry.kind == EntryKind::Directory || matches()) {
            self.left_out.add(self.start, entry);
        }
        if !ignored && is_wanted && matches() {
            self.total.fetch_add(1, Ordering::Relaxed);
            // Names cost little to meet, so all are counted, and only the first are kept.
            if !self.best.is_behind(entry.path) {
                self.best.add(entry.path, 1, entry.kind);
            }
        }
        if self.query.scope.enters(entry) { Flow::Continue } else { Flow::Skip }
    }
}

#[cfg(test)]
mod tests;
