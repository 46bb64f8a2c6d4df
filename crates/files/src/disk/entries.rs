//! Directory entries and their types.

use crate::beneath::file_type;
use palanca_core::ports::{EntryKind, Metadata};
use rustix::fd::BorrowedFd;
use rustix::fs::{self, AtFlags, FileType, Stat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, SystemTime};

/// Calls `each` with every name in a directory but `.` and `..`.
pub(crate) fn read_names(directory: BorrowedFd<'_>, mut each: impl FnMut(&OsStr, EntryKind)) -> Result<(), Errno> {
    for entry in fs::Dir::read_from(directory)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if matches!(name.as_bytes(), b"." | b"..") {
            continue;
        }
        let kind = match entry.file_type() {
            // Some file systems do not say; a name that vanished meanwhile is left out.
            FileType::Unknown => match fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => file_type(&stat),
                Err(_) => continue,
            },
            known => known,
        };
        each(name, entry_kind(kind));
    }
    Ok(())
}

pub(crate) const fn entry_kind(kind: FileType) -> EntryKind {
    match kind {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Directory,
        FileType::Symlink => EntryKind::Link,
        _ => EntryKind::Special,
    }
}

pub(crate) fn describe(stat: &Stat) -> Metadata {
    Metadata {
        kind: entry_kind(file_type(stat)),
        size: u64::try_from(stat.st_size).unwrap_or_default(),
        modified: time(stat.st_mtime, stat.st_mtime_nsec),
        changed: time(stat.st_ctime, stat.st_ctime_nsec),
        inode: stat.st_ino,
        mode: stat.st_mode & 0o7777,
    }
}

/// Times before 1970 are not told.
fn time(seconds: i64, nanoseconds: impl TryInto<u32>) -> Option<SystemTime> {
    let nanoseconds = nanoseconds.try_into().unwrap_or_default();
    let since = Duration::new(u64::try_from(seconds).ok()?, nanoseconds);
    SystemTime::UNIX_EPOCH.checked_add(since)
}
