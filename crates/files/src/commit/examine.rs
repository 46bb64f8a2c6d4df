//! Examines the current files under the locks: whether they match what the author of the change expects, and what must be
//! saved for undo.

use super::{Identity, Ready, Spot, Start, Work, attributes};
use crate::atomic::Temporary;
use crate::beneath::{file_type, reopen};
use crate::disk::{Disk, entry_kind, only_regular};
use crate::errors::{changed, file_error, io_error, not_emptied};
use crate::journal::entry::Entry;
use crate::journal::record::{Act, Kept, KeptFile, Line};
use crate::journal::{self, Keep};
use crate::remove::{Found, Purpose, look_through};
use palanca_core::call::{Access, CanonicalPath};
use palanca_core::ports::{
    ChangeOrigin, Committed, ContentHash, EntryKind, Expect, FileError, FileErrorKind, Files, UndoNumber,
};
use rustix::fd::AsFd;
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::collections::HashSet;
use std::fs::File;
use std::path::Path;

/// Files of one removed tree that are kept for undo; a tree with more is removed without.
const MOST_KEPT_FILES: usize = 20_000;
/// Bytes of one removed tree that are kept for undo.
const MOST_KEPT_BYTES: u64 = 256 << 20;

const LOOK: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

pub(super) struct Examined {
    /// What will be displaced by each change, in order; none where nothing stands.
    pub(super) identities: Vec<Option<Identity>>,
    pub(super) committed: Vec<Committed>,
    /// The journal's line for this commit.
    pub(super) line: Option<UndoNumber>,
}

pub(super) fn examine(disk: &Disk, work: &Work<'_>, origin: &ChangeOrigin) -> Result<Examined, FileError> {
    let mut examining = Examining { disk, work, acts: Vec::new(), committed: Vec::new(), pending: HashSet::new() };
    let identities = work.ready.iter().map(|ready| examining.one(ready)).collect::<Result<Vec<_>, _>>()?;
    let Examining { acts, committed, .. } = examining;
    let line = match disk.journal() {
        Some(journal) => {
            // Made before everything else, so that undo takes them away last.
            let made = work.made.iter().map(|(_, path)| Act::MakeDirectory { path: path.into() });
            let acts = made.chain(acts).collect();
            Some(journal.append(origin, &Line::new(disk.workspace(), acts))?)
        }
        None => None,
    };
    Ok(Examined { identities, committed, line })
}

struct Examining<'a, 'w> {
    disk: &'a Disk,
    work: &'a Work<'w>,
    acts: Vec<Act>,
    committed: Vec<Committed>,
    /// Directories that are still to be made and whose act is there.
    pending: HashSet<usize>,
}

/// Something that stands at a path.
struct Existing {
    handle: File,
    /// Whether the handle reads the content; otherwise it only stands for the file.
    readable: bool,
    stat: Stat,
}

impl Examining<'_, '_> {
    fn one(&mut self, ready: &Ready<'_>) -> Result<Option<Identity>, FileError> {
        match ready {
            Ready::Write { path, spot, expect, start, after, temporary, .. } => {
                let existing = match start {
                    Start::AsIs | Start::Emptied => self.existing(spot, path)?,
                    Start::Gone => None,
                    Start::MovedFrom(from) => {
                        let (handle, stat) = self.disk.look(from)?;
                        Some(Existing { handle: File::from(handle), readable: false, stat })
                    }
                };
                self.pending(spot.directory);
                let folder = existing.as_ref().filter(|existing| file_type(&existing.stat) == FileType::Directory);
                if let (Start::Emptied, Some(folder)) = (start, folder) {
                    self.emptied(path, folder)?;
                    self.tell(path, None, Some(*after));
                    self.acts.push(Act::Write { path: path.relative().into(), before: None, after: after.to_hex() });
                    return Ok(Some(Identity::of(&folder.stat)));
                }
                let before =
                    existing.as_ref().map(|existing| self.keep(path, existing, Some(temporary))).transpose()?;
                expected(path, *expect, before.as_ref())?;
                let identity = existing.map(|existing| Identity::of(&existing.stat));
                self.tell(path, before.as_ref().and_then(Kept::digest), Some(*after));
                self.acts.push(Act::Write { path: path.relative().into(), before, after: after.to_hex() });
                Ok(identity)
            }
            Ready::Delete { path, spot, expect } => {
                let existing = self.existing(spot, path)?;
                let existing = existing.ok_or_else(|| file_error(Errno::NOENT, path))?;
                self.delete(path, *expect, &existing)?;
                Ok(Some(Identity::of(&existing.stat)))
            }
            Ready::Move { from, from_spot, to, to_spot, to_start } => {
                let existing = self.existing(from_spot, from)?;
                let existing = existing.ok_or_else(|| file_error(Errno::NOENT, from))?;
                if matches!(to_start, Start::AsIs) && self.existing(to_spot, to)?.is_some() {
                    return Err(FileError::new(FileErrorKind::Exists, to.to_string()));
                }
                self.move_from(from, to, &existing)?;
                Ok(Some(Identity::of(&existing.stat)))
            }
            Ready::Made { path } => {
                self.tell(path, None, None);
                Ok(None)
            }
        }
    }

