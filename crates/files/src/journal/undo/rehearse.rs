//! Computes the undo step by step: the target state of each name, and the conflicts. Nothing is changed here.
//!
//! Goals are collected in stages: a stage ends where a file or folder is renamed, and the next stage uses the new names.

mod standing;

use standing::{Modes, Now, Source, has_time, is_left};
pub(super) use standing::{canonical, look};

use super::Force;
use super::aside::Aside;
use super::goal::{Goal, Stage};
use crate::disk::{Disk, read_names};
use crate::journal::Journal;
use crate::journal::entry::{Entry, Id, Stamp};
use crate::journal::record::{Act, Kept, Kind, Line, Named, only_attributes, parse_hash};
use crate::opened::Opened;
use palanca_core::ports::FileError;
use rustix::fd::AsFd as _;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) struct Rehearsal<'a> {
    pub(super) journal: &'a Journal,
    pub(super) disk: &'a Arc<Disk>,
    pub(super) force: Force,
    pub(super) stages: Vec<Stage>,
    /// Files on the disk that get an earlier content, and with it whatever other names they have.
    pub(super) restored: BTreeMap<Id, Kept>,
    pub(super) changed: Vec<String>,
    pub(super) lost: Vec<String>,
    /// What stays as it is, and stops nothing else.
    pub(super) left: Vec<String>,
    pub(super) aside: Aside,
    pub(super) opened: RefCell<Opened>,
    /// What could not be seen: nothing can be planned then.
    pub(super) unseen: RefCell<Option<FileError>>,
}

