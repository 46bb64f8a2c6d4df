//! Performs a rehearsed undo on disk. It works like a program whose changes are all saved first, so the undo is a step that
//! can be undone, and one killed half-way is settled like any other.

mod content;

use super::goal::{Goal, Stage};
use super::rehearse::{canonical, look};
use super::{UndoPlan, Undone};
use crate::atomic::rename_to_free;
use crate::disk::Disk;
use crate::errors::{changed, file_error};
use crate::journal::entry::{Entry, Id, Stamp, found};
use crate::journal::record::Kept;
use crate::journal::{Journal, JournalError};
use crate::lock::Turns;
use crate::opened::Opened;
use crate::writes::{Beyond, Keeper, join};
use palanca_core::ports::{ChangeOrigin, FileError, NameChange, NewName, Place};
use rustix::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Stat, Timespec, Timestamps};
use rustix::io::Errno;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes that one undo copies to be taken back itself; what is larger is gone for good.
const COPIED: u64 = 1 << 30;
/// From here on a file is given back itself rather than as a copy.
const LARGE: u64 = 64 << 20;

const CREATE: OFlags =
    OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

pub(super) fn perform(journal: &Journal, plan: &UndoPlan, origin: &ChangeOrigin) -> Result<Undone, JournalError> {
    let _in_flight = journal.in_flight.begin();
    let keeper = Keeper::begin(&plan.disk, origin, (COPIED, Beyond::Lose));
    let (placed, written, lent) = (HashMap::new(), HashSet::new(), HashMap::new());
    let (undone, opened, turns) = (Undone::default(), Opened::default(), plan.disk.turns()?);
    let mut hands = Hands { journal, disk: &plan.disk, turns, keeper, undone, placed, written, lent, opened };
    let done = plan.stages.iter().try_for_each(|stage| hands.stage(stage));
    // What is settled is what is there at the end.
    drop(std::mem::take(&mut hands.opened));
    hands.keeper.finish();
    done?;
    Ok(hands.undone)
}

struct Hands<'a> {
    journal: &'a Journal,
    disk: &'a Arc<Disk>,
    turns: Turns,
    keeper: Keeper,
    undone: Undone,
    /// Where a content has been put back: what had it as well was the same file.
    placed: HashMap<String, PathBuf>,
    /// Device and inode of files that this undo itself changed: under their other names they no longer look as they did.
    written: HashSet<Id>,
    /// Files of the journal that stand in the workspace again, by place: written in place, they would be lost here.
    lent: HashMap<Id, String>,
    opened: Opened,
}

/// A folder that is held open, and a name in it.
struct Spot {
    folder: OwnedFd,
    name: OsString,
}

impl Spot {
    fn place<'a>(&'a self, path: &'a Path) -> Place<'a> {
        Place { path, parent: self.folder.as_fd(), name: &self.name }
    }

    fn found(&self) -> Result<Option<Stat>, Errno> {
        match fs::statat(&self.folder, &*self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(errno),
        }
    }
}

