//! Whether a program may make a change: rules on names, what git obeys, and what depends on both.
//!
//! A configuration of git is never written in place. It is judged by its content when it is renamed into place, and what
//! then stands there is a copy of the bytes that were judged: a descriptor that the program still holds, or another hard
//! link, leads to the old file.

mod config;
mod guarded;
mod linked;
mod obeyed;
mod tree;

use super::Sight;
use crate::disk::Disk;
use crate::errors::{file_error, says_absent};
use config::Config;
pub(super) use guarded::{Guarded, guarded};
use linked::Linked;
use obeyed::Obeyed;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{
    ClosedBy, FileError, FileErrorKind, Found, GitPart, GitPlace, NameChange, NewName, PathRefusal, Place, Step,
};
use rustix::fd::BorrowedFd;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, statat};
use rustix::io::Errno;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Judges the changes of one program.
#[derive(Debug)]
pub(super) struct Judge {
    disk: Arc<Disk>,
    /// Where `disk` has to be, until the first change tells.
    sight: Sight,
    obeyed: Obeyed,
    linked: Linked,
    /// Protected files that a person approved, relative to the workspace.
    granted: Vec<PathBuf>,
    /// Configurations that the change under judgement puts to use where they are.
    used: Vec<Config>,
    /// What the change under judgement depends on and could not be seen.
    blind: RefCell<Vec<FileError>>,
}

/// What happens to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touch {
    /// The content changes.
    Content,
    /// Something else will stand at this name, or nothing: what lies below goes with it.
    Name,
}

impl Judge {
    pub(super) fn new(disk: Arc<Disk>, sight: Sight) -> Self {
        let obeyed = Obeyed::new(&disk);
        Self {
            disk,
            sight,
            obeyed,
            linked: Linked::default(),
            granted: Vec::new(),
            used: Vec::new(),
            blind: RefCell::default(),
        }
    }

    /// Lets these protected files change, relative to the workspace: a person approved it.
    pub(super) fn granting(self, paths: &[PathBuf]) -> Self {
        Self { granted: paths.to_vec(), ..self }
    }

    /// The same while the program runs.
    pub(super) fn grant(&mut self, path: &Path) {
        self.granted.push(path.to_owned());
    }

    /// Whether it would be allowed if this file were granted.
    pub(super) fn lacks_only(&mut self, change: &NameChange<'_>, path: &Path) -> bool {
        self.grant(path);
        let allowed = self.check(change).is_ok();
        self.granted.pop();
        allowed
    }

    /// # Errors
    /// The rule that is against it, or what could not be seen: a program may close what a rule depends on.
    /// [`FileErrorKind::MoveByFile`] for a folder that must be moved file by file.
    pub(super) fn check(&mut self, change: &NameChange<'_>) -> Result<(), FileError> {
        self.used.clear();
        self.blind.take();
        self.judge(change)?;
        let hides = |error: &FileError| {
            let path = Path::new(&error.path);
            path.strip_prefix(self.disk.workspace()).unwrap_or(path).starts_with(change.place().path)
        };
        // What a program closed it may open again.
        let opens = matches!(change, NameChange::Attributes { .. });
        self.blind.take().into_iter().find(|error| !(opens && hides(error))).map_or(Ok(()), Err)
    }

    fn judge(&mut self, change: &NameChange<'_>) -> Result<(), FileError> {
        if self.sight == Sight::Program {
            self.look_through(change)?;
        }
        match change {
            NameChange::Write { at, found, .. } => {
                self.linked(at, found)?;
                self.touch(at, Touch::Content)?;
                self.git(at, |part| !matches!(part, GitPart::Config | GitPart::Fixed | GitPart::Hook))
            }
            NameChange::Attributes { at, found } => {
                self.linked(at, found)?;
                self.touch(at, Touch::Content)?;
                self.git(at, |part| !matches!(part, GitPart::Fixed | GitPart::Hook))
            }
            NameChange::Create { at, new } => self.create(at, *new),
            NameChange::Remove { at, .. } => self.leave(at),
            NameChange::Move { from, found, to, replaced } => {
                self.leave(from)?;
                self.arrive(to, (from, found))?;
                replaced.map_or(Ok(()), |replaced| self.linked(to, &replaced))
            }
            NameChange::HardLink { from, found, to } => {
                if let Some(from) = from {
                    self.linked(from, found)?;
                    self.touch(from, Touch::Content)?;
                    self.git(from, |part| part <= GitPart::Sample)?;
                }
                self.touch(to, Touch::Name)?;
                self.git(to, |part| part <= GitPart::Info)?;
                self.complete(to)
            }
        }
    }

