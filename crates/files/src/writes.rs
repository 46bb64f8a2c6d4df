//! What programs change in the workspace: judged, kept for undo, and told at the end. The process door asks at every
//! system call; see [`palanca_core::ports::ProgramWrites`].

mod judge;
mod keep;
mod unasked;

use crate::closed::Beside;
use crate::disk::Disk;
use judge::Judge;
use keep::Keeper;
use palanca_core::Message;
use palanca_core::ports::{
    ChangeOrigin, ClosedPlaces, FileError, Found, NameChange, Place, ProgramWrites, Step, Undoable, WriteLog,
};
use palanca_core::tool::FileDelta;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The writes of programs in one workspace.
#[derive(Debug)]
pub struct Writes {
    disk: Arc<Disk>,
    beside: Vec<Beside>,
}

impl Writes {
    /// Of the workspace of this door, kept in its journal.
    #[must_use]
    pub fn new(disk: Arc<Disk>) -> Self {
        Self { disk, beside: Vec::new() }
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
        for folder in folders {
            self.beside.extend(self.disk.beside(&folder)?);
        }
        Ok(self)
    }
}

impl ProgramWrites for Writes {
    fn closed(&self) -> io::Result<ClosedPlaces> {
        let masked = self.disk.closed(&self.beside)?;
        Ok(ClosedPlaces { masked })
    }

    fn protected(&self) -> Vec<PathBuf> {
        unasked::protected(&self.disk)
    }

    fn sweep(&self, before: &[PathBuf]) -> Vec<FileError> {
        unasked::sweep(&self.disk, before)
    }

    fn undoable(&self) -> Undoable {
        Undoable::No(Message::new("undo-not-kept"))
    }

    fn begin(&self, origin: Option<&ChangeOrigin>) -> io::Result<Box<dyn WriteLog>> {
        let keeper = origin.map(|origin| Keeper::begin(&self.disk, origin)).transpose()?;
        Ok(Box::new(Log { judge: Judge::new(Arc::clone(&self.disk)), keeper }))
    }
}

/// One program.
struct Log {
    judge: Judge,
    keeper: Option<Keeper>,
}

impl WriteLog for Log {
    fn before(&mut self, change: &NameChange<'_>) -> Result<Step, FileError> {
        self.judge.check(change)?;
        if let Some(keeper) = &mut self.keeper {
            keeper.keep(change)?;
        }
        self.judge.make(change)
    }

    fn made(&mut self, at: &Place<'_>, found: Found) {
        if let Some(keeper) = &mut self.keeper {
            keeper.made(at, found);
        }
    }

    fn failed(&mut self, change: &NameChange<'_>) {
        if let Some(keeper) = &mut self.keeper {
            keeper.failed(change);
        }
    }

    fn finish(self: Box<Self>) -> Vec<FileDelta> {
        self.keeper.map(Keeper::finish).unwrap_or_default()
    }
}
