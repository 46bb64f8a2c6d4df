//! The same patches through `git apply`, GNU `patch`, `git diff` and `diff`, where they are installed.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test beside other programs must start them")]

use std::path::Path;
use std::process::{Command, Output};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::super::*;
use super::properties::versions;
use crate::edit::diff::{unified, unified_rename, unified_with_modes};

fn tool(folder: &Path, program: &str, args: &[&str]) -> Option<Output> {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_CEILING_DIRECTORIES", folder.parent()?).env("LC_ALL", "C").output().ok()
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn check(cases: u32, test: impl Fn(&Path, &str, &str) -> Result<(), TestCaseError>) {
    let folder = tempfile::tempdir().unwrap();
    let mut runner =
        TestRunner::new(Config { cases, max_shrink_iters: 2000, failure_persistence: None, ..Config::default() });
    let result = runner.run(
        &versions(),
        |(before, after)| {
            if before == after { Ok(()) } else { test(folder.path(), &before, &after) }
        },
    );
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn others_apply_our_diffs() {
    for (program, args) in [
        ("git", vec!["apply", "--whitespace=nowarn", "p.diff"]),
        ("patch", vec!["-p1", "--binary", "-s", "--posix", "-i", "p.diff"]),
    ] {
        if !is_there(program) {
            continue;
        }
        check(64, |folder, before, after| {
            // GNU patch removes a file that becomes empty; that is its own habit.
            prop_assume!(!after.is_empty() && !before.is_empty());
            std::fs::write(folder.join("f f.txt"), before).unwrap();
            std::fs::write(folder.join("p.diff"), unified("f f.txt", Some(before), Some(after)).text).unwrap();
            let output = tool(folder, program, &args).unwrap();
            prop_assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
            prop_assert_eq!(std::fs::read_to_string(folder.join("f f.txt")).unwrap(), after, "{}", program);
            Ok(())
        });
    }
}

#[test]
fn git_creates_and_deletes_by_our_diffs() {
    if !is_there("git") {
        return;
    }
    check(24, |folder, before, _| {
        for (old, new) in [(None, Some(before)), (Some(before), None)] {
            std::fs::write(folder.join("p.diff"), unified("new.txt", old, new).text).unwrap();
            let output = tool(folder, "git", &["apply", "--whitespace=nowarn", "p.diff"]).unwrap();
            prop_assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let there = std::fs::read_to_string(folder.join("new.txt")).ok();
            prop_assert_eq!(there.as_deref(), new);
        }
        Ok(())
    });
}

#[test]
fn we_apply_others_diffs() {
    for (program, args) in [
        ("git", vec!["diff", "--no-index", "old/f.txt", "new/f.txt"]),
        ("git", vec!["diff", "--no-index", "--patience", "-U1", "old/f.txt", "new/f.txt"]),
        ("diff", vec!["-u", "--text", "old/f.txt", "new/f.txt"]),
        ("diff", vec!["-U0", "--text", "old/f.txt", "new/f.txt"]),
    ] {
        if !is_there(program) {
            continue;
        }
        check(48, |folder, before, after| {
            for (name, text) in [("old", before), ("new", after)] {
                std::fs::create_dir_all(folder.join(name)).unwrap();
                std::fs::write(folder.join(name).join("f.txt"), text).unwrap();
            }
            let output = tool(folder, program, &args).unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            // Without context and an `index` line, a lone insertion at the top looks like one into an empty file.
            prop_assume!(
                before.is_empty()
                    || !args.contains(&"-U0")
                    || text.lines().nth(2).is_none_or(|line| !line.starts_with("@@ -0,0 "))
            );
            let patch = parse(&text, None).or_else(|_| parse(&text, Some("f.txt")));
            let patch = patch.map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            let applied = apply("f.txt", before, &patch.files[0].hunks);
            let applied = applied.map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            // Without context nothing tells whether `\n` in the patch is meant or just usual.
            let seen = |text: &str| if args.contains(&"-U0") { text.replace("\r\n", "\n") } else { text.to_owned() };
            prop_assert_eq!(seen(&applied.text), seen(after), "{:?}\n{}", args, text);
            Ok(())
        });
    }
}

/// A real history step: renames, copies, modes, quoted names, several files.
#[test]
fn a_git_commit_is_planned_as_git_does_it() {
    if !is_there("git") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let git = |args: &[&str]| {
        let output = tool(root, "git", args).unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let long: String = (0..60).map(|n| format!("line {n}\n")).collect();
    let write = |path: &str, text: &str| {
        std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        std::fs::write(root.join(path), text).unwrap();
    };
    git(&["init", "-q"]);
    for (path, text) in
        [("é moved.txt", long.as_str()), ("src/gone.txt", "x\n"), ("src/kept.txt", &long), ("empty", "")]
    {
        write(path, text);
    }
    git(&["add", "-A"]);
    git(&["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "one"]);
    git(&["mv", "é moved.txt", "tab\there.txt"]);
    git(&["rm", "-q", "src/gone.txt", "empty"]);
    write("src/kept.txt", &long.replace("line 3\n", "line three\n").replace("line 50\n", ""));
    write("copied.txt", &long.replace("line 7\n", "line seven\n"));
    write("new/void", "");
    git(&["add", "-A"]);
    let text = git(&["diff", "--cached", "-M", "-C", "--find-copies-harder"]);
    let patch = parse(&text, None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(patch.notes.is_empty(), "{:?}", patch.notes);
    let old = |path: &str| -> Result<Option<String>, String> {
        let output = tool(root, "git", &["show", &format!("HEAD:{path}")]).unwrap();
        Ok(output.status.success().then(|| String::from_utf8(output.stdout).unwrap()))
    };
    let plan = plan(&patch, old).unwrap();
    assert_eq!(plan.operations.len(), 5, "{text}\n{:#?}", plan.operations);
    for operation in plan.operations {
        let now = |path: &str| std::fs::read_to_string(root.join(path)).ok();
        match operation {
            FileOperation::Create { path, text, .. } => assert_eq!(now(&path), Some(text), "{path}"),
            FileOperation::Modify { path, after, .. } => assert_eq!(now(&path), Some(after), "{path}"),
            FileOperation::Delete { path, .. } => assert_eq!(now(&path), None, "{path}"),
            FileOperation::Rename { from, to, after, .. } => {
                assert_eq!((now(&from), now(&to)), (None, Some(after)), "{from} {to}");
            }
        }
    }
}

/// Name and content before and after; content ends with `+x` where the file may be executed.
type Step = (&'static str, Option<&'static str>, Option<&'static str>);

/// A file of each kind in one diff, as `apply_patch` and the end of a dry run show it.
#[test]
fn others_apply_a_diff_of_many_files() {
    const STEPS: &[Step] = &[
        ("changed.txt", Some("a\nb\n"), Some("a\nc\n")),
        ("new.txt", None, Some("n\n")),
        ("sub folder/new é 文.txt", None, Some("n\n")),
        ("empty", None, Some("")),
        ("script.sh", None, Some("#!/bin/sh\n+x")),
        ("void.sh", None, Some("+x")),
        ("gone.txt", Some("g\n"), None),
        ("gone empty", Some(""), None),
        ("gone ñ.sh", Some("g\n+x"), None),
        ("now runs", Some("r\n"), Some("r\n+x")),
        ("runs no more", Some("r\n+x"), Some("s\n")),
        ("é.txt", Some("one\n"), Some("two\n")),
        ("a b/c d.txt", Some("one"), Some("two")),
        ("q\"uote.txt", Some("one\n"), Some("two\n")),
        ("tab\there", Some("one\n"), None),
    ];
    fn split(text: &str) -> (&str, u32) {
        text.strip_suffix("+x").map_or((text, 0o644), |text| (text, 0o755))
    }
    let mut diff: String =
        STEPS.iter().map(|(name, old, new)| unified_with_modes(name, old.map(split), new.map(split)).text).collect();
    diff += &unified_rename("from here", "to é/there", split("m\n"), split("m\n+x")).text;
    diff += &unified_rename("plain", "moved", split("1\n2\n3\n4\n"), split("1\n2\n3\n5\n")).text;
    for (program, args) in
        [("git", vec!["apply", "--whitespace=nowarn", "../p.diff"]), ("patch", vec!["-p1", "-s", "-i", "../p.diff"])]
    {
        if !is_there(program) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("tree");
        let write = |name: &str, text: &str| {
            use std::os::unix::fs::PermissionsExt as _;
            let (path, (text, mode)) = (root.join(name), split(text));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        std::fs::create_dir(&root).unwrap();
        STEPS.iter().for_each(|(name, old, _)| old.iter().for_each(|text| write(name, text)));
        write("from here", "m\n");
        write("plain", "1\n2\n3\n4\n");
        std::fs::write(folder.path().join("p.diff"), &diff).unwrap();
        let output = tool(&root, program, &args).unwrap();
        assert!(output.status.success(), "{program}: {}\n{diff}", String::from_utf8_lossy(&output.stderr));
        let read = |name: &str| {
            use std::os::unix::fs::PermissionsExt as _;
            let text = std::fs::read_to_string(root.join(name)).ok()?;
            let runs = std::fs::metadata(root.join(name)).unwrap().permissions().mode() & 0o100 != 0;
            Some(text + if runs { "+x" } else { "" })
        };
        for (name, _, new) in STEPS {
            assert_eq!(read(name).as_deref(), *new, "{program} {name}");
        }
        assert_eq!((read("from here"), read("to é/there").as_deref()), (None, Some("m\n+x")), "{program}");
        assert_eq!((read("plain"), read("moved").as_deref()), (None, Some("1\n2\n3\n5\n")), "{program}");
    }
}
