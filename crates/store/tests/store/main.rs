//! The database as several threads and processes use it, on disks that are full, closed or damaged, and under SIGKILL.
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

mod appends;
mod artifacts;
mod audit_index;
mod beside;
mod desk;
mod faults;
mod files;
mod home;
mod jobs;
mod keys;
mod kills;
mod news;
mod peers;
mod races;
mod rules;
mod sessions;
mod upkeep;
