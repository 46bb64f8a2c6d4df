//! Files with several names: one that is closed closes the others.

use super::guarded::guarded;
use crate::disk::Disk;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{EntryKind, PathRefusal};
use rustix::fs::OFlags;
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
    pub(super) fn closed(&mut self, disk: &Disk, file: Identity) -> Option<Closed> {
        self.known.get_or_insert_with(|| look(disk)).get(&file).cloned()
    }
}

fn look(disk: &Disk) -> HashMap<Identity, Closed> {
    let files = guarded(disk).into_iter().filter(|name| name.entry == EntryKind::File);
    files.filter_map(|name| Some((identity(disk, &name.path)?, (name.refusal, name.path)))).collect()
}

/// Of a file with several names.
fn identity(disk: &Disk, path: &Path) -> Option<Identity> {
    let path = CanonicalPath::new(Root::Workspace, path.to_owned());
    let file = disk.open_beneath(&path, OFlags::PATH | OFlags::NOFOLLOW).ok()?;
    let stat = rustix::fs::fstat(file).ok()?;
    (stat.st_nlink > 1).then_some((stat.st_dev, stat.st_ino))
}
