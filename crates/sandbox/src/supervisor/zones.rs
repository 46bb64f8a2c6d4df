//! Where a program may write: in the workspace, where writes are judged, and in its private folders.

use crate::isolation::devices::DEVICES;
use crate::order::{Level, Room};
use rustix::io::Errno;
use std::path::{Path, PathBuf};

/// Private at the full level.
const PRIVATE: [&str; 5] = ["/tmp", "/var/tmp", "/run", "/dev/shm", "/dev/pts"];

/// The places of one program; absolute and canonical, as the program sees them.
#[derive(Clone, Debug)]
pub(crate) struct Zones {
    /// None where the program must not write it.
    workspace: Option<PathBuf>,
    free: Vec<PathBuf>,
    masked: Vec<PathBuf>,
    level: Level,
}

/// Whose a place is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    /// In the workspace, relative to it.
    Workspace(PathBuf),
    /// The program's own.
    Free,
}

impl Zones {
    /// Of the program in this room, over this workspace.
    pub(crate) fn of(room: &Room, workspace: &Path) -> Self {
        let plan = &room.plan;
        let (workspace, mut free): (Vec<_>, Vec<_>) =
            plan.writable.iter().cloned().partition(|writable| writable == workspace);
        if plan.level == Level::Full {
            free.extend(PRIVATE.map(PathBuf::from));
            free.extend(room.home().map(Path::to_owned));
        }
        Self { workspace: workspace.into_iter().next(), free, masked: plan.masked.clone(), level: plan.level }
    }

    /// # Errors
    /// What a program is told that may not change anything there.
    pub(super) fn of_path(&self, path: &Path) -> Result<Zone, Errno> {
        if let Some(Ok(relative)) = self.workspace.as_ref().map(|workspace| path.strip_prefix(workspace)) {
            return Ok(Zone::Workspace(relative.to_owned()));
        }
        if self.free.iter().any(|free| path.starts_with(free)) && !self.is_masked(path) {
            return Ok(Zone::Free);
        }
        Err(if self.level == Level::Full { Errno::ROFS } else { Errno::ACCESS })
    }

    /// Whether nothing there may be read.
    pub(super) fn is_masked(&self, path: &Path) -> bool {
        self.masked.iter().any(|masked| path.starts_with(masked))
    }

    /// One of the harmless devices.
    pub(super) fn is_device(&self, path: &Path) -> bool {
        DEVICES.iter().any(|device| path == Path::new(device))
    }
}
