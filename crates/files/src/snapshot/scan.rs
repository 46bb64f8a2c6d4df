//! What a tree looks like from outside: names, kinds and the numbers that tell whether a file was touched. Nothing is read
//! here but names; what git ignores, packages, caches and git's objects are left out.

use crate::beneath::file_type;
use crate::disk::Disk;
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::{EntryKind, FileError, Files, Flow, Visit, WalkEntry, WalkOptions};
use rustix::fs::{self, AtFlags, FileType, Stat};
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Folders of packages and caches: whoever made them can make them again.
const MADE_AGAIN: [&str; 3] = ["node_modules", "__pycache__", ".venv"];
/// Marks a folder as a cache, by the cache directory tagging specification.
const CACHE_MARK: &str = "CACHEDIR.TAG";
/// What git only ever adds to.
const STORES: [&str; 2] = ["objects", "lfs"];
/// Names of what is left out that are told.
const NAMED: usize = 3;
/// Bytes of all paths: a tree of a few thousand nested folders would have gigabytes of them.
const PATHS: u64 = 64 << 20;

/// How large a tree may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotLimits {
    /// Files, links and folders.
    pub files: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Which file it is, and whether it was touched: any change of content, mode or name moves one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) size: u64,
    pub(super) modified: (i64, i64),
    pub(super) changed: (i64, i64),
    pub(super) mode: u32,
}

impl Key {
    pub(super) fn of(stat: &Stat) -> Self {
        let nanoseconds = |part| i64::try_from(part).unwrap_or_default();
        Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            size: u64::try_from(stat.st_size).unwrap_or_default(),
            modified: (stat.st_mtime, nanoseconds(stat.st_mtime_nsec)),
            changed: (stat.st_ctime, nanoseconds(stat.st_ctime_nsec)),
            mode: stat.st_mode,
        }
    }

    /// The permission bits that can be given back.
    pub(super) const fn permissions(&self) -> u32 {
        self.mode & 0o777
    }

    pub(super) fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.mode)
    }
}

/// What was found, by path.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) entries: BTreeMap<PathBuf, Key>,
    /// Files that are too large to be kept, and folders that were not looked into; the first few, by name.
    pub(super) left_out: Vec<String>,
}

impl Scan {
    pub(super) fn inodes(&self) -> HashSet<(u64, u64)> {
        self.entries.values().map(|key| (key.device, key.inode)).collect()
    }
}

/// A tree beyond the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

/// The kernel's clock as it stamps files: a file whose stamp is older cannot change later without its stamp changing.
pub(super) fn stamp() -> (i64, i64) {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::RealtimeCoarse);
    (now.tv_sec, now.tv_nsec)
}

/// Looks at everything below the roots.
///
/// # Errors
/// A root that cannot be read. A tree beyond the limits is `Ok(Err(TooLarge))`.
pub(super) fn scan(
    disk: &Disk,
    roots: &[CanonicalPath],
    limits: SnapshotLimits,
) -> Result<Result<Scan, TooLarge>, FileError> {
    let scanning = Scanning {
        disk,
        limits,
        found: Mutex::default(),
        files: AtomicU64::new(0),
        bytes: AtomicU64::new(0),
        paths: AtomicU64::new(0),
        over: AtomicBool::new(false),
    };
    let options = WalkOptions { max_depth: usize::MAX, ignore_files: Visit::Hide, hidden: Visit::Show };
    for root in roots {
        disk.walk(root, options, &|entry| scanning.visit(entry))?;
    }
    if scanning.over.load(Ordering::Relaxed) {
        return Ok(Err(TooLarge));
    }
    let mut found = scanning.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    for root in roots {
        ignored(disk, root, &mut found);
    }
    found.left_out.sort();
    found.left_out.truncate(NAMED);
    Ok(Ok(found))
}

struct Scanning<'a> {
    disk: &'a Disk,
    limits: SnapshotLimits,
    found: Mutex<Scan>,
    files: AtomicU64,
    bytes: AtomicU64,
    paths: AtomicU64,
    over: AtomicBool,
}

impl Scanning<'_> {
    fn visit(&self, entry: &WalkEntry<'_>) -> Flow {
        let path = CanonicalPath::new(Root::Workspace, entry.path.to_owned());
        // What no tool may write no undo could write either; programs are kept from it by the sandbox.
        if self.disk.judge(&path, Access::Read).is_err() || self.disk.judge(&path, Access::Write).is_err() {
            return Flow::Skip;
        }
        let Ok((root, relative)) = self.disk.tree(&path) else { return Flow::Skip };
        if entry.kind == EntryKind::Directory && is_left_out(root, relative) {
            self.leave_out(relative);
            return Flow::Skip;
        }
        let Ok(stat) = fs::statat(root, relative, AtFlags::SYMLINK_NOFOLLOW) else { return Flow::Skip };
        let key = Key::of(&stat);
        match file_type(&stat) {
            FileType::RegularFile if key.size > crate::journal::MOST_KEPT => {
                self.leave_out(relative);
                return Flow::Continue;
            }
            FileType::RegularFile => {
                let bytes = self.bytes.fetch_add(key.size, Ordering::Relaxed).saturating_add(key.size);
                if bytes > self.limits.bytes {
                    return self.stop();
                }
            }
            FileType::Directory | FileType::Symlink => {}
            _ => return Flow::Continue,
        }
        let length = entry.path.as_os_str().len() as u64;
        let paths = self.paths.fetch_add(length, Ordering::Relaxed).saturating_add(length);
        if self.files.fetch_add(1, Ordering::Relaxed) >= self.limits.files || paths > PATHS {
            return self.stop();
        }
        self.found.lock().unwrap_or_else(PoisonError::into_inner).entries.insert(entry.path.to_owned(), key);
        Flow::Continue
    }

    fn leave_out(&self, path: &Path) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if path.file_name().is_none_or(|name| !STORES.iter().any(|store| name == *store)) {
            found.left_out.push(path.display().to_string());
        }
    }

    fn stop(&self) -> Flow {
        self.over.store(true, Ordering::Relaxed);
        Flow::Stop
    }
}

fn is_left_out(root: rustix::fd::BorrowedFd<'_>, path: &Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    let in_git = || path.parent().is_some_and(|parent| parent.iter().any(|part| part == OsStr::new(".git")));
    MADE_AGAIN.iter().any(|made| name == *made)
        || (STORES.iter().any(|store| name == *store) && in_git())
        || is_cache(root, path)
}

pub(super) fn is_cache(root: rustix::fd::BorrowedFd<'_>, path: &Path) -> bool {
    fs::statat(root, path.join(CACHE_MARK), AtFlags::SYMLINK_NOFOLLOW).is_ok()
}

/// Names directly below a root that ignore files hid. Deeper ones are not looked for: that would be the walk itself.
fn ignored(disk: &Disk, root: &CanonicalPath, found: &mut Scan) {
    for entry in disk.entries(root).unwrap_or_default() {
        let path = root.join(&entry.name);
        let known = found.entries.contains_key(path.relative());
        if !known
            && matches!(entry.kind, EntryKind::File | EntryKind::Directory)
            && disk.judge(&path, Access::Write).is_ok()
        {
            let name = path.relative().display().to_string();
            if !found.left_out.contains(&name) {
                found.left_out.push(name);
            }
        }
    }
}