impl Hands<'_> {
    fn stage(&mut self, stage: &Stage) -> Result<(), FileError> {
        let mut above = None;
        for parent in stage.goals.keys().map(|path| path.parent()) {
            if above != Some(parent) {
                self.open(parent)?;
            }
            above = Some(parent);
        }
        // What must go goes first, from below; then everything is made, from above.
        for (path, (goal, seen)) in stage.goals.iter().rev() {
            self.in_turn(|hands| hands.clear(path, goal, *seen))?;
        }
        for (path, (goal, _)) in &stage.goals {
            self.in_turn(|hands| hands.make(path, goal))?;
        }
        for (path, (goal, _)) in stage.goals.iter().rev() {
            if let Goal::Folder(Some(mode)) | Goal::Mode(Entry::Folder { mode }) = goal {
                self.in_turn(|hands| hands.attributes(path, *mode, None))?;
            }
        }
        match &stage.then {
            Some((from, to)) => {
                self.open(from.parent())?;
                self.open(to.parent())?;
                self.in_turn(|hands| hands.rename(from, to))
            }
            None => Ok(()),
        }
    }

    /// Beside those of everyone else, one change at a time.
    fn in_turn(&mut self, change: impl FnOnce(&mut Self) -> Result<(), FileError>) -> Result<(), FileError> {
        self.turns.take()?;
        let changed = change(self);
        self.turns.end();
        changed
    }

    /// A folder, as a change that this undo makes.
    fn open(&mut self, folder: Option<&Path>) -> Result<(), FileError> {
        let Self { disk, keeper, opened, .. } = self;
        opened.open(disk, folder.unwrap_or(Path::new("")), |path, stat| {
            // The workspace itself has no name.
            let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(()) };
            let parent = disk.open_beneath(&canonical(parent), OFlags::PATH | OFlags::DIRECTORY)?;
            let at = Place { path, parent: parent.as_fd(), name };
            keeper.keep(&NameChange::Attributes { at, found: found(stat) })
        })
    }

    fn look(&mut self, path: &Path) -> Result<Entry, FileError> {
        look(self.disk, &mut self.opened, path)
    }

    fn spot(&mut self, path: &Path) -> Result<Spot, FileError> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(file_error(Errno::INVAL, path.display()));
        };
        if self.look(parent)?.is_absent() && parent.file_name().is_some() {
            self.make(parent, &Goal::Folder(None))?;
        }
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW;
        Ok(Spot { folder: self.disk.open_beneath(&canonical(parent), flags)?, name: name.to_owned() })
    }

    /// Removes what stands in the way of a goal.
    fn clear(&mut self, path: &Path, goal: &Goal, seen: Option<Stamp>) -> Result<(), FileError> {
        let standing = self.look(path)?;
        let stays = match (goal, &standing) {
            (_, Entry::Absent) | (Goal::Mode(_), _) | (Goal::Folder(_), Entry::Folder { .. }) => true,
            (Goal::File(kept), Entry::File(now)) => {
                self.unchanged(path, now, seen)?;
                let lent = now.stamp.and_then(|stamp| self.lent.get(&stamp.id()));
                in_place(kept, now) && lent.is_none_or(|place| kept.place.as_ref() == Some(place))
            }
            _ => false,
        };
        if stays {
            return Ok(());
        }
        if let Entry::File(now) = &standing {
            self.unchanged(path, now, seen)?;
        }
        let spot = self.spot(path)?;
        let Some(stat) = spot.found().map_err(|errno| file_error(errno, path.display()))? else { return Ok(()) };
        let found = found(&stat);
        let folder = matches!(standing, Entry::Folder { .. });
        self.keeper.keep(&NameChange::Remove { at: spot.place(path), found })?;
        let flags = if folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        match fs::unlinkat(&spot.folder, &*spot.name, flags) {
            Ok(()) => {
                self.placed.retain(|_, known| known != path);
                if !matches!(goal, Goal::File(_) | Goal::Moved(..)) || folder {
                    self.undone.removed.push(canonical(path));
                }
                Ok(())
            }
            // Others use a folder that the session made.
            Err(Errno::NOTEMPTY | Errno::EXIST) if matches!(goal, Goal::Absent) => Ok(()),
            Err(errno) => Err(file_error(errno, path.display())),
        }
    }

    fn unchanged(&self, path: &Path, now: &Kept, seen: Option<Stamp>) -> Result<(), FileError> {
        match (now.stamp, seen) {
            (Some(now), _) if self.written.contains(&(now.device, now.inode)) => Ok(()),
            (Some(now), Some(seen)) if !now.is(&seen) => Err(changed(path.display(), "it was changed meanwhile")),
            _ => Ok(()),
        }
    }

    fn make(&mut self, path: &Path, goal: &Goal) -> Result<(), FileError> {
        let failed = |errno| file_error(errno, path.display());
        let new = match goal {
            Goal::Absent | Goal::Mode(Entry::Folder { .. }) => return Ok(()),
            Goal::Mode(entry) => {
                return match entry {
                    Entry::File(kept) => self.attributes(path, kept.mode, kept.given),
                    Entry::Fifo { mode } => self.attributes(path, *mode, None),
                    _ => Ok(()),
                };
            }
            Goal::File(kept) => return self.file(path, kept),
            // It was kept when its other name went.
            Goal::Moved(kept, _) => {
                let place = kept.stamp.and_then(|stamp| self.keeper.place(&stamp));
                return self.file(path, &Kept { kept: true, place, ..kept.clone() });
            }
            Goal::Folder(_) => {
                if matches!(self.look(path)?, Entry::Folder { .. }) {
                    return Ok(());
                }
                NewName::Folder
            }
            Goal::Link(_) => NewName::File,
            Goal::Fifo(_) => NewName::Special,
        };
        let spot = self.spot(path)?;
        self.keeper.keep(&NameChange::Create { at: spot.place(path), new })?;
        match goal {
            Goal::Folder(_) => fs::mkdirat(&spot.folder, &*spot.name, Mode::from_raw_mode(0o777)),
            Goal::Link(target) => fs::symlinkat(PathBuf::from(target), &spot.folder, &*spot.name),
            Goal::Fifo(mode) => fs::mknodat(&spot.folder, &*spot.name, FileType::Fifo, Mode::from_raw_mode(*mode), 0),
            _ => Ok(()),
        }
        .map_err(failed)?;
        if !matches!(goal, Goal::Folder(_)) {
            self.undone.restored.push(canonical(path));
        }
        self.made(&spot)
    }

    fn made(&mut self, spot: &Spot) -> Result<(), FileError> {
        if let Some(stat) = spot.found().map_err(|errno| file_error(errno, spot.name.display()))? {
            self.keeper.made(found(&stat));
        }
        Ok(())
    }

    /// Permissions and, of files, the time of the last change.
    fn attributes(&mut self, path: &Path, mode: u32, stamp: Option<Stamp>) -> Result<(), FileError> {
        let spot = self.spot(path)?;
        let failed = |errno| file_error(errno, path.display());
        let Some(stat) = spot.found().map_err(failed)? else { return Ok(()) };
        // Set-user-id bits vouch for what their owner left: they are taken away again, never given.
        let folder = FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
        self.opened.release(&stat);
        let mode = if folder { mode } else { mode & (stat.st_mode | 0o777) };
        let time = stamp.map(|stamp| stamp.modified).filter(|time| *time != Stamp::of(&stat).modified);
        if stat.st_mode & 0o7777 == mode && time.is_none() {
            return Ok(());
        }
        self.keeper.keep(&NameChange::Attributes { at: spot.place(path), found: found(&stat) })?;
        let restored = canonical(path);
        let handle = self.disk.open_beneath(&restored, OFlags::PATH | OFlags::NOFOLLOW)?;
        self.written.insert((stat.st_dev, stat.st_ino));
        // A link that was swapped in would be followed.
        let held = fs::fstat(&handle).map_err(failed)?;
        if (held.st_dev, held.st_ino) != (stat.st_dev, stat.st_ino) {
            return Err(changed(path.display(), "it was replaced meanwhile"));
        }
        let itself = format!("/proc/self/fd/{}", handle.as_raw_fd());
        fs::chmodat(fs::CWD, &itself, Mode::from_raw_mode(mode), AtFlags::empty()).map_err(failed)?;
        if let Some((tv_sec, tv_nsec)) = time {
            let time = Timespec { tv_sec, tv_nsec };
            let times = Timestamps { last_access: time, last_modification: time };
            fs::utimensat(fs::CWD, &itself, &times, AtFlags::empty()).map_err(failed)?;
        }
        if self.undone.restored.last() != Some(&restored) {
            self.undone.restored.push(restored);
        }
        Ok(())
    }

    fn rename(&mut self, from: &Path, to: &Path) -> Result<(), FileError> {
        let failed = |errno| file_error(errno, to.display());
        let (old, new) = (self.spot(from)?, self.spot(to)?);
        let Some(stat) = old.found().map_err(failed)? else { return Err(changed(from.display(), "it is gone")) };
        let change = NameChange::Move { from: old.place(from), found: found(&stat), to: new.place(to), replaced: None };
        self.keeper.keep(&change)?;
        if let Err(errno) = rename_to_free((&old.folder, &old.name), (&new.folder, &new.name)) {
            self.keeper.failed(&change);
            return Err(failed(errno));
        }
        for known in self.placed.values_mut() {
            if let Ok(rest) = known.strip_prefix(from) {
                *known = join(to, rest);
            }
        }
        self.undone.removed.push(canonical(from));
        self.undone.restored.push(canonical(to));
        Ok(())
    }
}

/// Whether the file that stands there is the one that was kept: it gets its content back, other names of it show that, too,
/// and an earlier step knows it again.
fn in_place(kept: &Kept, now: &Kept) -> bool {
    kept.stamp.is_some() && kept.stamp.map(|was| was.inode) == now.stamp.map(|now| now.inode)
}
