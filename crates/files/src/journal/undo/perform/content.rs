//! Gives files their contents back: a copy of what was kept, or the kept file itself.

use super::{CREATE, Hands, LARGE, Spot};
use crate::atomic::{fresh_name, rename_to_free};
use crate::errors::{changed, file_error, io_error};
use crate::journal::batch::{LINK, copy_data};
use crate::journal::entry::{Stamp, found};
use crate::journal::record::Kept;
use crate::journal::undo::rehearse::canonical;
use palanca_core::ports::{FileError, NameChange, NewName};
use rustix::fd::{AsFd as _, OwnedFd};
use rustix::fs::{self, AtFlags, Mode, OFlags, Timespec, Timestamps};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

impl Hands<'_> {
    pub(super) fn file(&mut self, path: &Path, kept: &Kept) -> Result<(), FileError> {
        let failed = |errno| file_error(errno, path.display());
        let spot = self.spot(path)?;
        let standing = spot.found().map_err(failed)?;
        self.undone.restored.push(canonical(path));
        if let Some(stat) = &standing {
            if self.lent.get(&Stamp::of(stat).id()).is_some_and(|place| kept.place.as_ref() == Some(place)) {
                return self.attributes(path, kept.mode, kept.in_the_end());
            }
            let place = fs::openat(&spot.folder, &*spot.name, OFlags::PATH | OFlags::NOFOLLOW, Mode::empty());
            let place = place.map_err(failed)?;
            let (at, found) = (spot.place(path), found(stat));
            self.keeper.keep(&NameChange::Write { at, file: place.as_fd(), found })?;
            let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let file = File::from(fs::openat(&spot.folder, &*spot.name, flags, Mode::empty()).map_err(failed)?);
            self.written.insert((stat.st_dev, stat.st_ino));
            // What it was until now is kept.
            file.set_len(0).map_err(|error| io_error(&error, path.display()))?;
            self.fill(path, &file, kept)?;
            self.place(path, kept);
            return Ok(());
        }
        self.keeper.keep(&NameChange::Create { at: spot.place(path), new: NewName::File })?;
        if self.linked(&spot, kept) {
            self.made(&spot)?;
            return self.attributes(path, kept.mode, kept.in_the_end());
        }
        let temporary = fresh_name();
        self.journal.in_flight.note(&[self.disk.workspace().join(path).with_file_name(&temporary)]);
        let file = fs::openat(&spot.folder, &*temporary, CREATE, Mode::RUSR | Mode::WUSR).map_err(failed)?;
        let filled = self.fill(path, &File::from(file), kept);
        let put = filled
            .and_then(|()| rename_to_free((&spot.folder, &temporary), (&spot.folder, &spot.name)).map_err(failed));
        if let Err(error) = put {
            // ignored: it is swept by the next process.
            let _ = fs::unlinkat(&spot.folder, &*temporary, AtFlags::empty());
            return Err(error);
        }
        self.place(path, kept);
        self.made(&spot)
    }

    fn place(&mut self, path: &Path, kept: &Kept) {
        if let Some(place) = &kept.place {
            self.placed.insert(place.clone(), path.to_owned());
        }
    }

    /// Gives back the very file where it had several names, was only moved, or is large.
    fn linked(&mut self, spot: &Spot, kept: &Kept) -> bool {
        let link = |folder: &OwnedFd, name: &OsStr| {
            fs::linkat(folder, name, &spot.folder, &*spot.name, AtFlags::empty()).is_ok()
        };
        if let Some(known) = kept.place.as_ref().and_then(|place| self.placed.get(place)).cloned()
            && let Ok(known) = self.spot(&known)
            && link(&known.folder, &known.name)
        {
            return true;
        }
        let batches = self.journal.batches.handle();
        let itself = |place: &str| {
            let stat = fs::statat(batches, place, AtFlags::SYMLINK_NOFOLLOW);
            stat.is_ok_and(|stat| kept.stamp.is_some_and(|stamp| stamp.is(&Stamp::of(&stat))))
        };
        let Some(place) = &kept.place else { return false };
        let beside = format!("{place}{LINK}");
        if kept.names.is_some() && itself(&beside) && link(batches, OsStr::new(&beside)) {
            return true;
        }
        let lends = (kept.size >= LARGE || kept.moved.is_some()) && itself(place) && link(batches, OsStr::new(place));
        if lends && let Ok(stat) = fs::statat(batches, place, AtFlags::SYMLINK_NOFOLLOW) {
            self.lent.insert(Stamp::of(&stat).id(), place.clone());
        }
        lends
    }

    /// Content, permissions and time.
    fn fill(&self, path: &Path, file: &File, kept: &Kept) -> Result<(), FileError> {
        let failed = |error: &std::io::Error| io_error(error, path.display());
        match self.journal.source(kept) {
            Some(from) => {
                if fs::ioctl_ficlone(file, &from).is_err() {
                    copy_data(&from, file, kept.size).map_err(|error| failed(&error))?;
                }
            }
            None => {
                let content = self.journal.kept(kept, u64::MAX);
                let content = content.ok_or_else(|| changed(path.display(), "its content is no longer kept"))?;
                let mut to = file;
                to.write_all(&content).and_then(|()| file.set_len(content.len() as u64)).map_err(|e| failed(&e))?;
            }
        }
        let system = |errno| file_error(errno, path.display());
        fs::fchmod(file, Mode::from_raw_mode(kept.mode & 0o777)).map_err(system)?;
        let Some(stamp) = kept.in_the_end() else { return Ok(()) };
        let time = Timespec { tv_sec: stamp.modified.0, tv_nsec: stamp.modified.1 };
        fs::futimens(file, &Timestamps { last_access: time, last_modification: time }).map_err(system)
    }
}
