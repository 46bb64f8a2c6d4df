//! Repositories that are large, and the limits that end what is too large.

use crate::support::{EVERYTHING, TOKEN, contents, door_to, names, options, read, serve};
use palanca_core::ports::{FileErrorKind, Files, Flow, RemoteFault};
use palanca_testkit::{FakeRepository, GitHubServer};

fn files(count: usize) -> FakeRepository {
    (0..count).fold(FakeRepository::new("o/n"), |repository, number| {
        repository.file(&format!("src/m{}/f{number}.rs", number % 100), format!("// {number}\n"))
    })
}

#[test]
fn ten_thousand_files_are_a_handful_of_requests() {
    let (server, door) = serve(files(10_000));
    assert_eq!(names(&door).unwrap().len(), 10_101);
    assert_eq!(server.asked().len(), 3);
    let found = contents(&door).unwrap();
    assert_eq!(found.values().filter(|content| content.is_ok()).count(), 10_000);
    assert_eq!(server.asked().len(), 3 + 8 + 2, "eight files, and the archive at a redirect");
}

#[test]
fn a_tree_that_is_too_long_is_asked_for_by_directory_as_it_is_needed() {
    let mut repository = files(300);
    repository.truncated = true;
    let (server, door) = serve(repository);
    assert_eq!(read(&door, "src/m7/f107.rs").unwrap(), b"// 107\n");
    assert_eq!(server.count("/git/trees/"), 4, "all, the root, src, src/m7");
    assert_eq!(door.entries(&door.locate("src/m7").unwrap()).unwrap().len(), 3);
    assert_eq!(server.count("/git/trees/"), 4);
    assert_eq!(names(&door).unwrap().len(), 401);
    assert_eq!(server.count("/git/trees/"), 4 + 99);
    assert_eq!(contents(&door).unwrap().values().filter(|content| content.is_ok()).count(), 300);
}

#[test]
fn every_limit_is_named() {
    let mut repository = files(300);
    repository.truncated = true;
    let server = GitHubServer::start(repository, TOKEN);
    let mut few = options(&server);
    few.limits.directories = 10;
    let door = door_to(few, &[server.base()]);
    let end = door.walk(&door.locate(".").unwrap(), EVERYTHING, &|_| Flow::Continue).unwrap();
    assert_eq!(end.unreadable.len(), 20, "a walk goes on, and names what it could not read");
    assert!(end.unreadable.iter().all(|line| line.ends_with(": directories: 11 > 10")), "{:?}", end.unreadable);
    let error = door.entries(&door.locate("src/m99").unwrap()).unwrap_err();
    assert_eq!(error.kind, FileErrorKind::Remote(RemoteFault::TooLarge));

    let server = GitHubServer::start(files(30).file("large.bin", "x".repeat(5_000)), TOKEN);
    let check = |change: &dyn Fn(&mut palanca_github::GitHubLimits), detail: &str| {
        let mut options = options(&server);
        change(&mut options.limits);
        let door = door_to(options, &[server.base()]);
        let error = read(&door, "large.bin").unwrap_err();
        let of_one_file = detail == "5000 > 4999";
        let kind = if of_one_file { FileErrorKind::TooLarge } else { FileErrorKind::Remote(RemoteFault::TooLarge) };
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.detail.starts_with(detail), "{error}");
    };
    check(&|limits| limits.file = 4_999, "5000 > 4999");
    check(&|limits| limits.answer = 1_000, "answer: ");
    check(&|limits| limits.names = 10, "names: ");
}

#[test]
fn an_archive_beyond_a_limit_is_given_up_and_files_come_singly() {
    for limit in ["archive", "unpacked", "names"] {
        let server = GitHubServer::start(files(60), TOKEN);
        let mut options = options(&server);
        match limit {
            "archive" => options.limits.archive = 100,
            "unpacked" => options.limits.unpacked = 20_000,
            _ => options.limits.names = 170,
        }
        options.limits.most_single = 30;
        let door = door_to(options, &[server.base()]);
        let found = contents(&door).unwrap();
        let wrong: Vec<_> = found.values().filter_map(|content| content.as_ref().err()).collect();
        if limit == "names" {
            assert!(wrong.is_empty(), "{wrong:?}");
            continue;
        }
        // What had arrived until then is proven, too.
        assert!((1..=30).contains(&wrong.len()), "{limit}: {}", wrong.len());
        assert!(wrong.iter().all(|error| error.kind == FileErrorKind::Remote(RemoteFault::LeftOut)), "{wrong:?}");
        assert!(wrong.iter().all(|error| error.detail.starts_with("archive")), "{wrong:?}");
    }
}

#[test]
fn a_file_that_is_too_large_is_one_error_among_the_contents() {
    let server = GitHubServer::start(files(60).file("a-dump.sql", "x".repeat(5_000)), TOKEN);
    let mut options = options(&server);
    options.limits.file = 4_999;
    let door = door_to(options, &[server.base()]);
    let found = contents(&door).unwrap();
    let wrong: Vec<_> = found.iter().filter_map(|(path, content)| Some((path, content.as_ref().err()?.kind))).collect();
    assert_eq!(wrong, [(&"a-dump.sql".to_owned(), FileErrorKind::TooLarge)]);
    assert_eq!(found.len(), 61);
}

/// A record that names an entry is read as far as a name can be long, and not into memory whole.
#[test]
fn names_in_an_archive_are_bounded() {
    for (padded, blobs) in [(1_000, 8), (70_000, 60)] {
        let mut repository = files(60);
        repository.padded_names = padded;
        let (server, door) = serve(repository);
        assert_eq!(contents(&door).unwrap().values().filter(|content| content.is_ok()).count(), 60);
        assert_eq!(server.count("/git/blobs/"), blobs, "{padded}");
    }
}

#[test]
fn what_does_not_fit_into_memory_is_asked_for_when_it_is_needed() {
    let server = GitHubServer::start(files(60), TOKEN);
    let mut options = options(&server);
    options.limits.kept = 100;
    let door = door_to(options, &[server.base()]);
    assert_eq!(contents(&door).unwrap().values().filter(|content| content.is_ok()).count(), 60);
    assert_eq!(read(&door, "src/m59/f59.rs").unwrap(), b"// 59\n");
}
