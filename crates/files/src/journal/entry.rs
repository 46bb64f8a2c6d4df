//! The state of a name before and after a program ran: enough to compare it later, and to restore it.

use super::record::{Kept, Named};
use crate::beneath::file_type;
use palanca_core::ports::Found;
use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};

/// Which file it is, and when its content was last written. The status change time (`ctime`) counts only while the
/// program runs: our own links and renames move it, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Numbers", into = "Numbers")]
pub(crate) struct Stamp {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) size: u64,
    pub(crate) modified: (i64, i64),
    pub(crate) changed: (i64, i64),
}

type Numbers = (u64, u64, u64, i64, i64, i64, i64);

impl From<Numbers> for Stamp {
    fn from((device, inode, size, modified, nanos, changed, more): Numbers) -> Self {
        Self { device, inode, size, modified: (modified, nanos), changed: (changed, more) }
    }
}

impl From<Stamp> for Numbers {
    fn from(stamp: Stamp) -> Self {
        let Stamp { device, inode, size, modified, changed } = stamp;
        (device, inode, size, modified.0, modified.1, changed.0, changed.1)
    }
}

impl Stamp {
    pub(crate) fn of(stat: &Stat) -> Self {
        let nanoseconds = |part| i64::try_from(part).unwrap_or_default();
        Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            size: u64::try_from(stat.st_size).unwrap_or_default(),
            modified: (stat.st_mtime, nanoseconds(stat.st_mtime_nsec)),
            changed: (stat.st_ctime, nanoseconds(stat.st_ctime_nsec)),
        }
    }

    pub(crate) const fn id(&self) -> Id {
        (self.device, self.inode)
    }

    /// The same file with the same content. Devices have other numbers after a restart.
    pub(crate) fn is(&self, other: &Self) -> bool {
        (self.inode, self.size, self.modified) == (other.inode, other.size, other.modified)
    }
}

/// A file by device and inode.
pub(crate) type Id = (u64, u64);

pub(crate) const fn id(found: &Found) -> Id {
    (found.device, found.inode)
}

pub(crate) fn found(stat: &Stat) -> Found {
    #[allow(clippy::useless_conversion, reason = "narrower on other architectures")]
    let links = u64::from(stat.st_nlink);
    let size = u64::try_from(stat.st_size).unwrap_or_default();
    Found { device: stat.st_dev, inode: stat.st_ino, links, size, mode: stat.st_mode }
}

/// What stands at a name.
// Nearly all of them are files.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum Entry {
    Absent,
    File(Kept),
    Folder {
        mode: u32,
    },
    Link {
        target: Named,
    },
    Fifo {
        mode: u32,
    },
    /// A socket or a device: removed again where it is new, never made again.
    Special,
}

impl Entry {
    /// From what `stat` says; links need their target.
    pub(crate) fn of(stat: &Stat, target: impl FnOnce() -> Option<Named>) -> Self {
        match file_type(stat) {
            FileType::RegularFile => Self::File(Kept { mode: stat.st_mode & 0o7777, ..Kept::unread(stat) }),
            FileType::Directory => Self::Folder { mode: stat.st_mode & 0o7777 },
            FileType::Symlink => target().map_or(Self::Special, |target| Self::Link { target }),
            FileType::Fifo => Self::Fifo { mode: stat.st_mode & 0o777 },
            _ => Self::Special,
        }
    }

    pub(crate) const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Needs what stands at the name to go first.
    pub(crate) fn replaces(&self, other: &Self) -> bool {
        std::mem::discriminant(self) != std::mem::discriminant(other) || matches!(self, Self::Link { .. })
    }
}
