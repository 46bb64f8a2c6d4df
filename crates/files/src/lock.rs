//! One writer per directory: threads of this process wait for each other in memory, processes by a lock on the directory
//! itself. The system drops that lock when a process dies, and it leaves no file behind.

use palanca_core::ports::{FileError, FileErrorKind};
use parking_lot::{Mutex, MutexGuard};
use rustix::fd::BorrowedFd;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::time::{Duration, Instant};

/// How long another process may hold a directory before a commit gives up.
const PATIENCE: Duration = Duration::from_secs(5);

/// Directories share these by their number on the disk: a commit locks each at most once, in order, so none waits in a
/// circle, and two directories that share one only wait a little longer.
static THREADS: [Mutex<()>; 64] = [const { Mutex::new(()) }; 64];

/// Held until the commit is over. The processes' locks go with the directory handles.
pub(crate) struct Held {
    _threads: Vec<MutexGuard<'static, ()>>,
}

/// One directory to lock.
pub(crate) struct Lockable<'a> {
    pub(crate) handle: BorrowedFd<'a>,
    pub(crate) identity: (u64, u64),
    pub(crate) shown: &'a std::path::Path,
}

/// Locks all directories.
///
/// # Errors
/// When another process keeps one locked.
pub(crate) fn lock(directories: &mut [Lockable<'_>]) -> Result<Held, FileError> {
    let mut places: Vec<usize> = directories.iter().map(|directory| place(directory.identity)).collect();
    places.sort_unstable();
    places.dedup();
    let threads = places.iter().filter_map(|at| THREADS.get(*at)).map(|mutex| mutex.lock()).collect();
    directories.sort_by_key(|directory| directory.identity);
    let deadline = Instant::now() + PATIENCE;
    let mut last = None;
    for directory in directories.iter() {
        // The same directory under two names (a bind mount) has one lock: twice would be waiting for oneself.
        if last != Some(directory.identity) {
            wait_for(directory, deadline)?;
        }
        last = Some(directory.identity);
    }
    Ok(Held { _threads: threads })
}

fn place((device, inode): (u64, u64)) -> usize {
    let mixed = (device ^ inode).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
    usize::try_from(mixed).unwrap_or_default()
}

fn wait_for(directory: &Lockable<'_>, deadline: Instant) -> Result<(), FileError> {
    loop {
        match flock(directory.handle, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
            Err(Errno::WOULDBLOCK) => {
                return Err(FileError::new(FileErrorKind::Io, directory.shown.display().to_string())
                    .detail("another process keeps this directory locked; try again when it is done"));
            }
            Err(Errno::INTR) => {}
            // A file system without locks: the content is checked all the same.
            Ok(()) | Err(_) => return Ok(()),
        }
    }
}
