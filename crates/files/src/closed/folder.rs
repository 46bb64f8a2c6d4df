//! One scanned folder: which of its names are hidden, and how to detect that it has not changed since.

use super::tree::Tree;
use crate::beneath::file_type;
use palanca_core::call::Access;
use palanca_core::ports::{FileErrorKind, PathRules};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, OFlags, RawDir, Stat};
use rustix::io::Errno;
use std::collections::HashSet;
use std::ffi::{CStr, OsStr, OsString};
use std::io;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK);
/// Of the directory entries that are read at once.
const BUFFER: usize = 32 << 10;
/// A folder deeper than this has no path that a mask could be mounted on.
const LONGEST: usize = 3_800;
/// A name that no glob means but one that covers all that a folder holds.
pub(super) const ANY: &str = "palanca any name";
/// What git keeps in a repository under names of commits and branches: no file of anybody, however it is named.
const STORES: [&[u8]; 3] = [b"objects", b"refs", b"logs"];
/// File systems whose folders change their time with every name in them (`statfs`): ext4, XFS, btrfs, tmpfs, overlay, F2FS,
/// ZFS, bcachefs. Elsewhere a server may keep times as it likes.
const DATED: [u64; 8] =
    [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0xf2f5_2010, 0x2fc1_2fc1, 0xca45_1a4e];
/// Nanoseconds within which a second change may leave the same time.
const TICK: i128 = 2_000_000_000;

/// Which folder, and when a name in it changed last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) changed: (i64, i64),
}

/// What a folder is to the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Visibility {
    /// Its names are judged one by one.
    #[default]
    Open,
    /// All that it holds is secret.
    Closed,
}

/// Why a name is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    Secret,
    Protected,
    /// Its name says nothing, but the file is a secret one.
    OtherName,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) name: OsString,
    pub(super) why: Why,
}

/// A folder and what of it matters.
#[derive(Debug, Default)]
pub(super) struct Folder {
    /// Below the tree's top; empty for the top.
    pub(super) path: PathBuf,
    /// Absent where it must be read again next time.
    pub(super) stamp: Option<Stamp>,
    pub(super) visibility: Visibility,
    /// It cannot be looked into.
    pub(super) shut: bool,
    pub(super) marks: Vec<Mark>,
    /// Where the folders in it stand in the list of all.
    pub(super) below: Range<usize>,
}

/// A folder that was read, and the folders in it.
pub(super) struct Reading {
    pub(super) folder: Folder,
    pub(super) below: Vec<(OsString, Visibility)>,
}

impl Stamp {
    fn of(stat: &Stat) -> Self {
        Self { device: stat.st_dev, inode: stat.st_ino, changed: (stat.st_ctime, stat.st_ctime_nsec.cast_signed()) }
    }

    /// Of what stands at a path now; none for what is no folder.
    pub(super) fn at(tree: &Tree<'_>, path: &Path) -> Option<Self> {
        let stat = match path.as_os_str().is_empty() {
            true => fs::fstat(tree.handle),
            false => fs::statat(tree.handle, path, AtFlags::SYMLINK_NOFOLLOW),
        };
        stat.ok().filter(|stat| file_type(stat) == FileType::Directory).map(|stat| Self::of(&stat))
    }

    /// Whether a later change is certain to give another stamp. `now` is the time before the folder was read.
    fn lasts(&self, now: i128) -> bool {
        i128::from(self.changed.0) * 1_000_000_000 + i128::from(self.changed.1) + TICK < now
    }
}

/// What folders are judged by.
pub(super) struct Look<'a> {
    pub(super) tree: Tree<'a>,
    pub(super) rules: &'a dyn PathRules,
    /// Numbers of files that are secret under another name, too.
    pub(super) secret: &'a HashSet<u64>,
    /// Since 1970, in nanoseconds.
    pub(super) now: i128,
}

