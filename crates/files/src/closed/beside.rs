//! A folder beside the workspace that programs read: a neighbour, or the tree of a toolchain.

use super::{Closed, Identity, Tree};
use crate::beneath::Opener;
use palanca_core::call::Access;
use palanca_core::ports::{FileErrorKind, PathRefusal, PathRules};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, Mode, OFlags};
use rustix::io::Errno;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// It, and what is known of it.
#[derive(Debug)]
pub(crate) struct Beside {
    handle: OwnedFd,
    path: PathBuf,
    known: Closed,
}

impl Beside {
    /// None for what is no folder.
    ///
    /// # Errors
    /// What the system reports.
    pub(crate) fn open(path: &Path, known: &Closed) -> io::Result<Option<Self>> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match fs::open(path, flags, Mode::empty()) {
            Ok(handle) => Ok(Some(Self { handle, path: std::fs::canonicalize(path)?, known: known.beside() })),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    /// See [`Closed::look`]. The workspace in it has rules of its own.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn look(&self, workspace: &Path, rules: &dyn PathRules) -> io::Result<HashSet<Identity>> {
        self.known.look(self.tree(workspace), &NamedToo::new(rules, &self.path))
    }

    /// See [`Closed::masks`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn masks(&self, workspace: &Path, unmet: &HashSet<Identity>) -> io::Result<Vec<PathBuf>> {
        self.known.masks(self.tree(workspace), unmet)
    }

    fn tree<'a>(&'a self, workspace: &'a Path) -> Tree<'a> {
        let handle = self.handle.as_fd();
        let but = workspace.strip_prefix(&self.path).ok();
        Tree { handle, path: &self.path, opener: Opener::probe(handle), but }
    }
}

/// The rules for a tree of which the top's own name counts, too: `~/.docker` holds `.docker/config.json`. But a folder that
/// the operator names is not closed for its name.
struct NamedToo<'a> {
    rules: &'a dyn PathRules,
    name: Option<&'a Path>,
}

impl<'a> NamedToo<'a> {
    fn new(rules: &'a dyn PathRules, top: &'a Path) -> Self {
        let name = top.file_name().map(Path::new);
        Self { rules, name: name.filter(|name| secret(rules, &name.join(super::folder::ANY)).is_none()) }
    }
}

impl PathRules for NamedToo<'_> {
    fn refuse(&self, relative: &Path, _: Access) -> Option<PathRefusal> {
        secret(self.rules, relative).or_else(|| secret(self.rules, &self.name?.join(relative)))
    }
}

fn secret(rules: &dyn PathRules, path: &Path) -> Option<PathRefusal> {
    rules.refuse(path, Access::Read).filter(|refusal| matches!(refusal.kind, FileErrorKind::Secret(_)))
}
