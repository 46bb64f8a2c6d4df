//! Door 1 on real directories: the path corpus, races, killed processes, full disks, other users.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod closed;
mod commits;
mod conflicts;
mod corpus;
mod journal;
mod kills;
mod layers;
mod locate;
mod overlay;
mod places;
mod programs;
mod races;
mod repositories;
mod sealed;
mod space;
mod system;
mod undone;
mod unseen;
