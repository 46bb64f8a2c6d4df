//! The labelled corpora: samples in the repository, or the complete sets if `PALANCA_CORPORA` names their folder.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The rows of a corpus: `commands`, `commands_mutated`, `paths`, `urls`, `injection`, `leaks` or `dyntools`. Panics if there is
/// none of that name.
#[must_use]
pub fn corpus(name: &str) -> Vec<Value> {
    let samples = || Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora");
    let folder = std::env::var_os("PALANCA_CORPORA").map_or_else(samples, PathBuf::from);
    let path = folder.join(name).with_extension("jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect();
    assert!(!rows.is_empty(), "{} is empty", path.display());
    rows
}
