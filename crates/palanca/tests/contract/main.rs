//! The library crate as an author uses it: what the macros write, and what they refuse to write.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod language;
mod names;
mod reach;
mod refused;
mod running;
mod schemas;
mod stating;
