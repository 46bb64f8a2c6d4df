#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
//! The catalogue itself: every name once, every list well formed.

use super::{Fact, ROWS};
use std::collections::BTreeSet;
use std::mem::discriminant;

#[test]
fn every_program_has_one_row_and_every_fact_once() {
    let mut seen = BTreeSet::new();
    for (names, facts) in ROWS.iter().flat_map(|rows| rows.iter()) {
        for name in names.split(' ') {
            assert!(!name.is_empty() && seen.insert(name), "{name:?} twice");
        }
        for (at, fact) in facts.iter().enumerate() {
            let again = facts[..at].iter().any(|own| discriminant(own) == discriminant(fact));
            assert!(!again || matches!(fact, Fact::Needs(_)), "{names}: {fact:?} twice");
        }
    }
}

#[test]
fn every_wrapper_has_one_row() {
    let mut seen = BTreeSet::new();
    for name in super::wrappers() {
        assert!(!name.is_empty() && seen.insert(name), "{name:?} twice");
    }
}
