#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
//! The tables themselves: names once, rows and tokens well formed.

use super::super::row::{Row, is_option};
use super::super::tables::{Family, SECTIONS};
use crate::catalogue::sections;
use crate::options::Style;
use std::collections::BTreeSet;

#[test]
fn no_program_is_in_two_tables() {
    let mut seen = BTreeSet::new();
    let sections = sections();
    let rows = sections.iter().filter(|section| section.programs.is_empty()).flat_map(|section| &section.rows);
    let families = sections.iter().filter(|section| !section.programs.is_empty()).map(|section| section.programs);
    let names = rows.map(|row| row.head).chain(families).flat_map(|names| names.split(' '));
    for name in names {
        assert!(!name.is_empty() && seen.insert(name), "{name:?} twice");
    }
}

#[test]
fn no_subcommand_is_in_a_family_twice() {
    for section in sections().iter().filter(|section| !section.programs.is_empty()) {
        let mut seen = BTreeSet::new();
        for name in section.rows.iter().flat_map(|row| row.head.split('|')) {
            assert!(seen.insert(name), "{:?} {name} twice", section.programs);
        }
    }
}

/// A row that is not understood would be left out.
#[test]
fn every_row_is_understood() {
    for section in SECTIONS.iter() {
        for row in &section.rows {
            assert!(Row::read(row).is_some(), "{} {}: {:?}", section.programs, row.head, row.words());
        }
        let programs = section.programs;
        assert!(programs.is_empty() || Family::read(section).is_some(), "{programs}");
    }
}

/// Every list of options, with the names that it stands for and how they are written.
fn lists() -> Vec<(String, Style, Vec<&'static str>)> {
    let mut all = Vec::new();
    for section in sections() {
        let rows = section.rows.iter().map(|row| (format!("{} {}", section.programs, row.head), row.words()));
        for (names, words) in rows.chain([(section.programs.to_owned(), section.said.words())]) {
            let style = if words.contains(&"words") { Style::Words } else { Style::Letters };
            let from = words.iter().position(is_option).unwrap_or(words.len());
            all.push((names, style, words[from..].to_vec()));
        }
    }
    all
}

#[test]
fn tokens_are_well_formed() {
    for (names, style, tokens) in lists() {
        for token in tokens {
            let name = token.trim_start_matches('!');
            assert!(name.starts_with('-') && name.len() > 1, "{names:?}: {token}");
            let takes = name.find(['=', '[']).or_else(|| name.rfind('+').filter(|at| *at > 1 && !name.ends_with("++")));
            if let Some(at) = takes {
                let kind = name[at..].trim_start_matches("[=]").trim_start_matches(['=', '+']);
                assert!(["", "2", "read", "name", "rev"].contains(&kind), "{names:?}: {token}");
                let short = !name.starts_with("--") && style == Style::Letters;
                assert!(!short || at == 2, "{names:?}: {token} would let every letter take a value");
            }
            let several = token.starts_with('!') && !name.starts_with("--") && style == Style::Letters;
            assert!(!several || name.len() == 2, "{names:?}: {token} is read as letters");
        }
    }
}

/// A letter that one token allows and another forbids, or that takes a value in one and none in the other, would depend
/// on the order of the list.
#[test]
fn a_letter_means_one_thing() {
    let mut wrong = Vec::new();
    for (names, style, tokens) in lists() {
        if style != Style::Letters {
            continue;
        }
        let mut means = std::collections::BTreeMap::new();
        for token in tokens {
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
                    wrong.push(format!("{names:?}: -{letter}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