    fn tell(&mut self, path: &CanonicalPath, before: Option<ContentHash>, after: Option<ContentHash>) {
        self.committed.push(Committed { path: path.clone(), before, after });
    }

    fn existing(&self, spot: &Spot, path: &CanonicalPath) -> Result<Option<Existing>, FileError> {
        let directory = self.work.directory(spot)?;
        if directory.pending.is_some() {
            return Ok(None);
        }
        let directory = &directory.handle;
        let existing = match self.disk.opener().open_file(directory.as_fd(), Path::new(&spot.name)) {
            Some((file, stat)) => Existing { handle: File::from(file), readable: true, stat },
            None => {
                let handle = match fs::openat(directory, &*spot.name, LOOK, Mode::empty()) {
                    Err(Errno::NOENT) => return Ok(None),
                    opened => opened.map_err(|errno| file_error(errno, path))?,
                };
                let stat = fs::fstat(&handle).map_err(|errno| file_error(errno, path))?;
                Existing { handle: File::from(handle), readable: false, stat }
            }
        };
        self.disk.judge_other_names(path, (existing.handle.as_fd(), &existing.stat), Access::Write)?;
        Ok(Some(existing))
    }

    /// The content's hash, and the content itself in the journal when it is small enough. What replaces the file gets
    /// its attributes.
    fn keep(&self, path: &CanonicalPath, existing: &Existing, new: Option<&Temporary>) -> Result<Kept, FileError> {
        only_regular(path, &existing.stat)?;
        let reopened;
        let file = if existing.readable {
            &existing.handle
        } else {
            let (root, relative) = self.disk.tree(path)?;
            reopened = match reopen(existing.handle.as_fd(), root, relative) {
                // It may be replaced without being read; then it cannot be given back.
                Err(Errno::ACCESS) => return Ok(Kept::unread(&existing.stat)),
                opened => File::from(opened.map_err(|errno| file_error(errno, path))?),
            };
            &reopened
        };
        if let Some(new) = new {
            attributes::copy(file, new);
        }
        journal::keep(self.disk.journal(), file, &existing.stat, Keep::Content).map_err(|error| io_error(&error, path))
    }

    fn delete(&mut self, path: &CanonicalPath, expect: Expect, existing: &Existing) -> Result<(), FileError> {
        match file_type(&existing.stat) {
            FileType::RegularFile => {
                let before = self.keep(path, existing, None)?;
                expected(path, expect, Some(&before))?;
                self.tell(path, before.digest(), None);
                self.acts.push(Act::Delete { path: path.relative().into(), before });
            }
            kind => {
                expected(path, expect, None)?;
                let mut tree = Tree::default();
                if kind == FileType::Directory {
                    self.look_through(path, existing, Purpose::Empty, &mut |examining, found| {
                        let path = path.join(found.path);
                        examining.disk.judge(&path, Access::Write)?;
                        tree.add(examining.disk, &path, found)
                    })?;
                }
                self.tell(path, None, None);
                let kind = entry_kind(kind);
                self.acts.push(tree.into_act(path.relative(), kind));
            }
        }
        Ok(())
    }

    fn move_from(&mut self, from: &CanonicalPath, to: &CanonicalPath, existing: &Existing) -> Result<(), FileError> {
        let hash = match file_type(&existing.stat) {
            FileType::RegularFile => {
                let (root, relative) = self.disk.tree(from)?;
                match reopen(existing.handle.as_fd(), root, relative) {
                    Ok(file) => journal::keep(None, &File::from(file), &existing.stat, Keep::Hash)
                        .map_err(|error| io_error(&error, from))?
                        .digest(),
                    Err(_) => None,
                }
            }
            FileType::Directory => {
                self.look_through(from, existing, Purpose::Move, &mut |examining, found| {
                    examining.disk.judge(&from.join(found.path), Access::Write)?;
                    examining.disk.judge(&to.join(found.path), Access::Write)
                })?;
                None
            }
            _ => None,
        };
        self.tell(from, hash, None);
        self.tell(to, None, hash);
        self.acts.push(Act::Move { from: from.relative().into(), to: to.relative().into() });
        Ok(())
    }

    /// Directories are made after the file that had their name went, so undo takes them away before it comes back.
    fn pending(&mut self, at: usize) {
        let Some(directory) = self.work.directories.get(at) else { return };
        let Some(pending) = &directory.pending else { return };
        if self.pending.insert(at) {
            self.pending(pending.parent);
            self.acts.push(Act::MakeDirectory { path: (&directory.path).into() });
        }
    }

