//! An overlay as programs see it: a directory of changes that the kernel lays over the workspace while a program runs
//! (overlayfs). It is filled from the overlay before a program starts; changes by programs are read back. Both steps only
//! handle differences.
//!
//! In that directory a changed file is a file, a name that is gone is a character device 0/0, and a directory with the
//! attribute `user.overlay.opaque` hides what was there. Programs may leave links there that lead anywhere, so every path is
//! opened beneath the directory and no link is followed.

mod place;

use super::layer::{Content, Layer, Node, Seen};
use super::{Edit, Overlay};
use crate::beneath::{Mounts, Opener};
use crate::disk::{Disk, read_names};
use crate::errors::{file_error, io_error};
use crate::journal::MOST_KEPT;
use crate::remove;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{Change, EntryKind, Expect, FileError, FileErrorKind, Files};
use place::Place;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Gid, Mode, OFlags, Stat, Uid, XattrFlags};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const OPAQUE: &str = "user.overlay.opaque";
const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// What marks a folder that a build can make again; nothing in it is part of a dry run's diff.
const CACHE: &str = "CACHEDIR.TAG";
/// Git's own files, which only later programs see changed.
const GIT: &str = ".git";

/// The directory. Removed when dropped.
pub struct DiskLayer {
    disk: Arc<Disk>,
    place: Place,
    upper: OwnedFd,
    opener: Opener,
    /// To whom everything in it belongs, when that is not this process's user.
    owner: Option<(Uid, Gid)>,
    /// What it was last made to hold.
    held: Arc<Layer>,
    /// What was told not to be brought back.
    told: BTreeSet<String>,
}

impl std::fmt::Debug for DiskLayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DiskLayer").field("path", &self.place.path).finish_non_exhaustive()
    }
}

impl DiskLayer {
    /// Makes an empty one below `base`, which must lie outside the workspace.
    ///
    /// # Errors
    /// What the system reports.
    pub fn create(disk: Arc<Disk>, base: &Path) -> Result<Self, FileError> {
        let failed = |errno| file_error(errno, base.display());
        let real = std::fs::canonicalize(base).map_err(|error| io_error(&error, base.display()))?;
        if real.starts_with(disk.workspace()) {
            return Err(FileError::new(FileErrorKind::Invalid, base.display().to_string())
                .detail("the folder for temporary files lies in the workspace; set TMPDIR"));
        }
        let parent = fs::open(&real, DIRECTORY, Mode::empty()).map_err(failed)?;
        let top = fs::stat(disk.workspace()).map_err(failed)?;
        let owner =
            rustix::process::geteuid().is_root().then(|| (Uid::from_raw(top.st_uid), Gid::from_raw(top.st_gid)));
        // Its name is that of a temporary, so that one which a killed process left is known by it.
        let name = crate::atomic::fresh_name();
        fs::mkdirat(&parent, &*name, Mode::RWXU).map_err(failed)?;
        let place = Place { path: real.join(&name), parent, name };
        let own = open(place.parent.as_fd(), &place.name).map_err(failed)?;
        give(own.as_fd(), owner).map_err(failed)?;
        for (name, mode) in [("upper", top.st_mode & 0o7777), ("work", 0o700)] {
            let made = make(own.as_fd(), OsStr::new(name)).map_err(failed)?;
            give(made.as_fd(), owner).and_then(|()| fs::fchmod(&made, Mode::from_raw_mode(mode))).map_err(failed)?;
        }
        let upper = open(own.as_fd(), OsStr::new("upper")).map_err(failed)?;
        let opener = Opener::probe(upper.as_fd());
        Ok(Self { disk, place, upper, opener, owner, held: Arc::default(), told: BTreeSet::new() })
    }

    /// Takes the changes.
    #[must_use]
    pub fn upper(&self) -> PathBuf {
        self.place.path.join("upper")
    }

    /// The kernel's own.
    #[must_use]
    pub fn work(&self) -> PathBuf {
        self.place.path.join("work")
    }

    /// Makes it hold what the overlay holds, before a program starts.
    ///
    /// # Errors
    /// What the system reports.
    pub fn bring_in(&mut self, overlay: &Overlay) -> Result<(), FileError> {
        let now = overlay.layer();
        let gone = self.held.nodes().filter(|(path, _)| now.get(path).is_none() && now.seen(path).is_err());
        for (path, _) in gone {
            self.clear(path)?;
        }
        // Everything in a directory that is made anew.
        let mut anew: Option<&CanonicalPath> = None;
        for (path, node) in now.nodes() {
            let inside = anew.is_some_and(|above| path.is_within(above));
            if !inside && self.held.get(path).is_some_and(|held| held.is_same(node)) {
                continue;
            }
            self.put(path, node)?;
            if !inside && matches!(node, Node::Directory) {
                anew = Some(path);
            }
        }
        self.held = now;
        Ok(())
    }

