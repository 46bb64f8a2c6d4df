//! What is read, and what it costs.

use crate::support::{TOKEN, contents, door, door_to, names, options, read, serve};
use palanca_core::ports::{Change, ChangeOrigin, ClosedBy, EntryKind, Expect, FileErrorKind, Files, RemoteFault};
use palanca_testkit::{FakeRepository, GitHubServer, Instead, Thing};

fn small() -> FakeRepository {
    FakeRepository::with(
        "o/n",
        &[
            ("src/main.rs", "fn main() {}\n"),
            ("src/deep/a.txt", "línea\n"),
            ("README.md", "# n\n"),
            (".env", "KEY=1\n"),
        ],
    )
    .file("logo.png", b"\x89PNG\0\0")
    .file("empty", "")
    .thing("link", Thing::Link("src/main.rs".to_owned()))
    .thing("vendor/other", Thing::Submodule)
    .file("big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 123456\n")
}

#[test]
fn names_contents_and_kinds() {
    let (server, door) = serve(small());
    let kinds = names(&door).unwrap();
    let of = |kind: EntryKind| -> Vec<&str> {
        kinds.iter().filter(|(_, known)| **known == kind).map(|(path, _)| path.as_str()).collect()
    };
    assert_eq!(of(EntryKind::Directory), ["src", "src/deep", "vendor"]);
    assert_eq!(of(EntryKind::Link), ["link"]);
    assert_eq!(of(EntryKind::Special), ["vendor/other"]);
    assert_eq!(
        of(EntryKind::File),
        [".env", "README.md", "big.bin", "empty", "logo.png", "src/deep/a.txt", "src/main.rs"]
    );
    assert_eq!(read(&door, "src/deep/a.txt").unwrap(), "línea\n".as_bytes());
    assert_eq!(read(&door, "./src//deep/../main.rs").unwrap(), b"fn main() {}\n");
    assert_eq!(read(&door, "logo.png").unwrap(), b"\x89PNG\0\0");
    assert_eq!(read(&door, "empty").unwrap(), b"");
    let info = door.info(&door.locate("src/deep/a.txt").unwrap()).unwrap();
    assert_eq!((info.kind, info.size), (EntryKind::File, 7));
    let entries = door.entries(&door.locate("src").unwrap()).unwrap();
    assert_eq!(entries.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["deep", "main.rs"]);
    let before = server.asked().len();
    read(&door, "src/deep/a.txt").unwrap();
    assert_eq!(server.asked().len(), before, "what was read is kept");
}

#[test]
fn what_is_not_a_file_says_what_it_is() {
    let (_server, door) = serve(small());
    let remote = FileErrorKind::Remote;
    for (path, kind, word) in [
        ("vendor/other", remote(RemoteFault::Submodule), ""),
        ("vendor/other/x", remote(RemoteFault::Submodule), ""),
        ("big.bin", remote(RemoteFault::Pointer), "size 123456"),
        ("src", FileErrorKind::IsDirectory, ""),
        (".", FileErrorKind::IsDirectory, ""),
        ("src/none", FileErrorKind::NotFound, ""),
        ("README.md/x", FileErrorKind::NotFound, ""),
        (".env", FileErrorKind::Secret(ClosedBy::Rule), ""),
    ] {
        let error = door.locate(path).and_then(|located| door.open(&located)).unwrap_err();
        assert_eq!(error.kind, kind, "{path}: {error}");
        assert!(error.detail.contains(word), "{path}: {error}");
    }
    for (path, kind) in
        [("../x", FileErrorKind::Outside), ("/etc", FileErrorKind::Outside), ("", FileErrorKind::Invalid)]
    {
        assert_eq!(door.locate(path).unwrap_err().kind, kind, "{path}");
    }
}

#[test]
fn nothing_is_ever_written() {
    let (server, door) = serve(small());
    let path = door.locate("src/main.rs").unwrap();
    let change = Change::Write { path, content: Vec::new(), expect: Expect::Anything, mode: None };
    let origin = ChangeOrigin { session: "s".into(), call: palanca_core::CallId::new("c".to_owned()) };
    let asked = server.asked().len();
    assert_eq!(door.commit(&[change], &origin).unwrap_err().kind, FileErrorKind::ReadOnly);
    assert_eq!(server.asked().len(), asked);
}

#[test]
fn locating_fetches_the_names_and_judging_sends_nothing() {
    let (server, door) = serve(small());
    for root in [".", "./", "src/..", "a/./../."] {
        assert!(door.locate(root).unwrap().relative().as_os_str().is_empty());
    }
    for (path, kind) in [("../x", FileErrorKind::Outside), ("/x", FileErrorKind::Outside), ("", FileErrorKind::Invalid)]
    {
        assert_eq!(door.locate(path).unwrap_err().kind, kind);
    }
    assert!(server.asked().is_empty());
    let path = door.locate("src/main.rs").unwrap();
    let names = server.asked().len();
    assert_eq!(names, 3, "once");
    door.judge(&path, palanca_core::Access::Read).unwrap();
    assert_eq!(door.judge(&path, palanca_core::Access::Write).unwrap_err().kind, FileErrorKind::ReadOnly);
    door.locate("src/deep/none").unwrap();
    assert_eq!(server.asked().len(), names);
}

