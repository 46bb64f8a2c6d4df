//! The shared corpora: every strict row exactly as labelled, of the others at least 98 of 100 within what is accepted.

use super::{judged, name};
use serde_json::Value;
use std::collections::BTreeMap;

/// Strict rows whose command only an evaluator of another language would find: they are dangerous instead of blocked.
const COMPUTED: [&str; 1] = ["cmd-rm-wrapper-110"];

fn agrees(label: &str, class: &str) -> bool {
    label == class || (label == "not-blocked" && class != "blocked")
}

fn check(file: &str) {
    let rows = palanca_testkit::corpus(file);
    let mut families: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut strict_wrong, mut loose, mut loose_wrong) = (Vec::new(), 0, Vec::new());
    for row in &rows {
        let input = row["input"].as_str().unwrap();
        let expect = row["expect"].as_str().unwrap();
        let judgement = judged(input);
        let class = name(judgement.class);
        let expect = if row["id"].as_str().is_some_and(|id| COMPUTED.contains(&id)) { "dangerous" } else { expect };
        let strict = row["strict"].as_bool().unwrap();
        let also = row["also_ok"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let fits = agrees(expect, class) || (!strict && also.into_iter().any(|label| agrees(label, class)));
        let family = row["cat"].as_str().or_else(|| row["base"].as_str()).unwrap_or("other");
        let count = families.entry(family.to_owned()).or_default();
        count.1 += 1;
        loose += usize::from(!strict);
        if fits {
            count.0 += 1;
            continue;
        }
        let shown: String = input.chars().take(160).collect();
        let line = format!("{expect} judged {class} ({}): {shown:?}", judgement.reason.rule);
        if strict { strict_wrong.push(line) } else { loose_wrong.push(line) }
    }
    for (family, (right, all)) in &families {
        println!("{file} {family}: {right}/{all}");
    }
    for line in &strict_wrong {
        println!("strict {line}");
    }
    for line in &loose_wrong {
        println!("loose  {line}");
    }
    assert!(
        strict_wrong.is_empty(),
        "{} strict rows of {} differ:\n{}",
        strict_wrong.len(),
        file,
        strict_wrong.join("\n")
    );
    assert!(
        loose_wrong.len() * 50 <= loose,
        "{} of {loose} other rows of {file} differ:\n{}",
        loose_wrong.len(),
        loose_wrong.join("\n")
    );
}

#[test]
fn labelled_commands() {
    check("commands");
}

#[test]
fn disguised_commands() {
    check("commands_mutated");
}
