//! Contents on their way into the journal: hashed and kept, on several threads. Copies are copies: programs write into
//! files in place, so a hard link would change with them.

use super::scan::Key;
use crate::disk::Disk;
use crate::journal::Journal;
use crate::journal::packs::Writer;
use crate::state::StateDirectory;
use crate::{atomic::Temporary, errors::file_error};
use palanca_core::call::CanonicalPath;
use palanca_core::ports::{ContentHash, FileError};
use rustix::fs::{self, FileType, Mode, OFlags};
use rustix::io::Errno;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::{io, thread};

/// Up to here a content goes through memory.
const SMALL: u64 = 1 << 20;
/// More threads only wait for the disk.
const THREADS: usize = 4;
/// Files that are worth a thread of their own.
const RUN: usize = 64;
/// From this many on, small contents go into one file.
const PACKED: usize = 32;

pub(super) const READ: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// A file whose content is kept now.
pub(super) struct Stored {
    pub(super) key: Key,
    pub(super) hash: ContentHash,
    /// Whether it was still while it was read.
    pub(super) steady: bool,
}

/// The journal's shelves, each opened once.
pub(super) struct Shelves<'a> {
    journal: &'a Journal,
    shelves: [OnceLock<StateDirectory>; 256],
    /// Where many small contents go together.
    pack: Option<Mutex<Writer>>,
}

impl<'a> Shelves<'a> {
    pub(super) fn new(journal: &'a Journal) -> Self {
        Self { journal, shelves: std::array::from_fn(|_| OnceLock::new()), pack: None }
    }

    /// Keeps the contents of these files. None for one that is gone, is no file any more or cannot be read.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub(super) fn keep(mut self, disk: &Disk, paths: &[CanonicalPath]) -> io::Result<Vec<Option<Stored>>> {
        if paths.len() >= PACKED {
            self.pack = Some(Mutex::new(Writer::create(&self.journal.contents)?));
        }
        let stored = self.keep_all(disk, paths)?;
        if let Some(pack) = self.pack {
            pack.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
        }
        Ok(stored)
    }

    fn keep_all(&self, disk: &Disk, paths: &[CanonicalPath]) -> io::Result<Vec<Option<Stored>>> {
        let threads = thread::available_parallelism().map_or(1, |count| count.get().min(THREADS));
        let threads = threads.min(paths.len().div_ceil(RUN)).max(1);
        let next = AtomicUsize::new(0);
        let work = || -> io::Result<Vec<(usize, Option<Stored>)>> {
            let (mut done, mut buffer) = (Vec::new(), Vec::new());
            loop {
                let from = next.fetch_add(RUN, Ordering::Relaxed);
                let run = paths.iter().enumerate().skip(from).take(RUN);
                if run.len() == 0 {
                    return Ok(done);
                }
                for (at, path) in run {
                    done.push((at, self.one(disk, path, &mut buffer)?));
                }
            }
        };
        let parts: Vec<_> = thread::scope(|scope| {
            let started: Vec<_> =
                (1..threads).filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
            let mine = work();
            let panicked = || Err(io::Error::other("a thread that keeps contents panicked"));
            let theirs = started.into_iter().map(|thread| thread.join().unwrap_or_else(|_| panicked()));
            std::iter::once(mine).chain(theirs).collect()
        });
        let mut all: Vec<Option<Stored>> = std::iter::repeat_with(|| None).take(paths.len()).collect();
        for part in parts {
            for (at, stored) in part? {
                if let Some(place) = all.get_mut(at) {
                    *place = stored;
                }
            }
        }
        Ok(all)
    }

    fn one(&self, disk: &Disk, path: &CanonicalPath, buffer: &mut Vec<u8>) -> io::Result<Option<Stored>> {
        let Ok(file) = open(disk, path) else { return Ok(None) };
        let file = File::from(file);
        let key = Key::of(&fs::fstat(&file)?);
        if key.kind() != FileType::RegularFile || key.size > crate::journal::MOST_KEPT {
            return Ok(None);
        }
        let hash = if key.size <= SMALL {
            buffer.clear();
            if (&file).take(SMALL * 2).read_to_end(buffer).is_err() {
                return Ok(None);
            }
            let hash = ContentHash::of_bytes(buffer);
            self.put(&hash, buffer)?;
            hash
        } else {
            self.copy(&file)?
        };
        let steady = fs::fstat(&file).is_ok_and(|stat| Key::of(&stat) == key);
        Ok(Some(Stored { key, hash, steady }))
    }

    fn shelf(&self, hash: &ContentHash) -> io::Result<(&StateDirectory, String)> {
        let hex = hash.to_hex();
        let [first, ..] = hash.as_bytes();
        let Some(place) = self.shelves.get(usize::from(*first)) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        if let Some(shelf) = place.get() {
            return Ok((shelf, hex));
        }
        let opened = self.journal.contents.directory(&format!("{first:02x}")).map_err(io::Error::other)?;
        Ok((place.get_or_init(|| opened), hex))
    }

    /// Under its own name at once: a content that is cut short by a crash has the wrong size, which the next one sees.
    fn put(&self, hash: &ContentHash, content: &[u8]) -> io::Result<()> {
        if let Some(pack) = &self.pack {
            return pack.lock().unwrap_or_else(PoisonError::into_inner).add(hash, content);
        }
        let (shelf, name) = self.shelf(hash)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match fs::openat(shelf.handle(), &*name, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => File::from(file).write_all(content).inspect_err(|_| {
                // ignored: it has the wrong size, if it stays.
                let _ = fs::unlinkat(shelf.handle(), &*name, fs::AtFlags::empty());
            }),
            Err(Errno::EXIST) => self.journal.store(hash, content),
            Err(errno) => Err(errno.into()),
        }
    }

    /// A copy that shares its blocks with the file where the file system can, hashed once it is one's own.
    fn copy(&self, file: &File) -> io::Result<ContentHash> {
        let contents = self.journal.contents.handle();
        let temporary = Temporary::create(contents, Mode::RUSR | Mode::WUSR)?;
        let Some(to) = temporary.file() else { return Err(io::ErrorKind::NotFound.into()) };
        if fs::ioctl_ficlone(to, file).is_err() {
            // Copies within the kernel where that is possible.
            io::copy(&mut &*file, &mut &*to)?;
        }
        let read = fs::openat(contents, temporary.name(), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        let hash = hash(File::from(read))?;
        let (shelf, name) = self.shelf(&hash)?;
        fs::renameat(contents, temporary.name(), shelf.handle(), &*name)?;
        let mut temporary = temporary;
        temporary.disarm();
        Ok(hash)
    }
}

fn open(disk: &Disk, path: &CanonicalPath) -> Result<rustix::fd::OwnedFd, FileError> {
    let (root, relative) = disk.tree(path)?;
    disk.opener().open(root, relative, READ).map_err(|errno| file_error(errno, path))
}

fn hash(mut file: File) -> io::Result<ContentHash> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 256 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(ContentHash::from_bytes(hasher.finalize().into())),
            read => hasher.update(buffer.get(..read).unwrap_or_default()),
        }
    }
}
