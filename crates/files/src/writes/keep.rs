//! What programs replace, kept before it is gone.

use crate::disk::Disk;
use palanca_core::ports::{ChangeOrigin, FileError, Found, NameChange, Place};
use palanca_core::tool::FileDelta;
use std::io;
use std::sync::Arc;

/// Keeps for one program.
#[derive(Debug)]
pub(super) struct Keeper {}

impl Keeper {
    pub(super) fn begin(_disk: &Arc<Disk>, _origin: &ChangeOrigin) -> io::Result<Self> {
        Ok(Self {})
    }

    /// # Errors
    /// It cannot be kept, so it must not be replaced.
    pub(super) fn keep(&mut self, _change: &NameChange<'_>) -> Result<(), FileError> {
        Ok(())
    }

    pub(super) fn made(&mut self, _at: &Place<'_>, _found: Found) {}

    pub(super) fn failed(&mut self, _change: &NameChange<'_>) {}

    /// Everything that is different now, as one step of the session.
    pub(super) fn finish(self) -> Vec<FileDelta> {
        Vec::new()
    }
}
