//! A directory tree that the door holds open.

use crate::beneath::{Opener, file_type};
use crate::errors::{file_error, io_error};
use crate::locate;
use palanca_core::call::CanonicalPath;
use palanca_core::ports::FileError;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::path::{Path, PathBuf};

/// Longer files may take longer than starting a thread does.
const SHORT: i64 = 128 << 10;

/// File systems of disks, by the numbers of `statfs(2)`: ext4, XFS, Btrfs, F2FS, tmpfs, and overlayfs, which lies on
/// one of them.
const DISKS: [u64; 6] = [0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x0102_1994, 0x794C_7630];

/// The device of a directory on a disk, not on a network or in the hands of a program.
fn near(directory: BorrowedFd<'_>) -> Option<u64> {
    let kind = u64::try_from(fs::fstatfs(directory).ok()?.f_type).ok()?;
    DISKS.contains(&kind).then(|| fs::fstat(directory).ok().map(|stat| stat.st_dev)).flatten()
}

/// Names what is used as a directory and is none: the path, or one above it.
pub(super) fn no_directory(opener: Opener, tree: BorrowedFd<'_>, path: &CanonicalPath) -> FileError {
    let is_other = |way: &&Path| {
        let opened = opener.open(tree, way, OFlags::PATH | OFlags::NOFOLLOW).and_then(fs::fstat);
        opened.is_ok_and(|stat| file_type(&stat) != FileType::Directory)
    };
    let ways: Vec<&Path> = path.relative().ancestors().collect();
    let found = ways.into_iter().rev().find(is_other).map(|way| CanonicalPath::new(path.root(), way.to_owned()));
    file_error(Errno::NOTDIR, found.as_ref().unwrap_or(path))
}

/// One directory tree that the door holds open.
pub(super) struct Tree {
    pub(super) handle: OwnedFd,
    /// As the operator named it, absolute.
    given: PathBuf,
    /// Where it really was when it was opened.
    pub(super) real: PathBuf,
    /// Its device, when it is a disk of this machine.
    near: Option<u64>,
}

impl Tree {
    pub(super) fn open(path: &Path) -> Result<Self, FileError> {
        let shown = || path.display();
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = fs::open(path, flags, Mode::empty()).map_err(|errno| file_error(errno, shown()))?;
        let given = std::path::absolute(path).map_err(|error| io_error(&error, shown()))?;
        let real = std::fs::canonicalize(path).map_err(|error| io_error(&error, shown()))?;
        Ok(Self { near: near(handle.as_fd()), handle, given, real })
    }

    /// The operator's name, where it leads through a link.
    pub(super) fn link(&self) -> Option<&Path> {
        let plain = self.given.components().skip(1).all(|part| matches!(part, std::path::Component::Normal(_)));
        Some(&*self.given).filter(|given| plain && *given != self.real)
    }

    /// Under the same names.
    pub(super) fn held_by(&self, handle: OwnedFd) -> Self {
        Self { near: near(handle.as_fd()), handle, given: self.given.clone(), real: self.real.clone() }
    }

    /// What an absolute path leaves below this tree, and how many components of it were needed to get there.
    pub(super) fn below<'a>(&self, path: &'a str) -> Option<(usize, &'a str)> {
        [&self.given, &self.real]
            .into_iter()
            .filter_map(|prefix| Some((prefix.components().count(), locate::below(path, prefix)?)))
            .max_by_key(|(depth, _)| *depth)
    }

    /// Whether a canonical path names a short file on a disk of this machine.
    pub(super) fn is_at_hand(&self, relative: &Path) -> bool {
        let stat = fs::statat(&self.handle, relative, AtFlags::SYMLINK_NOFOLLOW);
        stat.is_ok_and(|stat| Some(stat.st_dev) == self.near && stat.st_size <= SHORT)
    }
}
