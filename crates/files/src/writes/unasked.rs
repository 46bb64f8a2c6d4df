//! Where the kernel cannot ask for writes: what must stay as it is is found before a program starts, and what must not be
//! there afterwards is taken away.

use super::judge::{Guarded, guarded};
use crate::disk::Disk;
use crate::remove;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{FileError, FileErrorKind, GitPart};
use rustix::fd::AsFd as _;
use std::collections::HashSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A longer configuration of git is not read.
const CONFIG: u64 = 1 << 20;

/// What is protected now, outermost names only.
fn found(disk: &Disk) -> Vec<Guarded> {
    // What cannot be listed is closed to programs as a whole.
    let (mut found, _) = guarded(disk);
    found.retain(|name| matches!(name.refusal.kind, FileErrorKind::Protected(_)));
    let all: HashSet<PathBuf> = found.iter().map(|name| name.path.clone()).collect();
    found.retain(|name| !name.path.ancestors().skip(1).any(|above| all.contains(above)));
    found
}

/// What must stay as it is while a program runs, relative to the workspace.
pub(super) fn protected(disk: &Disk) -> Vec<PathBuf> {
    found(disk).into_iter().map(|name| name.path).collect()
}

/// Takes away what is protected now and was not there `before`, but for configurations of git that name no program.
pub(super) fn sweep(disk: &Disk, before: &[PathBuf]) -> Vec<FileError> {
    let before: HashSet<&PathBuf> = before.iter().collect();
    let mut taken = Vec::new();
    for Guarded { path, part, refusal, .. } in found(disk) {
        if before.contains(&path) {
            continue;
        }
        let harmless = part == GitPart::Config
            && content(disk, &path).is_some_and(|config| {
                let repository = path.parent().unwrap_or(Path::new(""));
                disk.rules().git().refuse_config(&config, None, repository).is_none()
            });
        if !harmless {
            // ignored: what stays is told all the same.
            let _ = take_away(disk, &path);
            taken.push(refusal.on(path.display().to_string()));
        }
    }
    taken
}

fn take_away(disk: &Disk, path: &Path) -> Result<(), FileError> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(()) };
    let folder = disk.open_directory(&CanonicalPath::new(Root::Workspace, parent.to_owned()))?;
    remove::entry(folder.as_fd(), name).map_err(|errno| crate::errors::file_error(errno, path.display()))
}

fn content(disk: &Disk, path: &Path) -> Option<Vec<u8>> {
    let (handle, _) = disk.look(&CanonicalPath::new(Root::Workspace, path.to_owned())).ok()?;
    let (root, relative) = (handle.as_fd(), path);
    let file = crate::beneath::reopen(handle.as_fd(), root, relative).ok()?;
    let mut bytes = Vec::new();
    let read = std::fs::File::from(file).take(CONFIG + 1).read_to_end(&mut bytes).ok()?;
    (read as u64 <= CONFIG).then_some(bytes)
}
