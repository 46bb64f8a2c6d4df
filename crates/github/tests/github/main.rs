//! The door on a repository, against a server that plays GitHub's API on loopback.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod archived;
mod asking;
mod hostile;
mod large;
mod links;
mod support;
mod wrong;
