//! What an overlay would change, file by file.

use super::apply::{read, read_real, tree};
use super::layer::{Layer, Node};
use palanca_core::call::CanonicalPath;
use palanca_core::ports::{EntryKind, FileError, FileErrorKind, Files};
use std::collections::BTreeSet;

/// One file that differs from the real one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The file.
    pub path: CanonicalPath,
    /// The real content; none when there is no such file.
    pub before: Option<Vec<u8>>,
    /// The content in the overlay; none when it is gone there.
    pub after: Option<Vec<u8>>,
    /// The real permission bits; none when there is no such file.
    pub mode_before: Option<u32>,
    /// Permission bits in the overlay; none when it is gone there.
    pub mode: Option<u32>,
}

pub(super) fn collect(real: &dyn Files, layer: &Layer) -> Result<Vec<Changed>, FileError> {
    let mut candidates = BTreeSet::new();
    let plain = Layer::default();
    for (path, _) in layer.nodes() {
        match kind_of(real, path)? {
            Some(EntryKind::Directory) => {
                let below = tree(real, &plain, path)?;
                candidates.extend(below.into_iter().filter(|(_, kind)| *kind == EntryKind::File).map(|(path, _)| path));
            }
            Some(EntryKind::Link | EntryKind::Special) if !matches!(layer.get(path), Some(Node::File { .. })) => {
                continue;
            }
            Some(_) | None => {}
        }
        candidates.insert(path.clone());
    }
    let mut changes = Vec::new();
    for path in candidates {
        let before = match kind_of(real, &path)? {
            Some(EntryKind::File) => Some(read_real(real, &path)?),
            _ => None,
        };
        let node = layer.get(&path);
        let after = match node {
            Some(Node::File { .. }) => Some(read(real, layer, &path)?),
            Some(_) => None,
            None if layer.seen(&path).is_ok() => continue,
            None => None,
        };
        let mode = match node {
            Some(Node::File { mode, .. }) => Some(*mode),
            _ => None,
        };
        let mode_before = before.as_ref().and_then(|_| real.info(&path).ok()).map(|info| info.mode);
        if before != after || (after.is_some() && mode != mode_before) {
            changes.push(Changed { path, before, after, mode_before, mode });
        }
    }
    Ok(changes)
}

fn kind_of(real: &dyn Files, path: &CanonicalPath) -> Result<Option<EntryKind>, FileError> {
    match real.info(path) {
        Ok(info) => Ok(Some(info.kind)),
        // Changed: a link stands on the way, so nothing can be there.
        Err(error)
            if matches!(
                error.kind,
                FileErrorKind::NotFound | FileErrorKind::NotADirectory | FileErrorKind::Changed
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
