//! A file door restricted to one call: every path is checked against the permit's effects.

use super::{
    Change, ChangeOrigin, Committed, Entry, FileError, FileErrorKind, Files, Flow, Metadata, OpenFile, WalkEnd,
    WalkEntry, WalkOptions,
};
use crate::call::{Access, Cancel, CanonicalPath, Effects, Root};
use std::sync::Arc;

enum Granted {
    /// Read only: for previews.
    Reading,
    /// As the effects say.
    Everything {
        origin: ChangeOrigin,
        /// Once cancelled, the permit is void: a tool that keeps running after its time limit changes nothing more.
        cancel: Arc<Cancel>,
    },
}

/// The file door, restricted to one call's effects. A path outside them is refused.
pub struct FilesHandle {
    door: Arc<dyn Files>,
    effects: Arc<Effects>,
    granted: Granted,
}

impl FilesHandle {
    pub(crate) fn new(door: Arc<dyn Files>, effects: Arc<Effects>, origin: ChangeOrigin, cancel: Arc<Cancel>) -> Self {
        Self { door, effects, granted: Granted::Everything { origin, cancel } }
    }

    pub(crate) fn read_only(door: Arc<dyn Files>, effects: Arc<Effects>) -> Self {
        Self { door, effects, granted: Granted::Reading }
    }

    /// The real location of a given path; see [`Files::locate`]. Needs no permit, because it shows nothing.
    ///
    /// # Errors
    /// As there.
    pub fn locate(&self, path: &str) -> Result<CanonicalPath, FileError> {
        self.door.locate(path)
    }

    /// The location of the name itself, without following a link in the last component; see [`Files::locate_entry`].
    ///
    /// # Errors
    /// As there.
    pub fn locate_entry(&self, path: &str) -> Result<CanonicalPath, FileError> {
        self.door.locate_entry(path)
    }

    /// The kind of a directory entry.
    ///
    /// # Errors
    /// As [`Files::info`].
    pub fn info(&self, path: &CanonicalPath) -> Result<Metadata, FileError> {
        self.allow(path, Access::Read)?;
        self.door.info(path)
    }

    /// Opens a regular file for reading.
    ///
    /// # Errors
    /// As [`Files::open`].
    pub fn open(&self, path: &CanonicalPath) -> Result<OpenFile, FileError> {
        self.allow(path, Access::Read)?;
        self.door.open(path)
    }

    /// Opens a given path that is canonical as it stands, which saves locating it: opening follows no link, so where it
    /// succeeds there is none. None for any other path, and for any error.
    #[must_use]
    pub fn open_canonical(&self, given: &str) -> Option<OpenFile> {
        let plain = given.split('/').all(|name| !matches!(name, "" | "." | ".."));
        plain.then(|| self.open(&CanonicalPath::new(Root::Workspace, given.into())).ok()).flatten()
    }

    /// The names in one directory.
    ///
    /// # Errors
    /// As [`Files::entries`].
    pub fn entries(&self, path: &CanonicalPath) -> Result<Vec<Entry>, FileError> {
        self.allow(path, Access::Read)?;
        self.door.entries(path)
    }

    /// Names close to a missing path: at most `limit` entries of the nearest existing directory, without those that the
    /// policy refuses. Shows only names, and only next to a path that the permit covers.
    #[must_use]
    pub fn neighbours(&self, path: &CanonicalPath, limit: usize) -> Vec<String> {
        if self.allow(path, Access::Read).is_err() {
            return Vec::new();
        }
        let Some(parent) = path.relative().parent() else {
            return Vec::new();
        };
        let parent = CanonicalPath::new(path.root(), parent.to_owned());
        let mut entries = self.door.entries(&parent).unwrap_or_default();
        entries.retain(|entry| self.door.judge(&parent.join(&entry.name), Access::Read).is_ok());
        entries.into_iter().map(|entry| parent.join(entry.name).to_string()).take(limit).collect()
    }

    /// Walks a tree. The permit must cover the whole tree, because its entries can be opened during the walk.
    ///
    /// # Errors
    /// As [`Files::walk`].
    pub fn walk(
        &self,
        path: &CanonicalPath,
        options: WalkOptions,
        visit: &(dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
    ) -> Result<WalkEnd, FileError> {
        self.allow(path, Access::Read)?;
        // An impossible child name: only a grant of the whole tree covers it.
        if !self.effects.grant(&path.join("*"), Access::Read) {
            return Err(FileError::new(FileErrorKind::NotGranted, path.to_string()));
        }
        self.door.walk(path, options, visit)
    }

    /// Makes all changes or none.
    ///
    /// # Errors
    /// As [`Files::commit`]; [`FileErrorKind::NotGranted`] in a preview.
    pub fn commit(&self, changes: &[Change]) -> Result<Vec<Committed>, FileError> {
        let origin = match &self.granted {
            Granted::Everything { origin, cancel } if !cancel.is_cancelled() => origin,
            Granted::Everything { .. } | Granted::Reading => {
                let shown = changes.first().and_then(|change| change.paths().next()).map(ToString::to_string);
                return Err(FileError::new(FileErrorKind::NotGranted, shown.unwrap_or_default()));
            }
        };
        for path in changes.iter().flat_map(Change::paths) {
            self.allow(path, Access::Write)?;
        }
        self.door.commit(changes, origin)
    }

    fn allow(&self, path: &CanonicalPath, access: Access) -> Result<(), FileError> {
        if self.effects.grant(path, access) {
            return self.door.judge(path, access);
        }
        Err(FileError::new(FileErrorKind::NotGranted, path.to_string()))
    }
}
