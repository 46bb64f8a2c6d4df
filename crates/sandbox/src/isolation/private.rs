//! What in `/etc` is not for everybody. A program started by root would read it, because the kernel knows files by their
//! owner and root owns them, with or without capabilities; and a member of a group reads what the group may.

use rustix::fs::Access;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where a look at the top is not enough.
const DEEPER: [&str; 6] = ["/etc", "/etc/ssh", "/etc/ssl", "/etc/security", "/etc/NetworkManager", "/etc/ppp"];

/// Everything in those directories that this process could read and others could not.
pub(super) fn private_settings() -> Vec<PathBuf> {
    DEEPER.iter().flat_map(|directory| private_in(Path::new(directory))).collect()
}

fn private_in(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for entry in entries {
        let Ok(about) = entry.metadata() else { continue };
        let wanted = if about.is_dir() { 0o005 } else { 0o004 };
        let private = !about.is_symlink() && about.mode() & wanted != wanted;
        if private && rustix::fs::access(entry.path(), Access::READ_OK).is_ok() {
            found.push(entry.path());
        }
    }
    found
}