    /// Takes what a program changed into the overlay. Returns the names of what cannot be taken and was not named before:
    /// links, special files, what the policy protects, and what is too large.
    ///
    /// # Errors
    /// A directory that cannot be read.
    pub fn bring_back(&mut self, overlay: &Overlay) -> Result<Vec<String>, FileError> {
        let left = overlay.edit(|edit| {
            let mut back = Back { layer: self, edit, left: BTreeSet::new() };
            back.removed();
            back.changed().map(|()| back.left)
        })?;
        self.held = overlay.layer();
        let new = left.difference(&self.told).cloned().collect();
        self.told.extend(left);
        Ok(new)
    }

    fn put(&self, path: &CanonicalPath, node: &Node) -> Result<(), FileError> {
        let failed = |errno| file_error(errno, path);
        let Some(name) = path.relative().file_name().filter(|_| path.root() == Root::Workspace) else { return Ok(()) };
        self.clear(path)?;
        let parent = self.parent(path).map_err(failed)?;
        match node {
            Node::Gone => match self.is_real(path) {
                true => fs::mknodat(&parent, name, FileType::CharacterDevice, Mode::empty(), 0).map_err(failed),
                false => Ok(()),
            },
            Node::Directory => {
                let made = make(parent.as_fd(), name).map_err(failed)?;
                fs::fchmod(&made, Mode::from_raw_mode(0o755)).map_err(failed)?;
                give(made.as_fd(), self.owner).map_err(failed)?;
                match self.is_real(path) {
                    true => fs::fsetxattr(&made, OPAQUE, b"y", XattrFlags::empty()).map_err(failed),
                    false => Ok(()),
                }
            }
            Node::File { content, mode, .. } => {
                let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
                let made = fs::openat(&parent, name, flags, Mode::RUSR | Mode::WUSR).map_err(failed)?;
                let mut made = File::from(made);
                let written = match content {
                    Content::Memory(bytes) => made.write_all(bytes),
                    Content::Real(there) => std::io::copy(&mut self.disk.open(there)?.content, &mut made).map(drop),
                };
                written.map_err(|error| io_error(&error, path))?;
                give(made.as_fd(), self.owner).map_err(failed)?;
                fs::fchmod(&made, Mode::from_raw_mode(mode & 0o777)).map_err(failed)
            }
            // A link or special file that was moved stays away: programs made none of it.
            Node::Other(_) => Ok(()),
        }
    }

    fn clear(&self, path: &CanonicalPath) -> Result<(), FileError> {
        let (Some(name), Ok(parent)) = (path.relative().file_name(), self.parent(path)) else { return Ok(()) };
        match remove::entry(parent.as_fd(), name) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(file_error(errno, path)),
        }
    }

    /// The folder of a path, made where only the workspace has it, with the permissions that it has there.
    fn parent(&self, path: &CanonicalPath) -> Result<OwnedFd, Errno> {
        let mut at = fs::openat(&self.upper, ".", DIRECTORY, Mode::empty())?;
        let mut below = PathBuf::new();
        for name in path.relative().parent().into_iter().flatten() {
            below.push(name);
            at = match open(at.as_fd(), name) {
                Ok(next) => next,
                Err(Errno::NOENT) => {
                    let next = make(at.as_fd(), name)?;
                    let real = self.stat_real(&below).map_or(0o755, |stat| stat.st_mode & 0o7777);
                    give(next.as_fd(), self.owner)?;
                    fs::fchmod(&next, Mode::from_raw_mode(real))?;
                    next
                }
                Err(error) => return Err(error),
            };
        }
        Ok(at)
    }

    fn is_real(&self, path: &CanonicalPath) -> bool {
        self.stat_real(path.relative()).is_some()
    }

    fn stat_real(&self, relative: &Path) -> Option<Stat> {
        let handle = self.disk.open_beneath(&workspace(relative), OFlags::PATH | OFlags::NOFOLLOW).ok()?;
        fs::fstat(&handle).ok()
    }

    fn open(&self, relative: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        self.opener.open_within(self.upper.as_fd(), relative, flags, Mounts::Stay)
    }
}

/// What programs changed, on its way into the overlay.
struct Back<'a, 'b> {
    layer: &'a DiskLayer,
    edit: &'a mut Edit<'b>,
    left: BTreeSet<String>,
}

