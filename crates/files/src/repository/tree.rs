//! Folders that move: whether what lies in them is judged as before at its new place.

use super::config::Config;
use super::{Repositories, is_complete, is_repository, of_part};
use crate::disk::Disk;
use palanca_core::ports::{EntryKind, FileError, FileErrorKind, GitPart, Place};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The rules on names, asked with the old and the new path of each entry.
pub(crate) type Names<'a> = &'a dyn Fn(&Path, &Path) -> Result<(), FileError>;

/// A folder on its way.
struct Moving<'a> {
    disk: &'a Disk,
    from: &'a Path,
    to: &'a Path,
    names: Names<'a>,
    /// Which folders in it, relative to it, are repositories.
    repositories: HashMap<PathBuf, bool>,
}

impl Repositories {
    /// # Errors
    /// A rule on `names`; with it a repository would start programs. [`FileErrorKind::MoveByFile`]: more than `most` entries
    /// to look at, or they cannot be seen.
    pub(crate) fn tree(
        &mut self,
        disk: &Disk,
        (from, to): (&Place<'_>, &Place<'_>),
        names: Names<'_>,
        most: usize,
    ) -> Result<(), FileError> {
        let mut moving = Moving { disk, from: from.path, to: to.path, names, repositories: HashMap::new() };
        let mut looked_at = 0;
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            let found = disk.names(&joined(from.path, &folder)).map_err(|_| by_file(from))?;
            looked_at += found.len() + 1;
            if looked_at > most {
                return Err(by_file(from));
            }
            let has = |wanted: &str| found.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted));
            moving.repositories.insert(folder.clone(), is_complete(&has));
            self.entry(&folder, EntryKind::Directory, &moving)?;
            for (name, kind) in &found {
                let path = folder.join(name);
                match kind {
                    EntryKind::Directory => folders.push(path),
                    kind => self.entry(&path, *kind, &moving)?,
                }
            }
        }
        Ok(())
    }

    /// One entry of a moved folder; `below` is relative to that folder.
    fn entry(&mut self, below: &Path, kind: EntryKind, moving: &Moving<'_>) -> Result<(), FileError> {
        let Moving { disk, from, to, names, repositories } = moving;
        let (old, new) = (joined(from, below), joined(to, below));
        names(&old, &new)?;
        let place = |path: &Path, top: &Path| {
            let is_repository = |folder: &Path| match folder.strip_prefix(top) {
                Ok(below) => repositories.get(below).copied().unwrap_or_default(),
                Err(_) => self.seen(is_repository(disk, folder)),
            };
            disk.rules().git().place(path, &is_repository)
        };
        let (before, after) = (place(&old, from), place(&new, to));
        let moves_whole =
            before.part == after.part && before.depth > from.iter().count() && after.depth > to.iter().count();
        let allowed = moves_whole
            || match after.part {
                GitPart::Other => true,
                GitPart::Config if kind == EntryKind::File => {
                    let used_at = new.parent().unwrap_or(Path::new("")).to_owned();
                    let config = Config { path: old.clone(), used_at, old: None, inode: None };
                    config.judge(disk)?;
                    self.used.push(config);
                    true
                }
                GitPart::Config | GitPart::Fixed | GitPart::Hook => false,
                GitPart::Sample => kind == EntryKind::File,
                GitPart::Hooks => kind == EntryKind::Directory,
                GitPart::Info | GitPart::Repository => matches!(kind, EntryKind::File | EntryKind::Directory),
            };
        if allowed { Ok(()) } else { Err(of_part(after.part).on(new.display().to_string())) }
    }
}

/// Without a slash at the end where nothing follows.
fn joined(top: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { top.to_owned() } else { top.join(below) }
}

/// Asks the program to copy, as between file systems: then each file is judged.
fn by_file(from: &Place<'_>) -> FileError {
    FileError::new(FileErrorKind::MoveByFile, from.path.display().to_string())
}
