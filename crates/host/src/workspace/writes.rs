//! Writes of commands and their undo records: the files room's port for the process door.

use palanca_config::Config;
use palanca_files::{Disk, KeepLimits, Writes};
use palanca_tools::edit::diff;
use std::sync::Arc;

/// What this configuration keeps; none where nothing is kept.
pub fn limits(config: &Config) -> Option<KeepLimits> {
    let undo = &config.undo;
    undo.commands.then_some(KeepLimits { copied: undo.max_bytes, all: undo.keep_bytes })
}

/// The writes of commands in this workspace.
pub fn writes(limits: Option<KeepLimits>, disk: &Arc<Disk>) -> Writes {
    let count = |before: &str, after: &str| {
        let diff::Stat { added, removed } = diff::stat(before, after);
        (added, removed)
    };
    let writes = Writes::new(Arc::clone(disk));
    match limits {
        Some(limits) => writes.keeping(limits, count),
        None => writes,
    }
}