impl Back<'_, '_> {
    /// What the overlay had put there and is gone: of a name that the workspace does not have nothing is left.
    fn removed(&mut self) {
        let held = Arc::clone(&self.layer.held);
        for (path, node) in held.nodes() {
            let stands = matches!(node, Node::File { .. } | Node::Directory);
            let there = self.layer.open(path.relative(), OFlags::PATH | OFlags::NOFOLLOW);
            if stands && matches!(there, Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP)) {
                self.delete(path);
            }
        }
    }

    fn changed(&mut self) -> Result<(), FileError> {
        let mut pending = vec![PathBuf::new()];
        while let Some(folder) = pending.pop() {
            let handle = match self.layer.open(&folder, DIRECTORY) {
                Ok(handle) => handle,
                Err(Errno::ACCESS) => {
                    self.leave(&workspace(&folder));
                    continue;
                }
                Err(errno) => return Err(file_error(errno, folder.display())),
            };
            let mut names = Vec::new();
            read_names(handle.as_fd(), |name, _| names.push(name.to_owned()))
                .map_err(|errno| file_error(errno, folder.display()))?;
            for name in names.iter().filter(|name| *name != GIT) {
                let path = workspace(&folder.join(name));
                let Ok(stat) = fs::statat(&handle, &**name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
                match FileType::from_raw_mode(stat.st_mode) {
                    FileType::CharacterDevice if stat.st_rdev == 0 => self.delete(&path),
                    FileType::Directory => {
                        self.directory(&path);
                        if !self.is_cache(path.relative()) {
                            pending.push(path.relative().to_owned());
                        }
                    }
                    FileType::RegularFile => self.file(&path, &stat),
                    _ => self.other(&path),
                }
            }
        }
        Ok(())
    }

    fn directory(&mut self, path: &CanonicalPath) {
        let opaque = self.layer.open(path.relative(), DIRECTORY).is_ok_and(|handle| {
            let mut value = [0; 1];
            fs::fgetxattr(&handle, OPAQUE, &mut value).is_ok_and(|length| length == 1 && value == *b"y")
        });
        let real = matches!(self.edit.layer.seen(path), Ok(Seen::Real));
        match self.edit.info(path) {
            Ok(info) if info.kind == EntryKind::Directory && !(opaque && real) => return,
            Ok(_) => self.delete(path),
            Err(_) => {}
        }
        self.commit(Change::MakeDirectory { path: path.clone() });
    }

    fn file(&mut self, path: &CanonicalPath, stat: &Stat) {
        let content = self.content(path, stat);
        let Some(content) = content else { return self.leave(path) };
        let mode = stat.st_mode & 0o777;
        match self.edit.info(path) {
            Ok(info) if info.kind == EntryKind::File => {
                let same = || {
                    let mut old = Vec::new();
                    let opened = self.edit.open(path);
                    opened.is_ok_and(|file| file.content.take(MOST_KEPT).read_to_end(&mut old).is_ok())
                        && old == content
                };
                if info.mode & 0o777 == mode && info.size == content.len().try_into().unwrap_or(u64::MAX) && same() {
                    return;
                }
            }
            Ok(_) => self.delete(path),
            Err(_) => {}
        }
        self.commit(Change::Write { path: path.clone(), content, expect: Expect::Anything, mode: Some(mode) });
    }

    /// None when it is too large, or closed to us.
    fn content(&self, path: &CanonicalPath, stat: &Stat) -> Option<Vec<u8>> {
        if u64::try_from(stat.st_size).ok()? > MOST_KEPT {
            return None;
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = File::from(self.layer.open(path.relative(), flags).ok()?);
        let mut content = Vec::new();
        file.take(MOST_KEPT).read_to_end(&mut content).ok()?;
        Some(content)
    }

    /// A link or a special file; a link that the workspace has came along when its owner or name changed.
    fn other(&mut self, path: &CanonicalPath) {
        match self.edit.info(path) {
            Ok(info) if info.kind == EntryKind::Link && self.leads_as_before(path) => return,
            Ok(info) if matches!(info.kind, EntryKind::Link | EntryKind::Special) => {}
            Ok(_) => self.delete(path),
            Err(_) => {}
        }
        self.leave(path);
    }

    fn leads_as_before(&self, path: &CanonicalPath) -> bool {
        let target = |link: OwnedFd| fs::readlinkat(&link, "", Vec::new()).ok();
        let real = self.layer.disk.open_beneath(path, OFlags::PATH | OFlags::NOFOLLOW).ok().and_then(target);
        real.is_some()
            && real == self.layer.open(path.relative(), OFlags::PATH | OFlags::NOFOLLOW).ok().and_then(target)
    }

    fn is_cache(&self, folder: &Path) -> bool {
        let mark = folder.join(CACHE);
        let seen = self.edit.info(&workspace(&mark)).is_ok();
        seen || self.layer.open(&mark, OFlags::PATH | OFlags::NOFOLLOW).is_ok()
    }

    fn delete(&mut self, path: &CanonicalPath) {
        self.commit(Change::Delete { path: path.clone(), expect: Expect::Anything });
    }

    fn commit(&mut self, change: Change) {
        let path = change.paths().next().cloned();
        match (self.edit.commit(&change), path) {
            (Err(error), Some(path)) if error.kind != FileErrorKind::NotFound => self.leave(&path),
            _ => {}
        }
    }

    fn leave(&mut self, path: &CanonicalPath) {
        self.left.insert(path.to_string());
    }
}

fn workspace(relative: &Path) -> CanonicalPath {
    CanonicalPath::new(Root::Workspace, relative.to_owned())
}

fn open(parent: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    fs::openat(parent, name, DIRECTORY, Mode::empty())
}

/// Makes a directory and opens it.
fn make(parent: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    fs::mkdirat(&parent, name, Mode::RWXU)?;
    open(parent, name)
}

fn give(what: impl AsFd, owner: Option<(Uid, Gid)>) -> Result<(), Errno> {
    match owner {
        Some((user, group)) => fs::fchown(what, Some(user), Some(group)),
        None => Ok(()),
    }
}
