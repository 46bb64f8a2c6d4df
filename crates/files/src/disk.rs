//! The door on real files: a workspace that is read and written, and neighbours that are only read.
//!
//! Each tree is a directory handle, opened once and held: when the workspace's directory is renamed or replaced, the door
//! still leads to what was opened. Paths are only ever used below such a handle, and without following links.

mod closed;
mod entries;
mod port;
mod tree;

pub(crate) use entries::{describe, entry_kind, read_names};
use tree::{Tree, no_directory};

use crate::beneath::{Opener, file_type, is_canonical, reopen};
use crate::closed::{Beside, Closed};
use crate::errors::{changed, file_error, io_error};
use crate::journal::Journal;
use crate::locate::{self, LONGEST_PATH, Last};
use crate::lock::{Turns, TurnsPlace};
use crate::sealed::Sealed;
use crate::{atomic, commit};
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::{Change, EntryKind, FileError, FileErrorKind, PathRefusal, PathRules};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{self, FileType, OFlags, Stat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The workspace and its read-only neighbours, on the real disk.
pub struct Disk {
    workspace: Tree,
    neighbours: Vec<Tree>,
    /// Read-only trees that lie inside the workspace: closed to writes under their workspace name too.
    closed: Vec<PathBuf>,
    /// What the neighbours do not show.
    sealed: Sealed,
    rules: Arc<dyn PathRules>,
    opener: Opener,
    journal: Option<Arc<Journal>>,
    turns: TurnsPlace,
    known: Closed,
    /// The read-only roots, once their closed files were requested.
    looked: OnceLock<Vec<Beside>>,
}

impl std::fmt::Debug for Disk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Disk")
            .field("workspace", &self.workspace.real)
            .field("opener", &self.opener)
            .finish_non_exhaustive()
    }
}

impl Disk {
    /// Opens the workspace and the directories that may only be read, and holds them.
    ///
    /// # Errors
    /// [`FileErrorKind::NotFound`], [`FileErrorKind::NotADirectory`] or what the system reports, on the path that failed.
    pub fn open(workspace: &Path, read_only_roots: &[PathBuf], rules: Arc<dyn PathRules>) -> Result<Self, FileError> {
        let workspace = Tree::open(workspace)?;
        let neighbours = read_only_roots.iter().map(|path| Tree::open(path)).collect::<Result<Vec<_>, _>>()?;
        let closed = neighbours
            .iter()
            .filter_map(|tree| tree.real.strip_prefix(&workspace.real).ok().map(Path::to_owned))
            .collect();
        let opener = Opener::probe(workspace.handle.as_fd());
        Ok(Self { neighbours, closed, ..Self::of(workspace, rules, opener) })
    }

    /// A workspace alone, remembering nothing.
    fn of(workspace: Tree, rules: Arc<dyn PathRules>, opener: Opener) -> Self {
        let sealed = Sealed::with(&workspace.real, &[]);
        let (neighbours, closed) = (Vec::new(), Vec::new());
        let (journal, turns, known, looked) = (None, TurnsPlace::default(), Closed::default(), OnceLock::new());
        Self { workspace, neighbours, closed, sealed, rules, opener, journal, turns, known, looked }
    }

    /// The same workspace as a program sees it, whose top this is: under the same rules, remembering nothing.
    pub(crate) fn seen_at(&self, top: OwnedFd) -> Self {
        let workspace = self.workspace.held_by(top);
        Self { closed: self.closed.clone(), ..Self::of(workspace, Arc::clone(&self.rules), self.opener) }
    }

    /// Keeps these absolute places from being shown by any read-only directory, besides `/proc` and its like. The workspace
    /// has rules of its own.
    #[must_use]
    pub fn sealing(mut self, places: &[PathBuf]) -> Self {
        self.sealed = Sealed::with(&self.workspace.real, places);
        self
    }

    /// Remembers which files are closed, in the directory of the program's own state, and takes turns at changes with
    /// everyone who has the same. `rules` are the words that differ when the rules do.
    #[must_use]
    pub fn remembering(mut self, directory: PathBuf, rules: &str) -> Self {
        self.turns = TurnsPlace::in_state(Some(directory.clone()));
        self.known = Closed::kept_in(directory, rules);
        self
    }

    /// Turns at changing this workspace.
    ///
    /// # Errors
    /// Their lock cannot be opened.
    pub(crate) fn turns(&self) -> Result<Turns, FileError> {
        self.turns.turns(self)
    }

