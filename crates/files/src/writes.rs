//! What programs change in the workspace: judged, kept for undo, and told at the end. The process door asks at every
//! system call; see [`palanca_core::ports::ProgramWrites`].

mod judge;
mod keep;
mod unasked;

use crate::closed::Beside;
use crate::disk::Disk;
use crate::lock::Turns;
use judge::Judge;

pub(crate) use keep::{Beyond, Keeper, join};
use palanca_core::Message;
use palanca_core::ports::{
    ChangeOrigin, ClosedPlaces, FileError, Found, NameChange, Place, ProgramWrites, Step, Undoable, WriteLog,
};
use palanca_core::tool::FileDelta;
use rustix::fd::BorrowedFd;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How much is kept for undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepLimits {
    /// Bytes that are copied for one program; contents that can be kept without copying do not count.
    pub copied: u64,
    /// Bytes that are kept for all programs, the last one aside: the oldest go first.
    pub all: u64,
}

/// Counts the lines that a change adds and removes.
pub type CountLines = fn(&str, &str) -> (usize, usize);

/// Where the workspace is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sight {
    Disk,
    Program,
}

/// The writes of programs in one workspace.
#[derive(Debug)]
pub struct Writes {
    disk: Arc<Disk>,
    beside: Vec<Beside>,
    limits: Option<KeepLimits>,
    count: CountLines,
    sight: Sight,
}

impl Writes {
    /// Of the workspace of this door; nothing is kept for undo.
    #[must_use]
    pub fn new(disk: Arc<Disk>) -> Self {
        Self { disk, beside: Vec::new(), limits: None, count: |_, _| (0, 0), sight: Sight::Disk }
    }

    /// Programs change a layer over the workspace, so what they change is looked up where they see it.
    #[must_use]
    pub fn layered(self) -> Self {
        Self { sight: Sight::Program, ..self }
    }

    /// Programs read these absolute folders, too: what the rules call secret in them is closed like what is in the
    /// workspace. What is not there, or is a file, is left out: a file is the operator's word.
    ///
    /// # Errors
    /// A folder that cannot be opened.
    pub fn beside(mut self, folders: impl IntoIterator<Item = PathBuf>) -> io::Result<Self> {
        let mut folders: Vec<PathBuf> = folders.into_iter().collect();
        folders.sort();
        // One in another is looked through with it: an outer path sorts before those that begin with it.
        folders.dedup_by(|inner, outer| inner.starts_with(outer));
        let folders = self.looked_through(folders)?;
        self.beside.extend(folders);
        Ok(self)
    }

    fn looked_through(&self, folders: impl IntoIterator<Item = PathBuf>) -> io::Result<Vec<Beside>> {
        folders.into_iter().filter_map(|folder| self.disk.beside(&folder).transpose()).collect()
    }

    /// The same, with what programs replace kept for undo, and with lines counted.
    #[must_use]
    pub fn keeping(self, limits: KeepLimits, count: CountLines) -> Self {
        Self { limits: Some(limits), count, ..self }
    }

    /// Settles what killed processes left in this workspace, with their temporary files, and forgets contents beyond the
    /// limit. Returns how many programs were settled.
    pub fn recover(&self) -> usize {
        let settled = keep::recover(&self.disk);
        if let Some(journal) = self.disk.journal() {
            journal.in_flight.sweep();
            if let Some(limits) = self.limits {
                journal.forget_oldest(limits.all);
            }
        }
        settled
    }
}

impl ProgramWrites for Writes {
    fn closed(&self, further: &[PathBuf]) -> io::Result<ClosedPlaces> {
        let further = self.looked_through(further.to_vec())?;
        let masked = self.disk.closed(self.beside.iter().chain(&further))?;
        Ok(ClosedPlaces { masked })
    }

    fn protected(&self) -> Vec<PathBuf> {
        unasked::protected(&self.disk)
    }

    fn sweep(&self, before: &[PathBuf]) -> Vec<FileError> {
        unasked::sweep(&self.disk, before)
    }

    fn undoable(&self) -> Undoable {
        match (self.limits, self.disk.journal()) {
            (Some(_), Some(_)) => Undoable::Yes,
            _ => Undoable::No(Message::new("undo-not-kept")),
        }
    }

    fn begin(&self, origin: Option<&ChangeOrigin>, granted: &[PathBuf]) -> io::Result<Box<dyn WriteLog>> {
        let limits = self.limits.filter(|_| self.disk.journal().is_some());
        let keeper = origin
            .zip(limits)
            .map(|(origin, limits)| Keeper::begin(&self.disk, origin, (limits.copied, Beyond::Refuse)));
        let judge = Judge::new(Arc::clone(&self.disk), self.sight).granting(granted);
        let kept = limits.map(|limits| (Arc::clone(&self.disk), limits.all));
        let turns = self.disk.turns().map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Box::new(Log { judge, turns, keeper, kept, count: self.count }))
    }
}

/// One program.
struct Log {
    judge: Judge,
    turns: Turns,
    keeper: Option<Keeper>,
    /// Where contents are kept, and how many bytes of them for all programs.
    kept: Option<(Arc<Disk>, u64)>,
    count: CountLines,
}

impl WriteLog for Log {
    fn hold(&mut self) -> Result<(), FileError> {
        self.turns.take()
    }

    fn release(&mut self) {
        self.turns.end();
    }

    fn prepare(&mut self, change: &NameChange<'_>) -> Result<(), FileError> {
        self.keeper.as_mut().map_or(Ok(()), |keeper| keeper.prepare(change))
    }

    fn before(&mut self, change: &NameChange<'_>) -> Result<Step, FileError> {
        self.judge.check(change)?;
        if let Some(keeper) = &mut self.keeper {
            keeper.keep(change)?;
        }
        self.judge.make(change).inspect_err(|_| self.failed(change))
    }

    fn made(&mut self, _at: &Place<'_>, found: Found) {
        if let Some(keeper) = &mut self.keeper {
            keeper.made(found);
        }
    }

    fn failed(&mut self, change: &NameChange<'_>) {
        if let Some(keeper) = &mut self.keeper {
            keeper.failed(change);
        }
    }

    fn fill(&mut self, at: &Place<'_>, content: BorrowedFd<'_>) -> Result<(), FileError> {
        self.judge.fill(at, content)
    }

    fn lacks_only(&mut self, change: &NameChange<'_>, path: &Path) -> bool {
        self.judge.lacks_only(change, path)
    }

    fn grant(&mut self, path: &Path) {
        self.judge.grant(path);
    }

    fn finish(self: Box<Self>) -> Vec<FileDelta> {
        let text = |bytes: &Option<Vec<u8>>| String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
        let count = self.count;
        let mut deltas = self.keeper.map(Keeper::finish).unwrap_or_default();
        if let Some((disk, limit)) = &self.kept
            && let Some(journal) = disk.journal()
        {
            journal.forget_after_step(*limit);
        }
        for delta in deltas.iter_mut().filter(|delta| (delta.added, delta.removed) == (0, 0)) {
            (delta.added, delta.removed) = count(&text(&delta.before), &text(&delta.after));
        }
        deltas
    }
}
