//! Running programs, and input to those in the background.
//!
//! An operation says which program it wants, with the folder as it was given; the gate reads it, judges it, asks, and
//! only the permit's launch runs. Nothing here decides whether a command is harmless: a tool that judged
//! for itself would be a second opinion.

mod capture;
mod exec;
mod keys;
mod offer;
mod order;
mod process;
mod screen;
mod sections;

use std::time::Duration;

/// How long a call may wait for a program that it writes to, or ends.
pub(crate) const SPEAKING: Duration = Duration::from_secs(60);

pub(crate) use offer::{Awaited, Program};
pub(crate) use order::{MAX_SECONDS, Manner, Order};
pub(crate) use process::{Action, Actions, Speak};
