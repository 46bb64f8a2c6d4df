//! Which parts of the workspace are hidden from programs, and the files that are hidden under any name.

use super::{Disk, Tree};
use crate::beneath::file_type;
use crate::closed::{Beside, Tree as LookedThrough};
use crate::errors::io_error;
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::{FileError, PathRefusal};
use rustix::fd::{AsFd, BorrowedFd};
use rustix::fs::{FileType, Stat};
use std::path::{Path, PathBuf};

impl Disk {
    /// A folder beside the workspace that programs read; none for what is no folder.
    pub(crate) fn beside(&self, path: &Path) -> std::io::Result<Option<Beside>> {
        Beside::open(path, &self.known)
    }

    /// What programs must not read of the workspace and of these folders beside it, absolute.
    ///
    /// # Errors
    /// The workspace cannot be looked through.
    pub(crate) fn closed<'b>(
        &self,
        beside: impl IntoIterator<Item = &'b Beside> + Clone,
    ) -> std::io::Result<Vec<PathBuf>> {
        let Tree { handle, real, .. } = &self.workspace;
        let tree = LookedThrough { handle: handle.as_fd(), path: real, opener: self.opener, but: None };
        let mut unmet = self.known.look(tree, &*self.rules)?;
        for folder in beside.clone() {
            unmet.extend(folder.look(real, &*self.rules)?);
        }
        let mut closed = self.known.masks(tree, &unmet)?;
        if closed.first() == Some(real) {
            return Err(std::io::Error::other(format!("{} cannot be looked through", real.display())));
        }
        for folder in beside {
            closed.extend(folder.masks(real, &unmet)?);
        }
        Ok(closed)
    }

    /// The secret or protected name that a file of the workspace was found under, as far as it was looked for:
    /// [`Disk::closed`] looks. `at` is a name in a folder, or an open file and no name.
    pub(crate) fn closed_name(&self, identity: (u64, u64), at: (BorrowedFd<'_>, &Path)) -> Option<PathBuf> {
        self.known.name_of(identity, at)
    }

    /// Judges a file by the other names that it has: a hard link to a secret is secret.
    pub(crate) fn judge_other_names(
        &self,
        path: &CanonicalPath,
        (file, stat): (BorrowedFd<'_>, &Stat),
        access: Access,
    ) -> Result<(), FileError> {
        if stat.st_nlink > 1 && file_type(stat) == FileType::RegularFile {
            self.look_for_names(path)?;
        }
        self.judge_known_names(|| path.clone(), (file, stat), access)
    }

    /// Looks for closed files where this one may have another name.
    pub(crate) fn look_for_names(&self, path: &CanonicalPath) -> Result<(), FileError> {
        let beside = match path.root() {
            Root::Workspace => Ok(&[][..]),
            Root::ReadOnly(_) => self.neighbours_beside(),
        };
        beside.and_then(|beside| self.closed(beside)).map(drop).map_err(|error| io_error(&error, path))
    }

    fn neighbours_beside(&self) -> std::io::Result<&[Beside]> {
        if self.looked.get().is_none() {
            let opened = self.neighbours.iter().filter_map(|tree| self.beside(&tree.real).transpose());
            // ignored: another thread was faster.
            let _ = self.looked.set(opened.collect::<Result<_, _>>()?);
        }
        Ok(self.looked.get().map_or(&[], Vec::as_slice))
    }

    pub(crate) fn judge_known_names(
        &self,
        path: impl FnOnce() -> CanonicalPath,
        (file, stat): (BorrowedFd<'_>, &Stat),
        access: Access,
    ) -> Result<(), FileError> {
        let name = self.closed_name((stat.st_dev, stat.st_ino), (file, Path::new("")));
        let refusal = name.and_then(|name| Some((self.rules.refuse(&name, access)?, name)));
        refusal.map_or(Ok(()), |(refusal, name)| {
            let rule = format!("{}: {}", refusal.rule, name.display());
            Err(PathRefusal { rule, ..refusal }.on(path().to_string()))
        })
    }
}
