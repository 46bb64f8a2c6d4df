//! Running programs, and input to those in the background.
//!
//! An operation says which program it wants, with the folder as it was given; the gate reads it, judges it, asks, and
//! only the permit's launch runs. Nothing here decides whether a command is harmless: a tool that judged
//! for itself would be a second opinion.

mod capture;
mod exec;
mod keys;
mod order;
mod process;
mod screen;
mod sections;

use palanca_core::tool::Annotations;
use std::time::Duration;

/// Programs may do anything, also elsewhere, as far as they are not kept in.
pub(crate) const HINTS: Annotations =
    Annotations { read_only: false, destructive: true, idempotent: false, open_world: true };

/// How long a call may wait for a program that it writes to, or ends.
pub(crate) const SPEAKING: Duration = Duration::from_secs(60);

pub(crate) use capture::Room;
pub(crate) use exec::{Counted, Exec, Status};
pub(crate) use order::{Form, MAX_SECONDS, Manner, Order};
pub(crate) use process::{Action, Actions, Speak};
pub(crate) use sections::{Asks, room};
