#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use crate::commands::{CommandJudge, Rules};
use palanca_core::call::{CanonicalPath, Launch, Root, Shell};
use palanca_core::ports::CommandReader as _;
use std::path::PathBuf;

fn tested(text: &str) -> bool {
    tests(&[], text)
}

fn tests(named: &[&str], text: &str) -> bool {
    let judge = CommandJudge::new(Rules::default(), ("/ws".into(), Vec::new()), None);
    let launch = Launch::script(Shell::Sh, text, CanonicalPath::new(Root::Workspace, PathBuf::new()));
    let reading = judge.read(&launch);
    let named: Vec<String> = named.iter().map(|command| (*command).to_owned()).collect();
    Known::of(&named).hold(text, &reading)
}

#[test]
fn what_the_operator_names_is_the_test() {
    let named = ["./scripts/check.sh", "make verify"];
    for (text, expected) in [
        ("./scripts/check.sh", true),
        ("./scripts/check.sh --fast", true),
        ("cargo fmt && ./scripts/check.sh", true),
        ("make verify JOBS=4", true),
        ("scripts/check.sh", false),
        ("./scripts/check.sh || true", false),
        ("./scripts/check.sh | tail", false),
        ("./scripts/check.sh > a.txt", false),
        ("./scripts/check.sh --help", false),
        ("./scripts/other.sh && ./scripts/check.sh", false),
        ("echo ./scripts/check.sh", false),
        ("echo './scripts/check.sh'", false),
        ("make", false),
        ("cargo test", false),
    ] {
        assert_eq!(tests(&named, text), expected, "{text}");
    }
    assert!(tests(&["", " "], "cargo test"), "blanks name nothing");
}

#[test]
fn tests_are_known() {
    for (text, expected) in [
        ("pytest -q", true),
        ("python3 -m pytest tests/", true),
        ("python -m unittest", true),
        ("cargo test --workspace", true),
        ("cargo nextest run", true),
        ("go test ./...", true),
        ("npm test", true),
        ("npm run test:unit", true),
        // Package runners fetch what they run: never of the class `dev`.
        ("npx jest", false),
        ("make test", true),
        ("cargo fmt && cargo test 2>&1", true),
        ("cargo build; cargo test", true),
        ("cargo test -- 'a | b'", true),
        ("cargo test || true", false),
        ("cargo test | tail -5", false),
        ("cargo test; true", false),
        ("cargo test &", false),
        ("! cargo test", false),
        ("cargo test --no-run", false),
        ("pytest --collect-only", false),
        ("cargo build", false),
        ("npm install", false),
        ("echo cargo test", false),
        ("echo 'cargo test'", false),
        ("true", false),
    ] {
        assert_eq!(tested(text), expected, "{text}");
    }
}
