//! A copy of the workspace as an overlay shows it, for programs to run in; what they change there goes back into the
//! overlay, never to the disk.
//!
//! Secrets are not copied, nor caches; git's own files are, but what happens to them stays in the copy. Programs may leave
//! links in the copy that lead anywhere, so everything after the first copy goes through a file door of its own.

use super::scan::{Key, SnapshotLimits, is_cache};
use crate::disk::Disk;
use crate::errors::{file_error, io_error};
use crate::overlay::Overlay;
use crate::remove;
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::{
    Change, ChangeOrigin, EntryKind, Expect, FileError, FileErrorKind, Files, Flow, PathRefusal, PathRules, Visit,
    WalkEntry, WalkOptions,
};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Timespec, Timestamps};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

const EVERYTHING: WalkOptions = WalkOptions { max_depth: usize::MAX, ignore_files: Visit::Show, hidden: Visit::Show };
/// Git's own files, which only later commands in the same copy see changed.
const GIT: &str = ".git";

/// Nothing in the copy is closed: what must stay closed was not copied.
struct Open;

impl PathRules for Open {
    fn refuse(&self, _relative: &Path, _access: Access) -> Option<PathRefusal> {
        None
    }
}

/// A private copy of a workspace. Removed when dropped.
pub struct Mirror {
    real: Arc<Disk>,
    copy: Disk,
    place: Place,
    /// What the overlay had changed when it was last brought in.
    brought: BTreeSet<CanonicalPath>,
    seen: BTreeMap<PathBuf, Key>,
}

impl std::fmt::Debug for Mirror {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mirror").field("path", &self.place.path).finish_non_exhaustive()
    }
}

/// The directory of a copy.
struct Place {
    parent: OwnedFd,
    name: OsString,
    path: PathBuf,
}

