//! What commands change, remembered before they run: the files room's snapshots as the gate's port.

use super::processes::Deferred;
use crate::exit::Failure;
use futures_util::future::BoxFuture;
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::ports::{ChangeOrigin, Snapshot, Snapshots, Undoable};
use palanca_core::tool::FileDelta;
use palanca_files::{Altered, Coverage, Disk, SnapshotLimits, Snapshotter, Taken};
use palanca_tools::edit::diff;
use std::sync::Arc;

/// The trees of one workspace.
pub struct Trees {
    snapshotter: Arc<Snapshotter>,
    processes: Arc<Deferred>,
}

/// The snapshots of this configuration; none where they are turned off. What a killed process left is settled first.
///
/// # Errors
/// A root outside the workspace, exit code 3.
pub fn trees(config: &Config, disk: &Arc<Disk>, processes: &Arc<Deferred>) -> Result<Option<Trees>, Failure> {
    let Some(snapshotter) = snapshotter(config, disk)? else { return Ok(None) };
    snapshotter.recover();
    Ok(Some(Trees { snapshotter, processes: Arc::clone(processes) }))
}

/// The same without a gate around it.
///
/// # Errors
/// As [`trees`].
pub fn snapshotter(config: &Config, disk: &Arc<Disk>) -> Result<Option<Arc<Snapshotter>>, Failure> {
    let undo = &config.undo;
    if !undo.commands {
        return Ok(None);
    }
    let limits = SnapshotLimits { files: undo.max_files, bytes: undo.max_bytes };
    let snapshotter = Snapshotter::new(Arc::clone(disk), &undo.roots, limits)
        .map_err(|error| Failure::said(&Message::new("cli-undo-roots").with("reason", error.to_string())))?;
    Ok(Some(Arc::new(snapshotter)))
}

/// The words for a coverage.
pub fn undoable(coverage: Coverage) -> Undoable {
    match coverage {
        Coverage::Whole => Undoable::Yes,
        Coverage::Without(names) => Undoable::Partly(Message::new("undo-without").with("names", names.join(", "))),
        Coverage::TooLarge(SnapshotLimits { files, bytes }) => {
            Undoable::No(Message::new("undo-too-large").with("files", files).with("mebibytes", bytes >> 20))
        }
        Coverage::Nothing(why) if why.is_empty() => Undoable::No(Message::new("undo-not-kept")),
        Coverage::Nothing(why) => Undoable::No(Message::new("undo-unreadable").with("why", why)),
    }
}

impl Snapshots for Trees {
    fn coverage(&self) -> Undoable {
        match undoable(self.snapshotter.coverage()) {
            Undoable::Yes if self.processes.running() > 0 => Undoable::Partly(Message::new("undo-background")),
            known => known,
        }
    }

    fn before<'a>(&'a self, origin: &'a ChangeOrigin) -> BoxFuture<'a, Option<Box<dyn Snapshot>>> {
        let (snapshotter, origin) = (Arc::clone(&self.snapshotter), origin.clone());
        Box::pin(async move {
            let taken = tokio::task::spawn_blocking(move || snapshotter.before(&origin)).await.ok()??;
            Some(Box::new(Tree(taken)) as _)
        })
    }
}

struct Tree(Taken);

impl Snapshot for Tree {
    fn settle(self: Box<Self>) -> BoxFuture<'static, Vec<FileDelta>> {
        Box::pin(async move {
            let settled = tokio::task::spawn_blocking(move || self.0.settle().into_iter().map(delta).collect());
            settled.await.unwrap_or_default()
        })
    }
}

fn delta(Altered { path, before, after }: Altered) -> FileDelta {
    let text = |bytes: &Option<Vec<u8>>| String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
    let diff::Stat { added, removed } = diff::stat(&text(&before), &text(&after));
    FileDelta { path, added, removed, before, after }
}
