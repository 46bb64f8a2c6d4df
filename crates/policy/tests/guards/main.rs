//! Guardrails and loop detection as a gate asks them: real tools on a real workspace, programs that only pretend to run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

mod acts;
mod code;
mod commands;
mod files;
mod harness;
mod limits;
mod loops;
mod tested;