impl Rehearsal<'_> {
    pub(super) fn take_back(&mut self, line: &Line) {
        let mut acts = line.acts.iter().rev().peekable();
        while let Some(act) = acts.next() {
            let Act::Turn { path, was, now } = act else {
                self.reverse(act);
                continue;
            };
            // All of a group at once: a name gives its file to another one.
            let mut group = vec![(PathBuf::from(path), was, now.as_ref())];
            while let Some(Act::Turn { path, was, now }) = acts.next_if(|act| matches!(act, Act::Turn { .. })) {
                group.push((path.into(), was, now.as_ref()));
            }
            let goals: Vec<_> = group.iter().map(|(path, was, now)| self.goal(path, was, *now)).collect();
            self.set(group.into_iter().map(|(path, ..)| path).zip(goals));
        }
    }

    fn turn(&mut self, path: &Named, was: &Entry, now: Option<&Entry>) {
        let path = PathBuf::from(path);
        let goal = self.goal(&path, was, now);
        self.set([(path, goal)]);
    }

    fn reverse(&mut self, act: &Act) {
        let file = |kept: &Kept| Entry::File(kept.clone());
        let link = |target: &Option<Named>| match target {
            Some(target) => Entry::Link { target: target.clone() },
            None => Entry::Absent,
        };
        match act {
            Act::Write { path, before, after } => {
                let after = Kept::hashed(parse_hash(after));
                self.turn(path, &before.as_ref().map_or(Entry::Absent, file), Some(&Entry::File(after)));
            }
            Act::Mode { path, before, after } => {
                self.turn(path, &file(before), Some(&Entry::File(Kept { mode: *after, ..before.clone() })));
            }
            Act::Delete { path, before } => self.turn(path, &file(before), Some(&Entry::Absent)),
            Act::Link { path, before, after } => self.turn(path, &link(before), Some(&link(after))),
            Act::DeleteTree { path, kind, files, directories, lost } => {
                if !self.now(&PathBuf::from(path)).entry.is_absent() {
                    return;
                }
                if *lost > 0 {
                    self.lost.push(format!("{path} ({lost} entries)"));
                    return;
                }
                if *kind == Kind::Directory {
                    for folder in std::iter::once(path).chain(directories) {
                        self.set([(folder.into(), Some((Goal::Folder(None), None)))]);
                    }
                }
                for found in files {
                    self.turn(&found.path, &file(&found.kept), Some(&Entry::Absent));
                }
            }
            Act::MakeDirectory { path } => {
                if matches!(self.now(&PathBuf::from(path)).entry, Entry::Folder { .. }) {
                    self.set([(path.into(), Some((Goal::Absent, None)))]);
                }
            }
            Act::Move { from, to } => self.move_back(from.into(), to.into()),
            Act::Turn { path, was, now } => self.turn(path, was, now.as_ref()),
        }
    }

    fn move_back(&mut self, from: PathBuf, to: PathBuf) {
        let (left, arrived) = (self.now(&from).entry.is_absent(), !self.now(&to).entry.is_absent());
        match (left, arrived) {
            (true, true) => {
                self.stage().then = Some((to, from));
                self.stages.push(Stage::default());
            }
            // It never happened.
            (false, false) => {}
            (true, false) | (false, true) if self.force == Force::Overwrite => {}
            (true, false) => self.conflict(&to),
            (false, true) => self.conflict(&from),
        }
    }

    fn conflict(&mut self, path: &Path) {
        let list = if self.aside.may_stay(path) { &mut self.left } else { &mut self.changed };
        list.push(path.display().to_string());
    }

    fn stage(&mut self) -> &mut Stage {
        if self.stages.is_empty() {
            self.stages.push(Stage::default());
        }
        let last = self.stages.len() - 1;
        // The list is not empty.
        #[allow(clippy::indexing_slicing)]
        &mut self.stages[last]
    }

    fn set(&mut self, goals: impl IntoIterator<Item = (PathBuf, Option<(Goal, Option<Stamp>)>)>) {
        let goals: Vec<_> = goals.into_iter().filter_map(|(path, goal)| Some((path, goal?))).collect();
        let before = &self.stage().goals;
        let overrides = |(path, (goal, _)): &(PathBuf, (Goal, _))| {
            let written = before.get(path).and_then(|(goal, _)| goal.in_place());
            written.is_some() && written != goal.in_place()
        };
        // A file with other names is written before this one goes.
        if goals.iter().any(overrides) {
            self.stages.push(Stage::default());
        }
        for (path, (goal, seen)) in goals {
            if let Goal::File(kept) = &goal
                && let Some(inode) = kept.stamp.map(|stamp| stamp.inode)
            {
                let known = || self.restored.keys().find(|(_, known)| *known == inode).copied();
                if let Some(id) = seen.map(|seen| seen.id()).filter(|(_, now)| *now == inode).or_else(known) {
                    self.restored.insert(id, kept.clone());
                }
            }
            self.stage().goals.insert(path, (goal, seen));
        }
    }

    /// What it takes to put back what was there. None where nothing is to be done, or must not be.
    fn goal(&mut self, path: &Path, was: &Entry, now: Option<&Entry>) -> Option<(Goal, Option<Stamp>)> {
        let standing = self.now(path);
        if self.shows(&standing, was, Modes::Compared) && has_time(&standing.entry, was) {
            return match (was, &standing.entry) {
                // Another file with the same content passes for the one that it was: earlier steps ask for that one.
                (Entry::File(kept), Entry::File(now))
                    if kept.hash.is_none()
                        && kept.stamp.zip(now.in_the_end()).is_some_and(|(was, now)| !was.is(&now)) =>
                {
                    Some((self.file(path, kept, &standing)?, None))
                }
                _ => None,
            };
        }
        let only_mode = now.is_some_and(|now| match (was, now) {
            (Entry::File(was), Entry::File(file)) => only_attributes(was, Some(now)) || self.same(file, None, was),
            (was, now) => !was.replaces(now),
        });
        let modes = if only_mode { Modes::Compared } else { Modes::Ignored };
        let left = |now| self.shows(&standing, now, modes) || is_left(&standing, now);
        if self.force == Force::Refuse && !now.is_none_or(left) {
            self.conflict(path);
            return None;
        }
        let seen = match &standing {
            // One whose time is given back first is no longer what it is now.
            Now { entry: Entry::File(kept), source: Source::Here(_) } if kept.given.is_none() => kept.stamp,
            _ => None,
        };
        let goal = match was {
            Entry::Absent => Goal::Absent,
            Entry::Folder { mode } => match (&standing.entry, &standing.source) {
                (Entry::Folder { .. }, Source::Here(_)) => Goal::Mode(was.clone()),
                _ => Goal::Folder(Some(*mode)),
            },
            Entry::Link { target } => Goal::Link(target.clone()),
            Entry::Fifo { mode } => Goal::Fifo(*mode),
            // What listened there is gone.
            Entry::Special => return None,
            Entry::File(kept) => self.file(path, kept, &standing)?,
        };
        Some((goal, seen))
    }

    fn file(&mut self, path: &Path, kept: &Kept, standing: &Now) -> Option<Goal> {
        if let Entry::File(now) = &standing.entry
            && (only_attributes(kept, Some(&standing.entry)) || self.same(now, standing.source.on_disk(), kept))
        {
            let now = Kept { mode: kept.mode, given: kept.in_the_end(), ..now.clone() };
            return Some(match &standing.source {
                Source::Here(_) => Goal::Mode(Entry::File(now)),
                Source::There(path) => Goal::Moved(now, path.clone()),
                Source::Journal => Goal::File(now),
            });
        }
        if let Some(name) = &kept.moved {
            let there = self.now(&PathBuf::from(name));
            if let Entry::File(now) = there.entry
                && (self.force == Force::Overwrite || self.same(&now, there.source.on_disk(), kept))
            {
                let now = Kept { mode: kept.mode, moved: Some(name.clone()), ..now };
                return Some(match there.source {
                    Source::Here(path) | Source::There(path) => Goal::Moved(now, path),
                    Source::Journal => Goal::File(now),
                });
            }
        }
        if kept.kept && self.journal.has(kept) {
            return Some(Goal::File(kept.clone()));
        }
        if self.aside.may_stay(path) && self.force == Force::Refuse {
            self.left.push(path.display().to_string());
        } else {
            self.lost.push(path.display().to_string());
        }
        None
    }

    /// Folders that must make room although something is in them that stays.
    pub(super) fn blocked(&mut self) {
        let mut blocked = Vec::new();
        // Later names are others.
        let stages = self.stages.iter().position(|stage| stage.then.is_some()).unwrap_or(self.stages.len());
        for (number, stage) in self.stages.iter().enumerate().take(stages + 1) {
            let done = self.stages.get(..=number).unwrap_or_default();
            for (path, (goal, _)) in &stage.goals {
                let makes_room = matches!(goal, Goal::File(_) | Goal::Moved(..) | Goal::Link(_) | Goal::Fifo(_));
                let folder = || matches!(self.look(path), Entry::Folder { .. });
                if makes_room && folder() && self.stays(path, done) {
                    blocked.push(path.display().to_string());
                }
            }
        }
        self.changed.append(&mut blocked);
    }

    fn stays(&self, folder: &Path, done: &[Stage]) -> bool {
        let open = || self.disk.open_directory(&canonical(folder));
        let Ok(handle) = self.opened.borrow_mut().or_open((self.disk, Some(folder)), open) else { return true };
        let mut names = Vec::new();
        if read_names(handle.as_fd(), |name, _| names.push(folder.join(name))).is_err() {
            return true;
        }
        names.iter().any(|path| match done.iter().rev().find_map(|stage| stage.goals.get(path)) {
            Some((Goal::Absent, _)) => matches!(self.look(path), Entry::Folder { .. }) && self.stays(path, done),
            _ => true,
        })
    }
}
