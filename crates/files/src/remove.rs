//! Removal of whole trees: examined before they are removed or moved, and removed without following links.
//!
//! A file system that is mounted inside a tree stops both: what lies in it may be shared with the outside. Directories
//! are opened one at a time by their path below the tree, so depth costs no handles.

use crate::beneath::{Mounts, Opener};
use crate::disk::read_names;
use palanca_core::ports::EntryKind;
use rustix::fd::{AsFd, BorrowedFd};
use rustix::fs::{self, Access, AtFlags, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

const OPEN: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK);

/// One name found in a tree.
pub(crate) struct Found<'a> {
    /// Below the tree's top.
    pub(crate) path: &'a Path,
    pub(crate) kind: EntryKind,
    /// The directory that holds it, open.
    pub(crate) directory: BorrowedFd<'a>,
    pub(crate) name: &'a OsStr,
}

/// Whether a tree is looked through in order to empty it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Empty,
    Move,
}

/// Calls `each` with everything below `top`, parents before children. To be emptied, every directory that holds something
/// must be writable: better to refuse than to stop half-way.
pub(crate) fn look_through<E: From<Errno>>(
    opener: Opener,
    top: BorrowedFd<'_>,
    purpose: Purpose,
    each: &mut dyn FnMut(&Found<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut pending = vec![PathBuf::new()];
    while let Some(path) = pending.pop() {
        let directory = opener.open_within(top, &path, OPEN, Mounts::Stay)?;
        let mut names = Vec::new();
        read_names(directory.as_fd(), |name, kind| names.push((name.to_owned(), kind)))?;
        if purpose == Purpose::Empty && !names.is_empty() {
            fs::accessat(&directory, ".", Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS)?;
        }
        for (name, kind) in names {
            let path = path.join(&name);
            each(&Found { path: &path, kind, directory: directory.as_fd(), name: &name })?;
            if kind == EntryKind::Directory {
                pending.push(path);
            }
        }
    }
    Ok(())
}

/// Removes one name, with everything below it when it is a directory.
pub(crate) fn entry(directory: BorrowedFd<'_>, name: &OsStr) -> Result<(), Errno> {
    match fs::unlinkat(directory, name, AtFlags::empty()) {
        Err(Errno::ISDIR) => {}
        other => return other,
    }
    let opener = Opener::probe(directory);
    let top = opener.open_within(directory, Path::new(name), OPEN, Mounts::Stay)?;
    let open = |path: &Path| opener.open_within(top.as_fd(), path, OPEN, Mounts::Stay);
    let mut directories = vec![PathBuf::new()];
    let mut next = 0;
    while let Some(path) = directories.get(next).cloned() {
        next += 1;
        let inside = open(&path)?;
        let mut names: Vec<(OsString, EntryKind)> = Vec::new();
        read_names(inside.as_fd(), |name, kind| names.push((name.to_owned(), kind)))?;
        for (name, kind) in names {
            match kind {
                EntryKind::Directory => directories.push(path.join(name)),
                _ => absent_is_fine(fs::unlinkat(&inside, &*name, AtFlags::empty()))?,
            }
        }
    }
    // The first is the top itself; children come after their parents.
    for path in directories.iter().skip(1).rev() {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { continue };
        absent_is_fine(fs::unlinkat(open(parent)?, name, AtFlags::REMOVEDIR))?;
    }
    absent_is_fine(fs::unlinkat(directory, name, AtFlags::REMOVEDIR))
}

fn absent_is_fine(result: Result<(), Errno>) -> Result<(), Errno> {
    match result {
        Err(Errno::NOENT) => Ok(()),
        other => other,
    }
}

/// The mode of directories that a commit makes; the process's umask cuts it.
pub(crate) const DIRECTORY_MODE: Mode = Mode::from_bits_retain(0o777);
