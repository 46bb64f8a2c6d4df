//! Where the kernel cannot ask for writes: what must stay as it is is found before a program starts, and what must not be
//! there afterwards is taken away.

use super::judge::{error, rule_of};
use crate::disk::Disk;
use crate::remove;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{EntryKind, FileError, FileErrorKind, Files, GitPart};
use rustix::fd::AsFd as _;
use std::collections::HashSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A longer configuration of git is not read.
const CONFIG: u64 = 1 << 20;

/// Everything that is protected now, with the rule.
fn found(disk: &Disk) -> Vec<(PathBuf, GitPart, String)> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        // What cannot be listed is closed as a whole.
        for (name, kind) in disk.names(&folder).unwrap_or_default() {
            let path = folder.join(name);
            let part = disk.rules().git().place(&path, &|folder| is_repository(disk, folder)).part;
            let rule = match disk.rules().refuse_program(&path) {
                Some(refusal) if refusal.kind == FileErrorKind::Protected => Some(refusal.rule),
                _ if part >= GitPart::Config => Some(rule_of(part).to_owned()),
                _ => None,
            };
            match rule {
                Some(rule) => found.push((path, part, rule)),
                None if kind == EntryKind::Directory => folders.push(path),
                None => {}
            }
        }
    }
    found
}

/// What must stay as it is while a program runs, relative to the workspace.
pub(super) fn protected(disk: &Disk) -> Vec<PathBuf> {
    found(disk).into_iter().map(|(path, ..)| path).collect()
}

/// Takes away what is protected now and was not there `before`, but for configurations of git that name no program.
pub(super) fn sweep(disk: &Disk, before: &[PathBuf]) -> Vec<FileError> {
    let before: HashSet<&PathBuf> = before.iter().collect();
    let new = found(disk).into_iter().filter(|(path, ..)| !before.contains(path));
    let mut taken = Vec::new();
    for (path, part, rule) in new {
        let harmless = part == GitPart::Config
            && content(disk, &path).is_some_and(|config| {
                let repository = path.parent().unwrap_or(Path::new(""));
                disk.rules().git().refuse_config(&config, None, repository).is_none()
            });
        if !harmless {
            // ignored: what stays is told all the same.
            let _ = take_away(disk, &path);
            taken.push(error(FileErrorKind::Protected, &path, rule));
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
    let file = crate::beneath::reopen(&handle, root, relative).ok()?;
    let mut bytes = Vec::new();
    let read = std::fs::File::from(file).take(CONFIG + 1).read_to_end(&mut bytes).ok()?;
    (read as u64 <= CONFIG).then_some(bytes)
}

fn is_repository(disk: &Disk, folder: &Path) -> bool {
    let has = |name: &str| disk.info(&CanonicalPath::new(Root::Workspace, folder.join(name))).is_ok();
    super::judge::is_complete(&has)
}
