//! Text in files: a file or a tree is searched on several threads, and the first hits in path order are kept.

use super::best::Best;
use super::left_out::Collector;
use super::line::Line;
use super::read::{Content, Scratch};
use super::sink::{Limits, Lines, keep_first};
use super::{End, Glob, Halt, LeftOut, Needle, Scope, below, shown};
use palanca_core::call::CanonicalPath;
use palanca_core::ports::{
    EntryContent, EntryKind, FileError, FileErrorKind, FilesHandle, Flow, Inclusion, RemoteFault, WalkEntry,
};
use parking_lot::Mutex;
use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most lines of context around a hit.
pub const MOST_CONTEXT: usize = 10;

/// What to search for, and where.
#[derive(Clone, Copy)]
pub struct ContentQuery<'a> {
    /// What.
    pub needle: &'a Needle,
    /// Which files, by name or by path below the start or the root; all unless given. Does not apply when the start is a
    /// file.
    pub files: Option<&'a Glob>,
    /// Which part of the tree.
    pub scope: Scope<'a>,
    /// Lines shown around each hit, at most [`MOST_CONTEXT`].
    pub context: usize,
    /// Lines that match, over all files.
    pub most_hits: usize,
    /// Characters of one line.
    pub longest_line: usize,
    /// When to end early.
    pub halt: Halt<'a>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Files with hits, by path.
    pub files: Vec<FileHits>,
    /// Lines that match, over all files shown.
    pub hits: usize,
    /// Whether that is all.
    pub end: End,
    /// What was done with the files met. Depends on chance unless `end` is [`End::Complete`]: show it only then.
    pub counts: Counts,
    /// Files and directories that were left out; as `counts`, only for a complete search.
    pub left_out: LeftOut,
    /// Directories that could not be read, at most 20, each with its reason.
    pub unreadable: Vec<String>,
}

/// The hits of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHits {
    /// Relative to the workspace, or marked with its root; lossy when it is not UTF-8.
    pub path: String,
    /// Hits and context, by number, each line once. Numbers that do not follow one another leave a gap.
    pub lines: Vec<Line>,
    /// How many of the lines are hits.
    pub hits: usize,
}

/// What was done with the files that a search met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Read and searched.
    pub searched: usize,
    /// Left out because their names did not match [`ContentQuery::files`].
    pub excluded: usize,
    /// Left out because they hold a NUL.
    pub binary: usize,
    /// Left out because the policy keeps them closed.
    pub secret: usize,
    /// Left out because they are larger than their source hands out.
    pub too_large: usize,
    /// Left out because their source hands out only so many one by one.
    pub unfetched: usize,
    /// Left out because only a pointer to their content is there.
    pub pointers: usize,
    /// Could not be read.
    pub failed: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.searched += more.searched;
        self.excluded += more.excluded;
        self.binary += more.binary;
        self.secret += more.secret;
        self.too_large += more.too_large;
        self.unfetched += more.unfetched;
        self.pointers += more.pointers;
        self.failed += more.failed;
    }
}

/// Searches a file, or the tree below a directory.
///
/// # Errors
/// When the start cannot be opened: [`FileErrorKind::NotFound`], [`FileErrorKind::Secret`], [`FileErrorKind::Special`]
/// and so on. Files below it that cannot are counted instead, unless it is their whole source that fails.
pub fn search(files: &FilesHandle, start: &CanonicalPath, query: &ContentQuery<'_>) -> Result<Found, FileError> {
    let search = Search::new(start, query);
    let mut unreadable = Vec::new();
    match files.info(start)?.kind {
        EntryKind::Directory => {
            unreadable = files.walk(start, query.scope.walk, &|entry| search.visit(entry))?.unreadable;
        }
        _ => {
            let file = files.open(start)?;
            let content = EntryContent { info: file.info, content: file.content };
            if let Err(error) = search.look_into(start.relative(), content) {
                return Err(FileError::new(FileErrorKind::Io, start.to_string()).detail(error.to_string()));
            }
        }
    }
    if let Some(fault) = search.fault.lock().take() {
        return Err(fault);
    }
    Ok(Found { unreadable, ..search.finish() })
}

struct Search<'a> {
    start: &'a CanonicalPath,
    query: &'a ContentQuery<'a>,
    limits: Limits,
    best: Best<FileHits>,
    counts: Mutex<Counts>,
    left_out: Collector,
    halted: AtomicBool,
    /// What is wrong with the whole source: no search of what is left of it would be true.
    fault: Mutex<Option<FileError>>,
    scratch: Mutex<Vec<Scratch>>,
}

impl<'a> Search<'a> {
    fn new(start: &'a CanonicalPath, query: &'a ContentQuery<'a>) -> Self {
        let context = u64::try_from(query.context.min(MOST_CONTEXT)).unwrap_or_default();
        let limits = Limits { hits: query.most_hits, context, line: query.longest_line };
        Self {
            start,
            query,
            limits,
            best: Best::new(query.most_hits),
            counts: Mutex::default(),
            left_out: Collector::default(),
            halted: AtomicBool::new(false),
            fault: Mutex::default(),
            scratch: Mutex::default(),
        }
    }

