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
mod survivors;
mod traces;
mod work;

use std::io::Write;

/// How often something is tried that goes wrong by chance: more when `PALANCA_ROUNDS` says so.
fn rounds() -> usize {
    std::env::var("PALANCA_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(25)
}

/// Says that something was not tried, and why; also when the test passes, which hides what the macros print.
fn skipped(what: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}: {why}");
}
