//! Undoes steps of a session, newest first: rehearsed, then performed.

mod aside;
mod goal;
mod perform;
mod rehearse;

use super::entry::Entry;
use super::{Journal, JournalError, StepNumber};
use crate::disk::Disk;
use crate::opened::Opened;
use crate::overlay::Changed;
use crate::writes::join;
use aside::Aside;
use goal::{Goal, Stage};
use palanca_core::call::{CallId, CanonicalPath, SessionId};
use palanca_core::ports::{ChangeOrigin, Files as _};
use rehearse::{Rehearsal, canonical, look};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Larger contents are not shown.
const SHOWN: u64 = 16 << 20;
/// Stands for a content that is not shown: it is no text.
const UNSHOWN: &[u8] = b"\0";

/// What to do with files that were changed from outside since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// Undo nothing, and name them. What only build tools or ignore files know of is left as it is, and the rest undone.
    Refuse,
    /// Undo all the same: their changes are lost, and the journal keeps them.
    Overwrite,
}

/// What an undo did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undone {
    /// Files and links that are again what they were, and names that files and folders have again.
    pub restored: Vec<CanonicalPath>,
    /// Files, links and empty directories that are gone again, and names that nothing has any more.
    pub removed: Vec<CanonicalPath>,
}

/// What an undo would do. Nothing has changed yet.
#[derive(Debug)]
pub struct UndoPlan {
    disk: Arc<Disk>,
    stages: Vec<Stage>,
    steps: usize,
    left: Vec<String>,
    aside: Aside,
}

impl UndoPlan {
    /// Every file that would have another content, mode or name, sorted by path. Contents beyond 16 MiB are shown as one
    /// that is no text; of a folder that gets another name back see [`Self::moves`].
    #[must_use]
    pub fn changes(&self, journal: &Journal) -> Vec<Changed> {
        let opened = RefCell::default();
        let mut changes: BTreeMap<CanonicalPath, Changed> = BTreeMap::new();
        let mut add = |path: PathBuf, before: Option<(Vec<u8>, u32)>, after: Option<(Vec<u8>, u32)>| {
            let path = canonical(&path);
            let (before, mode_before) = before.unzip();
            let (after, mode) = after.unzip();
            let changed = Changed { path: path.clone(), before, after, mode_before, mode };
            match changes.entry(path) {
                std::collections::btree_map::Entry::Vacant(free) => {
                    free.insert(changed);
                }
                std::collections::btree_map::Entry::Occupied(mut known) => {
                    let known = known.get_mut();
                    (known.after, known.mode) = (changed.after, changed.mode);
                }
            }
        };
        for (number, stage) in self.stages.iter().enumerate() {
            for (path, (goal, _)) in &stage.goals {
                let now = self.now(number, path);
                let at_last = self.at_last(number, path);
                let before = now.as_deref().and_then(|path| self.shown(path, &opened));
                let after = match goal {
                    Goal::File(kept) => {
                        let content = journal.kept(kept, SHOWN).unwrap_or_else(|| UNSHOWN.to_vec());
                        Some((content, kept.mode & 0o777))
                    }
                    Goal::Moved(kept, path) => {
                        self.shown(path, &opened).map(|(content, _)| (content, kept.mode & 0o777))
                    }
                    Goal::Mode(Entry::File(kept)) => {
                        before.as_ref().map(|(content, _)| (content.clone(), kept.mode & 0o777))
                    }
                    _ => None,
                };
                match now.filter(|now| *now != at_last) {
                    Some(now) => {
                        add(now, before, None);
                        add(at_last, None, after);
                    }
                    None => add(at_last, before, after),
                }
            }
            if let Some((from, to)) = &stage.then
                && let Some(now) = self.now(number, from)
                && !stage.goals.contains_key(from)
                && let Some(shown) = self.shown(&now, &opened)
            {
                add(now, Some(shown.clone()), None);
                add(self.at_last(number + 1, to), None, Some(shown));
            }
        }
        let differs = |changed: &Changed| changed.before != changed.after || changed.mode_before != changed.mode;
        changes.into_values().filter(differs).collect()
    }

    /// Links that would be made, turned or removed: where they would lead, or none.
    #[must_use]
    pub fn links(&self) -> Vec<(CanonicalPath, Option<PathBuf>)> {
        let (mut links, mut opened) = (BTreeMap::new(), Opened::default());
        for (number, stage) in self.stages.iter().enumerate() {
            for (path, (goal, _)) in &stage.goals {
                let now = self.now(number, path).map(|path| look(&self.disk, &mut opened, &path));
                let now = now.transpose().ok().flatten().unwrap_or(Entry::Absent);
                let target = match (goal, now) {
                    (Goal::Link(target), Entry::Link { target: now }) if now == *target => continue,
                    (Goal::Link(target), _) => Some(PathBuf::from(target)),
                    (Goal::Mode(_), _) => continue,
                    (_, Entry::Link { .. }) => None,
                    _ => continue,
                };
                links.insert(canonical(&self.at_last(number, path)), target);
            }
        }
        links.into_iter().collect()
    }

