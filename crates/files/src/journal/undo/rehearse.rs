//! Takes one step after the other back on an overlay, and remembers what stands in the way.

use super::{Force, UndoPlan};
use crate::journal::record::{Act, Kept, Kind, Line, Named, parse_hash};
use crate::journal::{Journal, JournalError, links};
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::{Change, ChangeOrigin, ContentHash, EntryKind, Expect, FileError, FileErrorKind, Files};
use std::path::PathBuf;

pub(super) struct Rehearsal<'a> {
    pub(super) journal: &'a Journal,
    pub(super) origin: &'a ChangeOrigin,
    pub(super) plan: &'a mut UndoPlan,
    pub(super) force: Force,
    pub(super) changed: Vec<String>,
    pub(super) lost: Vec<String>,
}

impl Rehearsal<'_> {
    pub(super) fn take_back(&mut self, line: &Line) -> Result<(), JournalError> {
        for act in line.acts.iter().rev() {
            if let Act::Link { path, before, after } = act {
                self.relink(&canonical(path), before.as_ref().map(PathBuf::from), after.as_ref().map(PathBuf::from))?;
                continue;
            }
            for change in self.reverse(act) {
                self.make(&change)?;
            }
        }
        Ok(())
    }

    fn make(&mut self, change: &Change) -> Result<(), JournalError> {
        match self.plan.overlay.commit(std::slice::from_ref(change), self.origin) {
            Ok(_) => {}
            Err(error) if is_conflict(&error) => {
                if self.force == Force::Refuse {
                    self.changed.extend(change.paths().next().map(ToString::to_string));
                }
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// A link leads where it led before, or is gone again.
    fn relink(
        &mut self,
        path: &CanonicalPath,
        before: Option<PathBuf>,
        after: Option<PathBuf>,
    ) -> Result<(), JournalError> {
        let standing = self.kind(path);
        let now = match self.plan.links.get(path) {
            Some(now) => now.clone(),
            None if standing == Some(EntryKind::Link) => links::target(&self.plan.disk, path),
            None => None,
        };
        let never_happened = now == before && (before.is_some() || standing.is_none());
        if never_happened {
            return Ok(());
        }
        self.plan.disk.judge(path, Access::Write)?;
        if now != after || (after.is_none() && standing.is_some()) {
            if self.force == Force::Refuse {
                self.changed.push(path.to_string());
                return Ok(());
            }
            // A whole folder in the place of a link is not removed for it, not even by force.
            if standing == Some(EntryKind::Directory) {
                self.changed.push(path.to_string());
                return Ok(());
            }
        }
        if standing.is_some() {
            self.make(&Change::Delete { path: path.clone(), expect: Expect::Anything })?;
        }
        if before.is_some() {
            self.plan.overlay.put_link(path)?;
        }
        self.plan.links.insert(path.clone(), before);
        Ok(())
    }

    /// The changes that take one act back. None where that is so already: its commit never happened.
    fn reverse(&mut self, act: &Act) -> Vec<Change> {
        match act {
            Act::Write { path, before, after } => {
                let path = canonical(path);
                let now = self.hash(&path);
                let as_before = match before {
                    None => self.kind(&path).is_none(),
                    Some(kept) => now.is_some() && now == kept.digest() && self.mode(&path) == Some(kept.mode),
                };
                if as_before {
                    return Vec::new();
                }
                let expect = self.expect(parse_hash(after));
                match before {
                    None => vec![Change::Delete { path, expect }],
                    Some(kept) => self.restore(path, kept, expect),
                }
            }
            Act::Mode { path, before, after } => {
                let path = canonical(path);
                let now = self.mode(&path);
                let untouched = self.hash(&path) == before.digest();
                if untouched && now == Some(before.mode) {
                    return Vec::new();
                }
                if (now != Some(*after) || !untouched) && self.force == Force::Refuse {
                    self.changed.push(path.to_string());
                    return Vec::new();
                }
                self.restore(path, before, Expect::Anything)
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
                if self.kind(&canonical(path)).is_some() {
                    return Vec::new();
                }
                if *lost > 0 {
                    self.lost.push(format!("{path} ({lost} entries)"));
                    return Vec::new();
                }
                let mut changes = Vec::new();
                if *kind == Kind::Directory {
                    let made = std::iter::once(path).chain(directories).map(canonical);
                    self.plan.made.extend(made.clone());
                    changes.extend(made.map(|path| Change::MakeDirectory { path }));
                }
                for file in files {
                    changes.extend(self.restore(canonical(&file.path), &file.kept, Expect::Absent));
                }
                changes
            }
            Act::Move { from, to } => {
                let (from, to) = (canonical(from), canonical(to));
                if self.kind(&to).is_none() && self.kind(&from).is_some() {
                    return Vec::new();
                }
                self.emptied_below(&to);
                vec![Change::Move { from: to, to: from }]
            }
            Act::MakeDirectory { path } => {
                let path = canonical(path);
                let empty = self.plan.overlay.entries(&path).is_ok_and(|entries| entries.is_empty());
                self.plan.emptied.push(path.clone());
                if empty { vec![Change::Delete { path, expect: Expect::Anything }] } else { Vec::new() }
            }
            Act::Link { .. } => Vec::new(),
        }
    }

    /// A directory that goes back leaves nothing where it was, not even its empty directories.
    fn emptied_below(&mut self, directory: &CanonicalPath) {
        let mut pending = vec![directory.clone()];
        while let Some(directory) = pending.pop() {
            let Ok(entries) = self.plan.overlay.entries(&directory) else { continue };
            let below = entries.into_iter().filter(|entry| entry.kind == EntryKind::Directory);
            pending.extend(below.map(|entry| directory.join(entry.name)));
            self.plan.emptied.push(directory);
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

    fn kind(&self, path: &CanonicalPath) -> Option<EntryKind> {
        self.plan.overlay.info(path).ok().map(|info| info.kind)
    }

    fn mode(&self, path: &CanonicalPath) -> Option<u32> {
        self.plan.overlay.info(path).ok().map(|info| info.mode & 0o777)
    }

    /// The hash of what the rehearsal shows at a path now; none when no file is there.
    fn hash(&self, path: &CanonicalPath) -> Option<ContentHash> {
        if self.kind(path)? != EntryKind::File {
            return None;
        }
        let mut content = Vec::new();
        std::io::Read::read_to_end(&mut self.plan.overlay.open(path).ok()?.content, &mut content).ok()?;
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
