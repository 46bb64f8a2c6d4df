//! Door 1: the workspace. The only room that reads, lists and changes files for tools.
//!
//! [`Disk`] is the door on real files, [`Overlay`] the door that keeps changes in memory for dry runs. Both speak
//! `palanca_core::ports::Files`. [`Journal`] records what a commit replaced for undo, [`text`] turns bytes into text and back
//! without loss, and [`StateDirectory`] is where the program keeps its own files.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod atomic;
mod beneath;
mod closed;
mod commit;
mod disk;
mod errors;
mod journal;
mod locate;
mod lock;
mod opened;
mod overlay;
mod places;
mod remove;
mod repository;
mod sealed;
mod state;
pub mod text;
mod walk;
mod writes;

pub use disk::Disk;
pub use journal::{Force, Journal, JournalError, Picture, Side, Step, StepNumber, UndoPlan, Undone};
pub use overlay::{Changed, DiskLayer, Overlay};
pub use places::{content_hash, exists, is_directory, is_file, names, places};
pub use state::{
    Log, StateDirectory, StateError, make_folders_for, open_stream, read_regular, read_text, write_report,
};
pub use writes::{CountLines, KeepLimits, Writes};
