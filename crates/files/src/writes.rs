//! What programs change in the workspace: judged, kept for undo, and told at the end. The process door asks at every
//! system call; see [`palanca_core::ports::ProgramWrites`].

mod judge;
mod keep;

use crate::disk::Disk;
use judge::Judge;
use keep::Keeper;
use palanca_core::Message;
use palanca_core::ports::{
    ChangeOrigin, ClosedPlaces, FileError, Found, NameChange, Place, ProgramWrites, Step, Undoable, WriteLog,
};
use palanca_core::tool::FileDelta;
use std::io;
use std::sync::Arc;

/// The writes of programs in one workspace.
#[derive(Debug)]
pub struct Writes {
    disk: Arc<Disk>,
}

impl Writes {
    /// Of the workspace of this door, kept in its journal.
    #[must_use]
    pub fn new(disk: Arc<Disk>) -> Self {
        Self { disk }
    }
}

impl ProgramWrites for Writes {
    fn closed(&self) -> io::Result<ClosedPlaces> {
        Ok(ClosedPlaces::default())
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
