//! `apply_patch`, the whole tool call in process, beside `git apply`, the whole process.

use crate::stat::{ratio, row, side_by_side};
use palanca_core::{ConfirmMode, Gate, Registry};
use palanca_files::Disk;
use palanca_policy::paths::PathRules;
use palanca_tools::{ToolOptions, ToolsetName, register_all};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

pub fn bench() {
    if Command::new("git").arg("--version").output().is_err() {
        row("`apply_patch`", "skipped: git is not installed", "≤ 0.2");
        return;
    }
    case("1 hunk in 1,000 lines", &[(1000, 1)], 60);
    case("200 hunks in 6,000 lines", &[(6000, 200)], 40);
    case("200 files of 31 lines, 1 hunk each", &vec![(31, 1); 200], 20);
}

/// Files of so many lines with so many hunks, patched by both.
fn case(what: &str, files: &[(usize, usize)], runs: usize) {
    let (ours, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (patch, back) = (patch(files, "old", "new"), patch(files, "new", "old"));
    for folder in [ours.path(), theirs.path()] {
        for (index, (lines, _)) in files.iter().enumerate() {
            std::fs::write(folder.join(format!("f{index}.txt")), text(*lines)).unwrap();
        }
    }
    let registry = Registry::new();
    register_all(&registry, ToolsetName::Palanca, &ToolOptions::default()).unwrap();
    let rules = Arc::new(PathRules::new(&[], &[], None).unwrap());
    let gate = Gate::builder(Arc::new(registry))
        .files(Arc::new(Disk::open(ours.path(), &[], rules).unwrap()))
        .mode(ConfirmMode::Yolo)
        .build();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    // Each run takes the other direction, so every run has something to change.
    let (mut ours_next, mut theirs_next) = ([&patch, &back].into_iter().cycle(), [&patch, &back].into_iter().cycle());
    let times = side_by_side(
        runs,
        || {
            let patch = ours_next.next().unwrap();
            let result = runtime.block_on(gate.execute("apply_patch", json!({ "patch": patch })));
            assert!(result.success, "{result:?}");
        },
        || {
            git_apply(theirs.path(), theirs_next.next().unwrap());
        },
    );
    ratio(&format!("`apply_patch` / `git apply`: {what}"), times, "≤ 0.2");
}

fn git_apply(folder: &Path, patch: &str) {
    use std::io::Write as _;
    let mut git =
        Command::new("git").arg("apply").current_dir(folder).stdin(std::process::Stdio::piped()).spawn().unwrap();
    git.stdin.take().unwrap().write_all(patch.as_bytes()).unwrap();
    assert!(git.wait().unwrap().success());
}

fn text(lines: usize) -> String {
    (0..lines)
        .map(|line| if line % 30 == 15 { format!("line {line} old\n") } else { format!("line {line}\n") })
        .collect()
}

fn patch(files: &[(usize, usize)], from: &str, to: &str) -> String {
    let mut patch = String::new();
    for (index, (_, hunks)) in files.iter().enumerate() {
        write!(patch, "--- a/f{index}.txt\n+++ b/f{index}.txt\n").unwrap();
        for hunk in 0..*hunks {
            let at = hunk * 30 + 15;
            writeln!(patch, "@@ -{0},7 +{0},7 @@", at - 2).unwrap();
            (at - 3..at).for_each(|line| writeln!(patch, " line {line}").unwrap());
            write!(patch, "-line {at} {from}\n+line {at} {to}\n").unwrap();
            (at + 1..at + 4).for_each(|line| writeln!(patch, " line {line}").unwrap());
        }
    }
    patch
}
