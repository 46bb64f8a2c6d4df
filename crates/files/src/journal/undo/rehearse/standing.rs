//! What stands at a name: on the disk, and when everything so far is done.

use super::Rehearsal;
use crate::beneath::file_type;
use crate::disk::Disk;
use crate::errors::says_absent;
use crate::journal::entry::Entry;
use crate::journal::record::{Kept, Named};
use crate::journal::undo::goal::Goal;
use crate::opened::Opened;
use crate::writes::join;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{ContentHash, FileError};
use rustix::fd::AsFd as _;
use rustix::fs::{self, FileType};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// What is at a name when everything so far is done.
pub(super) struct Now {
    pub(super) entry: Entry,
    pub(super) source: Source,
}

/// Where a content is.
pub(super) enum Source {
    Journal,
    /// On the disk, under the name that is asked about.
    Here(PathBuf),
    /// On the disk, under a name from which it is going to be moved.
    There(PathBuf),
}

impl Source {
    pub(super) fn on_disk(&self) -> Option<&Path> {
        match self {
            Self::Journal => None,
            Self::Here(path) | Self::There(path) => Some(path),
        }
    }
}

/// Whether permissions count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Modes {
    Compared,
    Ignored,
}

impl Rehearsal<'_> {
    pub(super) fn look(&self, path: &Path) -> Entry {
        look(self.disk, &mut self.opened.borrow_mut(), path).unwrap_or_else(|error| {
            self.unseen.borrow_mut().get_or_insert(error);
            Entry::Special
        })
    }

    pub(super) fn now(&self, path: &Path) -> Now {
        let (mut path, mut mode) = (path.to_owned(), None);
        for stage in self.stages.iter().rev() {
            if let Some((from, to)) = &stage.then {
                match path.strip_prefix(to) {
                    Ok(rest) => path = join(from, rest),
                    Err(_) if path.starts_with(from) => {
                        return Now { entry: Entry::Absent, source: Source::Journal };
                    }
                    Err(_) => {}
                }
            }
            match stage.goals.get(&path).map(|(goal, _)| goal).filter(|_| mode.is_none()) {
                Some(Goal::Mode(entry)) => mode = Some(entry.clone()),
                Some(Goal::Moved(kept, path)) => {
                    return Now { entry: Entry::File(kept.clone()), source: Source::There(path.clone()) };
                }
                Some(goal) => return Now { entry: goal.entry(), source: Source::Journal },
                None => {}
            }
        }
        let mut entry = mode.unwrap_or_else(|| self.look(&path));
        if let Entry::File(file) = &mut entry
            && let Some(kept) = file.stamp.and_then(|stamp| self.restored.get(&stamp.id()))
        {
            file.given = file.given.or(kept.stamp);
        }
        Now { entry, source: Source::Here(path) }
    }

    pub(super) fn shows(&self, now: &Now, wanted: &Entry, modes: Modes) -> bool {
        let mode = |now: u32, wanted: u32| modes == Modes::Ignored || now == wanted;
        match (&now.entry, wanted) {
            (Entry::Absent, Entry::Absent) | (Entry::Special, Entry::Special) => true,
            (Entry::Folder { mode: now }, Entry::Folder { mode: wanted })
            | (Entry::Fifo { mode: now }, Entry::Fifo { mode: wanted }) => mode(*now, *wanted),
            (Entry::Link { target: now }, Entry::Link { target }) => now == target,
            (Entry::File(file), Entry::File(wanted)) => {
                let bits = if wanted.hash.is_some() { 0o777 } else { 0o7777 };
                mode(file.mode & bits, wanted.mode & bits) && self.same(file, now.source.on_disk(), wanted)
            }
            _ => false,
        }
    }

    /// Whether two files have the same content.
    pub(super) fn same(&self, now: &Kept, on_disk: Option<&Path>, wanted: &Kept) -> bool {
        if now.in_the_end().zip(wanted.stamp).is_some_and(|(now, wanted)| now.is(&wanted))
            || (now.place.is_some() && now.place == wanted.place)
        {
            return true;
        }
        if wanted.hash.is_none() && (now.size != wanted.size || !wanted.kept) {
            return false;
        }
        let digest = || match on_disk {
            Some(path) => hash(self.disk, path),
            None => self.journal.digest(now),
        };
        self.journal.digest(wanted).is_some_and(|wanted| digest() == Some(wanted))
    }
}

/// Whether the file on the disk is the one that a step left, although another name of it gives it an earlier content.
pub(super) fn is_left(standing: &Now, now: &Entry) -> bool {
    match (&standing.entry, &standing.source, now) {
        (Entry::File(file), Source::Here(_), Entry::File(now)) => {
            file.stamp.zip(now.stamp).is_some_and(|(file, now)| file.is(&now))
        }
        _ => false,
    }
}

/// Lines of programs know when a file was last written, those of tools do not.
pub(super) fn has_time(standing: &Entry, was: &Entry) -> bool {
    match (standing, was) {
        (Entry::File(standing), Entry::File(was)) if was.hash.is_none() => {
            standing.in_the_end().zip(was.stamp).is_some_and(|(now, was)| now.modified == was.modified)
        }
        _ => true,
    }
}

pub(in super::super) fn canonical(path: &Path) -> CanonicalPath {
    CanonicalPath::new(Root::Workspace, path.to_owned())
}

/// What stands at a name on the disk.
///
/// # Errors
/// It cannot be seen.
pub(in super::super) fn look(disk: &Disk, opened: &mut Opened, path: &Path) -> Result<Entry, FileError> {
    let (handle, stat) = match opened.or_open((disk, path.parent()), || disk.look(&canonical(path))) {
        Err(error) if says_absent(&error) => return Ok(Entry::Absent),
        found => found?,
    };
    let entry = Entry::of(&stat, || {
        let target = fs::readlinkat(&handle, "", Vec::new()).ok()?;
        Some(Named::from(Path::new(&OsString::from_vec(target.into_bytes()))))
    });
    Ok(match (entry, opened.mode(&stat)) {
        (Entry::Folder { .. }, Some(mode)) => Entry::Folder { mode },
        (entry, _) => entry,
    })
}

fn hash(disk: &Disk, path: &Path) -> Option<ContentHash> {
    let (handle, stat) = disk.look(&canonical(path)).ok()?;
    if file_type(&stat) != FileType::RegularFile {
        return None;
    }
    let canonical = canonical(path);
    let (root, relative) = disk.tree(&canonical).ok()?;
    let file = crate::beneath::reopen(handle.as_fd(), root, relative).ok()?;
    crate::journal::hash(file.into())
}
