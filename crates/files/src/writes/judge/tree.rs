//! Folders that move: whether what lies in them is judged as before at its new place.

use super::config::Config;
use super::{Judge, is_complete, is_repository, of_part, protected};
use palanca_core::ports::{ClosedBy, EntryKind, FileError, FileErrorKind, GitPart, Place};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Folders with more entries are moved file by file.
const MOST: usize = 20_000;

impl Judge {
    /// # Errors
    /// Something in it is secret; its rules would change; with it a repository would start programs.
    /// [`FileErrorKind::MoveByFile`]: too many entries to look at.
    pub(super) fn tree(&mut self, from: &Place<'_>, to: &Place<'_>) -> Result<(), FileError> {
        if let Some(closed) = self.disk.closed_below(from.path) {
            return Err(FileError::new(FileErrorKind::ReadOnly, closed.display().to_string()));
        }
        let mut looked_at = 0;
        let mut repositories: HashMap<PathBuf, bool> = HashMap::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            let here = joined(from.path, &folder);
            let names = self.disk.names(&here).map_err(|_| by_file(from))?;
            looked_at += names.len() + 1;
            if looked_at > MOST {
                return Err(by_file(from));
            }
            let has = |wanted: &str| names.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted));
            repositories.insert(folder.clone(), is_complete(&has));
            self.entry(&folder, EntryKind::Directory, (from, to, &repositories))?;
            for (name, kind) in &names {
                let path = folder.join(name);
                match kind {
                    EntryKind::Directory => folders.push(path),
                    kind => self.entry(&path, *kind, (from, to, &repositories))?,
                }
            }
        }
        Ok(())
    }

    /// One entry of a moved folder; `below` is relative to that folder.
    fn entry(
        &mut self,
        below: &Path,
        kind: EntryKind,
        (from, to, repositories): (&Place<'_>, &Place<'_>, &HashMap<PathBuf, bool>),
    ) -> Result<(), FileError> {
        let (old, new) = (joined(from.path, below), joined(to.path, below));
        let (was, will_be) = (self.disk.refuse_program(&old), self.disk.refuse_program(&new));
        for (refusal, path) in [(&was, &old), (&will_be, &new)] {
            if let Some(refusal) = refusal.as_ref().filter(|refusal| matches!(refusal.kind, FileErrorKind::Secret(_))) {
                return Err(protected(path, ClosedBy::Moved, &refusal.rule));
            }
        }
        if was.as_ref().map(|refusal| &refusal.rule) != will_be.as_ref().map(|refusal| &refusal.rule) {
            let rule = will_be.or(was).map(|refusal| refusal.rule).unwrap_or_default();
            return Err(protected(&old, ClosedBy::Moved, rule));
        }
        let place = |path: &Path, top: &Path| {
            let is_repository = |folder: &Path| match folder.strip_prefix(top) {
                Ok(below) => repositories.get(below).copied().unwrap_or_default(),
                Err(_) => self.seen(is_repository(&self.disk, folder)),
            };
            self.disk.rules().git().place(path, &is_repository)
        };
        let (before, after) = (place(&old, from.path), place(&new, to.path));
        let moves_whole = before.part == after.part
            && before.depth > from.path.iter().count()
            && after.depth > to.path.iter().count();
        let allowed = moves_whole
            || match after.part {
                GitPart::Other => true,
                GitPart::Config if kind == EntryKind::File => {
                    let used_at = new.parent().unwrap_or(Path::new("")).to_owned();
                    let config = Config { path: old.clone(), used_at, old: None, inode: None };
                    config.judge(&self.disk)?;
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
