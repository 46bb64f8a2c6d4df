//! The contents saved for one step of programs, in a separate folder, beside the record of the step.
//!
//! The record is written before each change and never synced: it outlives a kill of this process, not a power failure. It
//! is locked as long as its process lives; one whose lock is free belongs to a dead process and is settled by the next.

use super::Journal;
use crate::errors::io_error;
use crate::state::StateDirectory;
use palanca_core::ports::{FileError, FileErrorKind};
use rustix::fd::{AsFd as _, BorrowedFd};
use rustix::fs::{self, AtFlags, FlockOperation, Mode, OFlags, SeekFrom, Stat, Timespec, Timestamps};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::sync::atomic::Ordering;

const RECORD: &str = "record";
/// Ends the name of a link beside a copy.
pub(crate) const LINK: &str = ".link";
/// Bytes that the contents take, once the step is settled.
const SIZE: &str = "size";
/// A longer record is not read.
const LONGEST: u64 = 1 << 30;
/// Bytes that are copied at once.
const CHUNK: usize = 256 << 10;
/// By this part of their limit contents may grow before the oldest are looked for.
const SLACK: u64 = 16;

/// The contents of one step while it is being made.
#[derive(Debug)]
pub(crate) struct Batch {
    folder: StateDirectory,
    name: String,
    record: File,
    /// Of the record.
    length: u64,
    next: u32,
    copied: u64,
}

/// Which of the contents of a batch.
pub(crate) type Number = u32;

impl Batch {
    /// A new one. Its record begins with `header`.
    pub(crate) fn create(journal: &Journal, header: &[u8]) -> io::Result<Self> {
        let unique = crate::atomic::fresh_name().to_string_lossy().replace(".palanca-", "").replace(".tmp", "");
        let name = format!("{:013}-{unique}", super::now_ms());
        let folder = journal.batches.directory(&name).map_err(|error| error.source)?;
        let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let record = File::from(fs::openat(folder.handle(), "new", flags, Mode::RUSR | Mode::WUSR)?);
        fs::flock(&record, FlockOperation::LockExclusive)?;
        (&record).write_all(header)?;
        // Only a locked record has this name, so no other process takes it for one that was left behind.
        fs::renameat(folder.handle(), "new", folder.handle(), RECORD)?;
        let length = header.len().try_into().unwrap_or(u64::MAX);
        Ok(Self { folder, name, record, length, next: 0, copied: 0 })
    }

    /// Those that dead processes left, oldest first, each with its record.
    pub(crate) fn left_behind(journal: &Journal) -> Vec<(Self, Vec<u8>)> {
        let open = |name: String| {
            let folder = journal.batches.directory(&name).ok()?;
            let flags = OFlags::RDWR | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let record = File::from(fs::openat(folder.handle(), RECORD, flags, Mode::empty()).ok()?);
            fs::flock(&record, FlockOperation::NonBlockingLockExclusive).ok()?;
            let mut bytes = Vec::new();
            (&record).take(LONGEST).read_to_end(&mut bytes).ok()?;
            let length = bytes.len().try_into().ok()?;
            Some((Self { folder, name, record, length, next: 0, copied: 0 }, bytes))
        };
        journal.batches.names().unwrap_or_default().into_iter().filter_map(open).collect()
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// All of it or nothing: behind a torn piece nothing could be read.
    ///
    /// # Errors
    /// What the system reports.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.record.write_all(bytes);
        match &written {
            Ok(()) => self.length += u64::try_from(bytes.len()).unwrap_or_default(),
            // ignored: a file that cannot be made shorter cannot be written either.
            Err(_) => _ = self.record.set_len(self.length),
        }
        written
    }

    /// Keeps a file by a further name for it: it must not be written in place afterwards.
    ///
    /// # Errors
    /// Another file system, or one without links; a file that must not be linked.
    pub(crate) fn link(&mut self, parent: BorrowedFd<'_>, name: &OsStr) -> Result<Number, Errno> {
        let number = self.next;
        fs::linkat(parent, name, self.folder.handle(), number.to_string(), AtFlags::empty())?;
        self.next += 1;
        Ok(number)
    }

