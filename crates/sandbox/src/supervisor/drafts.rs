//! Files whose content must be judged before it is visible: the program writes an unnamed draft, whose content replaces the
//! empty file at the name once a writer has closed it. Later writes through another descriptor are lost.
//!
//! No system call reports the close, because descriptors are passed on, so the kernel's watch does. A program that reads the
//! name at once may be faster and find it empty; unjudged content is never visible outside.

use super::Supervisor;
use super::act::place;
use super::resolve::{Spot, by_handle, path_of};
use super::zones::Zone;
use palanca_core::ports::{FileError, FileErrorKind};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// Descriptors of ours that one program may take up.
const MOST: usize = 256;

/// The drafts of one program.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    /// From the first draft on.
    watch: Option<OwnedFd>,
    /// By the number of their watch.
    open: BTreeMap<i32, Draft>,
}

#[derive(Debug)]
struct Draft {
    /// To read from.
    content: OwnedFd,
    /// Where it belongs, and the empty file that stands there.
    spot: Spot,
    stands: (u64, u64),
    program: String,
}

impl Drafts {
    /// What to wait for beside questions.
    pub(super) fn watched(&self) -> Option<BorrowedFd<'_>> {
        self.watch.as_ref().filter(|_| !self.open.is_empty()).map(AsFd::as_fd)
    }

    /// Those that somebody who wrote them has closed.
    fn complete(&mut self) -> Vec<Draft> {
        let mut numbers = Vec::new();
        if let Some(watch) = self.watched() {
            let mut space = [MaybeUninit::uninit(); 1024];
            let mut events = inotify::Reader::new(watch, &mut space);
            while let Ok(event) = events.next() {
                numbers.push(event.wd());
            }
        }
        numbers.iter().filter_map(|number| self.open.remove(number)).collect()
    }

    fn begin(&mut self, draft: Draft) -> Result<(), Errno> {
        if self.open.len() >= MOST {
            return Err(Errno::MFILE);
        }
        let watch = match self.watch.take() {
            Some(watch) => watch,
            None => inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?,
        };
        let watch = self.watch.insert(watch);
        let events = WatchFlags::CLOSE_WRITE | WatchFlags::ONESHOT;
        let number = inotify::add_watch(watch, by_handle(draft.content.as_fd()), events)?;
        self.open.insert(number, draft);
        Ok(())
    }
}

impl Supervisor {
    /// A draft for the empty file that was made at a name, open as the program asked for it.
    pub(super) fn draft(&mut self, spot: &Spot, empty: BorrowedFd<'_>, flags: OFlags) -> Result<OwnedFd, Errno> {
        let stands = rustix::fs::fstat(empty)?;
        let kept = flags & (OFlags::RWMODE | OFlags::APPEND | OFlags::NONBLOCK | OFlags::SYNC);
        let unnamed = OFlags::TMPFILE | OFlags::EXCL | OFlags::CLOEXEC;
        let draft = openat(&spot.parent, ".", kept | unnamed, Mode::from_raw_mode(stands.st_mode))?;
        let content = rustix::fs::open(by_handle(draft.as_fd()), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        let (stands, program) = ((stands.st_dev, stands.st_ino), self.caller.command());
        self.drafts.begin(Draft { content, spot: spot.again()?, stands, program })?;
        Ok(draft)
    }

    /// Judges the drafts that are complete, and puts them in place.
    pub(super) fn place_drafts(&mut self) {
        for draft in self.drafts.complete() {
            self.place_draft(draft);
        }
    }

    /// The same with all of them: nothing of the program is left.
    pub(super) fn place_all_drafts(&mut self) {
        while let Some((_, draft)) = self.drafts.open.pop_first() {
            self.place_draft(draft);
        }
    }

    fn place_draft(&mut self, Draft { content, spot, stands, program }: Draft) {
        // Folders above it may have other names by now.
        let Ok(folder) = path_of(spot.parent.as_fd()) else { return };
        let spot = Spot { folder, ..spot };
        let Ok(Zone::Workspace(path)) = self.zones.of_name(&spot) else { return };
        let Self { identity, log, .. } = self;
        let placed = identity.as_ourselves(|| {
            match statat(&spot.parent, &*spot.name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(there) if (there.st_dev, there.st_ino) == stands => log.fill(&place(&spot, &path), content.as_fd()),
                // It was removed, or replaced.
                Ok(_) | Err(Errno::NOENT) => Ok(()),
                Err(error) => {
                    Err(FileError::new(FileErrorKind::Io, path.display().to_string()).detail(error.to_string()))
                }
            }
        });
        if let Err(error) = placed {
            self.tell(error, || program);
        }
    }
}
