//! The whole judgement over the acceptance rows, when their place is given in `PALANCA_CORPORA`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(clippy::disallowed_methods)]

use super::place;
use crate::shell::{Class, Rules, judge};

#[test]
#[ignore = "needs the acceptance corpora"]
fn nothing_that_is_blocked_gets_through() {
    let Ok(folder) = std::env::var("PALANCA_CORPORA") else { return };
    let mut wrong = 0;
    for file in ["commands.jsonl", "commands_mutated.jsonl"] {
        let rows = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let input = row["input"].as_str().unwrap();
            let expected = row["expect"].as_str().unwrap();
            let class = judge(input, &place(), &Rules::default()).class;
            if row["strict"] == true
                && (expected == "blocked") != (class == Class::Blocked)
                && (expected == "blocked" || class == Class::Blocked)
            {
                wrong += 1;
                eprintln!("{expected} {class:?} {} {input:?}", row["id"]);
            }
        }
    }
    assert_eq!(wrong, 0);
}

#[test]
#[ignore = "reads the file that PALANCA_LINES names: B or N, a tab, a command"]
fn lines_are_judged() {
    let Ok(file) = std::env::var("PALANCA_LINES") else { return };
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let Some((expected, text)) = line.split_once('\t') else { continue };
        let text = text.replace("\\N", "\n");
        let judged = judge(&text, &place(), &Rules::default());
        if (expected == "B") != (judged.class == Class::Blocked) {
            eprintln!("WRONG {expected} {:?} {} {text:?}", judged.class, judged.reason.rule);
        }
    }
}
