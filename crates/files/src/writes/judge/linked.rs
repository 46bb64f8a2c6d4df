//! Files with several names: one that is closed closes the others.

use super::tree::Names;
use crate::disk::Disk;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{EntryKind, FileErrorKind, GitPart};
use rustix::fs::OFlags;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A file system's number and a file's number there.
type Identity = (u64, u64);
/// Why a file is closed, and its closed name.
type Closed = (FileErrorKind, String, PathBuf);

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
    let mut found = HashMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        // ignored: what cannot be listed here is not reached by a program of the same user either.
        let names: Names = disk.names(&folder).unwrap_or_default();
        let has = |wanted: &str| names.iter().any(|(name, _)| name == wanted);
        let is_repository = super::is_complete(&has);
        for (name, kind) in names {
            let path = folder.join(name);
            match kind {
                EntryKind::Directory => folders.push(path),
                EntryKind::File => {
                    let git = disk.rules().git().place(&path, &|at| at == folder && is_repository);
                    let rule = match disk.refuse_program(&path) {
                        Some(refusal) => (refusal.kind, refusal.rule),
                        None if matches!(git.part, GitPart::Config | GitPart::Fixed | GitPart::Hook) => {
                            (FileErrorKind::Protected, super::rule_of(git.part).to_owned())
                        }
                        None => continue,
                    };
                    found.extend(identity(disk, &path).map(|file| (file, (rule.0, rule.1, path))));
                }
                EntryKind::Link | EntryKind::Special => {}
            }
        }
    }
    found
}

/// Of a file with several names.
fn identity(disk: &Disk, path: &Path) -> Option<Identity> {
    let path = CanonicalPath::new(Root::Workspace, path.to_owned());
    let file = disk.open_beneath(&path, OFlags::PATH | OFlags::NOFOLLOW).ok()?;
    let stat = rustix::fs::fstat(file).ok()?;
    (stat.st_nlink > 1).then_some((stat.st_dev, stat.st_ino))
}
