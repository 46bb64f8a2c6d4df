//! Doors that lead nowhere, and how a path is located by its letters alone.

use super::{
    Change, ChangeOrigin, Committed, Entry, FileError, FileErrorKind, Files, Flow, Metadata, OpenFile, RemoteFault,
    WalkEnd, WalkEntry, WalkOptions,
};
use crate::call::{Access, CanonicalPath, Root};
use std::path::PathBuf;

/// A door that leads nowhere: every operation fails with the same error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFiles {
    /// For gates whose tools touch no files: every path is [`FileErrorKind::Outside`].
    Closed,
    /// For a source that is not configured: paths are located literally, and everything else fails with
    /// [`RemoteFault::NotConnected`].
    NotConnected,
}

impl NoFiles {
    fn refuse<T>(self, path: impl ToString) -> Result<T, FileError> {
        let kind = match self {
            Self::Closed => FileErrorKind::Outside,
            Self::NotConnected => FileErrorKind::Remote(RemoteFault::NotConnected),
        };
        Err(FileError::new(kind, path.to_string()))
    }
}

impl Files for NoFiles {
    fn root(&self) -> String {
        String::new()
    }

    fn locate(&self, path: &str) -> Result<CanonicalPath, FileError> {
        match self {
            Self::Closed => self.refuse(path),
            Self::NotConnected => Ok(CanonicalPath::new(Root::Workspace, lexical(path)?)),
        }
    }

    fn judge(&self, path: &CanonicalPath, _access: Access) -> Result<(), FileError> {
        match self {
            Self::Closed => self.refuse(path),
            Self::NotConnected => Ok(()),
        }
    }

    fn info(&self, path: &CanonicalPath) -> Result<Metadata, FileError> {
        self.refuse(path)
    }

    fn open(&self, path: &CanonicalPath) -> Result<OpenFile, FileError> {
        self.refuse(path)
    }

    fn entries(&self, path: &CanonicalPath) -> Result<Vec<Entry>, FileError> {
        self.refuse(path)
    }

    fn walk(
        &self,
        path: &CanonicalPath,
        _options: WalkOptions,
        _visit: &(dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
    ) -> Result<WalkEnd, FileError> {
        self.refuse(path)
    }

    fn commit(&self, changes: &[Change], _origin: &ChangeOrigin) -> Result<Vec<Committed>, FileError> {
        let first = changes.first().and_then(|change| change.paths().next());
        self.refuse(first.map(ToString::to_string).unwrap_or_default())
    }
}

/// The longest path, in bytes.
const LONGEST_PATH: usize = 4095;
/// The longest name in it.
const LONGEST_NAME: usize = 255;

/// A path as given, relative to a root that has no links: `.`, `..` and doubled slashes are removed lexically. Empty
/// for the root itself.
///
/// # Errors
/// [`FileErrorKind::Outside`] when it is absolute or climbs out; [`FileErrorKind::Invalid`] when it is empty, too long,
/// or contains a NUL.
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
