#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
//! Every row of the tables is walked with its own examples; the rest tests what no row says.

use super::rule::{Entry, Shape};
use super::{Access, GuardedFiles, PathRuleError, PathRules, PathVerdict, table};
use palanca_core::ports::{ClosedBy, FileErrorKind};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

fn rules() -> PathRules {
    PathRules::new(&[], &[], None).unwrap()
}

fn with(deny: &[&str], allow: &[&str]) -> PathRules {
    let owned = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
    PathRules::new(&owned(deny), &owned(allow), None).unwrap()
}

fn id(verdict: PathVerdict<'_>) -> &str {
    verdict.rule().map_or("allow", super::PathRule::id)
}

fn all_rows() -> impl Iterator<Item = &'static Entry> {
    [table::SECRET, table::LOGINS, table::PROTECTED, table::OWN].into_iter().flatten()
}

#[test]
fn every_rule_catches_its_examples_and_spares_the_look_alikes() {
    let rules = rules();
    let mut wrong = Vec::new();
    for row in all_rows() {
        for path in row.hits.split(' ') {
            let got = id(rules.judge(Path::new(path), Access::Write));
            if got != row.id {
                wrong.push(format!("{path:?} should be {}, is {got}", row.id));
            }
        }
        for path in row.misses.split(' ') {
            let got = id(rules.judge(Path::new(path), Access::Write));
            if got == row.id {
                wrong.push(format!("{path:?} must not be {got}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rows_are_well_formed() {
    let mut ids: Vec<_> = all_rows().map(|row| row.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all_rows().count(), "rule ids are unique");
    for row in all_rows() {
        assert!(row.hits.split(' ').count() >= 3 && row.misses.split(' ').count() >= 3, "{}", row.id);
        for shape in row.shapes {
            let texts = match shape {
                Shape::Names(texts) | Shape::Exts(texts) | Shape::Words(texts) | Shape::DataFiles(texts) => texts,
                Shape::Dirs(texts) => {
                    let fast = |text: &str| text.starts_with('.') || (text.contains('~') && !text.contains('/'));
                    assert!(texts.split(' ').all(fast), "{}: folders outside the fast test: {texts}", row.id);
                    texts
                }
                Shape::Family(_) => continue,
            };
            assert_eq!(**texts, texts.to_lowercase(), "{}: patterns are lower case", row.id);
            let plain = |text: &str| !text.is_empty() && text.matches(['*', '/']).count() <= 1;
            assert!(texts.split(' ').all(plain), "{}: a pattern has at most one '*' or '/': {texts}", row.id);
        }
    }
}

#[test]
fn reading_what_is_protected_is_allowed_and_secrets_are_refused_both_ways() {
    let rules = rules();
    for path in [".git/config", "AGENTS.md", "palanca.yaml", ".bashrc"] {
        assert_eq!(rules.judge(Path::new(path), Access::Read), PathVerdict::Allow, "{path}");
        assert!(matches!(rules.judge(Path::new(path), Access::Write), PathVerdict::Protected(_)), "{path}");
    }
    for path in [".env", ".ssh/config", "a/b/server.key"] {
        for access in [Access::Read, Access::Write] {
            assert!(matches!(rules.judge(Path::new(path), access), PathVerdict::Secret(_)), "{path}");
        }
    }
}

#[test]
fn ordinary_paths_and_odd_ones_are_allowed() {
    let rules = rules();
    for path in [
        "",
        ".",
        "src/main.rs",
        "README.md",
        ".gitignore",
        "docs/.github.md",
        "src/.git.rs",
        "..name",
        "...",
        " ",
        ".github/workflows/ci.yml",
        "Cargo.toml",
        ".cargo/audit.toml",
        "ﬁle.pеm.txt",
        "src/paths/table/secret.rs",
        "crates/policy/src/secrets/values.rs",
        "locales/en/token.ftl",
        "\u{ff0e}env",
        "..\\outside\\x",
        "%2eenv",
    ] {
        assert_eq!(id(rules.judge(Path::new(path), Access::Write)), "allow", "{path:?}");
    }
}

#[test]
fn blanks_in_names_hide_nothing() {
    let rules = rules();
    for (path, rule) in [
        (".env ", "secret.dotenv"),
        (".env copy", "secret.dotenv"),
        (".git /config", "protected.git"),
        ("HEAD ", "protected.repository"),
    ] {
        assert_eq!(id(rules.judge(Path::new(path), Access::Write)), rule, "{path:?}");
    }
}

#[test]
fn a_person_is_asked_for_rules_on_names_alone() {
    use palanca_core::ports::PathRules as _;
    let guarded = GuardedFiles::new(&["*.x".to_owned()], &["*.lock".to_owned()], &BTreeSet::new()).unwrap();
    let rules = PathRules::new(&[], &[], Some(Path::new("state"))).unwrap().guarding(Arc::new(guarded));
    for (path, kind) in [
        (".vscode/tasks.json", FileErrorKind::Protected(ClosedBy::Rule)),
        ("palanca.yaml", FileErrorKind::Protected(ClosedBy::Own)),
        ("state/db", FileErrorKind::Protected(ClosedBy::Own)),
        ("a.lock", FileErrorKind::Protected(ClosedBy::Operator)),
        ("a.x", FileErrorKind::Secret(ClosedBy::Operator)),
        (".env", FileErrorKind::Secret(ClosedBy::Rule)),
    ] {
        let refused = rules.refuse(Path::new(path), Access::Write).map(|refusal| refusal.kind);
        assert_eq!(refused, Some(kind), "{path}");
    }
}

#[test]
fn dot_components_and_double_slashes_change_nothing() {
    let rules = rules();
    for path in ["./.env", ".//.env", "a//.ssh//config", "a/./.ssh/./config", ".ssh/"] {
        assert!(matches!(rules.judge(Path::new(path), Access::Read), PathVerdict::Secret(_)), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_not_unicode_are_judged_by_their_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let rules = rules();
    let judge = |bytes: &[u8]| id(rules.judge(Path::new(std::ffi::OsStr::from_bytes(bytes)), Access::Read)).to_owned();
    assert_eq!(judge(b"\xff/.ENV"), "secret.dotenv");
    assert_eq!(judge(b"caf\xe9.PEM"), "secret.key-file");
    assert_eq!(judge(b"\xff\xfe"), "allow");
    assert_eq!(judge(&[b'a'; 5000]), "allow");
}

#[test]
fn every_place_of_its_own_is_protected() {
    let more = ["etc/own.yaml", "lnk"].map(std::path::PathBuf::from);
    let rules = PathRules::new(&[], &[], Some(Path::new("state"))).unwrap().owning(&more).unwrap();
    for path in ["state/x", "etc", "etc/own.yaml", "etc/OWN.yaml", "lnk"] {
        assert_eq!(id(rules.judge(Path::new(path), Access::Write)), "protected.own-home", "{path}");
    }
    assert_eq!(id(rules.judge(Path::new("etc/other.yaml"), Access::Write)), "allow");
    assert_eq!(rules.own().count(), 3);
}

#[test]
fn own_home_is_protected_with_the_folders_above_it() {
    let rules = PathRules::new(&[], &[], Some(Path::new("state/Home"))).unwrap();
    for path in ["state", "state/home", "STATE/HOME/db.sqlite", "state/Home/tools/x.json"] {
        assert_eq!(id(rules.judge(Path::new(path), Access::Write)), "protected.own-home", "{path}");
        assert_eq!(rules.judge(Path::new(path), Access::Read), PathVerdict::Allow, "{path}");
    }
    for path in ["state/homes", "stat", "other/state/home", ""] {
        assert_eq!(id(rules.judge(Path::new(path), Access::Write)), "allow", "{path}");
    }
    for bad in ["/abs", "../up", ""] {
        assert!(matches!(PathRules::new(&[], &[], Some(Path::new(bad))), Err(PathRuleError::HomeNotRelative(_))));
    }
}

#[test]
fn user_globs_add_and_take_back() {
    let rules = with(
        &["*.tax", "private/", "docs/internal/**", "/top.txt"],
        &["tests/fixtures/*.pem", ".env.test", ".npmrc", "certs/**", ".vscode/settings.json"],
    );
    let judge = |path: &str| id(rules.judge(Path::new(path), Access::Write)).to_owned();
    for (path, expected) in [
        ("a/2020.TAX", "secrets.deny(*.tax)"),
        ("x/private/y/z.md", "secrets.deny(private/)"),
        ("private", "secrets.deny(private/)"),
        ("docs/internal/a.md", "secrets.deny(docs/internal/**)"),
        ("docs/internals.md", "allow"),
        ("top.txt", "secrets.deny(/top.txt)"),
        ("sub/top.txt", "allow"),
        ("tests/fixtures/a.pem", "allow"),
        ("tests/fixtures/deep/a.pem", "secret.key-file"),
        ("tests/a.pem", "secret.key-file"),
        ("pkg/.env.test", "allow"),
        (".env", "secret.dotenv"),
        (".NPMRC", "allow"),
        ("certs/x/server.key", "allow"),
        (".vscode/settings.json", "allow"),
        (".vscode/tasks.json", "protected.editor"),
    ] {
        assert_eq!(judge(path), expected, "{path}");
    }
}

#[test]
fn deny_beats_allow() {
    let rules = with(&["a.pem"], &["a.pem", "b.pem"]);
    assert_eq!(id(rules.judge(Path::new("a.pem"), Access::Read)), "secrets.deny(a.pem)");
    assert_eq!(id(rules.judge(Path::new("b.pem"), Access::Read)), "allow");
}

#[test]
fn bad_globs_are_named() {
    let deny = PathRules::new(&["a[".to_owned()], &[], None).unwrap_err();
    assert!(deny.to_string().starts_with("secrets.deny: \"a[\" is not a valid glob"), "{deny}");
    for wide in ["*", "**", "**/*", "*.*", ".*", ""] {
        let allow = PathRules::new(&[], &[wide.to_owned()], None).unwrap_err();
        assert_eq!(allow, PathRuleError::AllowsEverything(wide.to_owned()));
    }
}

/// Not a benchmark: a wide ceiling that only an accident (a glob or an allocation per rule) would cross in a debug build.
#[test]
fn judging_many_paths_is_cheap() {
    let rules = rules();
    let paths: Vec<String> = (0..5_000).map(|n| format!("src/module_{}/deep/file_{n}.rs", n % 97)).collect();
    let refuses = |path: &&String| rules.judge(Path::new(path), Access::Read) != PathVerdict::Allow;
    let (refused, time) = palanca_testkit::spent(|| paths.iter().filter(refuses).count());
    assert_eq!(refused, 0);
    let each = time / 5_000;
    println!("{each:?} a path");
    assert!(each < std::time::Duration::from_micros(100), "{each:?} a path");
}

#[test]
fn what_a_program_unpacks_is_not_what_a_kind_of_file_protects() {
    let globs = |all: &[&str]| all.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
    let protected = globs(&[".env", "*.pem", "credentials.*", "vendor", "build/keep.lock"]);
    let files = GuardedFiles::new(&globs(&["*.hidden"]), &protected, &BTreeSet::new()).unwrap();
    let rules = PathRules::new(&[], &[], None).unwrap().guarding(Arc::new(files));
    let certifi = ".venv/lib/python3.13/site-packages/certifi/cacert.pem";
    for (path, free) in [
        (certifi, true),
        ("node_modules/aws/credentials.js", true),
        ("web/node_modules/x/tests/server.pem", true),
        ("build/lib/credentials.py", true),
        ("cacert.pem", false),
        ("src/credentials.py", false),
        // A place that is named, and a folder that is.
        ("build/keep.lock", false),
        ("vendor/x/credentials.go", false),
        // Secret by its name, or by the operator's word.
        ("build/.env", false),
        ("dist/server.pem", false),
        ("dist/id_rsa", false),
        ("node_modules/x/a.hidden", false),
    ] {
        assert_eq!(rules.judge_program(Path::new(path)) == PathVerdict::Allow, free, "{path}");
    }
    // Not for the tools that change files themselves.
    assert_ne!(rules.judge(Path::new(certifi), Access::Write), PathVerdict::Allow);
    assert_eq!(rules.judge(Path::new(certifi), Access::Read), PathVerdict::Allow);
}
