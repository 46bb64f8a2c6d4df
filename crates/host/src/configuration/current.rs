//! The configuration of a process that lives on: resolved again while it runs.

use super::{Flag, resolve};
use crate::fault::Fault;
use crate::places::Places;
use palanca_config::{Config, Entry, Loaded, Warning};
use parking_lot::RwLock;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Keys of what the process opens once.
const PROCESS: &[&str] = &["sessions.cleanup_after_days"];

/// What a changed value needs in order to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// A new agent: sessions that begin with it have the new value, others go on as they began.
    NewAgent,
    /// A new process.
    Restart,
}

/// A key whose value is another one now.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Dotted.
    pub key: String,
    /// Hidden if secret; null if it was unset.
    pub before: Value,
    /// Hidden if secret; null if it is unset now.
    pub after: Value,
    /// Which layer says so.
    pub place: String,
    /// What it needs in order to hold.
    pub needs: Needs,
}

/// What came of resolving again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resolved {
    /// What changed, by key.
    pub changes: Vec<Change>,
    /// What was understood and is not used, and why.
    pub unused: Vec<Warning>,
}

/// The configuration in force. A new one takes its place as a whole or not at all.
pub struct Current {
    places: Places,
    folder: PathBuf,
    flags: Vec<Flag>,
    loaded: RwLock<Arc<(Loaded, Arc<Config>)>>,
}

fn shared(loaded: Loaded) -> Arc<(Loaded, Arc<Config>)> {
    let config = Arc::new(loaded.config.clone());
    Arc::new((loaded, config))
}

impl Current {
    /// Resolves it for the first time; the project's own file lies in `folder`.
    ///
    /// # Errors
    /// Every fault of every layer.
    pub fn open(places: Places, folder: &Path, flags: &[Flag]) -> Result<Self, Fault> {
        let loaded = RwLock::new(shared(resolve(&places, folder, flags)?));
        Ok(Self { places, folder: folder.to_owned(), flags: flags.to_vec(), loaded })
    }

    /// The values in force.
    #[must_use]
    pub fn config(&self) -> Arc<Config> {
        Arc::clone(&self.loaded.read().1)
    }

    /// Reads every file again and says what is different now.
    ///
    /// # Errors
    /// Every fault of every layer, with file, line and key; the old configuration stays in force then.
    pub fn resolve_again(&self) -> Result<Resolved, Fault> {
        let loaded = resolve(&self.places, &self.folder, &self.flags)?;
        let unused = loaded.warnings.clone();
        let mut held = self.loaded.write();
        let changes = changes(&held.0, &loaded);
        *held = shared(loaded);
        Ok(Resolved { changes, unused })
    }
}

fn changes(before: &Loaded, after: &Loaded) -> Vec<Change> {
    let by_key = |loaded: &Loaded| -> BTreeMap<String, Entry> {
        loaded.entries().into_iter().map(|entry| (entry.key.clone(), entry)).collect()
    };
    let (old, new) = (by_key(before), by_key(after));
    let secret = |loaded: &Loaded, key: &str| {
        let found = loaded.config.secret_values.iter().find(|(named, _)| named == key);
        found.map(|(_, secret)| secret.reveal().to_owned())
    };
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let changed = keys.into_iter().filter_map(|key| {
        let value = |entries: &BTreeMap<String, Entry>| entries.get(key).map(|entry| entry.value.clone());
        let (was, is) = (value(&old).unwrap_or_default(), value(&new).unwrap_or_default());
        // Both are shown hidden.
        if was == is && secret(before, key) == secret(after, key) {
            return None;
        }
        let place = new.get(key).or_else(|| old.get(key)).map(|entry| entry.place.to_string()).unwrap_or_default();
        let needs = if PROCESS.contains(&key.as_str()) { Needs::Restart } else { Needs::NewAgent };
        Some(Change { key: key.clone(), before: was, after: is, place, needs })
    });
    changed.collect()
}