    /// From the folder that a program named back to the top of what it sees.
    fn look_through(&mut self, change: &NameChange<'_>) -> Result<(), FileError> {
        let at = change.place();
        let up: PathBuf = at.path.iter().skip(1).map(|_| "..").collect();
        let up = if up.as_os_str().is_empty() { Path::new(".") } else { &up };
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let top = rustix::fs::openat(at.parent, up, flags, Mode::empty());
        let top = top.map_err(|errno| file_error(errno, at.path.display()))?;
        self.disk = Arc::new(self.disk.seen_at(top));
        self.sight = Sight::Disk;
        Ok(())
    }

    /// Makes a change itself if the caller may not. Called after [`Self::check`] allowed it.
    ///
    /// # Errors
    /// What was judged is different now, or the system's.
    pub(super) fn make(&mut self, change: &NameChange<'_>) -> Result<Step, FileError> {
        for config in std::mem::take(&mut self.used) {
            config.replace_by_copy(&self.disk)?;
        }
        if let NameChange::Move { from, found, to, replaced } = change
            && is(found, FileType::RegularFile)
            && self.place(to.path).part == GitPart::Config
            && !self.is_granted(to.path)
        {
            config::put(&self.disk, (from, found), (to, replaced.is_some()))?;
            return Ok(Step::Done);
        }
        match change {
            NameChange::Create { at, .. }
                if self.place(at.path).part == GitPart::Config && !self.is_granted(at.path) =>
            {
                Ok(Step::Empty)
            }
            _ => Ok(Step::Go),
        }
    }

    /// Puts what a program wrote for a new configuration in place of the empty one.
    ///
    /// # Errors
    /// As a configuration that is renamed there.
    pub(super) fn fill(&self, at: &Place<'_>, content: BorrowedFd<'_>) -> Result<(), FileError> {
        config::fill(&self.disk, at, content)
    }

    fn create(&mut self, at: &Place<'_>, new: NewName<'_>) -> Result<(), FileError> {
        if new == NewName::Folder && self.granted.iter().any(|granted| granted.starts_with(at.path)) {
            return self.complete(at);
        }
        let touch = if matches!(new, NewName::Link(_)) { Touch::Name } else { Touch::Content };
        self.touch(at, touch)?;
        self.git(at, |part| match part {
            GitPart::Other => true,
            GitPart::Repository | GitPart::Info => matches!(new, NewName::File | NewName::Folder),
            GitPart::Sample => new == NewName::File,
            GitPart::Hooks => new == NewName::Folder,
            // Other implementations than git's own begin with an empty one.
            GitPart::Config => new == NewName::File,
            GitPart::Fixed | GitPart::Hook => false,
        })?;
        self.complete(at)
    }

    /// A name goes. What git has of its own goes with a repository, but not from the workspace's.
    fn leave(&mut self, at: &Place<'_>) -> Result<(), FileError> {
        self.touch(at, Touch::Name)?;
        let first = at.path.iter().next().unwrap_or_default();
        let place = self.place(at.path);
        let of_workspace = place.depth == 0 || (place.depth == 1 && first.eq_ignore_ascii_case(".git"));
        let goes = !of_workspace || matches!(place.part, GitPart::Other | GitPart::Info | GitPart::Sample);
        if goes || self.is_granted(at.path) { Ok(()) } else { refused(at.path, of_part(place.part)) }
    }

