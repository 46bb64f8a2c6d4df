//! What git would obey is judged change by change, in one turn with the change itself: the same judge as for programs.

use super::execute::directory_of;
use super::{Directory, Identity, Ready};
use crate::disk::Disk;
use crate::errors::file_error;
use crate::lock::Turns;
use crate::repository::{Config, Names, Repositories, may_complete, of_part};
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::{Change, FileError, FileErrorKind, Files as _, GitPart, Place};
use rustix::fd::{AsFd as _, OwnedFd};
use rustix::io::Errno;
use std::path::Path;

/// Judges the changes of one commit.
pub(super) struct Judge<'d> {
    disk: &'d Disk,
    turns: Turns,
    has_turn: bool,
    repositories: Repositories,
}

impl<'d> Judge<'d> {
    /// # Errors
    /// The lock of the workspace cannot be opened.
    pub(super) fn of(disk: &'d Disk) -> Result<Self, FileError> {
        Ok(Self { disk, turns: disk.turns()?, has_turn: false, repositories: Repositories::default() })
    }

    /// Whether folders that these changes need could make a repository.
    pub(super) fn concerns(&self, changes: &[Change]) -> bool {
        let git = self.disk.rules().git();
        changes.iter().flat_map(Change::paths).any(|path| may_complete(git, path.relative()))
    }

    /// From here to the end nobody else changes the workspace.
    ///
    /// # Errors
    /// Someone else's change does not come to an end.
    pub(super) fn take_turn(&mut self) -> Result<(), FileError> {
        if !self.has_turn {
            self.turns.take()?;
            self.has_turn = true;
        }
        Ok(())
    }

    pub(super) const fn turns(&self) -> &Turns {
        &self.turns
    }

    /// A folder is about to be made.
    ///
    /// # Errors
    /// It would complete a repository that starts programs.
    pub(super) fn makes(&mut self, inside: &OwnedFd, path: &Path) -> Result<(), FileError> {
        let name = path.file_name().unwrap_or_default();
        self.one(&Place { path, parent: inside.as_fd(), name }, |this, at| {
            this.part(at.path, |part| !matches!(part, GitPart::Config | GitPart::Fixed | GitPart::Hook))
        })
    }

    /// # Errors
    /// The change would make, or alter, a repository that starts programs.
    pub(super) fn judge(
        &mut self,
        directories: &[Directory],
        ready: &Ready<'_>,
        identity: Option<Identity>,
    ) -> Result<(), FileError> {
        match ready {
            Ready::Write { path, spot, content, .. } => {
                let at = place(directory_of(directories, spot, path)?, path, &spot.name);
                self.one(&at, |this, at| this.written(at.path, content))
            }
            Ready::Move { from, from_spot, to, to_spot, .. } => {
                let source = place(directory_of(directories, from_spot, from)?, from, &from_spot.name);
                let target = place(directory_of(directories, to_spot, to)?, to, &to_spot.name);
                let identity = identity.ok_or_else(|| file_error(Errno::NOENT, from))?;
                self.one(&target, |this, at| this.arrives(&source, at, identity))
            }
            Ready::Delete { .. } | Ready::Made { .. } => Ok(()),
        }
    }

    fn one(
        &mut self,
        at: &Place<'_>,
        judge: impl FnOnce(&mut Self, &Place<'_>) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        self.repositories.begin();
        judge(self, at)?;
        self.repositories.complete(self.disk, at)?;
        match self.repositories.unseen().into_iter().next() {
            Some(unseen) => Err(unseen),
            None => self.repositories.settle(self.disk),
        }
    }

    fn written(&self, path: &Path, content: &[u8]) -> Result<(), FileError> {
        if self.repositories.place(self.disk, path).part != GitPart::Config {
            return self.part(path, |part| part <= GitPart::Sample);
        }
        let old = Config::content(self.disk, path);
        let repository = path.parent().unwrap_or(Path::new(""));
        let refusal = self.disk.rules().git().refuse_config(content, old.as_deref(), repository);
        refusal.map_or(Ok(()), |refusal| Err(refusal.on(path.display().to_string())))
    }

    /// What is moved keeps its other names, and whoever has it open still writes to it: so no file becomes a configuration.
    fn arrives(&mut self, from: &Place<'_>, to: &Place<'_>, identity: Identity) -> Result<(), FileError> {
        if !identity.is_directory() {
            return self.part(to.path, |part| part <= GitPart::Sample);
        }
        let whole = |path: &Path| CanonicalPath::new(Root::Workspace, path.to_owned());
        let names: Names<'_> = &|old, new| {
            self.disk.judge(&whole(old), Access::Write)?;
            self.disk.judge(&whole(new), Access::Write)
        };
        self.repositories.tree(self.disk, (from, to), names, usize::MAX).map_err(|error| match error.kind {
            FileErrorKind::MoveByFile => FileError::new(FileErrorKind::PermissionDenied, error.path)
                .detail("not everything in it can be looked at"),
            _ => error,
        })
    }

    fn part(&self, path: &Path, allowed: impl Fn(GitPart) -> bool) -> Result<(), FileError> {
        let part = self.repositories.place(self.disk, path).part;
        if allowed(part) { Ok(()) } else { Err(of_part(part).on(path.display().to_string())) }
    }
}

fn place<'a>(directory: &'a Directory, path: &'a CanonicalPath, name: &'a std::ffi::OsStr) -> Place<'a> {
    Place { path: path.relative(), parent: directory.handle.as_fd(), name }
}