    /// Keeps a file by a copy, which shares blocks with it where the file system can. Holes stay holes. The copy has the
    /// file's time.
    ///
    /// # Errors
    /// More than `limit` bytes copied in this batch; what the system reports.
    pub(crate) fn copy(&mut self, from: &File, stat: &Stat, limit: u64) -> Result<Number, FileError> {
        let number = self.next;
        let name = number.to_string();
        let failed = |error: io::Error| io_error(&error, self.folder.path().display());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let to = fs::openat(self.folder.handle(), &*name, flags, Mode::RUSR | Mode::WUSR);
        let to = File::from(to.map_err(|errno| failed(errno.into()))?);
        let taken = u64::try_from(stat.st_blocks).unwrap_or_default().saturating_mul(512);
        let size = u64::try_from(stat.st_size).unwrap_or_default();
        let copied = if fs::ioctl_ficlone(&to, from).is_ok() {
            Ok(())
        } else if self.copied.saturating_add(taken.min(size)) > limit {
            Err(FileError::new(FileErrorKind::TooLarge, "").detail(format!(
                "its {} MiB cannot be kept for undo: one command may replace {} MiB; set `undo.max_bytes` higher, or \
                 `undo.commands` to false",
                size.div_ceil(1 << 20),
                limit >> 20
            )))
        } else {
            self.copied = self.copied.saturating_add(taken.min(size));
            copy_data(from, &to, size).map_err(failed)
        };
        if let Err(error) = copied.and_then(|()| set_time(&to, stat).map_err(|errno| failed(errno.into()))) {
            self.remove(number);
            return Err(error);
        }
        self.next += 1;
        Ok(number)
    }

    /// A linked file that still has other names gets a copy of its content: whoever writes it through one of them would
    /// change what was kept. The link stays beside it, to tie the names together again.
    pub(crate) fn detach(&self, number: Number) {
        let (name, folder) = (number.to_string(), self.folder.handle());
        let Ok(stat) = fs::statat(folder, &*name, AtFlags::SYMLINK_NOFOLLOW) else { return };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(from) = fs::openat(folder, &*name, flags, Mode::empty()).map(File::from) else { return };
        let copied = || -> io::Result<()> {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC;
            let to = File::from(fs::openat(folder, "new", flags, Mode::RUSR | Mode::WUSR)?);
            if fs::ioctl_ficlone(&to, &from).is_err() {
                copy_data(&from, &to, u64::try_from(stat.st_size).unwrap_or_default())?;
            }
            set_time(&to, &stat)?;
            fs::renameat(folder, &*name, folder, format!("{name}{LINK}"))?;
            Ok(fs::renameat(folder, "new", folder, &*name)?)
        };
        if stat.st_nlink > 1 {
            // ignored: the link alone is taken only while its time says that it is unchanged.
            let _ = copied();
        }
    }

    /// Gives a content the time that its file had first: the program may have changed that before it went.
    pub(crate) fn dated(&self, number: Number, (tv_sec, tv_nsec): (i64, i64)) {
        let time = Timespec { tv_sec, tv_nsec };
        let times = Timestamps { last_access: time, last_modification: time };
        // ignored: a content with another time is not taken.
        let _ = fs::utimensat(self.folder.handle(), number.to_string(), &times, AtFlags::SYMLINK_NOFOLLOW);
    }

    pub(crate) fn remove(&self, number: Number) {
        // ignored: it is removed with its batch.
        let _ = fs::unlinkat(self.folder.handle(), number.to_string(), AtFlags::empty());
    }

    /// The name of one of the contents in the journal.
    pub(crate) fn place(&self, number: Number) -> String {
        format!("{}/{number}", self.name)
    }

    /// The record is settled; only these contents are still needed.
    pub(crate) fn close(self, journal: &Journal, needed: &BTreeSet<Number>) {
        // ignored, all of it: what stays takes room until the batch is forgotten, and settling twice does no harm.
        for name in self.folder.names().unwrap_or_default() {
            if name.parse().is_ok_and(|number: Number| !needed.contains(&number)) || name == "new" {
                let _ = self.folder.remove(&name);
            }
        }
        if !needed.is_empty() {
            let taken: u64 = needed.iter().map(|number| taken(&self.folder, &number.to_string())).sum();
            journal.recent.fetch_add(taken, Ordering::Relaxed);
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC;
            if let Ok(file) = fs::openat(self.folder.handle(), SIZE, flags, Mode::RUSR | Mode::WUSR) {
                let _ = File::from(file).write_all(taken.to_string().as_bytes());
            }
        }
        let _ = self.folder.remove(RECORD);
        if needed.is_empty() {
            let _ = fs::unlinkat(journal.batches.handle(), &*self.name, AtFlags::REMOVEDIR);
        }
    }
}