    /// Remembers what each commit replaces, so that it can be undone.
    #[must_use]
    pub fn with_journal(mut self, journal: Arc<Journal>) -> Self {
        self.journal = Some(journal);
        self
    }

    /// Does without `openat2` even where the kernel has it: what old kernels and strict seccomp filters force.
    #[must_use]
    pub fn without_openat2(mut self) -> Self {
        self.opener = Opener::Stepwise;
        self
    }

    /// The same workspace without rules, neighbours and closed folders: for taking back what was judged before.
    pub(crate) fn without_rules(&self) -> Result<Self, FileError> {
        struct NoRules;
        impl PathRules for NoRules {
            fn refuse(&self, _relative: &Path, _access: Access) -> Option<PathRefusal> {
                None
            }
        }
        let Tree { handle, real, .. } = &self.workspace;
        let workspace = self.workspace.held_by(handle.try_clone().map_err(|error| io_error(&error, real.display()))?);
        Ok(Self {
            journal: self.journal.clone(),
            turns: TurnsPlace::in_state(self.turns.state()),
            ..Self::of(workspace, Arc::new(NoRules), self.opener)
        })
    }

    /// How paths are kept inside the workspace on this machine, for `doctor`.
    #[must_use]
    pub const fn containment(&self) -> &'static str {
        match self.opener {
            Opener::Kernel => "the kernel resolves every path beneath the workspace (openat2)",
            Opener::Stepwise => "every path is walked step by step without following links (no openat2 here)",
        }
    }

    /// Where the workspace really was when it was opened.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        &self.workspace.real
    }

    /// The name by which it was opened, where that leads through a link.
    #[must_use]
    pub fn link(&self) -> Option<&Path> {
        self.workspace.link()
    }

    pub(crate) fn rules(&self) -> &dyn PathRules {
        &*self.rules
    }

    pub(crate) fn rules_handle(&self) -> Arc<dyn PathRules> {
        Arc::clone(&self.rules)
    }

    /// The rule against a program that changes this path of the workspace.
    pub(crate) fn refuse_program(&self, relative: &Path) -> Option<PathRefusal> {
        self.rules.refuse_program(relative).or_else(|| {
            let closed = self.closed.iter().any(|closed| relative.starts_with(closed));
            closed.then(|| PathRefusal { kind: FileErrorKind::ReadOnly, rule: String::new() })
        })
    }

    /// A read-only tree at or below a folder of the workspace.
    pub(crate) fn closed_below(&self, relative: &Path) -> Option<&Path> {
        self.closed.iter().map(PathBuf::as_path).find(|closed| closed.starts_with(relative))
    }

    /// The names in a folder of the workspace, as they are.
    pub(crate) fn names(&self, relative: &Path) -> Result<Vec<(OsString, EntryKind)>, FileError> {
        let path = CanonicalPath::new(Root::Workspace, relative.to_owned());
        let directory = self.open_directory(&path)?;
        let mut names = Vec::new();
        read_names(directory.as_fd(), |name, kind| names.push((name.to_owned(), kind)))
            .map_err(|errno| file_error(errno, path))?;
        Ok(names)
    }

    pub(crate) fn journal(&self) -> Option<&Journal> {
        self.journal.as_deref()
    }

    /// A temporary name in a directory of the workspace, noted so that it is swept should this process be killed.
    pub(crate) fn temporary_name(&self, directory: &commit::Directory) -> atomic::Name {
        let name = atomic::Name::fresh(directory.identity);
        if let Some(journal) = &self.journal {
            journal.in_flight.note(&[self.workspace.real.join(&directory.path).join(&*name)]);
        }
        name
    }

    /// As [`Self::temporary_name`], one for each file that is written, all noted at once.
    pub(crate) fn temporary_names(&self, changes: &[Change]) -> Vec<OsString> {
        let real = |room| self.workspace.real.join(room).join(atomic::fresh_name());
        let places: Vec<PathBuf> = commit::waiting_rooms(changes).into_iter().map(real).collect();
        if let Some(journal) = &self.journal {
            journal.in_flight.note(&places);
        }
        places.iter().filter_map(|place| place.file_name().map(OsStr::to_owned)).collect()
    }

    pub(crate) const fn opener(&self) -> Opener {
        self.opener
    }

    /// The directory at `path`, open for reading names, syncing and locking.
    pub(crate) fn open_directory(&self, path: &CanonicalPath) -> Result<OwnedFd, FileError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        self.open_beneath(path, flags)
    }

    /// The handle of the tree and the path below it, once it is sure that every component is an ordinary name.
    pub(crate) fn tree<'a>(&'a self, path: &'a CanonicalPath) -> Result<(BorrowedFd<'a>, &'a Path), FileError> {
        Ok((self.holding(path)?.handle.as_fd(), path.relative()))
    }

    fn holding(&self, path: &CanonicalPath) -> Result<&Tree, FileError> {
        if !is_canonical(path.relative()) {
            return Err(FileError::new(FileErrorKind::Invalid, path.to_string()).detail("not a canonical path"));
        }
        match path.root() {
            Root::Workspace => Ok(&self.workspace),
            root => self.neighbour(root).ok_or_else(|| FileError::new(FileErrorKind::Outside, path.to_string())),
        }
    }

    fn neighbour(&self, root: Root) -> Option<&Tree> {
        match root {
            Root::Workspace => None,
            Root::ReadOnly(number) => self.neighbours.get(usize::from(number)),
        }
    }

    pub(crate) fn open_beneath(&self, path: &CanonicalPath, flags: OFlags) -> Result<OwnedFd, FileError> {
        let (handle, relative) = self.tree(path)?;
        self.opener.open(handle, relative, flags).map_err(|errno| match errno {
            Errno::NOTDIR => no_directory(self.opener, handle, path),
            errno => file_error(errno, path),
        })
    }

    fn find(&self, path: &str, last: Last) -> Result<CanonicalPath, FileError> {
        let refused = |kind, why: &str| Err(FileError::new(kind, path).detail(why));
        if path.is_empty() {
            return refused(FileErrorKind::Invalid, "the path is empty; `.` is the workspace");
        }
        if path.contains('\0') {
            return refused(FileErrorKind::Invalid, "a path cannot hold a NUL character");
        }
        if path.len() > LONGEST_PATH {
            return refused(FileErrorKind::Invalid, "a name or the whole path is too long");
        }
        let (root, tree, rest) = if path.starts_with('/') {
            match self.root_of(path) {
                Some(found) => found,
                None => return refused(FileErrorKind::Outside, ""),
            }
        } else {
            (Root::Workspace, &self.workspace, path)
        };
        match locate::canonical(self.opener, tree.handle.as_fd(), rest, last) {
            Ok(relative) => Ok(match self.sealed.in_workspace(&tree.real, &relative) {
                Some(inside) if root != Root::Workspace => CanonicalPath::new(Root::Workspace, inside),
                _ => CanonicalPath::new(root, relative),
            }),
            Err(lost) => refused(lost.kind, lost.why),
        }
    }

    /// The innermost tree that an absolute path lies in.
    fn root_of<'a>(&'a self, path: &'a str) -> Option<(Root, &'a Tree, &'a str)> {
        let neighbours = self.neighbours.iter().zip(0..).map(|(tree, number)| (Root::ReadOnly(number), tree));
        std::iter::once((Root::Workspace, &self.workspace))
            .chain(neighbours)
            .filter_map(|(root, tree)| tree.below(path).map(|(depth, rest)| (depth, (root, tree, rest))))
            .max_by_key(|(depth, _)| *depth)
            .map(|(_, found)| found)
    }

    /// Opens the regular file at `path`.
    fn open_regular(&self, path: &CanonicalPath) -> Result<(OwnedFd, Stat), FileError> {
        let (root, relative) = self.tree(path)?;
        if let Some(opened) = self.opener.open_file(root, relative) {
            return Ok(opened);
        }
        let (handle, stat) = self.look(path)?;
        only_regular(path, &stat)?;
        let file = reopen(handle.as_fd(), root, relative).map_err(|errno| file_error(errno, path))?;
        Ok((file, stat))
    }

    /// Looks at what stands at `path`, without opening it for reading.
    pub(crate) fn look(&self, path: &CanonicalPath) -> Result<(OwnedFd, Stat), FileError> {
        let handle = self.open_beneath(path, OFlags::PATH | OFlags::NOFOLLOW)?;
        let stat = fs::fstat(&handle).map_err(|errno| file_error(errno, path))?;
        Ok((handle, stat))
    }
}

/// Refuses what is not a regular file, each with its own reason.
pub(crate) fn only_regular(path: &CanonicalPath, stat: &Stat) -> Result<(), FileError> {
    let kind = match file_type(stat) {
        FileType::RegularFile => return Ok(()),
        FileType::Directory => FileErrorKind::IsDirectory,
        FileType::Symlink => return Err(changed(path, "a link stands there now; look again before changing it")),
        _ => FileErrorKind::Special,
    };
    Err(FileError::new(kind, path.to_string()))
}
