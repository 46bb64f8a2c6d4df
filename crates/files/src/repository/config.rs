//! Configurations of git: read once, judged, and put in place as a copy of what was judged.

use super::protected;
use crate::atomic::{Temporary, identity, rename_to_free};
use crate::disk::Disk;
use crate::errors::{changed, file_error, io_error};
use crate::journal::batch::set_time;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{ClosedBy, FileError, Found, Place};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Longer ones are refused.
const LONGEST: u64 = 1 << 20;

/// A file that is a configuration, or is about to be one.
#[derive(Debug)]
pub(crate) struct Config {
    /// Where it is now, relative to the workspace.
    pub(crate) path: PathBuf,
    /// The folder that it is used in.
    pub used_at: PathBuf,
    /// What it replaces.
    pub old: Option<PathBuf>,
    /// The file that must stand there.
    pub inode: Option<(u64, u64)>,
}

/// Whether something stands at the name already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replace {
    Yes,
    No,
}

/// What was read and may be put in place.
#[derive(Debug)]
pub(crate) struct Judged {
    bytes: Vec<u8>,
    stat: Stat,
}

impl Config {
    /// A file that is renamed to `target`.
    pub(crate) fn at((from, found): (&Place<'_>, &Found), target: &Path) -> Self {
        Self {
            path: from.path.to_owned(),
            used_at: target.parent().unwrap_or(Path::new("")).to_owned(),
            old: Some(target.to_owned()),
            inode: Some((found.device, found.inode)),
        }
    }

    /// # Errors
    /// The rule against it; it is no regular file, or too long.
    pub(crate) fn judge(&self, disk: &Disk) -> Result<Judged, FileError> {
        let (folder, name) = open_folder(disk, &self.path)?;
        let judged = read(folder.as_fd(), &name, &self.path)?;
        let inode = (judged.stat.st_dev, judged.stat.st_ino);
        if self.inode.is_some_and(|expected| expected != inode) {
            return Err(changed(self.path.display(), "another file stands there now"));
        }
        let old = self.old.as_ref().and_then(|old| Self::content(disk, old));
        match disk.rules().git().refuse_config(&judged.bytes, old.as_deref(), &self.used_at) {
            Some(refusal) => Err(refusal.on(self.old.as_deref().unwrap_or(&self.path).display().to_string())),
            None => Ok(judged),
        }
    }

    /// What stands at a path; none where it is no configuration that can be read, which counts as empty.
    pub(crate) fn content(disk: &Disk, path: &Path) -> Option<Vec<u8>> {
        let (folder, name) = open_folder(disk, path).ok()?;
        Some(read(folder.as_fd(), &name, path).ok()?.bytes)
    }

    /// Judges it again and replaces it, where it is, by a copy that no other name or descriptor leads to.
    ///
    /// # Errors
    /// As [`Self::judge`], or the system's.
    pub(crate) fn replace_by_copy(&self, disk: &Disk) -> Result<(), FileError> {
        let judged = self.judge(disk)?;
        let (folder, name) = open_folder(disk, &self.path)?;
        write((&Arc::new(folder), &name, &self.path), &judged, Replace::Yes)
    }
}

/// Moves a configuration into place: what was judged is written anew, and the source goes.
///
/// # Errors
/// As [`Config::judge`], or the system's.
pub(crate) fn put(
    disk: &Disk,
    source: (&Place<'_>, &Found),
    (to, replaces): (&Place<'_>, bool),
) -> Result<(), FileError> {
    let judged = Config::at(source, to.path).judge(disk)?;
    let folder = to.parent.try_clone_to_owned().map_err(|failed| io_error(&failed, to.path.display()))?;
    write((&Arc::new(folder), to.name, to.path), &judged, if replaces { Replace::Yes } else { Replace::No })?;
    let (from, _) = source;
    fs::unlinkat(from.parent, from.name, AtFlags::empty()).map_err(|errno| file_error(errno, from.path.display()))
}

/// A new configuration, which is empty, gets this content.
///
/// # Errors
/// As [`Config::judge`], or the system's.
pub(crate) fn fill(disk: &Disk, at: &Place<'_>, content: BorrowedFd<'_>) -> Result<(), FileError> {
    let failed = |failed: std::io::Error| io_error(&failed, at.path.display());
    let judged = judged(File::from(content.try_clone_to_owned().map_err(failed)?), at.path)?;
    let used_at = at.path.parent().unwrap_or(Path::new(""));
    if let Some(refusal) = disk.rules().git().refuse_config(&judged.bytes, None, used_at) {
        return Err(refusal.on(at.path.display().to_string()));
    }
    let (folder, name) = open_folder(disk, at.path)?;
    let same = identity(&folder).and_then(|ours| Ok(ours == identity(at.parent)?));
    if !same.map_err(|errno| file_error(errno, at.path.display()))? {
        return Err(changed(at.path.display(), "its folder was replaced meanwhile"));
    }
    write((&Arc::new(folder), &name, at.path), &judged, Replace::Yes)
}

fn write(
    (folder, name, path): (&Arc<OwnedFd>, &OsStr, &Path),
    judged: &Judged,
    replace: Replace,
) -> Result<(), FileError> {
    let failed = |errno| file_error(errno, path.display());
    let mut copy = Temporary::create(folder, Mode::RUSR | Mode::WUSR).map_err(failed)?;
    copy.write(&judged.bytes).map_err(|error| io_error(&error, path.display()))?;
    if let Some(file) = copy.file() {
        let stat = &judged.stat;
        if fs::fstat(file).map_err(failed)?.st_uid != stat.st_uid {
            let (owner, group) = (Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid));
            fs::fchown(file, Some(owner), Some(group)).map_err(failed)?;
        }
        fs::fchmod(file, Mode::from_raw_mode(stat.st_mode & 0o7777)).map_err(failed)?;
        set_time(file, stat).map_err(failed)?;
    }
    match replace {
        Replace::Yes => fs::renameat(folder, copy.name(), folder, name),
        Replace::No => rename_to_free((folder, copy.name()), (folder, name)),
    }
    .map_err(failed)?;
    copy.disarm();
    Ok(())
}

/// The folder of a path, and the last name.
fn open_folder(disk: &Disk, path: &Path) -> Result<(OwnedFd, std::ffi::OsString), FileError> {
    let folder = CanonicalPath::new(Root::Workspace, path.parent().unwrap_or(Path::new("")).to_owned());
    Ok((disk.open_directory(&folder)?, path.file_name().unwrap_or_default().to_owned()))
}

/// The content of a regular file.
fn read(folder: BorrowedFd<'_>, name: &OsStr, path: &Path) -> Result<Judged, FileError> {
    let failed = |errno| file_error(errno, path.display());
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = fs::openat(folder, name, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::LOOP => protected(path, ClosedBy::Rule, "git.own"),
        errno => failed(errno),
    })?;
    judged(File::from(file), path)
}

fn judged(file: File, path: &Path) -> Result<Judged, FileError> {
    let stat = fs::fstat(&file).map_err(|errno| file_error(errno, path.display()))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(protected(path, ClosedBy::Rule, "git.own"));
    }
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| io_error(&error, path.display()))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > LONGEST {
        return Err(protected(path, ClosedBy::GitUnreadable, "git.config.too-long"));
    }
    Ok(Judged { bytes, stat })
}
