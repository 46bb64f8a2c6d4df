#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
//! The tables themselves: names once, tokens well formed.

use super::super::options::Style;
use super::super::tables::{FAMILIES, OWN, ROWS};
use std::collections::BTreeSet;

#[test]
fn no_program_is_in_two_tables() {
    let mut seen = BTreeSet::new();
    let rows = ROWS.iter().flat_map(|rows| rows.iter()).flat_map(|row| row.names.split(' '));
    let families = FAMILIES.iter().flat_map(|families| families.iter()).flat_map(|family| family.names.split(' '));
    for name in rows.chain(families).chain(OWN.iter().map(|(name, _)| *name)) {
        assert!(seen.insert(name), "{name} twice");
    }
}

#[test]
fn no_subcommand_is_in_a_family_twice() {
    for family in FAMILIES.iter().flat_map(|families| families.iter()) {
        let mut seen = BTreeSet::new();
        for name in family.rows.iter().flat_map(|rows| rows.iter()).flat_map(|row| row.names.split('|')) {
            assert!(seen.insert(name), "{:?} {name} twice", family.names);
        }
    }
}

#[test]
fn tokens_are_well_formed() {
    let own = ROWS.iter().flat_map(|rows| rows.iter());
    let families = FAMILIES.iter().flat_map(|families| families.iter());
    let rows = own.chain(families.flat_map(|family| family.rows.iter().flat_map(|rows| rows.iter())));
    for row in rows {
        let (options, style) = (row.options, row.style);
        for token in options.iter().flat_map(|line| line.split_ascii_whitespace()) {
            let name = token.trim_start_matches('!');
            assert!(name.starts_with('-') && name.len() > 1, "{:?}: {token}", row.names);
            let takes = name.find(['=', '[']).or_else(|| name.rfind('+').filter(|at| *at > 1 && !name.ends_with("++")));
            if let Some(at) = takes {
                let kind = name[at..].trim_start_matches("[=]").trim_start_matches(['=', '+']);
                assert!(["", "2", "read", "name", "rev"].contains(&kind), "{:?}: {token}", row.names);
                let short = !name.starts_with("--") && style == Style::Letters;
                assert!(!short || at == 2, "{:?}: {token} would let every letter take a value", row.names);
            }
            let several = token.starts_with('!') && !name.starts_with("--") && style == Style::Letters;
            assert!(!several || name.len() == 2, "{:?}: {token} is read as letters", row.names);
        }
    }
}

/// A letter that one token allows and another forbids, or that takes a value in one and none in the other, would depend
/// on the order of the list.
#[test]
fn a_letter_means_one_thing() {
    let mut wrong = Vec::new();
    let own = ROWS.iter().flat_map(|rows| rows.iter());
    let families = FAMILIES.iter().flat_map(|families| families.iter());
    let rows = own.chain(families.flat_map(|family| family.rows.iter().flat_map(|rows| rows.iter())));
    for row in rows {
        let (options, style) = (row.options, row.style);
        if style != Style::Letters {
            continue;
        }
        let mut means = std::collections::BTreeMap::new();
        for token in options.iter().flat_map(|line| line.split_ascii_whitespace()) {
            let harm = token.starts_with('!');
            let name = token.trim_start_matches('!');
            if name.starts_with("--") {
                continue;
            }
            let end = name.find(['=', '[', '+']).unwrap_or(name.len());
            for letter in name[1..end].chars() {
                let meaning = (harm, name[end..].to_owned());
                let before = means.insert(letter, meaning.clone());
                if before.is_some_and(|before| before != meaning) {
                    wrong.push(format!("{:?}: -{letter}", row.names));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