    /// Something takes a name.
    fn arrive(&mut self, to: &Place<'_>, (from, found): (&Place<'_>, &Found)) -> Result<(), FileError> {
        self.touch(to, Touch::Name)?;
        if is(found, FileType::Directory) {
            self.tree(from, to)?;
            return self.complete(to);
        }
        let regular = is(found, FileType::RegularFile);
        let place = self.place(to.path);
        match place.part {
            GitPart::Other => {}
            GitPart::Config if regular && !self.is_granted(to.path) => {
                Config::at((from, found), to.path).judge(&self.disk)?;
            }
            part => self.git(to, |_| regular && part <= GitPart::Sample)?,
        }
        self.complete(to)
    }

    /// What a name can make a repository of, must not start anything.
    fn complete(&mut self, at: &Place<'_>) -> Result<(), FileError> {
        let folder = at.path.parent().unwrap_or(Path::new(""));
        let has = |name: &str| at.name.eq_ignore_ascii_case(name) || self.seen(exists(at, name));
        let completes = self.disk.rules().git().completes(at.name);
        if !completes || self.seen(is_repository(&self.disk, folder)) || !is_complete(&has) {
            return Ok(());
        }
        for name in ["config", "config.worktree"] {
            if self.seen(exists(at, name)) {
                let found = Config { path: folder.join(name), used_at: folder.to_owned(), old: None, inode: None };
                found.judge(&self.disk)?;
                self.used.push(found);
            }
        }
        let harmless = match statat(at.parent, "hooks", AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {
                self.disk.names(&folder.join("hooks"))?.iter().all(|(name, kind)| {
                    *kind == palanca_core::ports::EntryKind::File && name.as_encoded_bytes().ends_with(b".sample")
                })
            }
            Ok(_) => false,
            Err(Errno::NOENT) => true,
            Err(errno) => return Err(file_error(errno, folder.join("hooks").display())),
        };
        if harmless && !self.seen(exists(at, "info/attributes")) {
            return Ok(());
        }
        Err(protected(at.path, ClosedBy::GitRepository, "git.repository"))
    }

    /// Rules on names, and what git's configuration leads to.
    fn touch(&mut self, at: &Place<'_>, touch: Touch) -> Result<(), FileError> {
        match self.disk.refuse_program(at.path) {
            Some(refusal) if !matches!(refusal.kind, FileErrorKind::Protected(_)) || !self.is_granted(at.path) => {
                return refused(at.path, refusal);
            }
            _ => {}
        }
        let key = self.obeyed.key(at.path, touch).unwrap_or_else(|error| {
            self.blind.borrow_mut().push(error);
            None
        });
        match key {
            Some(key) if !self.is_granted(at.path) => Err(protected(at.path, ClosedBy::GitObeyed, key)),
            _ => Ok(()),
        }
    }

    fn is_granted(&self, path: &Path) -> bool {
        self.granted.iter().any(|granted| path == granted)
    }

    fn git(&self, at: &Place<'_>, allowed: impl Fn(GitPart) -> bool) -> Result<(), FileError> {
        let part = self.place(at.path).part;
        if allowed(part) || self.is_granted(at.path) { Ok(()) } else { refused(at.path, of_part(part)) }
    }

    fn place(&self, path: &Path) -> GitPlace {
        self.disk.rules().git().place(path, &|folder| self.seen(is_repository(&self.disk, folder)))
    }

    /// What was found; remembers why it could not be.
    fn seen(&self, found: Result<bool, FileError>) -> bool {
        found.unwrap_or_else(|error| {
            self.blind.borrow_mut().push(error);
            false
        })
    }

    /// A closed file stays closed under its other names: hard links, and what it was renamed to.
    fn linked(&mut self, at: &Place<'_>, found: &Found) -> Result<(), FileError> {
        if !is(found, FileType::RegularFile) {
            return Ok(());
        }
        let file = (found.device, found.inode);
        let other = self.disk.closed_name(file, (at.parent, Path::new(at.name)));
        let other = other.and_then(|name| Some((self.disk.refuse_program(&name)?, name)));
        let closed = match other {
            Some(closed) => Some(closed),
            None if found.links > 1 => self.linked.closed(&self.disk, file)?,
            None => None,
        };
        match closed {
            Some((refusal, path)) if path != at.path => refused(at.path, refusal),
            _ => Ok(()),
        }
    }
}

fn refused(path: &Path, refusal: PathRefusal) -> Result<(), FileError> {
    Err(refusal.on(path.display().to_string()))
}

fn protected(path: &Path, by: ClosedBy, detail: impl Into<String>) -> FileError {
    FileError::new(FileErrorKind::Protected(by), path.display().to_string()).detail(detail)
}

/// Whether a folder of the workspace has the structure of a repository.
fn is_repository(disk: &Disk, folder: &Path) -> Result<bool, FileError> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW;
    let path = |name: &str| CanonicalPath::new(Root::Workspace, folder.join(name));
    let blind = RefCell::new(None);
    let complete = is_complete(&|name| match disk.open_beneath(&path(name), flags) {
        Ok(_) => true,
        Err(error) if says_absent(&error) => false,
        Err(error) => {
            blind.borrow_mut().get_or_insert(error);
            false
        }
    });
    blind.into_inner().map_or(Ok(complete), Err)
}

/// The structure that git looks for: a repository of its own, or one that shares another's.
fn is_complete(has: &dyn Fn(&str) -> bool) -> bool {
    (has("objects") && has("refs")) || (has("HEAD") && has("commondir"))
}

fn exists(at: &Place<'_>, name: &str) -> Result<bool, FileError> {
    match statat(at.parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(_) => Ok(true),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(false),
        Err(errno) => Err(file_error(errno, at.path.with_file_name(name).display())),
    }
}

fn is(found: &Found, kind: FileType) -> bool {
    FileType::from_raw_mode(found.mode) == kind
}

/// What git does with this part of a repository is against changing it.
fn of_part(part: GitPart) -> PathRefusal {
    let (by, rule) = match part {
        GitPart::Config => (ClosedBy::GitInPlace, "git.config.in-place"),
        GitPart::Sample | GitPart::Hooks | GitPart::Hook => (ClosedBy::GitHook, "git.hook"),
        GitPart::Other | GitPart::Repository | GitPart::Info | GitPart::Fixed => (ClosedBy::Rule, "git.own"),
    };
    PathRefusal { kind: FileErrorKind::Protected(by), rule: rule.to_owned() }
}