    /// A folder that a file replaces: all that is in it goes by this commit, and the folders that held that.
    fn emptied(&mut self, path: &CanonicalPath, folder: &Existing) -> Result<(), FileError> {
        let removed: HashSet<&CanonicalPath> = self
            .work
            .ready
            .iter()
            .filter_map(|ready| if let Ready::Delete { path, .. } = ready { Some(*path) } else { None })
            .collect();
        let mut folders = vec![Act::Turn {
            path: path.relative().into(),
            was: Entry::of(&folder.stat, || None),
            now: Some(Entry::Absent),
        }];
        self.look_through(path, folder, Purpose::Empty, &mut |examining, found| {
            let inside = path.join(found.path);
            let held = found.kind == EntryKind::Directory && removed.iter().any(|gone| gone.is_within(&inside));
            if held {
                examining.disk.judge(&inside, Access::Write)?;
                let stat = fs::statat(found.directory, found.name, AtFlags::SYMLINK_NOFOLLOW);
                let was = Entry::of(&stat.map_err(|errno| file_error(errno, &inside))?, || None);
                folders.push(Act::Turn { path: inside.relative().into(), was, now: Some(Entry::Absent) });
            } else if !removed.contains(&inside) {
                return Err(not_emptied(path, &inside, examining.disk));
            }
            Ok(())
        })?;
        self.acts.append(&mut folders);
        Ok(())
    }

    fn look_through(
        &mut self,
        path: &CanonicalPath,
        existing: &Existing,
        purpose: Purpose,
        each: &mut dyn FnMut(&Self, &Found<'_>) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        enum Stop {
            System(Errno),
            File(FileError),
        }
        impl From<Errno> for Stop {
            fn from(errno: Errno) -> Self {
                Self::System(errno)
            }
        }
        let visited = look_through(self.disk.opener(), existing.handle.as_fd(), purpose, &mut |found| {
            each(self, found).map_err(Stop::File)
        });
        match visited {
            Ok(()) => Ok(()),
            Err(Stop::File(error)) => Err(error),
            Err(Stop::System(Errno::XDEV)) => Err(FileError::new(FileErrorKind::Outside, path.to_string())
                .detail("another file system is mounted in it; unmount that first")),
            Err(Stop::System(errno)) => Err(file_error(errno, path)),
        }
    }
}

fn expected(path: &CanonicalPath, expect: Expect, before: Option<&Kept>) -> Result<(), FileError> {
    match (expect, before) {
        (Expect::Anything, _) | (Expect::Absent, None) => Ok(()),
        (Expect::Absent, Some(_)) => Err(FileError::new(FileErrorKind::Exists, path.to_string())),
        (Expect::Content(_), None) => Err(changed(path, "it is gone")),
        (Expect::Content(wanted), Some(kept)) => match kept.digest() {
            Some(found) if found == wanted => Ok(()),
            Some(_) => Err(changed(path, "its content is not what was read; read it again")),
            None => Err(changed(path, "its content cannot be compared: it is too large or may not be read")),
        },
    }
}

/// What is kept of a tree that is removed.
#[derive(Default)]
struct Tree {
    files: Vec<KeptFile>,
    directories: Vec<journal::record::Named>,
    lost: usize,
    bytes: u64,
}

impl Tree {
    fn add(&mut self, disk: &Disk, path: &CanonicalPath, found: &Found<'_>) -> Result<(), FileError> {
        match found.kind {
            EntryKind::Directory => self.directories.push(path.relative().into()),
            EntryKind::File => {
                let kept =
                    if disk.journal().is_some() && self.has_room() { keep_found(disk, path, found)? } else { None };
                match kept {
                    Some(kept) => {
                        self.bytes = self.bytes.saturating_add(kept.size);
                        self.files.push(KeptFile { path: path.relative().into(), kept });
                    }
                    None => self.lost += 1,
                }
            }
            EntryKind::Link | EntryKind::Special => self.lost += 1,
        }
        Ok(())
    }

    fn has_room(&self) -> bool {
        self.files.len() < MOST_KEPT_FILES && self.bytes < MOST_KEPT_BYTES
    }

    fn into_act(self, path: &Path, kind: EntryKind) -> Act {
        let lost = if kind == EntryKind::Directory { self.lost } else { 1 };
        let directories = if kind == EntryKind::Directory { self.directories } else { Vec::new() };
        Act::DeleteTree { path: path.into(), kind: kind.into(), files: self.files, directories, lost }
    }
}

/// A file that may not be read is removed without being kept.
fn keep_found(disk: &Disk, path: &CanonicalPath, found: &Found<'_>) -> Result<Option<Kept>, FileError> {
    let looked = fs::openat(found.directory, found.name, LOOK, Mode::empty());
    let Ok(handle) = looked else { return Ok(None) };
    let stat = fs::fstat(&handle).map_err(|errno| file_error(errno, path))?;
    if file_type(&stat) != FileType::RegularFile {
        return Ok(None);
    }
    match reopen(handle.as_fd(), found.directory, Path::new(found.name)) {
        Ok(file) => journal::keep(disk.journal(), &File::from(file), &stat, Keep::Content)
            .map(Some)
            .map_err(|error| io_error(&error, path)),
        Err(_) => Ok(None),
    }
}
