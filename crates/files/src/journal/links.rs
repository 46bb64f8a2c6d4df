//! Symbolic links, which the file door neither makes nor turns: only an undo gives back what programs did to them.

use super::record::{Act, Line};
use super::{Journal, JournalError};
use crate::beneath::file_type;
use crate::disk::Disk;
use crate::errors::{changed, file_error};
use palanca_core::call::CanonicalPath;
use palanca_core::ports::{ChangeOrigin, FileError, FileErrorKind};
use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, FileType, OFlags};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// What the link at a path leads to; none when no link is there.
pub(crate) fn target(disk: &Disk, path: &CanonicalPath) -> Option<PathBuf> {
    let (handle, stat) = disk.look(path).ok()?;
    if file_type(&stat) != FileType::Symlink {
        return None;
    }
    let target = fs::readlinkat(&handle, "", Vec::new()).ok()?;
    Some(OsString::from_vec(target.into_bytes()).into())
}

fn parent(disk: &Disk, path: &CanonicalPath) -> Result<(OwnedFd, OsString), FileError> {
    let (Some(parent), Some(name)) = (path.relative().parent(), path.relative().file_name()) else {
        return Err(FileError::new(FileErrorKind::Invalid, path.to_string()));
    };
    let parent = CanonicalPath::new(path.root(), parent.to_owned());
    let handle = disk.open_beneath(&parent, OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW)?;
    Ok((handle, name.to_owned()))
}

/// Removes links that still lead where they are expected to, as one step.
pub(super) fn remove(
    (journal, disk): (&Journal, &Disk),
    links: &[(CanonicalPath, PathBuf)],
    origin: &ChangeOrigin,
) -> Result<(), JournalError> {
    let acts = links.iter().map(|(path, target)| act(path, Some(target), None)).collect();
    step((journal, disk), acts, origin)?;
    for (path, expected) in links {
        if target(disk, path).as_ref() != Some(expected) {
            return Err(changed(path, "the link leads elsewhere now").into());
        }
        let (directory, name) = parent(disk, path)?;
        fs::unlinkat(&directory, &*name, AtFlags::empty()).map_err(|errno| file_error(errno, path))?;
    }
    Ok(())
}

/// Makes links where nothing is, as one step.
pub(super) fn make(
    (journal, disk): (&Journal, &Disk),
    links: &[(CanonicalPath, PathBuf)],
    origin: &ChangeOrigin,
) -> Result<(), JournalError> {
    let acts = links.iter().map(|(path, target)| act(path, None, Some(target))).collect();
    step((journal, disk), acts, origin)?;
    for (path, target) in links {
        let (directory, name) = parent(disk, path)?;
        fs::symlinkat(target, &directory, &*name).map_err(|errno| file_error(errno, path))?;
    }
    Ok(())
}

fn act(path: &CanonicalPath, before: Option<&PathBuf>, after: Option<&PathBuf>) -> Act {
    let named = |target: &PathBuf| Path::new(target).into();
    Act::Link { path: path.relative().into(), before: before.map(named), after: after.map(named) }
}

/// The line before the change, as for every commit.
fn step((journal, disk): (&Journal, &Disk), acts: Vec<Act>, origin: &ChangeOrigin) -> Result<(), JournalError> {
    if !acts.is_empty() {
        journal.append(origin, &Line::new(disk.workspace(), acts))?;
    }
    Ok(())
}
