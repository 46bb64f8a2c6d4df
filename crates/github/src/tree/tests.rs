#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use proptest::prelude::*;

const OBJECT: &str = "0123456789abcdef0123456789abcdef01234567";

fn entry(path: &str, kind: &str, mode: &str) -> TreeEntry {
    TreeEntry {
        path: path.to_owned(),
        mode: mode.to_owned(),
        kind: kind.to_owned(),
        sha: Some(OBJECT.to_owned()),
        size: Some(7),
    }
}

fn file(path: &str) -> TreeEntry {
    entry(path, "blob", "100644")
}

/// Every path with its kind, directories before what is in them.
fn all(tree: &Tree) -> Vec<(String, NodeKind)> {
    let mut found = Vec::new();
    let mut left = vec![String::new()];
    while let Some(path) = left.pop() {
        for (name, node) in tree.get(&path).expect("a known directory").iter() {
            let whole = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            if node.kind == NodeKind::Directory {
                left.push(whole.clone());
            }
            found.push((whole, node.kind));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn directories_follow_from_paths() {
    let (tree, odd) = Tree::of_all(vec![
        file("a/b/c.txt"),
        entry("a", "tree", "040000"),
        entry("link", "blob", "120000"),
        entry("module", "commit", "160000"),
        entry("run.sh", "blob", "100755"),
    ]);
    assert_eq!(odd, 0);
    use NodeKind::{Directory, File, Link, Submodule};
    let expected = [
        ("a", Directory),
        ("a/b", Directory),
        ("a/b/c.txt", File),
        ("link", Link),
        ("module", Submodule),
        ("run.sh", File),
    ];
    assert_eq!(all(&tree), expected.map(|(path, kind)| (path.to_owned(), kind)));
    assert_eq!(tree.get("").unwrap()["run.sh"].mode, 0o755);
    assert_eq!(tree.get("").unwrap()["a"].object, OBJECT, "what came later completes what followed");
}

#[test]
fn hostile_names_are_left_out_and_counted() {
    let long = "x".repeat(256);
    let deep = "y/".repeat(2100);
    for path in [
        "../x",
        "/etc/passwd",
        "a/../../x",
        "a//b",
        "a/./b",
        "a/",
        "",
        ".",
        "..",
        "a\0b",
        &long,
        &format!("{deep}z"),
        ".git/config",
        "sub/.GIT/hooks/x",
    ] {
        let (tree, odd) = Tree::of_all(vec![file(path), file("fine.txt")]);
        assert_eq!((all(&tree), odd), (vec![("fine.txt".to_owned(), NodeKind::File)], 1), "{path:?}");
    }
    let mut nameless = file("x");
    nameless.sha = Some("../../x".to_owned());
    let unknown = entry("y", "gadget", "100644");
    let (tree, odd) = Tree::of_all(vec![nameless, unknown]);
    assert_eq!((all(&tree), odd), (vec![], 2));
}

#[test]
fn long_paths_cannot_stand_for_more_directories_than_there_is_room_for() {
    let paths = (0..40).map(|number| file(&format!("{number}/{}f", "a/".repeat(1900))));
    let (tree, odd) = Tree::of_all(paths.collect());
    let bytes: usize = tree.directories.keys().map(String::len).sum();
    assert!(bytes <= DERIVED + 1900 && tree.known() > 15_000 && odd > 20, "{bytes} {} {odd}", tree.known());
}

#[test]
fn one_name_is_one_thing() {
    let check = |entries: Vec<TreeEntry>, expected: &[(&str, NodeKind)]| {
        let (tree, odd) = Tree::of_all(entries);
        let expected: Vec<_> = expected.iter().map(|(path, kind)| ((*path).to_owned(), *kind)).collect();
        assert_eq!(all(&tree), expected);
        assert_eq!(odd, 1);
    };
    check(vec![file("a"), file("a")], &[("a", NodeKind::File)]);
    check(vec![file("a"), file("a/b")], &[("a", NodeKind::File)]);
    check(vec![file("a/b"), file("a")], &[("a", NodeKind::Directory), ("a/b", NodeKind::File)]);
    check(vec![entry("m", "commit", "160000"), file("m/x")], &[("m", NodeKind::Submodule)]);
}

#[test]
fn a_directory_that_was_asked_for_holds_names_only() {
    let mut tree = Tree::default();
    let known = tree.learn("src", vec![file("a"), file("b/c"), file(".."), file("a"), entry("d", "tree", "040000")]);
    assert_eq!(known.keys().collect::<Vec<_>>(), ["a", "d"]);
    assert!(!tree.is_complete() && tree.get("").is_none());
}

proptest! {
    #[test]
    fn whatever_the_server_says_every_name_is_plain(paths in proptest::collection::vec("[a./\\\\ñ\u{0}]{0,12}", 0..40)) {
        let count = paths.len();
        let (tree, odd) = Tree::of_all(paths.iter().map(|path| file(path)).collect());
        let found = all(&tree);
        prop_assert!(found.iter().all(|(path, _)| is_plain(path)));
        let files = found.iter().filter(|(_, kind)| *kind == NodeKind::File).count();
        prop_assert_eq!(files + odd, count);
    }
}
