//! Takes steps of a session back, newest first: rehearsed on an overlay, then committed at once.

mod perform;
mod rehearse;

use super::{Journal, JournalError, StepNumber};
use crate::disk::Disk;
use crate::overlay::{Changed, Overlay};
use palanca_core::call::{CallId, CanonicalPath, SessionId};
use palanca_core::ports::ChangeOrigin;
use rehearse::Rehearsal;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// What to do with files that somebody else changed since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// Undo nothing, and name them.
    Refuse,
    /// Undo all the same: their changes are lost, and the journal keeps them.
    Overwrite,
}

/// What an undo did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undone {
    /// Files and links that are again what they were.
    pub restored: Vec<CanonicalPath>,
    /// Files, links and empty directories that are gone again.
    pub removed: Vec<CanonicalPath>,
}

/// What an undo would do. Nothing has changed yet.
pub struct UndoPlan {
    disk: Arc<Disk>,
    overlay: Overlay,
    /// Directories that the session removed.
    made: BTreeSet<CanonicalPath>,
    /// Directories that the session made or moved.
    emptied: Vec<CanonicalPath>,
    links: Links,
    steps: usize,
}

/// Where links shall lead; none where there shall be none.
type Links = BTreeMap<CanonicalPath, Option<PathBuf>>;

impl std::fmt::Debug for UndoPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UndoPlan").field("made", &self.made).field("links", &self.links).finish_non_exhaustive()
    }
}

impl UndoPlan {
    /// Every file that would have another content or mode, sorted by path.
    ///
    /// # Errors
    /// When a file cannot be read to compare.
    pub fn changes(&self) -> Result<Vec<Changed>, JournalError> {
        Ok(self.overlay.changes()?)
    }

    /// Links that would be made, turned or removed: where they would lead, or none.
    #[must_use]
    pub fn links(&self) -> Vec<(CanonicalPath, Option<PathBuf>)> {
        let changed =
            |(path, target): &(&CanonicalPath, &Option<PathBuf>)| super::links::target(&self.disk, path) != **target;
        self.links.iter().filter(changed).map(|(path, target)| (path.clone(), target.clone())).collect()
    }

    /// How many steps it takes back.
    #[must_use]
    pub const fn steps(&self) -> usize {
        self.steps
    }
}

impl Journal {
    /// What it takes to take back everything that a session did after step `to`: zero takes back all.
    ///
    /// # Errors
    /// [`JournalError::Changed`] when a file is not what the session left, [`JournalError::NotKept`] when a content is
    /// missing.
    pub fn plan_undo(
        &self,
        disk: &Arc<Disk>,
        session: &SessionId,
        (to, force): (StepNumber, Force),
    ) -> Result<UndoPlan, JournalError> {
        let lines = self.lines(session)?;
        if to.0 > lines.len() {
            return Err(JournalError::NoSuchStep { session: session.to_string(), step: to, steps: lines.len() });
        }
        let mut plan = UndoPlan {
            disk: Arc::clone(disk),
            overlay: Overlay::new(Arc::clone(disk) as _),
            made: BTreeSet::new(),
            emptied: Vec::new(),
            links: Links::new(),
            steps: lines.len().saturating_sub(to.0),
        };
        let origin = origin(session);
        let mut rehearsal =
            Rehearsal { journal: self, origin: &origin, plan: &mut plan, force, changed: Vec::new(), lost: Vec::new() };
        for (number, line) in lines.iter().enumerate().skip(to.0).rev() {
            if PathBuf::from(&line.workspace) != disk.workspace() {
                let workspace = line.workspace.to_string();
                return Err(JournalError::OtherWorkspace { step: StepNumber(number + 1), workspace });
            }
            rehearsal.take_back(line)?;
        }
        let Rehearsal { changed, lost, .. } = rehearsal;
        if !changed.is_empty() {
            return Err(JournalError::Changed(unique(changed)));
        }
        if !lost.is_empty() {
            return Err(JournalError::NotKept(unique(lost)));
        }
        Ok(plan)
    }

    /// Takes back everything that a session did after step `to`: zero takes back all. The undo is itself a step of the
    /// session, so it can be undone.
    ///
    /// # Errors
    /// Nothing is changed then: as [`Journal::plan_undo`], and what the commit reports.
    pub fn undo(
        &self,
        disk: &Arc<Disk>,
        session: &SessionId,
        to: StepNumber,
        force: Force,
    ) -> Result<Undone, JournalError> {
        let plan = self.plan_undo(disk, session, (to, force))?;
        self.perform(&plan, session)
    }

    /// Does what was planned. A file that changed since the plan was made is refused.
    ///
    /// # Errors
    /// What the commit reports; what was done until then is a step that can be undone.
    pub fn perform(&self, plan: &UndoPlan, session: &SessionId) -> Result<Undone, JournalError> {
        perform::perform(self, plan, &origin(session))
    }
}

fn unique(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}

fn origin(session: &SessionId) -> ChangeOrigin {
    ChangeOrigin { session: session.clone(), call: CallId::new("undo") }
}
