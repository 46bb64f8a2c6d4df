//! Files that exist under a temporary name until they are complete.
//!
//! The name is random and beside its target, so that one rename within the directory puts it in place (`O_TMPFILE` cannot:
//! linking never replaces). Whatever a killed process left is recognised by its name and swept by a later commit in the
//! same directory: the name tells the process, and the process's lock on the file tells that it still lives.

use crate::beneath::file_type;
use crate::remove;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, getpid, test_kill_process};
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How long a directory is trusted to hold no leftovers once it was swept.
const SWEEP_AGAIN: Duration = Duration::from_secs(60);
/// Leftovers of a process number that lives again as some other program.
const SURELY_STALE: Duration = Duration::from_secs(600);
/// How many files one commit keeps locked; beyond, the process number alone protects them.
pub(crate) const MOST_LOCKED: usize = 200;
/// Threads that wait for the disk at once; more than eight gain nothing on one device.
const SYNC_THREADS: usize = 8;

/// Distinguishes this process from an earlier one of the same number, as in containers, where all are number 1.
static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(SystemTime::now()));

/// A name that nobody can guess and a sweep can judge: `.palanca-<process>-<token>-<random>.tmp`.
pub(crate) fn fresh_name() -> OsString {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    let random = SEED.hash_one(COUNT.fetch_add(1, Ordering::Relaxed));
    format!(".palanca-{}-{:016x}-{random:016x}.tmp", getpid().as_raw_nonzero(), *PROCESS).into()
}

/// Whether this room made the name; such files are shown to nobody.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    parse(name).is_some()
}

fn parse(name: &OsStr) -> Option<(i32, u64)> {
    if !name.as_bytes().starts_with(b".palanca-") {
        return None;
    }
    let mut parts = name.to_str()?.strip_prefix(".palanca-")?.strip_suffix(".tmp")?.split('-');
    let process = parts.next()?.parse().ok()?;
    let [token, random] = [parts.next()?, parts.next()?];
    if parts.next().is_some() || token.len() != 16 || random.len() != 16 {
        return None;
    }
    u64::from_str_radix(random, 16).ok()?;
    Some((process, u64::from_str_radix(token, 16).ok()?))
}

/// A file under a temporary name, removed when dropped unless it was put in place.
#[derive(Debug)]
pub(crate) struct Temporary {
    directory: Arc<OwnedFd>,
    name: OsString,
    file: Option<File>,
    armed: bool,
}

impl Temporary {
    /// Makes an empty file. `mode` is cut by the process's umask.
    pub(crate) fn create(directory: &Arc<OwnedFd>, mode: Mode) -> Result<Self, Errno> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        loop {
            let name = fresh_name();
            match fs::openat(directory, &*name, flags, mode) {
                Ok(file) => {
                    // ignored: where locks do not work, the process number in the name protects the file.
                    let _ = fs::flock(&file, FlockOperation::NonBlockingLockExclusive);
                    let file = Some(File::from(file));
                    return Ok(Self { directory: Arc::clone(directory), name, file, armed: true });
                }
                Err(Errno::EXIST | Errno::INTR) => {}
                Err(errno) => return Err(errno),
            }
        }
    }

    pub(crate) fn name(&self) -> &OsStr {
        &self.name
    }

    pub(crate) const fn file(&self) -> Option<&File> {
        self.file.as_ref()
    }

    pub(crate) fn write(&mut self, content: &[u8]) -> std::io::Result<()> {
        match &mut self.file {
            Some(file) => file.write_all(content),
            None => Err(std::io::ErrorKind::NotFound.into()),
        }
    }

    /// Lets go of the handle, and of its lock; the file stays.
    pub(crate) fn close(&mut self) {
        self.file = None;
    }

    /// Whatever is under the name now stays there.
    pub(crate) const fn disarm(&mut self) {
        self.armed = false;
    }

    /// Removes the old file that an exchange left under the name, if one did.
    pub(crate) fn remove_displaced(&mut self) -> Result<(), Errno> {
        if !std::mem::take(&mut self.armed) {
            return Ok(());
        }
        fs::unlinkat(&self.directory, &*self.name, AtFlags::empty())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.armed {
            // ignored: a leftover is swept by the next commit in its directory.
            let _ = fs::unlinkat(&self.directory, &*self.name, AtFlags::empty());
        }
    }
}

