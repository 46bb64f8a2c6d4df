//! A directory that is removed on drop, whatever programs left in it.

use super::DIRECTORY;
use crate::beneath::{Mounts, Opener};
use crate::disk::read_names;
use crate::remove;
use palanca_core::ports::EntryKind;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, AtFlags, Mode};
use rustix::io::Errno;
use std::ffi::OsString;
use std::path::PathBuf;

/// A directory of our own with a random name.
pub(super) struct Place {
    pub(super) parent: OwnedFd,
    pub(super) name: OsString,
    pub(super) path: PathBuf,
}

impl Drop for Place {
    fn drop(&mut self) {
        let remove = || remove::entry(self.parent.as_fd(), &self.name);
        if remove() == Err(Errno::ACCESS) {
            self.open_up();
            // ignored: what cannot be removed lies where the system sweeps.
            let _ = remove();
        }
    }
}

impl Place {
    /// Directories that programs, or the kernel in its own, closed to everybody. Nothing runs in them any more.
    fn open_up(&self) {
        let opener = Opener::probe(self.parent.as_fd());
        let mut pending = vec![PathBuf::from(&self.name)];
        while let Some(path) = pending.pop() {
            let Ok(directory) = opener.open_within(self.parent.as_fd(), &path, DIRECTORY, Mounts::Stay) else {
                continue;
            };
            // ignored: what cannot be read now cannot be removed either.
            let _ = read_names(directory.as_fd(), |name, kind| {
                if kind == EntryKind::Directory {
                    let _ = fs::chmodat(&directory, name, Mode::RWXU, AtFlags::empty());
                    pending.push(path.join(name));
                }
            });
        }
    }
}
