//! What a new file takes over from the one that it replaces: the user's extended attributes and the access list. Best
//! effort, since most files have none and some file systems know none. Capabilities, like set-user-id bits, vouch for the
//! old content only.

use crate::atomic::Temporary;
use rustix::buffer::spare_capacity;
use rustix::fs::{self, XattrFlags};
use std::fs::File;

pub(super) fn copy(from: &File, to: &Temporary) {
    let mut names = Vec::with_capacity(1024);
    if fs::flistxattr(from, spare_capacity(&mut names)).is_err() {
        return;
    }
    let mut kept = names.split(|byte| *byte == 0).filter(|name| is_kept(name)).peekable();
    if kept.peek().is_none() {
        return;
    }
    let Ok(to) = to.open() else { return };
    for name in kept {
        let mut value = Vec::with_capacity(64 * 1024);
        if fs::fgetxattr(from, name, spare_capacity(&mut value)).is_ok() {
            // ignored: attributes of the security modules may not be set by everyone.
            let _ = fs::fsetxattr(&to, name, &value, XattrFlags::empty());
        }
    }
    // ignored: the content is on the disk, and attributes are best effort.
    let _ = to.sync_all();
}

fn is_kept(attribute: &[u8]) -> bool {
    attribute.starts_with(b"user.") || attribute == b"system.posix_acl_access"
}