    /// Folders that would have another name, from and to, in this order.
    #[must_use]
    pub fn moves(&self) -> Vec<(CanonicalPath, CanonicalPath)> {
        let mut opened = Opened::default();
        let folders = self.stages.iter().enumerate().filter_map(|(number, stage)| {
            let (from, to) = stage.then.as_ref()?;
            let now = self.now(number, from)?;
            let folder = matches!(look(&self.disk, &mut opened, &now), Ok(Entry::Folder { .. }));
            folder.then(|| (canonical(from), canonical(to)))
        });
        folders.collect()
    }

    /// Files that stay as they are because something else has changed them since: caches, builds, and what is ignored.
    #[must_use]
    pub fn left(&self) -> &[String] {
        &self.left
    }

    /// Whether a file belongs to git or a build tool, or is ignored.
    #[must_use]
    pub fn is_minor(&self, path: &CanonicalPath) -> bool {
        self.aside.is_minor(path.relative())
    }

    /// How many steps it takes back.
    #[must_use]
    pub const fn steps(&self) -> usize {
        self.steps
    }

    /// The name on the disk of what will have this one when a stage begins.
    fn now(&self, stage: usize, path: &Path) -> Option<PathBuf> {
        let mut path = path.to_owned();
        for (from, to) in self.stages.iter().take(stage).rev().filter_map(|stage| stage.then.as_ref()) {
            match path.strip_prefix(to) {
                Ok(rest) => path = join(from, rest),
                Err(_) if path.starts_with(from) => return None,
                Err(_) => {}
            }
        }
        Some(path)
    }

    /// The name at the end of what has this one in a stage.
    fn at_last(&self, stage: usize, path: &Path) -> PathBuf {
        let mut path = path.to_owned();
        for (from, to) in self.stages.iter().skip(stage).filter_map(|stage| stage.then.as_ref()) {
            if let Ok(rest) = path.strip_prefix(from) {
                path = join(to, rest);
            }
        }
        path
    }

    /// A file on the disk: content and mode.
    fn shown(&self, path: &Path, opened: &RefCell<Opened>) -> Option<(Vec<u8>, u32)> {
        let open = || self.disk.open(&canonical(path));
        let file = opened.borrow_mut().or_open((&self.disk, path.parent()), open).ok()?;
        let mut content = Vec::new();
        if file.info.size > SHOWN || file.content.take(SHOWN).read_to_end(&mut content).is_err() {
            content = UNSHOWN.to_vec();
        }
        Some((content, file.info.mode & 0o777))
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
        // Every step was judged when it was made; git's own files, which programs may change, come back, too.
        let disk = Arc::new(disk.without_rules()?);
        let (changed, lost, left, aside) = (Vec::new(), Vec::new(), Vec::new(), Aside::new(&disk));
        let mut rehearsal = Rehearsal {
            journal: self,
            disk: &disk,
            force,
            stages: Vec::new(),
            restored: Default::default(),
            changed,
            lost,
            left,
            aside,
            opened: RefCell::default(),
            unseen: RefCell::default(),
        };
        for (number, line) in lines.iter().enumerate().skip(to.0).rev() {
            if PathBuf::from(&line.workspace) != disk.workspace() {
                let workspace = line.workspace.to_string();
                return Err(JournalError::OtherWorkspace { step: StepNumber(number + 1), workspace });
            }
            rehearsal.take_back(line);
        }
        rehearsal.blocked();
        let Rehearsal { changed, lost, left, aside, stages, unseen, .. } = rehearsal;
        if let Some(error) = unseen.into_inner() {
            return Err(error.into());
        }
        if !changed.is_empty() {
            return Err(JournalError::Changed(unique(changed)));
        }
        if !lost.is_empty() {
            return Err(JournalError::NotKept(unique(lost)));
        }
        Ok(UndoPlan { stages, steps: lines.len().saturating_sub(to.0), disk, left: unique(left), aside })
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
    /// What the system reports; what was done until then is a step that can be undone.
    pub fn perform(&self, plan: &UndoPlan, session: &SessionId) -> Result<Undone, JournalError> {
        perform::perform(self, plan, &ChangeOrigin { session: session.clone(), call: CallId::new("undo") })
    }
}

fn unique(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}
