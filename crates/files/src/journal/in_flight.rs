//! The temporary names that each process has created in workspaces, so that another one can clean up after a kill.
//!
//! Every process has a list in the state directory, out of reach of programs in the workspace, and holds a lock on it for as
//! long as it lives. A list whose lock is free belongs to a dead process. Only regular files that stand in such a list are
//! removed, never a folder: a folder that was being deleted stays under its temporary name, where it can be seen.

use crate::atomic::fresh_name;
use crate::state::StateDirectory;
use parking_lot::Mutex;
use rustix::fd::AsFd as _;
use rustix::fs::{self, AtFlags, FlockOperation, Mode, OFlags};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A list is emptied once it is this long and nothing is in flight.
const LONG: usize = 64 << 10;

/// The lists of one state directory, and the one of this process.
#[derive(Debug)]
pub(crate) struct InFlight {
    lists: StateDirectory,
    own: Mutex<Own>,
}

#[derive(Debug, Default)]
struct Own {
    list: Option<List>,
    length: usize,
    commits: usize,
}

/// The list of this process, locked.
#[derive(Debug)]
struct List {
    file: File,
    name: OsString,
}

/// A commit under way.
#[derive(Debug)]
pub(crate) struct Committing<'a>(&'a InFlight);

impl InFlight {
    pub(crate) fn new(lists: StateDirectory) -> Self {
        Self { lists, own: Mutex::default() }
    }

    /// A commit begins. The first one of a process sweeps what dead ones left.
    pub(crate) fn begin(&self) -> Committing<'_> {
        let mut own = self.own.lock();
        if own.list.is_none() {
            self.sweep();
            own.list = self.list();
        }
        own.commits = own.commits.saturating_add(1);
        Committing(self)
    }

    /// Notes names before they are made. Without its note, a file that a kill leaves is not swept.
    pub(crate) fn note(&self, paths: &[PathBuf]) {
        let mut own = self.own.lock();
        let lines: Vec<u8> = paths.iter().flat_map(|path| [path.as_os_str().as_bytes(), b"\0"].concat()).collect();
        // ignored: a full disk fails the commit itself.
        if own.list.as_mut().is_some_and(|list| list.file.write_all(&lines).is_ok()) {
            own.length = own.length.saturating_add(lines.len());
        }
    }

    /// A new list, locked. None where state cannot be written or locked.
    fn list(&self) -> Option<List> {
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        loop {
            let name = fresh_name();
            let list = fs::openat(self.lists.handle(), &*name, flags, Mode::RUSR | Mode::WUSR).ok()?;
            fs::flock(&list, FlockOperation::LockExclusive).ok()?;
            // A sweep may have taken it for a dead process's before it was locked.
            if fs::fstat(&list).ok()?.st_nlink > 0 {
                return Some(List { file: File::from(list), name });
            }
        }
    }

    /// Removes the files in the lists of dead processes, and the lists.
    pub(crate) fn sweep(&self) {
        // ignored: lists that cannot be read are left to the next process.
        let _ = crate::disk::read_names(self.lists.handle().as_fd(), |name, _| {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let Ok(list) = fs::openat(self.lists.handle(), name, flags, Mode::empty()) else { return };
            if fs::flock(&list, FlockOperation::NonBlockingLockExclusive).is_err() {
                return;
            }
            // The lock is held until the list is gone.
            let (mut list, mut paths) = (File::from(list), Vec::new());
            if list.read_to_end(&mut paths).is_ok() {
                for path in paths.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
                    remove(Path::new(OsStr::from_bytes(path)));
                }
                // ignored: the next sweep tries again.
                let _ = fs::unlinkat(self.lists.handle(), name, AtFlags::empty());
            }
        });
    }
}

/// Removes a regular file.
fn remove(path: &Path) {
    if path.symlink_metadata().is_ok_and(|found| found.is_file()) {
        // ignored: what cannot be removed can be seen.
        let _ = std::fs::remove_file(path);
    }
}

impl Drop for Committing<'_> {
    fn drop(&mut self) {
        let mut own = self.0.own.lock();
        own.commits = own.commits.saturating_sub(1);
        if own.commits == 0 && own.length > LONG && own.list.as_ref().is_some_and(|list| list.file.set_len(0).is_ok()) {
            own.length = 0;
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let own = self.own.get_mut();
        if let (Some(list), 0) = (&own.list, own.commits) {
            // ignored: the next process sweeps it.
            let _ = fs::unlinkat(self.lists.handle(), &*list.name, AtFlags::empty());
        }
    }
}
