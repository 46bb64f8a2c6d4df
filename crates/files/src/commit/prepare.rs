//! Creates parents and writes new content beside its targets, under temporary names.

use super::plan::in_removed;
use super::{Directory, Judge, Pending, Ready, Spot, Start, Work};
use crate::atomic::{Name, Temporary, fresh_name, sync_files};
use crate::beneath::file_type;
use crate::disk::{Disk, only_regular};
use crate::errors::{changed, file_error, io_error};
use crate::remove::DIRECTORY_MODE;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{Change, ContentHash, Expect, FileError, FileErrorKind};
use rustix::fd::OwnedFd;
use rustix::fs::{self, Access, AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use rustix::process::{Gid, Uid, geteuid};
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// New files that are open at once, and synced together.
const MOST_OPEN: usize = 200;

pub(super) const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

pub(super) fn prepare<'a>(
    (disk, judge): (&Disk, &mut Judge<'_>),
    changes: &'a [Change],
    starts: &[(Start<'a>, Start<'a>)],
) -> Result<Work<'a>, FileError> {
    let work =
        Work { directories: Vec::new(), made: Vec::new(), ready: Vec::with_capacity(changes.len()), done: false };
    let names = disk.temporary_names(changes).into_iter();
    let mut preparing = Preparing { disk, judge, places: HashMap::new(), removed: HashSet::new(), names, work };
    let mut synced = 0;
    for (change, (first, second)) in changes.iter().zip(starts) {
        let ready = preparing.one(change, *first, *second)?;
        preparing.work.ready.push(ready);
        if preparing.work.ready.len() - synced == MOST_OPEN {
            sync(preparing.work.ready.get_mut(synced..).unwrap_or_default())?;
            synced = preparing.work.ready.len();
        }
    }
    sync(preparing.work.ready.get_mut(synced..).unwrap_or_default())?;
    Ok(preparing.work)
}

/// Makes sure that new contents are on the disk, all of them at once, and closes them.
fn sync(ready: &mut [Ready<'_>]) -> Result<(), FileError> {
    let written = ready.iter().filter_map(|ready| match ready {
        Ready::Write { path, temporary, .. } => temporary.file().map(|file| (*path, file)),
        _ => None,
    });
    let (paths, files): (Vec<&CanonicalPath>, Vec<&File>) = written.unzip();
    let shown = paths.first().map_or(String::new(), ToString::to_string);
    sync_files(&files).map_err(|error| io_error(&error, shown))?;
    for ready in ready {
        if let Ready::Write { temporary, .. } = ready {
            temporary.close();
        }
    }
    Ok(())
}

/// Whether a directory that was opened by its path is still what that path leads to.
pub(super) fn still_there(disk: &Disk, directory: &Directory) -> Result<(), FileError> {
    let path = CanonicalPath::new(Root::Workspace, directory.path.clone());
    let (_, stat) = disk.look(&path)?;
    if (stat.st_dev, stat.st_ino) == directory.identity {
        return Ok(());
    }
    Err(changed(path, "the directory was replaced meanwhile; try again"))
}

struct Preparing<'a, 'd, 'j> {
    disk: &'d Disk,
    judge: &'d mut Judge<'j>,
    places: HashMap<PathBuf, usize>,
    /// Names that the changes so far take away.
    removed: HashSet<&'a Path>,
    /// For the files that are still to be written.
    names: std::vec::IntoIter<OsString>,
    work: Work<'a>,
}

