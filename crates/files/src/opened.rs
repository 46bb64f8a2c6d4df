//! Folders that their owner himself cannot enter, opened while something below them is looked at or put back, and closed
//! again at the end. A command may close what an undo must find. The folders of other users stay as they are.

use crate::beneath::file_type;
use crate::disk::Disk;
use crate::errors::file_error;
use crate::journal::entry::{Id, Stamp};
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{FileError, FileErrorKind};
use rustix::fd::{AsRawFd as _, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Mode, Stat};
use rustix::io::Errno;
use std::path::Path;

/// What an owner needs in a folder.
const NEEDED: u32 = 0o700;

/// Closed again when this is dropped.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    folders: Vec<Folder>,
}

#[derive(Debug)]
struct Folder {
    handle: OwnedFd,
    id: Id,
    mode: u32,
}

impl Opened {
    /// Opens what is closed of a folder and those above it; each is told before.
    ///
    /// # Errors
    /// What `first` says, and what the system reports.
    pub(crate) fn open(
        &mut self,
        disk: &Disk,
        folder: &Path,
        mut first: impl FnMut(&Path, &Stat) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let user = rustix::process::geteuid();
        if user.is_root() {
            return Ok(());
        }
        let mut way: Vec<&Path> = folder.ancestors().collect();
        way.reverse();
        for folder in way {
            // What is not there, others will notice.
            let Ok((handle, stat)) = look(disk, folder) else { return Ok(()) };
            let mode = stat.st_mode & 0o7777;
            if file_type(&stat) != FileType::Directory || stat.st_uid != user.as_raw() || mode & NEEDED == NEEDED {
                continue;
            }
            first(folder, &stat)?;
            set_mode(&handle, mode | NEEDED).map_err(|errno| file_error(errno, folder.display()))?;
            self.folders.push(Folder { handle, id: Stamp::of(&stat).id(), mode });
        }
        Ok(())
    }

    /// The same after something could not be looked at, and looks again.
    ///
    /// # Errors
    /// Of the second look.
    pub(crate) fn or_open<T>(
        &mut self,
        (disk, folder): (&Disk, Option<&Path>),
        look: impl Fn() -> Result<T, FileError>,
    ) -> Result<T, FileError> {
        match (look(), folder) {
            (Err(error), Some(folder)) if error.kind == FileErrorKind::PermissionDenied => {
                self.open(disk, folder, |_, _| Ok(()))?;
                look()
            }
            (found, _) => found,
        }
    }

    /// The permissions that a folder had.
    pub(crate) fn mode(&self, stat: &Stat) -> Option<u32> {
        let id = Stamp::of(stat).id();
        self.folders.iter().find(|folder| folder.id == id).map(|folder| folder.mode)
    }

    /// This folder is not closed again: its permissions are somebody else's to set.
    pub(crate) fn release(&mut self, stat: &Stat) {
        let id = Stamp::of(stat).id();
        self.folders.retain(|folder| folder.id != id);
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        for folder in self.folders.iter().rev() {
            let now = fs::fstat(&folder.handle).map(|stat| stat.st_mode & 0o7777);
            if now == Ok(folder.mode | NEEDED) {
                // ignored: it stays open to its owner.
                let _ = set_mode(&folder.handle, folder.mode);
            }
        }
    }
}

fn set_mode(handle: &OwnedFd, mode: u32) -> Result<(), Errno> {
    let itself = format!("/proc/self/fd/{}", handle.as_raw_fd());
    fs::chmodat(fs::CWD, itself, Mode::from_raw_mode(mode), AtFlags::empty())
}

/// The workspace itself is held; a closed one cannot be found in itself.
fn look(disk: &Disk, folder: &Path) -> Result<(OwnedFd, Stat), FileError> {
    let path = CanonicalPath::new(Root::Workspace, folder.to_owned());
    if folder.as_os_str().is_empty() {
        let failed = |errno| file_error(errno, ".");
        let handle = rustix::io::fcntl_dupfd_cloexec(disk.tree(&path)?.0, 0).map_err(failed)?;
        let stat = fs::fstat(&handle).map_err(failed)?;
        return Ok((handle, stat));
    }
    disk.look(&path)
}