impl Look<'_> {
    /// Reads a folder; none when there is none any more.
    pub(super) fn read(&self, path: &Path, visibility: Visibility) -> io::Result<Option<Reading>> {
        let shut = || {
            let folder = Folder { path: path.to_owned(), visibility, shut: true, ..Folder::default() };
            Ok(Some(Reading { folder, below: Vec::new() }))
        };
        if path.as_os_str().len() > LONGEST {
            return shut();
        }
        let directory = match self.tree.opener.open(self.tree.handle, path, FOLDER) {
            Ok(directory) => directory,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
            Err(errno @ (Errno::MFILE | Errno::NFILE | Errno::NOMEM)) => return Err(errno.into()),
            Err(_) => return shut(),
        };
        let stamp = self.stamp(&directory)?;
        let mut reading = Reading {
            folder: Folder { path: path.to_owned(), stamp, visibility, ..Folder::default() },
            below: Vec::new(),
        };
        let passable = fs::accessat(&directory, ".", fs::Access::EXEC_OK, AtFlags::EACCESS).is_ok();
        if !passable || self.names(&directory, &mut reading).is_err() {
            return shut();
        }
        Ok(Some(reading))
    }

    fn stamp(&self, directory: &OwnedFd) -> io::Result<Option<Stamp>> {
        let stamp = Stamp::of(&fs::fstat(directory)?);
        let kind = fs::fstatfs(directory)?.f_type.cast_unsigned() & 0xffff_ffff;
        Ok(Some(stamp).filter(|stamp| DATED.contains(&kind) && stamp.lasts(self.now)))
    }

    fn names(&self, directory: &OwnedFd, reading: &mut Reading) -> Result<(), Errno> {
        let Reading { folder, below } = reading;
        let mut path = folder.path.clone();
        let in_git = path.iter().any(|part| part == OsStr::new(".git"));
        let mut buffer = Vec::with_capacity(BUFFER);
        let mut entries = RawDir::new(directory, buffer.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") || (in_git && STORES.contains(&name)) {
                continue;
            }
            let Some(kind) = kind(directory.as_fd(), entry.file_name(), entry.file_type()) else { continue };
            let name = OsStr::from_bytes(name);
            path.push(name);
            if kind == FileType::Directory && self.tree.but == Some(&*path) {
                // Looked through for itself.
            } else if kind == FileType::Directory {
                below.push((name.to_owned(), self.visibility(&mut path, folder.visibility)));
            } else if let Some(why) = self.why(&path, folder.visibility) {
                folder.marks.push(Mark { name: name.to_owned(), why });
            } else if kind == FileType::RegularFile && self.secret.contains(&entry.ino()) {
                folder.marks.push(Mark { name: name.to_owned(), why: Why::OtherName });
            }
            path.pop();
        }
        Ok(())
    }

    fn visibility(&self, path: &mut PathBuf, above: Visibility) -> Visibility {
        if above == Visibility::Closed {
            return above;
        }
        if !self.is_secret(path) {
            return Visibility::Open;
        }
        // A folder may only be named like a secret file: what is in it is judged by its own name.
        path.push(ANY);
        let all = self.is_secret(path);
        path.pop();
        if all { Visibility::Closed } else { Visibility::Open }
    }

    fn is_secret(&self, path: &Path) -> bool {
        self.rules.refuse(path, Access::Read).is_some_and(|refusal| matches!(refusal.kind, FileErrorKind::Secret(_)))
    }

    fn why(&self, path: &Path, above: Visibility) -> Option<Why> {
        if above == Visibility::Closed {
            return Some(Why::Secret);
        }
        match self.rules.refuse(path, Access::Write)?.kind {
            FileErrorKind::Secret(_) => Some(Why::Secret),
            FileErrorKind::Protected(_) => Some(Why::Protected),
            _ => None,
        }
    }
}

impl Tree<'_> {
    /// The regular files of a folder that have one of these numbers.
    pub(super) fn named(&self, path: &Path, numbers: &HashSet<u64>) -> io::Result<Vec<OsString>> {
        let mut found = Vec::new();
        let directory = match self.opener.open(self.handle, path, FOLDER) {
            Ok(directory) => directory,
            // Changed since it was read a moment ago.
            Err(errno) if errno == Errno::NOENT => return Ok(found),
            Err(errno) => return Err(errno.into()),
        };
        let mut buffer: Vec<MaybeUninit<u8>> = vec![MaybeUninit::uninit(); BUFFER];
        let mut entries = RawDir::new(directory, &mut buffer);
        while let Some(entry) = entries.next() {
            let entry = entry?;
            if numbers.contains(&entry.ino()) && entry.file_type() != FileType::Directory {
                found.push(OsStr::from_bytes(entry.file_name().to_bytes()).to_owned());
            }
        }
        Ok(found)
    }
}

fn kind(directory: BorrowedFd<'_>, name: &CStr, told: FileType) -> Option<FileType> {
    match told {
        FileType::Unknown => fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW).ok().map(|stat| file_type(&stat)),
        known => Some(known),
    }
}
