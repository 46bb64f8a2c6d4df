//! Takes steps of a session back, newest first: rehearsed on an overlay, then committed at once.

use super::record::{Act, Kept, Kind, Line, Named, parse_hash};
use super::{Journal, JournalError, StepNumber};
use crate::disk::Disk;
use crate::overlay::Overlay;
use palanca_core::call::{CallId, CanonicalPath, Root, SessionId};
use palanca_core::ports::{Change, ChangeOrigin, ContentHash, EntryKind, Expect, FileError, FileErrorKind, Files};
use std::collections::BTreeSet;
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
    /// Files that have their old content again.
    pub restored: Vec<CanonicalPath>,
    /// Files and empty directories that are gone again.
    pub removed: Vec<CanonicalPath>,
}

impl Journal {
    /// Takes back everything that a session did after step `to`: zero takes back all. The undo is itself a step of the
    /// session, so it can be undone.
    ///
    /// # Errors
    /// Nothing is changed then: [`JournalError::Changed`] when a file is not what the session left,
    /// [`JournalError::NotKept`] when a content is missing, and what the commit reports.
    pub fn undo(
        &self,
        disk: &Arc<Disk>,
        session: &SessionId,
        to: StepNumber,
        force: Force,
    ) -> Result<Undone, JournalError> {
        let lines = self.lines(session)?;
        if to.0 > lines.len() {
            return Err(JournalError::NoSuchStep { session: session.to_string(), step: to, steps: lines.len() });
        }
        let overlay = Overlay::new(Arc::clone(disk) as Arc<dyn Files>);
        let mut rehearsal = Rehearsal {
            journal: self,
            overlay: &overlay,
            force,
            changed: Vec::new(),
            lost: Vec::new(),
            made: BTreeSet::new(),
            emptied: Vec::new(),
        };
        for (number, line) in lines.iter().enumerate().skip(to.0).rev() {
            if PathBuf::from(&line.workspace) != disk.workspace() {
                let workspace = line.workspace.to_string();
                return Err(JournalError::OtherWorkspace { step: StepNumber(number + 1), workspace });
            }
            rehearsal.take_back(line, session)?;
        }
        let Rehearsal { changed, lost, emptied, made, .. } = rehearsal;
        if !changed.is_empty() {
            return Err(JournalError::Changed(changed));
        }
        if !lost.is_empty() {
            return Err(JournalError::NotKept(lost));
        }
        perform(disk, &overlay, session, (made, emptied))
    }
}

fn origin(session: &SessionId) -> ChangeOrigin {
    ChangeOrigin { session: session.clone(), call: CallId::new("undo") }
}

/// Makes on the disk what the rehearsal came to: at once, or in two commits where a file and a directory change places.
fn perform(
    disk: &Arc<Disk>,
    overlay: &Overlay,
    session: &SessionId,
    (made, emptied): (BTreeSet<CanonicalPath>, Vec<CanonicalPath>),
) -> Result<Undone, JournalError> {
    let mut undone = Undone::default();
    let (mut removing, mut restoring) = (Vec::new(), Vec::new());
    for changed in overlay.changes()? {
        let before = changed.before.as_deref().map(ContentHash::of_bytes);
        let (path, expect) = (changed.path, before.map_or(Expect::Absent, Expect::Content));
        match changed.after {
            Some(content) => {
                undone.restored.push(path.clone());
                restoring.push(Change::Write { path, content, expect, mode: changed.mode });
            }
            None => {
                undone.removed.push(path.clone());
                removing.push(Change::Delete { path, expect });
            }
        }
    }
    let is_directory =
        |door: &dyn Files, path: &CanonicalPath| door.info(path).is_ok_and(|info| info.kind == EntryKind::Directory);
    let missing = made.into_iter().filter(|path| is_directory(overlay, path) && !is_directory(&**disk, path));
    restoring.splice(0..0, missing.map(|path| Change::MakeDirectory { path }));
    let turned = restoring
        .iter()
        .flat_map(Change::paths)
        .any(|path| undone.removed.iter().any(|removed| path.is_within(removed)) || is_directory(&**disk, path));
    let vanished: BTreeSet<CanonicalPath> = parents(&undone.removed).chain(emptied).collect();
    let clear = |undone: &mut Undone| {
        // Only what is empty by now: others may use a directory that the session made or moved.
        for path in vanished.iter().rev().filter(|path| !is_directory(overlay, path)) {
            let change = Change::Delete { path: path.clone(), expect: Expect::Anything };
            if disk.entries(path).is_ok_and(|entries| entries.is_empty())
                && disk.commit(&[change], &origin(session)).is_ok()
            {
                undone.removed.push(path.clone());
            }
        }
    };
    let commit = |changes: &[Change]| match changes {
        [] => Ok(Vec::new()),
        changes => disk.commit(changes, &origin(session)),
    };
    if turned {
        commit(&removing)?;
        clear(&mut undone);
        commit(&restoring)?;
    } else {
        removing.extend(restoring);
        commit(&removing)?;
        clear(&mut undone);
    }
    Ok(undone)
}

fn parents(paths: &[CanonicalPath]) -> impl Iterator<Item = CanonicalPath> {
    paths.iter().flat_map(|path| {
        let parents = path.relative().ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
        parents.map(|parent| CanonicalPath::new(path.root(), parent.to_owned()))
    })
}

