//! Files with several names: one that is closed closes the others.

use super::guarded::guarded;
use crate::disk::Disk;
use crate::errors::says_absent;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{EntryKind, FileError, PathRefusal};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A file system's number and a file's number there.
type Identity = (u64, u64);
/// Why a file is closed, and its closed name.
type Closed = (PathRefusal, PathBuf);

/// Closed files that have further names: looked for when a program first changes a file with several. It cannot make more.
#[derive(Debug, Default)]
pub(super) struct Linked {
    known: Option<HashMap<Identity, Closed>>,
}

impl Linked {
    /// Why the file is closed, if it is.
    ///
    /// # Errors
    /// Not all of the workspace can be seen, and with it no other name of the file.
    pub(super) fn closed(&mut self, disk: &Disk, file: Identity) -> Result<Option<Closed>, FileError> {
        let known = match self.known.take() {
            Some(known) => known,
            None => look(disk)?,
        };
        Ok(self.known.insert(known).get(&file).cloned())
    }
}

fn look(disk: &Disk) -> Result<HashMap<Identity, Closed>, FileError> {
    let (found, seen) = guarded(disk);
    seen?;
    let mut closed = HashMap::new();
    for name in found.into_iter().filter(|name| name.entry == EntryKind::File) {
        if let Some(identity) = identity(disk, &name.path)? {
            closed.insert(identity, (name.refusal, name.path));
        }
    }
    Ok(closed)
}

/// Of a file with several names.
fn identity(disk: &Disk, path: &Path) -> Result<Option<Identity>, FileError> {
    match disk.look(&CanonicalPath::new(Root::Workspace, path.to_owned())) {
        Ok((_, stat)) => Ok((stat.st_nlink > 1).then_some((stat.st_dev, stat.st_ino))),
        Err(error) if says_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}
