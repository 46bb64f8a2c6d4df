//! Changes by programs, as shown to people and models: the first names, and how many more.
//!
//! A result lists its own call's changes; a question, the changes since the last question of its session. In between, every
//! name is stored once, with its latest change.

use super::engine::Gate;
use crate::call::{FileDelta, SessionId};
use crate::message::Message;
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

/// Files that are named.
const NAMED: usize = 20;
/// Names stored per session; beyond that, only their number.
const KEPT: usize = 4096;

/// Files that programs changed, git's own left out.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// By name; files of git and build tools come last.
    files: BTreeMap<(bool, PathBuf), FileDelta>,
    more: usize,
}

impl Changed {
    pub(super) fn of(deltas: &[FileDelta]) -> Self {
        let mut changed = Self::default();
        changed.add(deltas);
        changed
    }

    /// Adds changes, without their contents.
    fn add(&mut self, deltas: &[FileDelta]) {
        let of_git = |delta: &&FileDelta| delta.names().all(|path| path.relative().iter().any(|name| name == ".git"));
        for delta in deltas.iter().filter(|delta| !of_git(delta)) {
            let key = (!delta.is_edit(), delta.path.relative().to_owned());
            let known = self.files.get(&key);
            let was_new =
                known.is_some_and(|known| matches!((&known.from, &known.before, &known.after), (None, None, Some(_))));
            if known.is_none() && self.files.len() >= KEPT {
                self.more += 1;
                continue;
            }
            let before = delta.before.as_ref().filter(|_| !(was_new && delta.after.is_some()));
            let before = before.map(|_| Vec::new());
            let after = delta.after.as_ref().map(|_| Vec::new());
            let (path, from) = (delta.path.clone(), delta.from.clone());
            self.files.insert(key, FileDelta { path, from, added: 0, removed: 0, before, after });
        }
    }

    /// None if nothing was changed.
    pub(super) fn message(&self, key: &'static str) -> Option<Message> {
        let named: Vec<String> = self.files.values().take(NAMED).map(FileDelta::to_string).collect();
        let more = self.files.len() - named.len() + self.more;
        (!named.is_empty()).then(|| Message::new(key).with("files", named.join(", ")).with("more", more))
    }
}

/// What was changed in each session since a person was last asked in it.
#[derive(Debug, Default)]
pub(super) struct Unseen(Mutex<HashMap<SessionId, Changed>>);

impl Unseen {
    pub(super) fn leave(&self, session: &SessionId) {
        self.0.lock().remove(session);
    }
}

impl Gate {
    /// Records the changes of an ended call.
    pub(super) fn has_changed(&self, session: &SessionId, deltas: &[FileDelta]) {
        if deltas.is_empty() || self.run_mode.is_dry() {
            return;
        }
        self.unseen.0.lock().entry(session.clone()).or_default().add(deltas);
    }

    /// The changes for the next question; the one after it starts from zero.
    pub(super) fn changed_since(&self, session: &SessionId) -> Option<Message> {
        self.unseen.0.lock().remove(session)?.message("changed-files")
    }
}