impl Place {
    fn create(workspace: &Path) -> Result<Self, FileError> {
        let parent = std::env::temp_dir();
        let real = std::fs::canonicalize(&parent).map_err(|error| io_error(&error, parent.display()))?;
        if real.starts_with(workspace) {
            return Err(FileError::new(FileErrorKind::Invalid, parent.display().to_string())
                .detail("the folder for temporary files lies in the workspace; set TMPDIR"));
        }
        let failed = |errno| file_error(errno, parent.display());
        let handle = fs::open(&parent, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
        let handle = handle.map_err(failed)?;
        // Its name is that of a temporary, so that a copy which a killed process left is known by it.
        let name = crate::atomic::fresh_name();
        fs::mkdirat(&handle, &*name, Mode::RWXU).map_err(failed)?;
        Ok(Self { path: parent.join(&name), parent: handle, name })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // ignored: what cannot be removed lies where the system sweeps.
        let _ = remove::entry(self.parent.as_fd(), &self.name);
    }
}

impl Mirror {
    /// Whether the workspace is small enough to be copied.
    ///
    /// # Errors
    /// A workspace that cannot be read.
    pub fn fits(disk: &Disk, limits: SnapshotLimits) -> Result<bool, FileError> {
        let (files, bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        each(disk, &|path, kind| {
            let size = if kind == EntryKind::File { disk.info(path).map_or(0, |info| info.size) } else { 0 };
            let many = files.fetch_add(1, Ordering::Relaxed) >= limits.files;
            let large = bytes.fetch_add(size, Ordering::Relaxed).saturating_add(size) > limits.bytes;
            if many || large { Flow::Stop } else { Flow::Continue }
        })?;
        Ok(files.into_inner() <= limits.files && bytes.into_inner() <= limits.bytes)
    }

    /// Copies the workspace as it is on the disk.
    ///
    /// # Errors
    /// What the system reports; a disk that is full.
    pub fn create(real: Arc<Disk>) -> Result<Self, FileError> {
        let place = Place::create(real.workspace())?;
        let copy = Disk::open(&place.path, &[], Arc::new(Open))?;
        let failed: Mutex<Option<FileError>> = Mutex::default();
        each(&real, &|path, kind| match copy_one(&real, &place.path, path, kind) {
            Ok(()) => Flow::Continue,
            // A file that may not be read is not there for programs either.
            Err(error) if matches!(error.kind, FileErrorKind::NotFound | FileErrorKind::PermissionDenied) => Flow::Skip,
            Err(error) => {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Flow::Stop
            }
        })?;
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(Self { real, copy, place, brought: BTreeSet::new(), seen: BTreeMap::new() }),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.place.path
    }

    /// Makes the copy what the overlay shows, before a program runs in it.
    ///
    /// # Errors
    /// What the system reports.
    pub fn bring_in(&mut self, overlay: &Overlay, origin: &ChangeOrigin) -> Result<(), FileError> {
        let changes = overlay.changes()?;
        let (made, gone) = overlay.outline();
        let now: BTreeSet<CanonicalPath> = changes.iter().map(|changed| changed.path.clone()).collect();
        for path in gone.iter().chain(changes.iter().filter(|changed| changed.after.is_none()).map(|gone| &gone.path)) {
            self.remove(path, origin)?;
        }
        for path in made {
            self.clear_for(&path, EntryKind::Directory, origin)?;
            self.copy.commit(&[Change::MakeDirectory { path }], origin)?;
        }
        for changed in changes {
            if let Some(content) = changed.after {
                self.put(&changed.path, content, (changed.mode, origin))?;
            }
        }
        let back: Vec<CanonicalPath> = self.brought.difference(&now).cloned().collect();
        for path in back {
            match read(&*self.real, &path) {
                Some(content) => {
                    let mode = self.real.info(&path).ok().map(|info| info.mode);
                    self.put(&path, content, (mode, origin))?;
                }
                None => self.remove(&path, origin)?,
            }
        }
        self.brought = now;
        self.seen = list(&self.copy)?;
        Ok(())
    }

    /// Takes what a program changed in the copy back into the overlay. Returns the names of what cannot be: links, special
    /// files, what the policy protects, what is too large, and git's own files.
    ///
    /// # Errors
    /// A copy that cannot be read.
    pub fn bring_back(&mut self, overlay: &Overlay, origin: &ChangeOrigin) -> Result<Vec<String>, FileError> {
        let now = list(&self.copy)?;
        let before = std::mem::replace(&mut self.seen, now);
        let mut left = BTreeSet::new();
        let refused = |change: Change| match overlay.commit(&[change], origin) {
            Err(error) => error.kind != FileErrorKind::NotFound,
            Ok(_) => false,
        };
        let turned = |path: &PathBuf, key: &Key| self.seen.get(path).is_none_or(|now| now.kind() != key.kind());
        for (path, _) in before.iter().filter(|(path, key)| turned(path, key)) {
            let path = canonical(path);
            if refused(Change::Delete { path: path.clone(), expect: Expect::Anything }) {
                left.insert(path.to_string());
            }
        }
        for (path, key) in self.seen.iter().filter(|(path, key)| before.get(*path) != Some(*key)) {
            let path = canonical(path);
            match key.kind() {
                FileType::Directory if before.get(path.relative()).is_none_or(|was| was.kind() != key.kind()) => {
                    if refused(Change::MakeDirectory { path: path.clone() }) {
                        left.insert(path.to_string());
                    }
                }
                FileType::Directory => {}
                FileType::RegularFile => {
                    let content = if key.size > crate::journal::MOST_KEPT { None } else { read(&self.copy, &path) };
                    let Some(content) = content else {
                        left.insert(path.to_string());
                        continue;
                    };
                    let mode = Some(key.permissions());
                    let same = overlay.info(&path).is_ok_and(|info| Some(info.mode & 0o777) == mode)
                        && read(overlay, &path).as_ref() == Some(&content);
                    if !same {
                        let change = Change::Write { path: path.clone(), content, expect: Expect::Anything, mode };
                        if refused(change) {
                            left.insert(path.to_string());
                        }
                    }
                }
                _ => {
                    left.insert(path.to_string());
                }
            }
        }
        // What came from the copy is in it already.
        self.brought = overlay.changes()?.into_iter().map(|changed| changed.path).collect();
        Ok(left.into_iter().collect())
    }

    fn put(
        &self,
        path: &CanonicalPath,
        content: Vec<u8>,
        (mode, origin): (Option<u32>, &ChangeOrigin),
    ) -> Result<(), FileError> {
        self.clear_for(path, EntryKind::File, origin)?;
        let same_mode = mode.is_none() || self.copy.info(path).ok().map(|info| info.mode & 0o777) == mode;
        if same_mode && read(&self.copy, path).as_ref() == Some(&content) {
            return Ok(());
        }
        let change = Change::Write { path: path.clone(), content, expect: Expect::Anything, mode };
        self.copy.commit(&[change], origin).map(drop)
    }

    /// Removes what stands in the way of a thing of this kind.
    fn clear_for(&self, path: &CanonicalPath, kind: EntryKind, origin: &ChangeOrigin) -> Result<(), FileError> {
        match self.copy.info(path) {
            Ok(info) if info.kind != kind => self.remove(path, origin),
            _ => Ok(()),
        }
    }

    fn remove(&self, path: &CanonicalPath, origin: &ChangeOrigin) -> Result<(), FileError> {
        let change = Change::Delete { path: path.clone(), expect: Expect::Anything };
        match self.copy.commit(&[change], origin) {
            Err(error) if !matches!(error.kind, FileErrorKind::NotFound | FileErrorKind::NotADirectory) => Err(error),
            _ => Ok(()),
        }
    }
}

/// Everything of the workspace that may be shown to programs.
fn each(disk: &Disk, visit: &(dyn Fn(&CanonicalPath, EntryKind) -> Flow + Sync)) -> Result<(), FileError> {
    let top = canonical(Path::new(""));
    disk.walk(&top, EVERYTHING, &|entry: &WalkEntry<'_>| {
        let path = canonical(entry.path);
        if disk.judge(&path, Access::Read).is_err() {
            return Flow::Skip;
        }
        let cache = || disk.tree(&path).is_ok_and(|(root, relative)| is_cache(root, relative));
        if entry.kind == EntryKind::Directory && cache() {
            return Flow::Skip;
        }
        visit(&path, entry.kind)
    })
    .map(drop)
}

fn copy_one(real: &Disk, to: &Path, path: &CanonicalPath, kind: EntryKind) -> Result<(), FileError> {
    let target = to.join(path.relative());
    let failed = |error: std::io::Error| io_error(&error, path);
    match kind {
        EntryKind::Directory => std::fs::create_dir(&target).map_err(failed),
        EntryKind::Link => match crate::journal::links::target(real, path) {
            Some(leads) => std::os::unix::fs::symlink(leads, &target).map_err(failed),
            None => Ok(()),
        },
        EntryKind::Special => Ok(()),
        EntryKind::File => {
            let from = File::from(real.open_beneath(path, super::contents::READ)?);
            let stat = fs::fstat(&from).map_err(|errno| file_error(errno, path))?;
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            let made = fs::open(&target, flags, Mode::RUSR | Mode::WUSR).map_err(|errno| file_error(errno, path))?;
            let made = File::from(made);
            if fs::ioctl_ficlone(&made, &from).is_err() {
                std::io::copy(&mut &from, &mut &made).map_err(failed)?;
            }
            let mode = Mode::from_raw_mode(stat.st_mode & 0o777);
            fs::fchmod(&made, mode).map_err(|errno| file_error(errno, path))?;
            // What builds compare.
            let time = Timespec { tv_sec: stat.st_mtime, tv_nsec: stat.st_mtime_nsec.try_into().unwrap_or_default() };
            let times = Timestamps { last_access: time, last_modification: time };
            fs::futimens(&made, &times).map_err(|errno| file_error(errno, path))
        }
    }
}

/// What is in a copy, by path; without git's own files and caches.
fn list(copy: &Disk) -> Result<BTreeMap<PathBuf, Key>, FileError> {
    let found: Mutex<BTreeMap<PathBuf, Key>> = Mutex::default();
    each(copy, &|path, _| {
        if path.relative().file_name().is_some_and(|name| name == GIT) {
            return Flow::Skip;
        }
        let Ok((root, relative)) = copy.tree(path) else { return Flow::Skip };
        if let Ok(stat) = fs::statat(root, relative, AtFlags::SYMLINK_NOFOLLOW) {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.insert(relative.to_owned(), Key::of(&stat));
        }
        Flow::Continue
    })?;
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn read(door: &dyn Files, path: &CanonicalPath) -> Option<Vec<u8>> {
    if door.info(path).ok()?.kind != EntryKind::File {
        return None;
    }
    let mut content = Vec::new();
    door.open(path).ok()?.content.take(crate::journal::MOST_KEPT).read_to_end(&mut content).ok()?;
    Some(content)
}

fn canonical(path: &Path) -> CanonicalPath {
    CanonicalPath::new(Root::Workspace, path.to_owned())
}