impl<'a> Preparing<'a, '_, '_> {
    fn one(&mut self, change: &'a Change, first: Start<'a>, second: Start<'a>) -> Result<Ready<'a>, FileError> {
        match change {
            Change::Write { path, content, expect, mode } => {
                let spot = self.spot(path)?;
                let old = self.old(path, &spot, first)?;
                let temporary = match &old {
                    Some(old) => {
                        only_regular(path, old)?;
                        if *expect == Expect::Absent {
                            return Err(FileError::new(FileErrorKind::Exists, path.to_string()));
                        }
                        self.replacement(path, &spot, (content, old, *mode))?
                    }
                    None if matches!(expect, Expect::Content(_)) => return Err(changed(path, "it is gone")),
                    None => {
                        let mode = Mode::from_raw_mode(mode.unwrap_or(0o666) & 0o777);
                        self.written(path, &spot, (content, mode))?
                    }
                };
                let after = ContentHash::of_bytes(content);
                Ok(Ready::Write { path, spot, expect: *expect, start: first, content, temporary, after })
            }
            Change::Delete { path, expect } => {
                let spot = self.existing(path)?;
                self.removed.insert(path.relative());
                Ok(Ready::Delete { path, spot, expect: *expect })
            }
            Change::Move { from, to } => {
                let from_spot = self.existing(from)?;
                let to_spot = self.spot(to)?;
                Ok(Ready::Move { from, from_spot, to, to_spot, to_start: second })
            }
            Change::MakeDirectory { path } => {
                self.directory(path.relative(), path)?;
                Ok(Ready::Made { path })
            }
        }
    }

    /// The name of a path, in its directory, which is made if need be.
    fn spot(&mut self, path: &CanonicalPath) -> Result<Spot, FileError> {
        let (Some(parent), Some(name)) = (path.relative().parent(), path.relative().file_name()) else {
            return Err(FileError::new(FileErrorKind::Invalid, path.to_string()));
        };
        Ok(Spot { directory: self.directory(parent, path)?, name: name.to_owned() })
    }

    /// As [`Self::spot`], for a path whose parent must be there.
    fn existing(&mut self, path: &CanonicalPath) -> Result<Spot, FileError> {
        self.disk.look(path)?;
        self.spot(path)
    }

    fn directory(&mut self, path: &Path, asked: &CanonicalPath) -> Result<usize, FileError> {
        if let Some(known) = self.places.get(path) {
            return Ok(*known);
        }
        if path.ancestors().any(|above| self.removed.contains(above)) {
            return self.pending(path, asked);
        }
        let canonical = CanonicalPath::new(Root::Workspace, path.to_owned());
        let handle = match self.disk.open_beneath(&canonical, DIRECTORY) {
            Err(error) if error.kind == FileErrorKind::NotFound => self.make(path, asked)?,
            Err(error) if error.kind == FileErrorKind::NotADirectory => return Err(error),
            opened => opened.map_err(|error| FileError { path: asked.to_string(), ..error })?,
        };
        let stat = fs::fstat(&handle).map_err(|errno| file_error(errno, asked))?;
        let known = self.work.directories.len();
        self.work.directories.push(Directory {
            handle: Arc::new(handle),
            path: path.to_owned(),
            identity: (stat.st_dev, stat.st_ino),
            pending: None,
        });
        self.places.insert(path.to_owned(), known);
        Ok(known)
    }

    /// A directory that takes the name of a file which goes first, or one below it.
    fn pending(&mut self, path: &Path, asked: &CanonicalPath) -> Result<usize, FileError> {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else { return Err(in_removed(asked)) };
        if self.removed.contains(path) {
            let (_, stat) = self.disk.look(&CanonicalPath::new(Root::Workspace, path.to_owned()))?;
            if file_type(&stat) == FileType::Directory {
                return Err(in_removed(asked));
            }
        }
        let parent = self.directory(above, asked)?;
        let waiting = self.work.directories.get(parent).ok_or_else(|| file_error(Errno::NOENT, asked))?;
        let known = self.work.directories.len();
        let (handle, identity) = (Arc::clone(&waiting.handle), waiting.identity);
        let pending = Some(Pending { parent, name: name.to_owned() });
        self.work.directories.push(Directory { handle, path: path.to_owned(), identity, pending });
        self.places.insert(path.to_owned(), known);
        Ok(known)
    }

    fn make(&mut self, path: &Path, asked: &CanonicalPath) -> Result<OwnedFd, FileError> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(FileError::new(FileErrorKind::NotFound, asked.to_string()).detail("the workspace is gone"));
        };
        let place = self.directory(parent, asked)?;
        let spot = Spot { directory: place, name: name.to_owned() };
        let inside = Arc::clone(&self.work.directory(&spot)?.handle);
        self.judge.makes(&inside, path)?;
        match fs::mkdirat(&inside, name, DIRECTORY_MODE) {
            Ok(()) => self.work.made.push((spot, path.to_owned())),
            Err(Errno::EXIST) => {}
            Err(errno) => return Err(file_error(errno, asked)),
        }
        fs::openat(&inside, name, DIRECTORY, Mode::empty()).map_err(|errno| file_error(errno, asked))
    }

    /// What the new content will replace.
    fn old(&self, path: &CanonicalPath, spot: &Spot, start: Start<'_>) -> Result<Option<Stat>, FileError> {
        let directory = self.work.directory(spot)?;
        match start {
            Start::Gone => Ok(None),
            Start::MovedFrom(from) => self.disk.look(from).map(|(_, stat)| Some(stat)),
            Start::AsIs | Start::Emptied if directory.pending.is_some() => Ok(None),
            Start::AsIs | Start::Emptied => {
                match fs::statat(&directory.handle, &*spot.name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) if matches!(start, Start::Emptied) && file_type(&stat) == FileType::Directory => Ok(None),
                    Ok(stat) => Ok(Some(stat)),
                    Err(Errno::NOENT) => Ok(None),
                    Err(errno) => Err(file_error(errno, path)),
                }
            }
        }
    }

    fn written(
        &mut self,
        path: &CanonicalPath,
        spot: &Spot,
        (content, mode): (&[u8], Mode),
    ) -> Result<Temporary, FileError> {
        let name = self.names.next().unwrap_or_else(fresh_name);
        let directory = self.work.directory(spot)?;
        let name = Name::new(directory.identity, name);
        let mut temporary =
            Temporary::create_as(&directory.handle, name, mode).map_err(|errno| file_error(errno, path))?;
        temporary.write(content).map_err(|error| io_error(&error, path))?;
        Ok(temporary)
    }

    /// New content that looks like the old file in everything else.
    fn replacement(
        &mut self,
        path: &CanonicalPath,
        spot: &Spot,
        (content, old, mode): (&[u8], &Stat, Option<u32>),
    ) -> Result<Temporary, FileError> {
        let root = geteuid().is_root();
        let directory = &self.work.directory(spot)?.handle;
        // Replacing needs only a writable directory; a file that its owner closed stays closed all the same.
        if !root && fs::accessat(directory, &*spot.name, Access::WRITE_OK, AtFlags::EACCESS) == Err(Errno::ACCESS) {
            return Err(FileError::new(FileErrorKind::PermissionDenied, path.to_string())
                .detail("the file is read-only; change its mode first"));
        }
        let temporary = self.written(path, spot, (content, Mode::RUSR | Mode::WUSR))?;
        let Some(file) = temporary.file() else { return Ok(temporary) };
        let fresh = fs::fstat(file).map_err(|errno| file_error(errno, path))?;
        if (fresh.st_uid, fresh.st_gid) != (old.st_uid, old.st_gid) {
            let owner = root.then(|| Uid::from_raw(old.st_uid));
            // ignored: who may not give a file away makes it their own, as every editor does.
            let _ = fs::fchown(file, owner, Some(Gid::from_raw(old.st_gid)));
        }
        // Set-user-id and set-group-id bits vouch for the old content only.
        let mode = Mode::from_raw_mode(mode.unwrap_or(old.st_mode) & 0o777);
        fs::fchmod(file, mode).map_err(|errno| file_error(errno, path))?;
        Ok(temporary)
    }
}
