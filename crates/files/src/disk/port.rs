//! What the port asks for, of the trees that the door holds.

use super::{Disk, describe, read_names};
use crate::errors::file_error;
use crate::locate::Last;
use crate::{atomic, commit, walk};
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::{
    Change, ChangeOrigin, Committed, Entry, FileError, FileErrorKind, Files, Flow, Metadata, OpenFile, PathRules,
    WalkEnd, WalkEntry, WalkOptions,
};
use rustix::fd::{AsFd as _, BorrowedFd};
use rustix::fs::Stat;
use std::path::Path;
use std::sync::OnceLock;

impl Files for Disk {
    fn root(&self) -> String {
        self.workspace.real.display().to_string()
    }

    fn locate(&self, path: &str) -> Result<CanonicalPath, FileError> {
        self.find(path, Last::Follow)
    }

    fn locate_entry(&self, path: &str) -> Result<CanonicalPath, FileError> {
        self.find(path, Last::Keep)
    }

    fn judge(&self, path: &CanonicalPath, access: Access) -> Result<(), FileError> {
        let (_, relative) = self.tree(path)?;
        let refusal = match self.neighbour(path.root()) {
            Some(tree) => self.sealed.below(&tree.real, &*self.rules).refuse(relative, access),
            None => self.rules.refuse(relative, access),
        };
        if let Some(refusal) = refusal {
            return Err(refusal.on(path.to_string()));
        }
        let read_only = path.root() != Root::Workspace || self.closed.iter().any(|closed| relative.starts_with(closed));
        if access == Access::Write && read_only {
            return Err(FileError::new(FileErrorKind::ReadOnly, path.to_string()));
        }
        Ok(())
    }

    fn info(&self, path: &CanonicalPath) -> Result<Metadata, FileError> {
        let (_, stat) = self.look(path)?;
        Ok(describe(&stat))
    }

    fn is_at_hand(&self, path: &CanonicalPath) -> bool {
        self.holding(path).is_ok_and(|tree| tree.is_at_hand(path.relative()))
    }

    fn open(&self, path: &CanonicalPath) -> Result<OpenFile, FileError> {
        self.judge(path, Access::Read)?;
        let (file, stat) = self.open_regular(path)?;
        self.judge_other_names(path, (file.as_fd(), &stat), Access::Read)?;
        let content = Box::new(std::fs::File::from(file));
        Ok(OpenFile { path: path.clone(), info: describe(&stat), content })
    }

    fn entries(&self, path: &CanonicalPath) -> Result<Vec<Entry>, FileError> {
        let directory = self.open_directory(path)?;
        let mut entries = Vec::new();
        read_names(directory.as_fd(), |name, kind| {
            if !atomic::is_in_flight(&directory, name) {
                entries.push(Entry { name: name.to_string_lossy().into_owned(), kind });
            }
        })
        .map_err(|errno| file_error(errno, path))?;
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn walk(
        &self,
        path: &CanonicalPath,
        options: WalkOptions,
        visit: &(dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
    ) -> Result<WalkEnd, FileError> {
        let directory = self.open_directory(path)?;
        let (root, prefix) = self.tree(path)?;
        let below = self.neighbour(path.root()).map(|tree| self.sealed.below(&tree.real, &*self.rules));
        let rules = below.as_ref().map_or(&*self.rules, |below| below as &dyn PathRules);
        let looked = OnceLock::new();
        let judge = |entry: &Path, file: BorrowedFd<'_>, stat: &Stat| {
            let path = || CanonicalPath::new(path.root(), entry.to_owned());
            match stat.st_nlink {
                0 | 1 => Ok(()),
                // Once for the whole walk.
                _ => looked.get_or_init(|| self.look_for_names(&path())).clone(),
            }?;
            self.judge_known_names(path, (file, stat), Access::Read)
        };
        walk::walk(&walk::Start { directory, prefix, root: Some(root), rules, judge: &judge }, options, visit)
    }

    fn commit(&self, changes: &[Change], origin: &ChangeOrigin) -> Result<Vec<Committed>, FileError> {
        commit::commit(self, changes, origin)
    }
}
