//! Names that a hostile server or repository could give.

use crate::support::{TOKEN, contents, door, names, read, serve};
use palanca_core::ports::{EntryKind, Files};
use palanca_testkit::{FakeRepository, GitHubServer, Thing};
use serde_json::Value;

const CORPUS: &[&str] = &[
    "../x",
    "../../etc/passwd",
    "/etc/passwd",
    "a/../../x",
    "a//b",
    "./a",
    "a/.",
    "a/..",
    "..",
    ".",
    "nul\0byte",
    ".git/config",
    "sub/.Git/hooks/post-checkout",
];

fn hostile() -> FakeRepository {
    let long = "n".repeat(300);
    let deep = format!("{}end", "deep/".repeat(1000));
    CORPUS
        .iter()
        .copied()
        .chain([long.as_str(), deep.as_str()])
        .fold(FakeRepository::with("o/n", &[("fine.txt", "fine\n")]), |repository, path| repository.file(path, "bad\n"))
        .file("fine.txt", "a second one\n")
        .thing("escape", Thing::Link("../../etc/passwd".to_owned()))
        .file("\u{202e}gnp.exe", "turned\n")
        .file("new\nline", "lines\n")
}

#[test]
fn only_plain_names_are_there() {
    let (_server, door) = serve(hostile());
    let mut found = names(&door).unwrap();
    found.retain(|_, kind| *kind != EntryKind::Directory);
    let expected = [
        ("escape", EntryKind::Link),
        ("fine.txt", EntryKind::File),
        ("new\nline", EntryKind::File),
        ("\u{202e}gnp.exe", EntryKind::File),
    ];
    assert_eq!(found.into_iter().collect::<Vec<_>>(), expected.map(|(path, kind)| (path.to_owned(), kind)));
    assert_eq!(read(&door, "fine.txt").unwrap(), b"fine\n", "the first of two");
}

/// The labelled paths that every door must bear: nothing leads out.
#[test]
fn the_corpus_of_paths() {
    let corpus = include_str!("../../../files/tests/data/paths.jsonl");
    let (server, door) = serve(FakeRepository::with("o/n", &[("fine.txt", "fine\n")]));
    let mut tried = 0;
    for line in corpus.lines().filter(|line| !line.trim().is_empty()) {
        let row: Value = serde_json::from_str(line).unwrap();
        let Some(path) = row["input"].as_str() else { continue };
        tried += 1;
        if let Ok(located) = door.locate(path) {
            let relative = located.relative();
            assert!(relative.is_relative(), "{path}");
            let plain = |component| matches!(component, std::path::Component::Normal(_));
            assert!(relative.components().all(plain), "{path} became {}", relative.display());
        }
    }
    assert!(tried > 20, "{tried}");
    assert!(server.asked().len() <= 3, "the names are asked for once");
}

#[test]
fn an_archive_brings_nothing_that_the_tree_has_not() {
    let mut repository = (0..20).fold(FakeRepository::new("o/n"), |repository, number| {
        repository.file(&format!("f{number}.txt"), format!("{number}\n"))
    });
    for path in CORPUS.iter().copied().chain(["unknown.txt", "f1.txt/x"]) {
        repository.only_in_archive.push((path.to_owned(), Thing::File(b"bad\n".to_vec())));
    }
    repository.only_in_archive.push(("f2.txt".to_owned(), Thing::File(b"a second one\n".to_vec())));
    repository.only_in_archive.push(("link".to_owned(), Thing::Link("/etc/passwd".to_owned())));
    let server = GitHubServer::start(repository, TOKEN);
    let door = door(&server);
    let found = contents(&door).unwrap();
    assert_eq!(found.len(), 20);
    assert_eq!(server.count("/_codeload/"), 1);
    assert!(found.values().all(|content| !content.as_ref().unwrap().starts_with(b"bad")));
    assert_eq!(read(&door, "f2.txt").unwrap(), b"2\n", "the first of two");
    for path in ["unknown.txt", "link", "f1.txt/x"] {
        assert!(door.open(&door.locate(path).unwrap()).is_err(), "{path}");
    }
}