/// Makes sure that the content of every file is on the disk.
pub(crate) fn sync_files(files: &[&File]) -> std::io::Result<()> {
    let threads = SYNC_THREADS.min(files.len() / 2);
    if threads < 2 {
        return files.iter().try_for_each(|file| file.sync_all());
    }
    let next = AtomicU64::new(0);
    let work = || -> std::io::Result<()> {
        let take = || usize::try_from(next.fetch_add(1, Ordering::Relaxed)).ok().and_then(|at| files.get(at));
        while let Some(file) = take() {
            file.sync_all()?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let started: Vec<_> =
            (1..threads).filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let mine = work();
        let panicked = || Err(std::io::Error::other("a syncing thread panicked"));
        started.into_iter().map(|thread| thread.join().unwrap_or_else(|_| panicked())).fold(mine, Result::and)
    })
}

/// Makes sure that the names in a directory are on the disk. Some file systems have nothing to sync there.
pub(crate) fn sync_directory(directory: BorrowedFd<'_>) -> Result<(), Errno> {
    match fs::fsync(directory) {
        Err(Errno::INVAL | Errno::ROFS) => Ok(()),
        other => other,
    }
}

/// Replaces or makes one file, with everything that durability needs: for the program's own files.
pub(crate) fn replace(directory: &Arc<OwnedFd>, name: &OsStr, content: &[u8], mode: Mode) -> std::io::Result<()> {
    let mut temporary = Temporary::create(directory, mode)?;
    temporary.write(content)?;
    temporary.file().map_or(Ok(()), File::sync_all)?;
    fs::renameat(directory, temporary.name(), directory, name)?;
    temporary.disarm();
    sync_directory(directory.as_fd())?;
    Ok(())
}

/// Which directories were swept when.
#[derive(Debug, Default)]
pub(crate) struct Swept(Mutex<HashMap<(u64, u64), Instant>>);

impl Swept {
    /// Removes what dead processes left in a directory, unless that was done a moment ago. The caller holds its lock.
    pub(crate) fn sweep(&self, directory: BorrowedFd<'_>, identity: (u64, u64)) {
        let now = Instant::now();
        {
            let mut swept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if swept.get(&identity).is_some_and(|last| now.duration_since(*last) < SWEEP_AGAIN) {
                return;
            }
            swept.retain(|_, last| now.duration_since(*last) < SWEEP_AGAIN);
            swept.insert(identity, now);
        }
        let mut stale = Vec::new();
        // ignored: a directory whose names cannot be read is not swept.
        let _ = crate::disk::read_names(directory, |name, _| {
            if let Some((process, token)) = parse(name)
                && token != *PROCESS
                && is_dead(directory, name, process)
            {
                stale.push(name.to_owned());
            }
        });
        for name in stale {
            // ignored: the next sweep tries again.
            let _ = remove::entry(directory, &name);
        }
    }
}

fn is_dead(directory: BorrowedFd<'_>, name: &OsStr, process: i32) -> bool {
    let Ok(stat) = fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) else { return false };
    if file_type(&stat) == FileType::RegularFile {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let held = fs::openat(directory, name, flags, Mode::empty())
            .and_then(|file| fs::flock(file, FlockOperation::NonBlockingLockExclusive));
        if held == Err(Errno::WOULDBLOCK) {
            return false;
        }
    }
    let alive = process != getpid().as_raw_nonzero().get()
        && Pid::from_raw(process).is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH));
    let age = crate::disk::time(stat.st_ctime, stat.st_ctime_nsec)
        .and_then(|changed| SystemTime::now().duration_since(changed).ok());
    !alive || age.is_some_and(|age| age > SURELY_STALE)
}

#[cfg(test)]
mod tests;
