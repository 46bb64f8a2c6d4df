//! Makes several changes or none.
//!
//! | Phase | What happens | A failure leaves |
//! |---|---|---|
//! | plan | every path is judged, changes that fight each other are refused | nothing |
//! | prepare | parents are made, new content is written beside its target and synced | nothing: made things are removed |
//! | examine | under the directories' locks: what stands there is compared with what was expected, and kept for undo | nothing |
//! | execute | what git would obey is judged, names are swapped, and what came out of a swap is compared once more | nothing: swaps are swapped back |
//! | finish | what was replaced is removed, directories are synced | everything, and an error that says so |
//!
//! The surprising decision: a file is replaced by *exchanging* the names of the old and the new one. So the old one is
//! still there to go back to, and one that slipped in after the comparison is seen instead of lost.

mod attributes;
mod examine;
mod execute;
mod judge;
mod plan;
mod prepare;

use crate::atomic;
use crate::disk::Disk;
use crate::errors::file_error;
use crate::lock::{self, Lockable, Turns};
use judge::Judge;
use palanca_core::call::CanonicalPath;
use palanca_core::ports::{Change, ChangeOrigin, Committed, ContentHash, Expect, FileError};
pub(crate) use plan::waiting_rooms;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, FlockOperation, Stat, flock, unlinkat};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) fn commit(disk: &Disk, changes: &[Change], origin: &ChangeOrigin) -> Result<Vec<Committed>, FileError> {
    let starts = plan::check(disk, changes)?;
    let _in_flight = disk.journal().map(|journal| journal.in_flight.begin());
    let mut judge = Judge::of(disk)?;
    if judge.concerns(changes) {
        // Folders are made while new content is written, which others do not wait for otherwise.
        judge.take_turn()?;
    }
    let mut work = prepare::prepare((disk, &mut judge), changes, &starts)?;
    judge.take_turn()?;
    let held = work.lock(disk, judge.turns())?;
    let examined = examine::examine(disk, &work, origin)?;
    execute::execute((disk, &mut judge), &mut work, &examined.identities).inspect_err(|_| {
        if let (Some(journal), Some(line)) = (disk.journal(), examined.line) {
            journal.withdraw(origin, line);
        }
    })?;
    work.unlock();
    drop((held, judge));
    // Others need not wait for the disk: what they see is what they would see after it.
    execute::sync(&work)?;
    Ok(examined.committed)
}

/// What the changes before this one have done to its path.
#[derive(Clone, Copy, Debug)]
enum Start<'a> {
    /// Nothing: it is as the disk says.
    AsIs,
    /// Taken away, so nothing stands there.
    Gone,
    /// As the disk says; a folder there makes room if nothing but folders is left in it.
    Emptied,
    /// Put there from another name.
    MovedFrom(&'a CanonicalPath),
}

/// A directory of the workspace in which names change.
pub(crate) struct Directory {
    handle: Arc<OwnedFd>,
    pub(crate) path: PathBuf,
    pub(crate) identity: atomic::Identity,
    /// It is made when the file that has its name is gone. Until then it is the nearest one above that stands.
    pending: Option<Pending>,
}

/// The place of a directory that is still to be made.
struct Pending {
    parent: usize,
    name: OsString,
}

/// A name in one of the directories.
struct Spot {
    directory: usize,
    name: OsString,
}

/// Which file it is, and whether its content was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    size: i64,
    modified: (i64, i64),
    kind: u32,
}

impl Identity {
    fn of(stat: &Stat) -> Self {
        Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            size: stat.st_size,
            modified: (stat.st_mtime, i64::try_from(stat.st_mtime_nsec).unwrap_or_default()),
            kind: stat.st_mode & 0o170_000,
        }
    }

    const fn is_directory(&self) -> bool {
        self.kind == 0o040_000
    }

    /// A directory's size and time change with what is in it, which is looked at by itself.
    fn matches(&self, stat: &Stat) -> bool {
        let other = Self::of(stat);
        if self.is_directory() { (self.device, self.inode) == (other.device, other.inode) } else { *self == other }
    }
}

/// One change, ready to be made.
enum Ready<'a> {
    Write {
        path: &'a CanonicalPath,
        spot: Spot,
        expect: Expect,
        start: Start<'a>,
        content: &'a [u8],
        temporary: atomic::Temporary,
        after: ContentHash,
    },
    Delete {
        path: &'a CanonicalPath,
        spot: Spot,
        expect: Expect,
    },
    Move {
        from: &'a CanonicalPath,
        from_spot: Spot,
        to: &'a CanonicalPath,
        to_spot: Spot,
        to_start: Start<'a>,
    },
    Made {
        path: &'a CanonicalPath,
    },
}

/// Everything that is ready, and what to take back when it is not made.
struct Work<'a> {
    directories: Vec<Directory>,
    /// Directories that were made for this commit, parents first: where, and under which name.
    made: Vec<(Spot, PathBuf)>,
    ready: Vec<Ready<'a>>,
    done: bool,
}

impl Work<'_> {
    /// Locks the directories, and makes sure that each is still where it was opened: another commit may have moved it.
    fn lock(&self, disk: &Disk, turns: &Turns) -> Result<lock::Held, FileError> {
        let mut lockable: Vec<Lockable<'_>> = self
            .directories
            .iter()
            .filter(|directory| directory.pending.is_none())
            .map(|directory| Lockable {
                handle: directory.handle.as_fd(),
                identity: directory.identity,
                shown: &directory.path,
            })
            .collect();
        let held = lock::lock(&mut lockable, turns)?;
        for directory in self.directories.iter().filter(|directory| directory.pending.is_none()) {
            prepare::still_there(disk, directory)?;
        }
        Ok(held)
    }

    fn unlock(&self) {
        for directory in &self.directories {
            // ignored: closing the handle unlocks it too.
            let _ = flock(&directory.handle, FlockOperation::Unlock);
        }
    }

    fn directory(&self, spot: &Spot) -> Result<&Directory, FileError> {
        self.directories.get(spot.directory).ok_or_else(|| file_error(rustix::io::Errno::NOENT, spot.name.display()))
    }
}

impl Drop for Work<'_> {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        // Temporaries first: directories must be empty to go.
        self.ready.clear();
        for (spot, _) in self.made.iter().rev() {
            if let Some(directory) = self.directories.get(spot.directory) {
                // ignored: a directory that someone else uses by now stays.
                let _ = unlinkat(&directory.handle, &*spot.name, AtFlags::REMOVEDIR);
            }
        }
    }
}
