//! Open directories: opening by name without following links, reading names, and coming back to a directory whose
//! handle was given up.

use crate::beneath::Opener;
use crate::disk::entry_kind;
use palanca_core::ports::EntryKind;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, openat, statat};
use rustix::io::Errno;
use std::ffi::{CStr, OsStr};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Linux refuses longer paths (`PATH_MAX` is 4,096 with the final NUL); longer ones are opened in pieces.
const LONGEST_PATH: usize = 4_000;

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A directory kept open for its children, and counted as long as it is.
pub(super) struct Directory<'a> {
    fd: OwnedFd,
    open: &'a AtomicUsize,
}

impl<'a> Directory<'a> {
    /// Counts this handle in `open`.
    pub fn new(fd: OwnedFd, open: &'a AtomicUsize) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        Self { fd, open }
    }
}

impl AsFd for Directory<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Drop for Directory<'_> {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Opens a directory by one name in its parent.
pub(super) fn open_child(parent: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    openat(parent, name, DIRECTORY, Mode::empty())
}

/// Opens for reading what `relative` names below `start`, without leaving it and without following any link.
/// `relative` may be longer than the system's limit for a path.
pub(super) fn open_beneath(start: BorrowedFd<'_>, relative: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut rest = relative.as_os_str().as_bytes();
    let mut held: Option<OwnedFd> = None;
    loop {
        let at = held.as_ref().map_or(start, AsFd::as_fd);
        if rest.len() <= LONGEST_PATH {
            return open_piece(at, Path::new(OsStr::from_bytes(rest)), flags);
        }
        let window = rest.get(..LONGEST_PATH).unwrap_or(rest);
        let cut = window.iter().rposition(|byte| *byte == b'/').ok_or(Errno::NAMETOOLONG)?;
        let (piece, after) = rest.split_at_checked(cut).ok_or(Errno::NAMETOOLONG)?;
        let passing = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        held = Some(open_piece(at, Path::new(OsStr::from_bytes(piece)), passing)?);
        rest = after.get(1..).unwrap_or_default();
    }
}

/// Comes back to a directory by its path below the start.
pub(super) fn reopen(start: BorrowedFd<'_>, relative: &Path) -> Result<OwnedFd, Errno> {
    open_beneath(start, relative, DIRECTORY)
}

fn open_piece(at: BorrowedFd<'_>, relative: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    match Opener::Kernel.open(at, relative, flags) {
        // Kernels before 5.6, and container filters that do not know the call.
        Err(Errno::NOSYS | Errno::PERM) => Opener::Stepwise.open(at, relative, flags),
        opened => opened,
    }
}

/// The names of one directory, end to end in one buffer that is used again for the next.
#[derive(Default)]
pub(super) struct Listing {
    names: Vec<u8>,
    items: Vec<Item>,
}

/// One name of a [`Listing`].
#[derive(Clone)]
pub(super) struct Item {
    /// Where its bytes are, the final NUL included.
    name: Range<usize>,
    /// What it is.
    pub kind: EntryKind,
}

impl Listing {
    /// Forgets the names and keeps the memory.
    pub fn clear(&mut self) {
        self.names.clear();
        self.items.clear();
    }

    /// All items, in the order in which the directory gave them.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The bytes of the name of one of its items.
    pub fn bytes(&self, item: &Item) -> &[u8] {
        let name = self.names.get(item.name.clone()).unwrap_or_default();
        name.split_last().map_or(name, |(_nul, bytes)| bytes)
    }

    /// The name of one of its items, to open it by.
    pub fn name(&self, item: &Item) -> &CStr {
        let bytes = self.names.get(item.name.clone()).unwrap_or_default();
        CStr::from_bytes_with_nul(bytes).unwrap_or_default()
    }

    /// Adds the names of an open directory, without `.` and `..`. On an error, what was read before it stays.
    pub fn read(&mut self, directory: BorrowedFd<'_>, buffer: &mut [MaybeUninit<u8>]) -> Result<(), Errno> {
        let mut entries = RawDir::new(directory, buffer);
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let Some(kind) = kind_of(directory, name, entry.file_type()) else { continue };
            let start = self.names.len();
            self.names.extend_from_slice(name.to_bytes_with_nul());
            self.items.push(Item { name: start..self.names.len(), kind });
        }
        Ok(())
    }
}

/// What a name stands for; nothing when it is gone already.
fn kind_of(directory: BorrowedFd<'_>, name: &CStr, told: FileType) -> Option<EntryKind> {
    let known = match told {
        FileType::Unknown => {
            let stat = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            FileType::from_raw_mode(stat.st_mode)
        }
        known => known,
    };
    Some(entry_kind(known))
}
