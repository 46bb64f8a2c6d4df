#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use crate::order::Level;
use std::fs;
use std::os::unix::fs::symlink;

fn plan(workspace: &Path, paths: &[&str]) -> Plan {
    Plan {
        supervised: false,
        level: Level::Full,
        writable: vec![workspace.to_owned()],
        read_only: paths.iter().map(|path| workspace.join(path)).collect(),
        masked: Vec::new(),
        readable: Vec::new(),
        growing: Vec::new(),
        unexecuted: Vec::new(),
        limits: Default::default(),
        home: None,
        layer: None,
        links: Vec::new(),
    }
}

fn held(guards: &Guards, workspace: &Path) -> Vec<String> {
    let shown = |(path, hold): (&Path, &Hold)| {
        format!("{hold:?} {}", path.strip_prefix(workspace).unwrap_or(Path::new("?")).display())
    };
    guards.outermost().map(shown).collect()
}

#[test]
fn what_is_held_for_what_is_there() {
    let directory = tempfile::tempdir().unwrap();
    let workspace = directory.path().canonicalize().unwrap();
    fs::create_dir_all(workspace.join(".git/hooks")).unwrap();
    fs::write(workspace.join(".git/config"), "").unwrap();
    fs::write(workspace.join("file"), "").unwrap();
    symlink("file", workspace.join("link")).unwrap();
    symlink("link", workspace.join("link2")).unwrap();
    symlink("nowhere", workspace.join("dangling")).unwrap();
    symlink("/etc", workspace.join("out")).unwrap();
    symlink("loop", workspace.join("loop")).unwrap();
    let check = |paths: &[&str], expected: &[&str]| {
        let mut guards = Guards::prepare(&plan(&workspace, paths)).unwrap();
        assert_eq!(held(&guards, &workspace), expected, "{paths:?}");
        guards.release();
    };
    check(&[], &[]);
    check(&["/etc/passwd"], &[]);
    check(&[""], &["Freeze "]);
    check(&[".git/hooks", ".git/config"], &["Pin .git", "Freeze .git/config", "Freeze .git/hooks"]);
    check(&[".git", ".git/hooks"], &["Freeze .git"]);
    check(&[".git/hooks", ".git"], &["Freeze .git"]);
    check(&["file/below"], &["Freeze file"]);
    check(&["absent", "other/x/y", "other/z"], &["Freeze absent", "Freeze other"]);
    check(&[".git/absent"], &["Pin .git", "Freeze .git/absent"]);
    check(&["link"], &["Freeze file", "Link link"]);
    check(&["link2"], &["Freeze file", "Link link2"]);
    check(&["dangling"], &["Link dangling", "Freeze nowhere"]);
    check(&["out/passwd"], &["Link out"]);
    let names = |path: &Path| fs::read_dir(path).unwrap().count();
    assert_eq!((names(&workspace), names(&workspace.join(".git"))), (7, 2), "no placeholder is left");
}

#[test]
fn a_placeholder_goes_with_the_last_that_stands_on_it() {
    let directory = tempfile::tempdir().unwrap();
    let workspace = directory.path().canonicalize().unwrap();
    let there = || workspace.join(".mcp.json").is_dir();
    let mut first = Guards::prepare(&plan(&workspace, &[".mcp.json"])).unwrap();
    let mut second = Guards::prepare(&plan(&workspace, &[".mcp.json"])).unwrap();
    first.release();
    drop(first);
    assert!(there());
    second.release();
    assert!(!there());
    drop(second);
    // As after a SIGKILL: the lock is gone, the directory is not.
    drop(Guards::prepare(&plan(&workspace, &[".mcp.json"])).unwrap());
    assert!(there());
    Guards::prepare(&plan(&workspace, &[".mcp.json"])).unwrap().release();
    assert!(!there());
}

#[test]
fn a_directory_that_is_not_ours_is_never_removed() {
    let directory = tempfile::tempdir().unwrap();
    let workspace = directory.path().canonicalize().unwrap();
    fs::create_dir(workspace.join(".vscode")).unwrap();
    Guards::prepare(&plan(&workspace, &[".vscode"])).unwrap().release();
    assert!(workspace.join(".vscode").is_dir());
    let mut guards = Guards::prepare(&plan(&workspace, &[".idea"])).unwrap();
    fs::write(workspace.join(".idea/theirs"), "").ok();
    let used = workspace.join(".idea/theirs").exists();
    guards.release();
    assert_eq!(workspace.join(".idea").exists(), used);
}

#[test]
fn git_does_not_stop_at_what_stands_in_a_repository() {
    let directory = tempfile::tempdir().unwrap();
    let workspace = directory.path().canonicalize().unwrap();
    fs::create_dir(workspace.join(".git")).unwrap();
    let paths = [".git/commondir", ".git/config.worktree", "commondir", "refs"];
    let check = |expected: [&str; 4]| {
        let mut guards = Guards::prepare(&plan(&workspace, &paths)).unwrap();
        assert_eq!(guards.placeholders.len(), 4);
        let mut second = Guards::prepare(&plan(&workspace, &paths)).unwrap();
        guards.release();
        assert_eq!(paths.map(|path| fs::read_to_string(workspace.join(path)).unwrap_or_default()), expected);
        second.release();
        assert_eq!(paths.map(|path| workspace.join(path).exists()), [false; 4]);
    };
    check(["", "", "", ""]);
    fs::write(workspace.join(".git/HEAD"), "ref: x").unwrap();
    check([".\n", "#\n", "", ""]);
    // What others made stays.
    fs::write(workspace.join(".git/commondir"), ".").unwrap();
    Guards::prepare(&plan(&workspace, &paths)).unwrap().release();
    assert_eq!(fs::read_to_string(workspace.join(".git/commondir")).unwrap(), ".");
}
