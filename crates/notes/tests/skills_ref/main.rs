//! Our verdict on a skill is the public validator's, `skills-ref`: on its own examples, on broken ones, and on what is
//! generated. Its verdicts are kept as a table, so that this holds without a network; `cargo xtask peers` holds the table
//! itself against the validator, and writes it anew with `PALANCA_BLESS=1`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod corpus;
mod peers;

use corpus::{Case, corpus};
use palanca_notes::SkillText;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn table_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/skills_ref/verdicts.tsv")
}

fn table() -> BTreeMap<String, bool> {
    let text = std::fs::read_to_string(table_path()).unwrap_or_default();
    let row = |line: &str| {
        let (id, verdict) = line.split_once('\t').unwrap();
        (id.to_owned(), verdict == "valid")
    };
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// Ours: what is no UTF-8 is refused where files are read, before this room sees text.
fn ours(case: &Case) -> bool {
    std::str::from_utf8(&case.content).is_ok_and(|text| SkillText(text).read(&case.folder).faults.is_empty())
}

#[test]
fn ids_are_single_and_the_table_knows_each() {
    let cases = corpus();
    let ids: std::collections::BTreeSet<_> = cases.iter().map(|case| case.id.clone()).collect();
    assert_eq!(ids.len(), cases.len());
    assert!(table().into_keys().eq(ids), "`PALANCA_BLESS=1 cargo xtask peers` writes the table anew");
    let valid = table().into_values().filter(|valid| *valid).count();
    assert!(valid >= 150 && cases.len() - valid >= 150, "{valid} of {} are valid", cases.len());
}

#[test]
fn every_verdict_is_the_public_validators() {
    let table = table();
    let wrong: Vec<String> = corpus()
        .iter()
        .filter(|case| table.get(&case.id) != Some(&ours(case)))
        .map(|case| {
            let text = String::from_utf8_lossy(&case.content);
            let faults = SkillText(&text).read(&case.folder).faults;
            format!("{}: theirs {:?}, ours {faults:?}\n{text:?}", case.id, table.get(&case.id))
        })
        .collect();
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}