impl Journal {
    /// Opens what was kept at a place, if it is still what it was: a link could have been written through another name.
    pub(crate) fn open_batched(&self, place: &str, kept: &super::record::Kept) -> Option<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = fs::openat(self.batches.handle(), place, flags, Mode::empty()).ok()?;
        let stamp = super::entry::Stamp::of(&fs::fstat(&file).ok()?);
        let whole = stamp.size == kept.size && kept.stamp.is_none_or(|was| was.modified == stamp.modified);
        whole.then(|| File::from(file))
    }

    /// Forgets the contents of one line.
    pub(crate) fn forget_batches(&self, body: &str) {
        let line: Option<super::record::Line> = serde_json::from_str(body).ok();
        let place = |act: &super::record::Act| match act {
            super::record::Act::Turn { was: super::entry::Entry::File(kept), .. } => {
                kept.place.as_ref()?.split('/').next().map(str::to_owned)
            }
            _ => None,
        };
        let names: BTreeSet<String> = line.iter().flat_map(|line| &line.acts).filter_map(place).collect();
        for name in names {
            // ignored: it goes with the oldest.
            let _ = crate::remove::entry(self.batches.handle().as_fd(), OsStr::new(&name));
        }
    }

    /// As [`Self::forget_oldest`], once this process has kept enough for a look to be worth it.
    pub(crate) fn forget_after_step(&self, limit: u64) {
        if self.recent.load(Ordering::Relaxed) > limit / SLACK {
            self.forget_oldest(limit);
        }
    }

    /// Forgets the oldest contents until at most `limit` bytes are left. The newest are kept whatever their size.
    pub(crate) fn forget_oldest(&self, limit: u64) {
        self.recent.store(0, Ordering::Relaxed);
        let mut left = limit;
        let names = self.batches.names().unwrap_or_default();
        for (age, name) in names.iter().rev().enumerate() {
            let Ok(folder) = self.batches.directory(name) else { continue };
            // Without it, the step is under way.
            let Some(size) = folder.read(SIZE, 32).ok().and_then(|text| text.parse().ok()) else { continue };
            if size <= left || age == 0 {
                left = left.saturating_sub(size);
                continue;
            }
            left = 0;
            // ignored: it is tried again by the next process.
            let _ = crate::remove::entry(self.batches.handle().as_fd(), OsStr::new(name));
        }
    }
}

/// Bytes on the disk.
fn taken(folder: &StateDirectory, name: &str) -> u64 {
    let stat = fs::statat(folder.handle(), name, AtFlags::SYMLINK_NOFOLLOW);
    stat.map_or(0, |stat| u64::try_from(stat.st_blocks).unwrap_or_default().saturating_mul(512))
}

pub(crate) fn set_time(file: &File, stat: &Stat) -> Result<(), Errno> {
    let time = Timespec { tv_sec: stat.st_mtime, tv_nsec: stat.st_mtime_nsec.try_into().unwrap_or_default() };
    fs::futimens(file, &Timestamps { last_access: time, last_modification: time })
}

/// Copies what is not a hole. `from` may be longer by now; only `size` bytes are copied.
pub(crate) fn copy_data(from: &File, to: &File, size: u64) -> io::Result<()> {
    let mut buffer = vec![0; usize::try_from(size).map_or(CHUNK, |size| size.clamp(1, CHUNK))];
    let mut at = 0;
    while at < size {
        let (start, end) = match fs::seek(from, SeekFrom::Data(at)) {
            Ok(start) => (start, fs::seek(from, SeekFrom::Hole(start)).unwrap_or(size).min(size)),
            Err(Errno::NXIO) => break,
            Err(_) => (at, size),
        };
        at = start;
        while at < end {
            let wanted = usize::try_from(end - at).map_or(buffer.len(), |left| left.min(buffer.len()));
            let read = from.read_at(buffer.get_mut(..wanted).unwrap_or_default(), at)?;
            if read == 0 {
                break;
            }
            to.write_all_at(buffer.get(..read).unwrap_or_default(), at)?;
            at += u64::try_from(read).unwrap_or_default();
        }
        if at < end {
            break;
        }
    }
    to.set_len(size)
}
