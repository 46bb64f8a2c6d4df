//! What covers the names that a program must not see as they are: hidden files, and `git`.
//!
//! A cover is a mount, and the kernel drops it when somebody outside moves another file to the name that it covers. Also, what
//! was not there when the room was built has no cover. So the process that becomes the program looks once more, last of all.

use crate::enter::Failure;
use crate::order::UNFIT;
use rustix::fs::{fstat, stat};
use rustix::io::Errno;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

/// All covers of one room.
#[derive(Debug, Default)]
pub(crate) struct Covers {
    /// The files and directories that are seen instead.
    by: Vec<(u64, u64)>,
    names: Vec<PathBuf>,
}

impl Covers {
    /// With this.
    pub(super) fn with(&mut self, cover: impl AsFd) -> Result<(), Errno> {
        let about = fstat(cover)?;
        self.by.push((about.st_dev, about.st_ino));
        Ok(())
    }

    /// Whatever is there.
    pub(super) fn cover(&mut self, name: &Path) {
        self.names.push(name.to_owned());
    }

    /// Inside, as the program: sees that nothing it could reach by such a name is anything but a cover.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        for name in &self.names {
            match stat(name) {
                Ok(seen) if self.by.contains(&(seen.st_dev, seen.st_ino)) => {}
                Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS | Errno::LOOP) => {}
                Ok(_) => return Err(Failure::new(UNFIT, "it is not covered").on(name.display())),
                Err(error) => return Err(Failure::at(UNFIT)(error).on(name.display())),
            }
        }
        Ok(())
    }
}
