//! What in `/etc` is not for everybody. A program started by root would read it, because the kernel knows files by their
//! owner and root owns them, with or without capabilities; and a member of a group reads what the group may.

use rustix::fs::Access;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where settings lie; keys may lie deep.
const SETTINGS: [&str; 3] = ["/etc", "/usr/local/etc", "/opt"];
/// Levels below each. What lies in `/opt` is whole programs, and their settings are at the top.
const DEPTH: [u8; 3] = [8, 8, 1];

/// Everything in those directories that this process could read and others could not.
pub(super) fn private_settings() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (directory, depth) in SETTINGS.iter().zip(DEPTH) {
        private_in(Path::new(directory), depth, &mut found);
    }
    found
}

fn private_in(directory: &Path, depth: u8, found: &mut Vec<PathBuf>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let Ok(about) = entry.metadata() else { continue };
        let wanted = if about.is_dir() { 0o005 } else { 0o004 };
        let private = !about.is_symlink() && about.mode() & wanted != wanted;
        if !private && about.is_dir() {
            private_in(&entry.path(), depth, found);
        }
        if private && rustix::fs::access(entry.path(), Access::READ_OK).is_ok() {
            found.push(entry.path());
        }
    }
}
