//! The loop with a scripted model and scripted tools.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::print_stdout, missing_docs)]

mod batches;
mod compaction;
mod events;
mod hearing;
mod parking;
mod replies;
mod script;
mod sessions;
mod shared;
mod shelf;
mod speed;
mod stops;
mod subagents;
mod transcripts;
mod window;
