//! Which file or folder a path leads to, told apart from any other that stood or will stand there.

use rustix::fs::{AtFlags, CWD, StatxFlags, statx};
use serde::{Deserialize, Serialize};
use std::os::fd::AsFd;
use std::path::Path;

/// Its device, its number and when it was made: numbers are given again. Nothing for what cannot be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing(Option<(u32, u32, u64, i64, u32)>);

impl Standing {
    /// At the end of this path; links are followed.
    pub(crate) fn at(path: &Path) -> Self {
        Self::below(CWD, path)
    }

    /// What is behind a handle.
    pub(crate) fn of(handle: impl AsFd) -> Self {
        Self::below(handle, Path::new(""))
    }

    /// Whether it tells anything.
    pub(crate) const fn is_known(self) -> bool {
        self.0.is_some()
    }

    fn below(from: impl AsFd, path: &Path) -> Self {
        let about = statx(from, path, AtFlags::EMPTY_PATH, StatxFlags::INO | StatxFlags::BTIME).ok();
        Self(about.map(|about| {
            let made = about.stx_btime;
            (about.stx_dev_major, about.stx_dev_minor, about.stx_ino, made.tv_sec, made.tv_nsec)
        }))
    }
}
