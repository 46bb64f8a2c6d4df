//! A temporary folder where programs have no private `/tmp`: private to this door, removed with it.

use super::SandboxError;
use crate::spawn::random_name;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn create() -> Result<Self, SandboxError> {
        let base = std::env::temp_dir();
        let made = base.canonicalize().and_then(|base| {
            let path = base.join(random_name("palanca-")?);
            DirBuilder::new().mode(0o700).create(&path)?;
            Ok(Self(path))
        });
        made.map_err(|error| SandboxError::Path { path: base, reason: error.to_string() })
    }

    /// Puts our own binary here under the name `git`. What that leads to must be readable.
    pub(super) fn offer_git(&self, helper: &Path) -> Result<Option<PathBuf>, SandboxError> {
        let wrong = |error: std::io::Error| SandboxError::Path { path: helper.to_owned(), reason: error.to_string() };
        let ours = helper.canonicalize().map_err(wrong)?;
        std::os::unix::fs::symlink(&ours, self.0.join("git")).map_err(wrong)?;
        Ok(Some(ours))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // ignored: nobody is there to be told; the system cleans its temporary directory itself. Links are not followed.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
