//! Whether a program may make a change: rules on names, what git obeys, and what depends on both.
//!
//! A configuration of git is never written in place. It is judged by its content when it is renamed into place, and what
//! then stands there is a copy of the bytes that were judged: a descriptor that the program still holds, or another hard
//! link, leads to the old file.

mod guarded;
mod linked;
mod obeyed;

use super::Sight;
use crate::disk::Disk;
use crate::errors::file_error;
use crate::repository::{self, Config, Repositories, of_part, protected};
pub(super) use guarded::{Guarded, guarded};
use linked::Linked;
use obeyed::Obeyed;
use palanca_core::ports::{
    ClosedBy, FileError, FileErrorKind, Found, GitPart, GitPlace, NameChange, NewName, PathRefusal, Place, Step,
};
use rustix::fd::BorrowedFd;
use rustix::fs::{FileType, Mode, OFlags};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folders with more entries are moved file by file.
const MOST_MOVED: usize = 20_000;

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
    repositories: Repositories,
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
            repositories: Repositories::default(),
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
        self.repositories.begin();
        self.judge(change)?;
        let hides = |error: &FileError| {
            let path = Path::new(&error.path);
            path.strip_prefix(self.disk.workspace()).unwrap_or(path).starts_with(change.place().path)
        };
        // What a program closed it may open again.
        let opens = matches!(change, NameChange::Attributes { .. });
        self.repositories.unseen().into_iter().find(|error| !(opens && hides(error))).map_or(Ok(()), Err)
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
        self.repositories.settle(&self.disk)?;
        if let NameChange::Move { from, found, to, replaced } = change
            && is(found, FileType::RegularFile)
            && self.place(to.path).part == GitPart::Config
            && !self.is_granted(to.path)
        {
            repository::put(&self.disk, (from, found), (to, replaced.is_some()))?;
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
        repository::fill(&self.disk, at, content)
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

    fn complete(&mut self, at: &Place<'_>) -> Result<(), FileError> {
        self.repositories.complete(&self.disk, at)
    }

    /// A folder moves with what lies in it.
    fn tree(&mut self, from: &Place<'_>, to: &Place<'_>) -> Result<(), FileError> {
        if let Some(closed) = self.disk.closed_below(from.path) {
            return Err(FileError::new(FileErrorKind::ReadOnly, closed.display().to_string()));
        }
        let Self { disk, repositories, .. } = self;
        repositories.tree(disk, (from, to), &|old, new| stays_judged(disk, old, new), MOST_MOVED)
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
            self.repositories.could_not_see(error);
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
        self.repositories.place(&self.disk, path)
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

/// The rules on names say the same of a moved file at its new place, and it is no secret.
fn stays_judged(disk: &Disk, old: &Path, new: &Path) -> Result<(), FileError> {
    let (was, will_be) = (disk.refuse_program(old), disk.refuse_program(new));
    for (refusal, path) in [(&was, old), (&will_be, new)] {
        if let Some(refusal) = refusal.as_ref().filter(|refusal| matches!(refusal.kind, FileErrorKind::Secret(_))) {
            return Err(protected(path, ClosedBy::Moved, &refusal.rule));
        }
    }
    if was.as_ref().map(|refusal| &refusal.rule) != will_be.as_ref().map(|refusal| &refusal.rule) {
        let rule = will_be.or(was).map(|refusal| refusal.rule).unwrap_or_default();
        return Err(protected(old, ClosedBy::Moved, rule));
    }
    Ok(())
}

fn is(found: &Found, kind: FileType) -> bool {
    FileType::from_raw_mode(found.mode) == kind
}
