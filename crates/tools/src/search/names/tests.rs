#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::Case;
use super::super::tests::{ALL, ask};
use super::*;
use palanca_core::ports::FileErrorKind;
use palanca_testkit::TempWorkspace;

#[derive(Clone, Copy)]
struct Question {
    path: &'static str,
    glob: Option<&'static str>,
    kinds: Kinds,
    most: usize,
    halted: bool,
}

const QUESTION: Question = Question { path: ".", glob: None, kinds: Kinds::Files, most: 1_000, halted: false };

impl Question {
    fn names(self, workspace: &TempWorkspace) -> Result<Names, FileError> {
        ask(workspace.door(), move |files| {
            let glob = self.glob.map(|glob| Glob::new(glob, Case::Sensitive).unwrap());
            let halted = self.halted;
            let query = NameQuery {
                glob: glob.as_ref(),
                holding: None,
                kinds: self.kinds,
                scope: ALL,
                most: self.most,
                halt: &|| halted,
            };
            find(files, &files.locate(self.path)?, &query)
        })
    }

    fn paths(self, workspace: &TempWorkspace) -> Vec<String> {
        self.names(workspace).unwrap().found.into_iter().map(|named| named.path).collect()
    }
}

#[test]
fn names_come_by_path_and_links_are_not_followed() {
    let workspace =
        TempWorkspace::with(&[("b/x.txt", ""), ("b.txt", ""), ("a", ""), (".env", "SECRET"), ("c/d/e.rs", "")]);
    workspace.link(&workspace.outside().display().to_string(), "l.txt");
    for (glob, path, kinds, expected) in [
        (None, ".", Kinds::Files, &[".env", "a", "b.txt", "b/x.txt", "c/d/e.rs", "l.txt"][..]),
        (None, ".", Kinds::All, &[".env", "a", "b", "b.txt", "b/x.txt", "c", "c/d", "c/d/e.rs", "l.txt"]),
        (Some("*.txt"), ".", Kinds::Files, &["b.txt", "b/x.txt", "l.txt"]),
        (Some("*.txt"), "b", Kinds::Files, &["b/x.txt"]),
        (Some("d/*.rs"), "c", Kinds::Files, &["c/d/e.rs"]),
        (Some("c/**"), "c", Kinds::Files, &[]),
        (Some("d"), ".", Kinds::All, &["c/d"]),
        (Some("**/*"), ".", Kinds::Files, &[".env", "a", "b.txt", "b/x.txt", "c/d/e.rs", "l.txt"]),
        (Some("none"), ".", Kinds::All, &[]),
    ] {
        assert_eq!(Question { path, glob, kinds, ..QUESTION }.paths(&workspace), expected, "{glob:?} in {path}");
    }
    let kinds = Question { glob: Some("l.txt"), ..QUESTION }.names(&workspace).unwrap().found;
    assert_eq!(kinds, [Named { path: "l.txt".to_owned(), kind: EntryKind::Link }]);
    assert_eq!(Question { path: "a", ..QUESTION }.names(&workspace).unwrap_err().kind, FileErrorKind::NotADirectory);
}

#[test]
fn the_paths_of_a_deep_tree_are_bounded_in_bytes() {
    let workspace = TempWorkspace::new();
    let name = "d".repeat(200);
    let deepest = vec![name.as_str(); 18].join("/");
    for number in 0..100 {
        workspace.write(&format!("{deepest}/{number:02}"), "");
    }
    let names = Question { kinds: Kinds::All, ..QUESTION }.names(&workspace).unwrap();
    let bytes: usize = names.found.iter().map(|named| named.path.len()).sum();
    assert_eq!((names.total, names.end), (118, End::Limit));
    assert!((200 << 10..=256 << 10).contains(&bytes), "{bytes}");
    let last = names.found.last().unwrap().path.clone();
    assert_eq!(last, format!("{deepest}/{:02}", names.found.len() - 19), "the first ones in path order");
}

#[test]
fn the_first_names_are_kept_and_all_are_counted() {
    let workspace = TempWorkspace::new();
    let mut all: Vec<String> = (0..300).map(|number| format!("d{}/f{number}", number % 17)).collect();
    for path in &all {
        workspace.write(path, "");
    }
    all.sort();
    for most in [0, 1, 150, 299, 300, 301] {
        let names = Question { most, ..QUESTION }.names(&workspace).unwrap();
        let paths: Vec<String> = names.found.into_iter().map(|named| named.path).collect();
        assert_eq!(paths, all[..most.min(300)]);
        assert_eq!((names.total, names.end), (300, if most < 300 { End::Limit } else { End::Complete }));
    }
    assert_eq!(Question { halted: true, ..QUESTION }.names(&workspace).unwrap().end, End::Halted);
}