    fn visit(&self, entry: &WalkEntry<'_>) -> Flow {
        if self.query.scope.leaves_out(entry) && self.might_search(entry) {
            self.left_out.add(self.start, entry);
        }
        if entry.inclusion == Inclusion::Ignored {
            return Flow::Skip;
        }
        if entry.kind == EntryKind::Directory {
            let enter = self.query.scope.enters(entry) && !self.best.is_tree_behind(entry.path);
            return if enter { Flow::Continue } else { Flow::Skip };
        }
        if self.is_halted() {
            return Flow::Stop;
        }
        if entry.kind != EntryKind::File || self.best.is_behind(entry.path) {
            return Flow::Continue;
        }
        if self.query.files.is_some_and(|glob| !self.is_wanted(glob, entry.path)) {
            self.counts.lock().excluded += 1;
            return Flow::Continue;
        }
        let looked = entry.open().map(|content| self.look_into(entry.path, content));
        match looked {
            Ok(Ok(())) => {}
            // Gone since its name was read: as if it had never been there.
            Err(error) if error.kind == FileErrorKind::NotFound => {}
            Err(error) if matches!(error.kind, FileErrorKind::Secret(_)) => self.counts.lock().secret += 1,
            Err(error) if error.kind == FileErrorKind::TooLarge => self.counts.lock().too_large += 1,
            Err(error) if error.kind == FileErrorKind::Remote(RemoteFault::LeftOut) => {
                self.counts.lock().unfetched += 1
            }
            Err(error) if error.kind == FileErrorKind::Remote(RemoteFault::Pointer) => self.counts.lock().pointers += 1,
            Err(error) if matches!(error.kind, FileErrorKind::Remote(fault) if !fault.is_of_one_entry()) => {
                self.fault.lock().get_or_insert(error);
                return Flow::Stop;
            }
            Ok(Err(_)) | Err(_) => self.counts.lock().failed += 1,
        }
        Flow::Continue
    }

    /// Whether it would be searched if it were not left out, as far as its name says.
    fn might_search(&self, entry: &WalkEntry<'_>) -> bool {
        match entry.kind {
            EntryKind::Directory => true,
            EntryKind::File => self.query.files.is_none_or(|glob| self.is_wanted(glob, entry.path)),
            EntryKind::Link | EntryKind::Special => false,
        }
    }

    fn is_wanted(&self, glob: &Glob, path: &Path) -> bool {
        glob.matches(below(path, self.start.relative())) || (glob.looks_below() && glob.matches(path))
    }

    fn is_halted(&self) -> bool {
        if (self.query.halt)() {
            self.halted.store(true, Ordering::Relaxed);
        }
        self.halted.load(Ordering::Relaxed)
    }

    fn look_into(&self, path: &Path, file: EntryContent) -> std::io::Result<()> {
        let mut scratch = self.take_scratch();
        let looked = self.search_with(&mut scratch, path, file);
        self.scratch.lock().push(scratch);
        looked
    }

    fn take_scratch(&self) -> Scratch {
        let kept = self.scratch.lock().pop();
        kept.unwrap_or_else(|| Scratch::new(self.query.needle.matcher.clone(), self.query.context.min(MOST_CONTEXT)))
    }

    fn search_with(&self, scratch: &mut Scratch, path: &Path, mut file: EntryContent) -> std::io::Result<()> {
        let size = file.info.size;
        let matcher = &self.query.needle.matcher;
        let mut sink = Lines::new(matcher, self.limits);
        let content = scratch.search((&mut *file.content, size), &|| self.is_halted(), &mut sink)?;
        if content == Content::Binary || sink.binary || (sink.hits > 0 && scratch.has_nul()) {
            self.counts.lock().binary += 1;
            return Ok(());
        }
        self.counts.lock().searched += 1;
        if sink.hits > 0 {
            let hits = FileHits { path: String::new(), lines: sink.lines, hits: sink.hits };
            self.best.add(path, sink.hits, hits);
        }
        Ok(())
    }

    fn finish(self) -> Found {
        let (root, limit) = (self.start.root(), self.query.most_hits);
        let mut left = limit;
        let mut more = self.best.has_dropped();
        let mut files = Vec::new();
        for (path, weight, mut hits) in self.best.into_sorted() {
            more |= weight > left;
            if left == 0 {
                break;
            }
            if weight > left {
                keep_first(&mut hits.lines, left, self.limits.context);
            }
            hits.hits = weight.min(left);
            hits.path = path_shown(root, path);
            left = left.saturating_sub(weight);
            files.push(hits);
        }
        let end = match (self.halted.into_inner(), more) {
            (true, _) => End::Halted,
            (false, true) => End::Limit,
            (false, false) => End::Complete,
        };
        Found {
            files,
            hits: limit.saturating_sub(left),
            end,
            counts: self.counts.into_inner(),
            left_out: self.left_out.into_left_out(),
            unreadable: Vec::new(),
        }
    }
}

fn path_shown(root: palanca_core::call::Root, path: OsString) -> String {
    shown(root, Path::new(&path))
}

#[cfg(test)]
mod tests;
