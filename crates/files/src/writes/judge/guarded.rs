//! Every name that programs may not change, for those who cannot wait until they are asked about one.

use crate::disk::Disk;
use crate::errors::says_absent;
use crate::repository::{is_repository, of_part};
use palanca_core::ports::{EntryKind, FileError, GitPart, PathRefusal};
use std::path::{Path, PathBuf};

/// A name that programs may not change.
pub(in crate::writes) struct Guarded {
    pub path: PathBuf,
    pub entry: EntryKind,
    pub part: GitPart,
    pub refusal: PathRefusal,
}

/// Looks through the whole workspace, and says whether something could not be looked into. What lies in a guarded folder is
/// told, too, after the folder.
pub(in crate::writes) fn guarded(disk: &Disk) -> (Vec<Guarded>, Result<(), FileError>) {
    let (mut found, mut seen) = (Vec::new(), Ok(()));
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let names = disk.names(&folder).unwrap_or_else(|error| {
            if !says_absent(&error) {
                seen = Err(error);
            }
            Vec::new()
        });
        for (name, entry) in names {
            let path = folder.join(name);
            if entry == EntryKind::Directory {
                folders.push(path.clone());
            }
            let part =
                disk.rules().git().place(&path, &|folder: &Path| is_repository(disk, folder).unwrap_or(true)).part;
            let of_git = || (part >= GitPart::Config).then(|| of_part(part));
            if let Some(refusal) = disk.refuse_program(&path).or_else(of_git) {
                found.push(Guarded { path, entry, part, refusal });
            }
        }
    }
    (found, seen)
}
