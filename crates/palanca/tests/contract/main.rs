//! The library crate as an author uses it: what the macros write, and what they refuse to write.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

mod language;
mod names;
mod reach;
mod running;
mod schemas;
mod stating;

#[test]
fn what_must_not_compile_does_not() {
    trybuild::TestCases::new().compile_fail("tests/contract/refused/*.rs");
}
