//! Which calls may run in parallel: readers of a file share it, writers have it exclusively, in order of arrival.
//!
//! A command may write anywhere in the workspace, so one that is more than safe never runs at the same time as another
//! change. Walks over a tree take no lane: every write is one atomic rename, so a walk sees each file old or new, never
//! torn. The order of one turn's calls is decided earlier, in [`order`](super::order).

use crate::call::{Access, CanonicalPath, Effect, Effects};
use crate::ports::{CheckedCall, CommandClass};
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Weak};
use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

/// Above this many remembered paths, unused ones are dropped.
const REMEMBERED: usize = 1024;

type Lane = RwLock<()>;

/// The lanes of one workspace. Each gate has its own unless [told otherwise](super::GateBuilder::lanes).
#[derive(Debug, Default)]
pub struct Lanes {
    /// Shared by calls that change files, exclusive for commands that may change any.
    workspace: Arc<Lane>,
    lanes: Mutex<HashMap<CanonicalPath, Weak<Lane>>>,
}

/// The lanes of one call; dropped when the tool has really ended, even if its caller gave up.
pub(super) struct Held {
    _shared: Vec<OwnedRwLockReadGuard<()>>,
    _alone: Vec<OwnedRwLockWriteGuard<()>>,
}

impl Lanes {
    /// Waits for every lane that the effects need, always in the same order of paths, so that two calls cannot wait for
    /// each other.
    pub(super) async fn enter(&self, call: &CheckedCall) -> Held {
        let mut held = Held { _shared: Vec::new(), _alone: Vec::new() };
        let workspace = Arc::clone(&self.workspace);
        if call.commands().iter().any(|command| command.class > CommandClass::Safe) {
            held._alone.push(workspace.write_owned().await);
        } else if !call.effects().changes_no_files() {
            held._shared.push(workspace.read_owned().await);
        }
        for (path, access) in wanted(call.effects()) {
            let lane = self.lane(path);
            match access {
                Access::Read => held._shared.push(lane.read_owned().await),
                Access::Write => held._alone.push(lane.write_owned().await),
            }
        }
        held
    }

    fn lane(&self, path: &CanonicalPath) -> Arc<Lane> {
        let mut lanes = self.lanes.lock();
        if let Some(lane) = lanes.get(path).and_then(Weak::upgrade) {
            return lane;
        }
        if lanes.len() >= REMEMBERED {
            lanes.retain(|_, lane| lane.strong_count() > 0);
        }
        let lane = Arc::new(Lane::default());
        lanes.insert(path.clone(), Arc::downgrade(&lane));
        lane
    }
}

/// Each path once, in order, with the stronger access.
fn wanted(effects: &Effects) -> BTreeMap<&CanonicalPath, Access> {
    let mut wanted = BTreeMap::new();
    let taken = |effect: &&Effect| !matches!(effect, Effect::ReadTree(_) | Effect::Run(_));
    for (path, access) in effects.iter().filter(taken).flat_map(Effect::paths) {
        let strongest = wanted.entry(path).or_insert(access);
        if access == Access::Write {
            *strongest = Access::Write;
        }
    }
    wanted
}