struct Rehearsal<'a> {
    journal: &'a Journal,
    overlay: &'a Overlay,
    force: Force,
    changed: Vec<String>,
    lost: Vec<String>,
    /// Directories that the session removed.
    made: BTreeSet<CanonicalPath>,
    /// Directories that the session made or moved.
    emptied: Vec<CanonicalPath>,
}

impl Rehearsal<'_> {
    fn take_back(&mut self, line: &Line, session: &SessionId) -> Result<(), JournalError> {
        let origin = origin(session);
        for act in line.acts.iter().rev() {
            for change in self.reverse(act) {
                match self.overlay.commit(std::slice::from_ref(&change), &origin) {
                    Ok(_) => {}
                    Err(error) if is_conflict(&error) => {
                        if self.force == Force::Refuse {
                            self.changed.extend(change.paths().next().map(ToString::to_string));
                        }
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// The changes that take one act back. None where that is so already: its commit never happened.
    fn reverse(&mut self, act: &Act) -> Vec<Change> {
        match act {
            Act::Write { path, before, after } => {
                let path = canonical(path);
                let now = self.hash(&path);
                if now == before.as_ref().and_then(Kept::digest) && (now.is_some() || before.is_none()) {
                    return Vec::new();
                }
                let expect = self.expect(parse_hash(after));
                match before {
                    None => vec![Change::Delete { path, expect }],
                    Some(kept) => self.restore(path, kept, expect),
                }
            }
            Act::Delete { path, before } => {
                let path = canonical(path);
                if self.hash(&path).is_some_and(|now| Some(now) == before.digest()) {
                    return Vec::new();
                }
                let expect = if self.force == Force::Overwrite { Expect::Anything } else { Expect::Absent };
                self.restore(path, before, expect)
            }
            Act::DeleteTree { path, kind, files, directories, lost } => {
                if self.overlay.info(&canonical(path)).is_ok() {
                    return Vec::new();
                }
                if *lost > 0 {
                    self.lost.push(format!("{path} ({lost} entries)"));
                    return Vec::new();
                }
                let mut changes = Vec::new();
                if *kind == Kind::Directory {
                    let made = std::iter::once(path).chain(directories).map(canonical);
                    self.made.extend(made.clone());
                    changes.extend(made.map(|path| Change::MakeDirectory { path }));
                }
                for file in files {
                    changes.extend(self.restore(canonical(&file.path), &file.kept, Expect::Absent));
                }
                changes
            }
            Act::Move { from, to } => {
                let (from, to) = (canonical(from), canonical(to));
                if self.overlay.info(&to).is_err() && self.overlay.info(&from).is_ok() {
                    return Vec::new();
                }
                self.emptied_below(&to);
                vec![Change::Move { from: to, to: from }]
            }
            Act::MakeDirectory { path } => {
                let path = canonical(path);
                let empty = self.overlay.entries(&path).is_ok_and(|entries| entries.is_empty());
                self.emptied.push(path.clone());
                if empty { vec![Change::Delete { path, expect: Expect::Anything }] } else { Vec::new() }
            }
        }
    }

    /// A directory that goes back leaves nothing where it was, not even its empty directories.
    fn emptied_below(&mut self, directory: &CanonicalPath) {
        let mut pending = vec![directory.clone()];
        while let Some(directory) = pending.pop() {
            let Ok(entries) = self.overlay.entries(&directory) else { continue };
            let below = entries.into_iter().filter(|entry| entry.kind == EntryKind::Directory);
            pending.extend(below.map(|entry| directory.join(entry.name)));
            self.emptied.push(directory);
        }
    }

    fn expect(&self, after: Option<ContentHash>) -> Expect {
        match (self.force, after) {
            (Force::Refuse, Some(hash)) => Expect::Content(hash),
            _ => Expect::Anything,
        }
    }

    fn restore(&mut self, path: CanonicalPath, kept: &Kept, expect: Expect) -> Vec<Change> {
        let content = if kept.kept { kept.digest().and_then(|hash| self.journal.content(&hash)) } else { None };
        match content {
            Some(content) => vec![Change::Write { path, content, expect, mode: Some(kept.mode) }],
            None => {
                self.lost.push(path.to_string());
                Vec::new()
            }
        }
    }

    /// The hash of what the rehearsal shows at a path now; none when no file is there.
    fn hash(&self, path: &CanonicalPath) -> Option<ContentHash> {
        let info = self.overlay.info(path).ok()?;
        if info.kind != EntryKind::File {
            return None;
        }
        let mut content = Vec::new();
        std::io::Read::read_to_end(&mut self.overlay.open(path).ok()?.content, &mut content).ok()?;
        Some(ContentHash::of_bytes(&content))
    }
}

fn canonical(path: &Named) -> CanonicalPath {
    CanonicalPath::new(Root::Workspace, path.into())
}

fn is_conflict(error: &FileError) -> bool {
    matches!(
        error.kind,
        FileErrorKind::Changed
            | FileErrorKind::Exists
            | FileErrorKind::NotFound
            | FileErrorKind::IsDirectory
            | FileErrorKind::NotADirectory
            | FileErrorKind::Special
    )
}
