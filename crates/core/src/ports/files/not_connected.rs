//! The door to a file source that is not configured: paths are located literally, and every operation fails with one error
//! that says so.

use super::{
    Change, ChangeOrigin, Committed, Entry, FileError, FileErrorKind, Files, Flow, Metadata, OpenFile, RemoteFault,
    WalkEnd, WalkEntry, WalkOptions,
};
use crate::call::{Access, CanonicalPath, Root};
use std::path::PathBuf;

/// A door without a source behind it: every reading fails with [`RemoteFault::NotConnected`].
#[derive(Clone, Copy, Debug, Default)]
pub struct NotConnected;

impl NotConnected {
    fn fault<T>(path: impl ToString) -> Result<T, FileError> {
        Err(FileError::new(FileErrorKind::Remote(RemoteFault::NotConnected), path.to_string()))
    }
}

impl Files for NotConnected {
    fn root(&self) -> String {
        String::new()
    }

    fn locate(&self, path: &str) -> Result<CanonicalPath, FileError> {
        Ok(CanonicalPath::new(Root::Workspace, lexical(path)?))
    }

    fn judge(&self, _path: &CanonicalPath, _access: Access) -> Result<(), FileError> {
        Ok(())
    }

    fn info(&self, path: &CanonicalPath) -> Result<Metadata, FileError> {
        Self::fault(path)
    }

    fn open(&self, path: &CanonicalPath) -> Result<OpenFile, FileError> {
        Self::fault(path)
    }

    fn entries(&self, path: &CanonicalPath) -> Result<Vec<Entry>, FileError> {
        Self::fault(path)
    }

    fn walk(
        &self,
        path: &CanonicalPath,
        _options: WalkOptions,
        _visit: &(dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
    ) -> Result<WalkEnd, FileError> {
        Self::fault(path)
    }

    fn commit(&self, changes: &[Change], _origin: &ChangeOrigin) -> Result<Vec<Committed>, FileError> {
        let first = changes.first().and_then(|change| change.paths().next());
        Self::fault(first.map(ToString::to_string).unwrap_or_default())
    }
}

/// The longest path, in bytes.
const LONGEST_PATH: usize = 4095;
/// The longest name in it.
const LONGEST_NAME: usize = 255;

/// A path as given, relative to a root that has no links: `.`, `..` and doubled slashes are taken out by their letters.
/// Empty for the root itself.
///
/// # Errors
/// [`FileErrorKind::Outside`] when it is absolute or climbs out; [`FileErrorKind::Invalid`] when it is empty, too long, or
/// holds a NUL.
pub fn lexical(given: &str) -> Result<PathBuf, FileError> {
    let refused = |kind, why: &str| Err(FileError::new(kind, given).detail(why));
    if given.is_empty() {
        return refused(FileErrorKind::Invalid, "the path is empty; `.` is the root");
    }
    if given.contains('\0') {
        return refused(FileErrorKind::Invalid, "a path cannot hold a NUL character");
    }
    if given.len() > LONGEST_PATH || given.split('/').any(|name| name.len() > LONGEST_NAME) {
        return refused(FileErrorKind::Invalid, "a name or the whole path is too long");
    }
    if given.starts_with('/') {
        return refused(FileErrorKind::Outside, "");
    }
    let mut names = Vec::new();
    for name in given.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                if names.pop().is_none() {
                    return refused(FileErrorKind::Outside, "");
                }
            }
            name => names.push(name),
        }
    }
    Ok(PathBuf::from(names.join("/")))
}
