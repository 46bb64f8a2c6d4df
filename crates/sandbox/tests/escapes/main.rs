//! Tries to get out of the sandbox, in every way that is known here, as root and as an ordinary user. `isolation` tells
//! what each wall does; this binary takes the walls together and is told nothing about them.
//!
//! Nothing is left out without a word: what this machine lacks is printed as SKIPPED, with the reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types, dead_code)]

#[path = "../support/driver.rs"]
mod driver;

mod canaries;
mod expected;
mod files;
mod host;
mod limits;
mod probes;
mod stress;
mod survivors;
mod traces;
mod work;
