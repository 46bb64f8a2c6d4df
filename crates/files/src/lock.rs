//! One change of a workspace at a time, over all threads and processes ([`Turns`]), and one writer per directory, also over
//! processes that keep their state elsewhere. The system drops the locks when a process dies.

use crate::disk::Disk;
use crate::errors::file_error;
use crate::state::StateDirectory;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{FileError, FileErrorKind};
use parking_lot::{Mutex, MutexGuard};
use rustix::fd::{AsFd as _, BorrowedFd, OwnedFd};
use rustix::fs::{FlockOperation, Mode, OFlags, flock, fstat, openat};
use rustix::io::Errno;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long another process may hold a directory before a commit gives up.
const PATIENCE: Duration = Duration::from_secs(5);
/// The same for a turn: a program's turn may hold the copy of a large file.
const LONG_PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks at a lock, at most.
const LONGEST_PAUSE: Duration = Duration::from_millis(1);

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
    pub(crate) shown: &'a Path,
}

/// Turns at changing a workspace: what is judged in one stays as it was judged until the change is made.
///
/// The lock is a file in the state directory, which no program can reach. Without one that can be used it is the workspace's own folder.
#[derive(Debug)]
pub(crate) struct Turns {
    lock: OwnedFd,
    shown: PathBuf,
    /// The folder that is the lock.
    folder: Option<(u64, u64)>,
}

/// Where the lock of a workspace lies.
#[derive(Debug, Default)]
pub(crate) struct TurnsPlace {
    state: Option<PathBuf>,
    /// The state directory, and the name in it.
    known: OnceLock<(StateDirectory, String)>,
}

impl TurnsPlace {
    pub(crate) fn in_state(state: Option<PathBuf>) -> Self {
        Self { state, known: OnceLock::new() }
    }

    pub(crate) fn state(&self) -> Option<PathBuf> {
        self.state.clone()
    }

    /// # Errors
    /// The lock cannot be opened.
    pub(crate) fn turns(&self, disk: &Disk) -> Result<Turns, FileError> {
        let shown = disk.workspace().to_owned();
        let root = CanonicalPath::new(Root::Workspace, PathBuf::new());
        if let Some(lock) = self.kept(disk, &root)? {
            return Ok(Turns { lock, shown, folder: None });
        }
        let lock = disk.open_directory(&root)?;
        let stat = fstat(&lock).map_err(|errno| file_error(errno, shown.display()))?;
        Ok(Turns { lock, shown, folder: Some((stat.st_dev, stat.st_ino)) })
    }

    /// The lock in the state directory; none where there is no such directory, or it cannot be used.
    fn kept(&self, disk: &Disk, root: &CanonicalPath) -> Result<Option<OwnedFd>, FileError> {
        let Some(state) = &self.state else { return Ok(None) };
        if self.known.get().is_none() {
            let Ok(opened) = StateDirectory::open(state) else { return Ok(None) };
            let (_, stat) = disk.look(root)?;
            // ignored: another thread found the same.
            let _ = self.known.set((opened, format!("turns-{:x}-{:x}", stat.st_dev, stat.st_ino)));
        }
        let flags = OFlags::RDONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let known = self.known.get();
        Ok(known.and_then(|(state, name)| openat(state.handle(), &**name, flags, Mode::RUSR | Mode::WUSR).ok()))
    }
}

impl Turns {
    /// Waits for the next turn, which lasts until [`Self::end`].
    ///
    /// # Errors
    /// When another process does not end its own.
    pub(crate) fn take(&self) -> Result<(), FileError> {
        wait_for((self.lock.as_fd(), &self.shown), Instant::now() + LONG_PATIENCE)
    }

    /// Ends the turn, if there is one.
    pub(crate) fn end(&self) {
        // ignored: closing the handle ends it, too.
        let _ = flock(&self.lock, FlockOperation::Unlock);
    }
}

impl Drop for Turns {
    /// A child that is about to begin another program may hold the handle a moment longer.
    fn drop(&mut self) {
        self.end();
    }
}

/// Locks all directories, but for the one that is locked for the whole turn.
///
/// # Errors
/// When another process keeps one locked.
pub(crate) fn lock(directories: &mut [Lockable<'_>], turns: &Turns) -> Result<Held, FileError> {
    let mut places: Vec<usize> = directories.iter().map(|directory| place(directory.identity)).collect();
    places.sort_unstable();
    places.dedup();
    let threads = places.iter().filter_map(|at| THREADS.get(*at)).map(|mutex| mutex.lock()).collect();
    directories.sort_by_key(|directory| directory.identity);
    let deadline = Instant::now() + PATIENCE;
    let mut last = None;
    for directory in directories.iter() {
        // The same directory under two names (a bind mount) has one lock: twice would be waiting for oneself.
        if last != Some(directory.identity) && turns.folder != Some(directory.identity) {
            wait_for((directory.handle, directory.shown), deadline)?;
        }
        last = Some(directory.identity);
    }
    Ok(Held { _threads: threads })
}

fn place((device, inode): (u64, u64)) -> usize {
    let mixed = (device ^ inode).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
    usize::try_from(mixed).unwrap_or_default()
}

fn wait_for((handle, shown): (BorrowedFd<'_>, &Path), deadline: Instant) -> Result<(), FileError> {
    let mut pause = Duration::from_micros(20);
    loop {
        match flock(handle, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) if Instant::now() < deadline => {
                std::thread::sleep(pause);
                pause = LONGEST_PAUSE.min(pause * 2);
            }
            Err(Errno::WOULDBLOCK) => {
                return Err(FileError::new(FileErrorKind::Io, shown.display().to_string())
                    .detail("another process keeps this directory locked; try again when it is done"));
            }
            Err(Errno::INTR) => {}
            // A file system without locks: the content is checked all the same.
            Ok(()) | Err(_) => return Ok(()),
        }
    }
}
