//! `grep`, `search_code` and `find_files` beside ripgrep and fd: whole processes on the tree that `PALANCA_BENCH_TREE` names.

use crate::stat::{ratio, row, side_by_side};
use serde_json::{Value, json};
use std::process::{Command, Stdio};

pub fn bench() {
    let Some(tree) = std::env::var_os("PALANCA_BENCH_TREE") else {
        row("search", "skipped: set PALANCA_BENCH_TREE to a folder of 20,000 files or more", "≤ 1.0");
        return;
    };
    let tree = tree.to_string_lossy().into_owned();
    let fd = ["fd", "fdfind"].into_iter().find(|name| is_there(name));
    let regex = r"fn\s+poll_[a-z]+_ready";
    let contents = [
        ("`grep` / `rg`: no match", "grep", json!({"pattern": "zzqqxxyyneedle"}), vec!["-n", "-F", "zzqqxxyyneedle"]),
        (
            "`grep` / `rg`: rare text",
            "grep",
            json!({"pattern": "RESOLVE_BENEATH"}),
            vec!["-n", "-F", "RESOLVE_BENEATH"],
        ),
        (
            "`search_code` / `rg`: regex",
            "search_code",
            json!({"pattern": regex, "context_lines": 0}),
            vec!["-n", regex],
        ),
    ];
    for (what, tool, arguments, theirs) in contents {
        if is_there("rg") {
            compare(what, &tree, tool, &arguments, "rg", &theirs);
        } else {
            row(what, "skipped: ripgrep is not installed", "≤ 1.0");
        }
    }
    match fd {
        Some(fd) => {
            compare("`find_files` / `fd`", &tree, "find_files", &json!({"pattern": "*.toml"}), fd, &["-g", "*.toml"])
        }
        None => row("`find_files` / `fd`", "skipped: fd is not installed", "≤ 1.0"),
    }
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn compare(what: &str, tree: &str, tool: &str, arguments: &Value, program: &str, theirs: &[&str]) {
    let home = tempfile::tempdir().unwrap();
    let quiet = |command: &mut Command| {
        // The exit code tells whether there were hits; here only time counts.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    };
    let times = side_by_side(
        9,
        || {
            let mut ours = Command::new(env!("CARGO_BIN_EXE_palanca"));
            quiet(ours.env("PALANCA_HOME", home.path()).args(["call", tool, &arguments.to_string(), "-w", tree]));
        },
        || quiet(Command::new(program).args(theirs).arg(tree)),
    );
    ratio(what, times, "≤ 1.0");
}
