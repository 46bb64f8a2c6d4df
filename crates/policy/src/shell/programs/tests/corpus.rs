#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::disallowed_methods, missing_docs)]
//! The labelled commands whose class the tables decide, through the whole of the judgement. Runs when the shared corpus
//! lies beside the checkout (`PALANCA_CORPORA` names another folder).

use super::surroundings;
use crate::shell::{Rules, judge};
use std::path::{Path, PathBuf};

#[test]
#[ignore = "needs the reader of texts"]
fn shared_corpus() {
    let folder = std::env::var_os("PALANCA_CORPORA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora"), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(folder.join("commands.jsonl")) else {
        eprintln!("skipped: no commands.jsonl in {}", folder.display());
        return;
    };
    let (mut rows, mut exact, mut accepted) = (0, 0, 0);
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        if !["benign-", "danger-"].iter().any(|family| row["cat"].as_str().unwrap().starts_with(family)) {
            continue;
        }
        let input = row["input"].as_str().unwrap();
        let judged = judge(input, &surroundings(), &Rules::default());
        let class = format!("{:?}", judged.class).to_lowercase();
        let also = row["also_ok"].as_array().is_some_and(|also| also.iter().any(|label| *label == *class));
        rows += 1;
        exact += usize::from(row["expect"] == class);
        accepted += usize::from(row["expect"] == class || also);
        if row["expect"] != class {
            let shown: String = input.chars().take(80).collect();
            let mark = if also { "also" } else { "WRONG" };
            let (id, expect, message) = (&row["id"], &row["expect"], &judged.reason.message);
            println!("{mark} {id} is {class}, not {expect}: {shown:?} ({message})");
        }
    }
    println!("{exact} exact, {accepted} accepted of {rows}");
}
