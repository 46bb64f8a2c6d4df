//! Files that exist under a temporary name until they are complete.
//!
//! The name is random and beside its target, so that one rename within the directory puts it in place (`O_TMPFILE` cannot:
//! linking never replaces). A name alone proves nothing, since any program in the workspace can make one like it: what this
//! process has in flight is known by directory and name, and what a killed process left, by the list that it kept
//! ([`crate::journal::in_flight`]). Only the program's own state folders are swept by name.

use parking_lot::Mutex;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{self, AtFlags, FlockOperation, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use rustix::process::{Pid, getpid, test_kill_process};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::SystemTime;

/// Threads that wait for the disk at once; more than eight gain nothing on one device.
const SYNC_THREADS: usize = 8;

/// The number of this process, and what distinguishes it from an earlier one of the same number, as in containers,
/// where all are number 1.
static PROCESS: LazyLock<String> = LazyLock::new(|| {
    let token = RandomState::new().hash_one(SystemTime::now());
    format!("{}-{token:016x}", getpid().as_raw_nonzero())
});

/// A directory, by device and inode.
pub(crate) type Identity = (u64, u64);

/// The temporary names of this process that exist or are about to.
static IN_FLIGHT: LazyLock<Mutex<HashSet<(Identity, OsString)>>> = LazyLock::new(Mutex::default);

/// Identifies an open directory.
pub(crate) fn identity(directory: impl AsFd) -> Result<Identity, Errno> {
    fs::fstat(directory).map(|stat| (stat.st_dev, stat.st_ino))
}

/// A random name, `.palanca-<process>-<token>-<random>.tmp`.
pub(crate) fn fresh_name() -> OsString {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    let random = SEED.hash_one(COUNT.fetch_add(1, Ordering::Relaxed));
    format!(".palanca-{}-{random:016x}.tmp", *PROCESS).into()
}

/// A temporary name that listings and masks leave out as long as this value lives.
#[derive(Debug)]
pub(crate) struct Name {
    directory: Identity,
    name: OsString,
}

impl Name {
    /// A fresh name in a directory.
    pub(crate) fn fresh(directory: Identity) -> Self {
        Self::new(directory, fresh_name())
    }

    /// A name that was made by [`fresh_name`].
    pub(crate) fn new(directory: Identity, name: OsString) -> Self {
        IN_FLIGHT.lock().insert((directory, name.clone()));
        Self { directory, name }
    }
}

impl std::ops::Deref for Name {
    type Target = OsStr;

    fn deref(&self) -> &OsStr {
        &self.name
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        let entry = (self.directory, std::mem::take(&mut self.name));
        IN_FLIGHT.lock().remove(&entry);
    }
}

/// Whether this process is at work on the name in this directory; such files are never shown.
pub(crate) fn is_in_flight(directory: impl AsFd, name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".palanca-")
        && identity(directory).is_ok_and(|directory| {
            let entry = (directory, name.to_owned());
            IN_FLIGHT.lock().contains(&entry)
        })
}

/// The process that made a temporary name, in a folder where only this program makes any.
pub(crate) fn maker(name: &OsStr) -> Option<i32> {
    let mut parts = name.to_str()?.strip_prefix(".palanca-")?.strip_suffix(".tmp")?.split('-');
    let process = parts.next()?.parse().ok()?;
    let is_hex = |part: &str| part.len() == 16 && u64::from_str_radix(part, 16).is_ok();
    (is_hex(parts.next()?) && is_hex(parts.next()?) && parts.next().is_none()).then_some(process)
}

/// A file under a temporary name, removed when dropped unless it was put in place.
#[derive(Debug)]
pub(crate) struct Temporary {
    directory: Arc<OwnedFd>,
    name: Name,
    file: Option<File>,
    armed: bool,
}

impl Temporary {
    /// Makes an empty file in one of the program's own folders, locked: [`sweep_state`] leaves it alone. `mode` is cut
    /// by the process's umask.
    pub(crate) fn create(directory: &Arc<OwnedFd>, mode: Mode) -> Result<Self, Errno> {
        let made = Self::create_as(directory, Name::fresh(identity(directory)?), mode)?;
        if let Some(file) = &made.file {
            // ignored: where locks do not work, the process number in the name protects the file.
            let _ = fs::flock(file, FlockOperation::NonBlockingLockExclusive);
        }
        Ok(made)
    }

    /// As [`Self::create`], but not locked, under a name that was chosen before.
    pub(crate) fn create_as(directory: &Arc<OwnedFd>, name: Name, mode: Mode) -> Result<Self, Errno> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::io::retry_on_intr(|| fs::openat(directory, &*name, flags, mode))?;
        Ok(Self { directory: Arc::clone(directory), name, file: Some(File::from(file)), armed: true })
    }

    pub(crate) fn name(&self) -> &OsStr {
        &self.name
    }

    /// Where it waits.
    pub(crate) const fn directory(&self) -> &Arc<OwnedFd> {
        &self.directory
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

    /// Another handle on the file.
    pub(crate) fn open(&self) -> Result<File, Errno> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        fs::openat(&self.directory, &*self.name, flags, Mode::empty()).map(File::from)
    }

    /// Lets go of the handle; the file stays.
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
            // ignored: a leftover is swept by the next process.
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

/// Gives a file or directory an unused name.
pub(crate) fn rename_to_free((from, old): (&OwnedFd, &OsStr), (to, new): (&OwnedFd, &OsStr)) -> Result<(), Errno> {
    match fs::renameat_with(from, old, to, new, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
        other => return other,
    }
    // A file system without that flag: a second name cannot replace anything either.
    match fs::linkat(from, old, to, new, AtFlags::empty()) {
        Ok(()) => fs::unlinkat(from, old, AtFlags::empty()),
        Err(Errno::EXIST) => Err(Errno::EXIST),
        Err(_) => match fs::statat(to, new, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Err(Errno::EXIST),
            Err(_) => fs::renameat(from, old, to, new),
        },
    }
}

/// Removes the temporary files that dead processes left in a folder of the program's own state.
pub(crate) fn sweep_state(folder: BorrowedFd<'_>) {
    let mut stale = Vec::new();
    // ignored: a folder whose names cannot be read is not swept.
    let _ = crate::disk::read_names(folder, |name, _| {
        if maker(name).is_some_and(|process| is_dead(folder, name, process)) {
            stale.push(name.to_owned());
        }
    });
    for name in stale {
        // ignored: the next sweep tries again.
        let _ = fs::unlinkat(folder, name, AtFlags::empty());
    }
}

fn is_dead(folder: BorrowedFd<'_>, name: &OsStr, process: i32) -> bool {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let held = fs::openat(folder, name, flags, Mode::empty())
        .and_then(|file| fs::flock(file, FlockOperation::NonBlockingLockExclusive));
    held != Err(Errno::WOULDBLOCK)
        && Pid::from_raw(process).is_none_or(|pid| test_kill_process(pid) == Err(Errno::SRCH))
}

#[cfg(test)]
mod tests;
