//! The target state of each name after an undo.

use crate::journal::entry::{Entry, Stamp};
use crate::journal::record::{Kept, Named};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What shall stand at a name.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    Absent,
    /// A content of the journal.
    File(Kept),
    /// A file that stands at this other name on the disk.
    Moved(Kept, PathBuf),
    /// What stands there, with other permissions.
    Mode(Entry),
    Folder(Option<u32>),
    Link(Named),
    Fifo(u32),
}

impl Goal {
    pub(super) fn entry(&self) -> Entry {
        match self {
            Self::Absent => Entry::Absent,
            Self::File(kept) | Self::Moved(kept, _) => Entry::File(kept.clone()),
            Self::Mode(entry) => entry.clone(),
            Self::Folder(mode) => Entry::Folder { mode: mode.unwrap_or(0o755) },
            Self::Link(target) => Entry::Link { target: target.clone() },
            Self::Fifo(mode) => Entry::Fifo { mode: *mode },
        }
    }

    /// Of a file that may have other names, which show what is written: its number.
    pub(super) fn in_place(&self) -> Option<u64> {
        match self {
            Self::File(kept) | Self::Mode(Entry::File(kept)) if kept.names.is_some() => {
                kept.stamp.map(|stamp| stamp.inode)
            }
            _ => None,
        }
    }
}

/// Goals, and the rename that follows them.
#[derive(Debug, Default)]
pub(super) struct Stage {
    /// With the file that stood there when this was planned.
    pub(super) goals: BTreeMap<PathBuf, (Goal, Option<Stamp>)>,
    /// From, to.
    pub(super) then: Option<(PathBuf, PathBuf)>,
}