#[test]
fn one_door_sees_one_state_and_what_has_not_changed_costs_nothing() {
    let (server, door) = serve(small());
    let first = door.commit_seen().unwrap();
    assert_eq!(server.asked().len(), 3, "the repository, the commit, the tree");
    server.change(|repository| {
        repository.commit = "f".repeat(40);
        repository.things.push(("new.txt".to_owned(), Thing::File(b"new".to_vec())));
    });
    assert_eq!(door.commit_seen().unwrap(), first);
    assert!(!names(&door).unwrap().contains_key("new.txt"));
    assert_eq!(server.asked().len(), 3);

    let renewed = door.renewed();
    assert_eq!(*renewed.commit_seen().unwrap(), *"f".repeat(40));
    assert!(names(&renewed).unwrap().contains_key("new.txt"));
    let left = server.left();
    let again = renewed.renewed();
    assert_eq!(again.commit_seen().unwrap(), renewed.commit_seen().unwrap());
    assert_eq!(names(&again).unwrap(), names(&renewed).unwrap());
    assert_eq!(server.left(), left, "three times \"not modified\"");
    let tags = server.asked().iter().rev().take(3).filter(|asked| asked.header("if-none-match").is_some()).count();
    assert_eq!(tags, 3);
}

#[test]
fn a_branch_or_a_commit_may_be_named() {
    let server = GitHubServer::start(small(), TOKEN);
    for reference in ["main".to_owned(), small().commit] {
        let mut options = options(&server);
        options.reference = Some(reference);
        let door = door_to(options, &[server.base()]);
        assert_eq!(*door.commit_seen().unwrap(), *small().commit);
    }
    let mut options = options(&server);
    options.reference = Some("feature/ñ?x=1".to_owned());
    let error = door_to(options, &[server.base()]).commit_seen().unwrap_err();
    assert_eq!(error.kind, FileErrorKind::Remote(RemoteFault::NoSuchRef));
    assert_eq!(error.detail, "feature/ñ?x=1");
    assert_eq!(server.count("/commits/feature/%C3%B1%3Fx%3D1"), 1);
}

#[test]
fn the_token_goes_to_the_api_and_nowhere_else() {
    let archives = GitHubServer::start(many(), "another");
    let mut repository = many();
    repository.archives_at = Some(archives.base());
    let server = GitHubServer::start(repository, TOKEN);
    let door = door_to(options(&server), &[server.base(), archives.base()]);
    assert_eq!(contents(&door).unwrap().len(), 40);
    let bearer = format!("Bearer {TOKEN}");
    assert!(server.asked().iter().all(|asked| asked.header("authorization") == Some(&bearer)));
    let elsewhere = archives.asked();
    assert_eq!(elsewhere.len(), 1, "the archive");
    assert!(elsewhere.iter().all(|asked| asked.header("authorization").is_none()), "{elsewhere:?}");
    assert!(!format!("{door:?}").contains(TOKEN));
}

/// Forty files.
fn many() -> FakeRepository {
    (0..40).fold(FakeRepository::new("o/n"), |repository, number| {
        repository.file(&format!("d{}/f{number}.txt", number % 4), format!("content {number}\n"))
    })
}

#[test]
fn few_files_are_asked_for_singly_and_many_as_one_archive() {
    let (server, door) = serve(many());
    let found = contents(&door).unwrap();
    assert_eq!(found.len(), 40);
    assert!(found.iter().all(|(_, content)| content.as_ref().unwrap().starts_with(b"content ")));
    assert_eq!((server.count("/git/blobs/"), server.count("/tarball/"), server.count("/_codeload/")), (8, 1, 1));
    let before = server.asked().len();
    assert_eq!(contents(&door).unwrap(), found);
    assert_eq!(read(&door, "d1/f1.txt").unwrap(), b"content 1\n");
    assert_eq!(server.asked().len(), before, "all of it is kept");
}

#[test]
fn without_an_archive_files_are_asked_for_singly_up_to_a_limit() {
    let (server, door) = serve(many());
    server.instead("/tarball/", Instead::Status(404, vec![], "{}".to_owned()));
    assert_eq!(contents(&door).unwrap().len(), 40);
    assert_eq!((server.count("/git/blobs/"), server.count("/tarball/")), (40, 1));

    let (server, _) = serve(many());
    server.instead("/tarball/", Instead::Status(404, vec![], "{}".to_owned()));
    let mut options = options(&server);
    options.limits.most_single = 20;
    let found = contents(&door_to(options, &[server.base()])).unwrap();
    assert_eq!(found.values().filter(|content| content.is_ok()).count(), 20);
}

#[test]
fn a_server_without_objects_is_asked_by_path() {
    let (server, door) = serve(small());
    server.instead("/git/blobs/", Instead::Status(404, vec![], "{}".to_owned()));
    assert_eq!(read(&door, "src/main.rs").unwrap(), b"fn main() {}\n");
    assert_eq!(server.count(&format!("/contents/src/main.rs?ref={}", small().commit)), 1);
}

#[test]
fn a_door_may_be_asked_from_a_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let server = GitHubServer::start(many(), TOKEN);
    let door = door(&server);
    assert_eq!(runtime.block_on(async { contents(&door) }).unwrap().len(), 40);
}
