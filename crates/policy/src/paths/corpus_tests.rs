#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
#![allow(clippy::disallowed_methods)]
//! The labelled rows whose answer depends on the name alone.

use std::path::{Path, PathBuf};

use super::{Access, PathRules, PathVerdict};

const OWN: &[(&str, Access, &str)] = &[
    (".env", Access::Read, "secret"),
    (".env.production", Access::Read, "secret"),
    ("sub/.env", Access::Read, "secret"),
    ("id_ed25519", Access::Read, "secret"),
    ("server.KEY", Access::Read, "secret"),
    (".ssh/config", Access::Read, "secret"),
    (".gnupg/secring.gpg", Access::Read, "secret"),
    (".env.example", Access::Read, "allow"),
    ("environment.ts", Access::Read, "allow"),
    ("docs/id_rsa_howto.md", Access::Read, "allow"),
    ("tokenizer.json", Access::Read, "allow"),
    ("server.pem.md", Access::Read, "allow"),
    (".git/hooks/pre-commit", Access::Write, "protected"),
    (".git", Access::Write, "protected"),
    (".mcp.json", Access::Write, "protected"),
    (".claude/settings.json", Access::Write, "protected"),
    (".git/config", Access::Read, "allow"),
    (".gitignore", Access::Write, "allow"),
    ("docs/.github.md", Access::Write, "allow"),
    ("src/.git.rs", Access::Write, "allow"),
];

fn kind(verdict: PathVerdict<'_>) -> &'static str {
    match verdict {
        PathVerdict::Allow => "allow",
        PathVerdict::Secret(_) => "secret",
        PathVerdict::Protected(_) => "protected",
    }
}

/// The home stands at `own-home`, where `$CFG` points.
fn rules() -> PathRules {
    PathRules::new(&[], &[], Some(Path::new("own-home"))).unwrap()
}

#[test]
fn own_rows() {
    let rules = rules();
    for (path, access, expected) in OWN {
        assert_eq!(kind(rules.judge(Path::new(path), *access)), *expected, "{path}");
    }
}

#[test]
fn labelled_paths() {
    let rules = rules();
    let mut judged = 0;
    for row in palanca_testkit::corpus("paths") {
        let id = row["id"].as_str().unwrap();
        if !matches!(row["cat"].as_str(), Some("secret" | "secret-benign" | "protected")) {
            continue;
        }
        let hard_link = row["setup"].as_array().unwrap().iter().any(|step| step[0] == "hardlink");
        let accesses: &[Access] = match row["op"].as_str().unwrap() {
            "read" => &[Access::Read],
            "write" | "delete" => &[Access::Write],
            "copy" => &[Access::Read, Access::Write],
            "move" => &[Access::Write, Access::Write],
            _ => continue,
        };
        if hard_link {
            // Same inode under another name: the door has to notice, a name cannot.
            continue;
        }
        let inputs = row["input"].as_str().unwrap().split(" -> ");
        let worst = inputs
            .zip(accesses)
            .map(|(input, access)| kind(rules.judge(&canonical(input), *access)))
            .find(|kind| *kind != "allow")
            .unwrap_or("allow");
        let expected = if row["expect"] == "deny" { row["kind"].as_str().unwrap_or("deny") } else { "allow" };
        assert_eq!(worst, expected, "{id}: {}", row["input"]);
        judged += 1;
    }
    assert!(judged >= 40, "only {judged} rows were judged");
}

/// What a caller's resolution leaves: no `$WS`, no `.`, no `..`.
fn canonical(input: &str) -> PathBuf {
    let input = input.replace("$CFG", "own-home").replace("$WS/", "");
    let mut out = PathBuf::new();
    for part in input.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                out.pop();
            }
            name => out.push(name),
        }
    }
    out
}
