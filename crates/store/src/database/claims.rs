//! Session locks: a lock on a small file beside the database, released when its process dies.
//!
//! The file is named by a hash, so a session's id never becomes a path. It is removed on release, with the lock held; a
//! claim therefore checks that the file it locked still has that name. Cleaning up after killed processes locks files,
//! too, for a moment: it excludes claims by a lock on the folder, so that it is never mistaken for a holder.

use super::open;
use crate::error::StoreError;
use palanca_core::call::{Digest, SessionId};
use palanca_core::ports::{Claim, Fence, StoreFault};
use rustix::fd::OwnedFd;
use rustix::fs::{self, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf};

/// Hexadecimal digits of a name.
const DIGITS: usize = 32;
/// Number of leftover files that one claim looks for.
const SWEPT: usize = 64;

/// A locked file.
pub(super) struct Lock {
    file: OwnedFd,
    path: PathBuf,
}

impl Lock {
    /// The claim that it stands for.
    pub(super) fn claim(self, fence: Fence) -> Box<dyn Claim> {
        Box::new(Held { fence, _lock: self })
    }
}

struct Held {
    fence: Fence,
    _lock: Lock,
}

impl Claim for Held {
    fn fence(&self) -> Fence {
        self.fence
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if is_at(&self.file, &self.path) {
            // ignored: a file without a lock claims nothing.
            let _ = fs::unlink(&self.path);
        }
    }
}

/// Locks the session, or reports that another process has it.
pub(super) fn lock(database: &Path, session: &SessionId) -> Result<Lock, StoreFault> {
    let path = place(database, session);
    let broken = |error: io::Error| StoreFault::from(open::unmade(&path, &error));
    loop {
        open::make(&path).map_err(broken)?;
        let swept = folder(&path, FlockOperation::LockShared).map_err(|errno| broken(errno.into()))?;
        let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let file = match fs::open(&path, flags, Mode::empty()) {
            // Its last holder has just released it.
            Err(Errno::NOENT) => continue,
            opened => opened.map_err(|errno| broken(errno.into()))?,
        };
        match fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) if is_at(&file, &path) => {
                drop(swept);
                sweep(&path);
                return Ok(Lock { file, path });
            }
            Ok(()) | Err(Errno::INTR) => {}
            Err(Errno::WOULDBLOCK) => return Err(StoreFault::Held { what: named(session) }),
            Err(errno) => return Err(broken(errno.into())),
        }
    }
}

/// Whether a process has claimed the session.
pub(super) fn is_held(database: &Path, session: &SessionId) -> Result<bool, StoreFault> {
    let path = place(database, session);
    let broken = |errno: Errno| StoreFault::from(open::unmade(&path, &errno.into()));
    // Claims are excluded meanwhile, so that this check is never mistaken for a holder.
    let _alone = match folder(&path, FlockOperation::LockExclusive) {
        Err(Errno::NOENT) => return Ok(false),
        locked => locked.map_err(broken)?,
    };
    let file = match fs::open(&path, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(false),
        opened => opened.map_err(broken)?,
    };
    match rustix::io::retry_on_intr(|| fs::flock(&file, FlockOperation::NonBlockingLockShared)) {
        Ok(()) => Ok(false),
        Err(Errno::WOULDBLOCK) => Ok(true),
        Err(errno) => Err(broken(errno)),
    }
}

/// The folder of all claims, locked until it is dropped.
fn folder(claim: &Path, lock: FlockOperation) -> rustix::io::Result<OwnedFd> {
    let folder = fs::open(claim.parent().unwrap_or(claim), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::io::retry_on_intr(|| fs::flock(&folder, lock))?;
    Ok(folder)
}

/// Removes files without a holder, left by killed processes: a few at a time, and none during another claim.
fn sweep(own: &Path) {
    let Ok(_alone) = folder(own, FlockOperation::NonBlockingLockExclusive) else { return };
    let folder = own.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    for path in folder.into_iter().flatten().flatten().take(SWEPT).map(|entry| entry.path()).filter(|path| path != own)
    {
        let Ok(file) = fs::open(&path, OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW, Mode::empty()) else {
            continue;
        };
        if fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            // Dropped at once, which removes it.
            drop(Lock { file, path });
        }
    }
}

fn place(database: &Path, session: &SessionId) -> PathBuf {
    let mut name = Digest::of_bytes(session.as_str().as_bytes()).to_hex();
    name.truncate(DIGITS);
    database.with_file_name("claims").join(name)
}

/// Whether this file still has that name.
fn is_at(file: &OwnedFd, path: &Path) -> bool {
    match (fs::fstat(file), fs::lstat(path)) {
        (Ok(held), Ok(found)) => (held.st_dev, held.st_ino) == (found.st_dev, found.st_ino),
        _ => false,
    }
}

/// A session, as named in errors.
pub(super) fn named(session: &SessionId) -> String {
    format!("session {session}")
}

impl From<StoreError> for StoreFault {
    fn from(error: StoreError) -> Self {
        Self::Broken(error.message())
    }
}
