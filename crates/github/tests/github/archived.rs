//! Archives are made with `.gitattributes` applied: what they hold is not always what the repository has.

use crate::support::{TOKEN, contents, door, read};
use palanca_core::ports::{FileErrorKind, RemoteFault};
use palanca_testkit::{FakeRepository, GitHubServer, Thing};
use std::collections::BTreeMap;

/// Twelve files before the odd ones in path order: the archive is fetched before any of those is read.
fn repository() -> FakeRepository {
    (0..12)
        .fold(FakeRepository::new("o/n"), |repository, number| {
            repository.file(&format!("a{number:02}.txt"), format!("plain {number}\n"))
        })
        .file("m/committed-crlf.txt", "one\r\ntwo\r\n")
        .file("m/crlf.txt", "one\ntwo\n")
        .eol_crlf("m/crlf.txt")
        .file("m/ignored.txt", "not in archives\n")
        .export_ignore("m/ignored.txt")
        .lfs("m/large.bin", &[7; 4_000])
        .file("m/same-as-a00.txt", "plain 0\n")
        .file("m/version.txt", "commit $Format:%H$\n")
        .export_subst("m/version.txt")
}

/// Every file as the repository has it, the one in LFS aside.
fn truth(repository: &FakeRepository) -> BTreeMap<String, Vec<u8>> {
    let bytes = |thing: &Thing| match thing {
        Thing::File(content) => content.clone(),
        other => panic!("{other:?}"),
    };
    let files = repository.things.iter().filter(|(path, _)| path != "m/large.bin");
    files.map(|(path, thing)| (path.clone(), bytes(thing))).collect()
}

#[test]
fn a_file_reads_the_same_before_and_after_a_search() {
    let server = GitHubServer::start(repository(), TOKEN);
    let (one_by_one, searched) = (door(&server), door(&server));
    let found = contents(&searched).unwrap();
    for (path, content) in &truth(&repository()) {
        assert_eq!(&read(&one_by_one, path).unwrap(), content, "{path}");
        assert_eq!(found[path].as_ref().unwrap(), content, "{path}, in a search");
        assert_eq!(&read(&searched, path).unwrap(), content, "{path}, after a search");
    }
    for error in [read(&one_by_one, "m/large.bin").unwrap_err(), found["m/large.bin"].clone().unwrap_err()] {
        assert_eq!(error.kind, FileErrorKind::Remote(RemoteFault::Pointer));
        assert_eq!(error.detail, "size 4000");
    }
}

#[test]
fn only_what_the_archive_does_not_prove_is_asked_for() {
    let server = GitHubServer::start(repository(), TOKEN);
    contents(&door(&server)).unwrap();
    assert_eq!(server.count("/git/blobs/"), 8 + 3, "the first eight; then ignored.txt, large.bin, version.txt");
}

#[test]
fn a_repository_of_windows_line_ends_costs_one_archive() {
    let repository = (0..600).fold(FakeRepository::new("o/n"), |repository, number| {
        let path = format!("src/f{number}.cs");
        repository.file(&path, format!("class C{number}\n{{\n}}\n")).eol_crlf(&path)
    });
    let server = GitHubServer::start(repository, TOKEN);
    let found = contents(&door(&server)).unwrap();
    assert!(found.values().all(|content| content.as_ref().is_ok_and(|content| !content.contains(&b'\r'))));
    assert_eq!((found.len(), server.count("/git/blobs/")), (600, 8));
}

#[test]
fn where_the_names_are_too_many_for_one_answer_an_archive_still_counts() {
    let mut repository = repository();
    repository.truncated = true;
    let server = GitHubServer::start(repository.clone(), TOKEN);
    let found = contents(&door(&server)).unwrap();
    for (path, content) in &truth(&repository) {
        assert_eq!(found[path].as_ref().unwrap(), content, "{path}");
    }
}
