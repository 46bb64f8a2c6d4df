//! Every name that programs may not change, for those who cannot wait until they are asked about one.

use super::{is_repository, of_part};
use crate::disk::Disk;
use palanca_core::ports::{EntryKind, GitPart, PathRefusal};
use std::path::{Path, PathBuf};

/// A name that programs may not change.
pub(in crate::writes) struct Guarded {
    pub path: PathBuf,
    pub entry: EntryKind,
    pub part: GitPart,
    pub refusal: PathRefusal,
}

/// Looks through the whole workspace. What lies in a guarded folder is told, too, after the folder.
pub(in crate::writes) fn guarded(disk: &Disk) -> Vec<Guarded> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        // What cannot be listed here is closed to programs as a whole.
        for (name, entry) in disk.names(&folder).unwrap_or_default() {
            let path = folder.join(name);
            if entry == EntryKind::Directory {
                folders.push(path.clone());
            }
            let part = disk.rules().git().place(&path, &|folder: &Path| is_repository(disk, folder)).part;
            let of_git = || (part >= GitPart::Config).then(|| of_part(part));
            if let Some(refusal) = disk.refuse_program(&path).or_else(of_git) {
                found.push(Guarded { path, entry, part, refusal });
            }
        }
    }
    found
}
