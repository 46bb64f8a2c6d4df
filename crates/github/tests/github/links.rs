//! Links inside the repository lead where they lead in a workspace; those that lead out are refused.

use crate::support::{TOKEN, door, read, serve};
use palanca_core::ports::{ClosedBy, EntryKind, FileErrorKind, Files, RemoteFault};
use palanca_core::{Access, ToolError};
use palanca_testkit::{FakeRepository, GitHubServer, Instead, Thing};

fn repository() -> FakeRepository {
    let link = |target: &str| Thing::Link(target.to_owned());
    FakeRepository::with(
        "o/n",
        &[("docs/guide/a.md", "guide\n"), ("docs/b.md", "b\n"), (".env", "KEY=1\n"), ("src/lib.rs", "lib\n")],
    )
    .thing("absolute", link("/etc/passwd"))
    .thing("broken", link("docs/none.md"))
    .thing("docs/again", link("../handbook/"))
    .thing("empty", link(""))
    .thing("handbook", link("docs/guide"))
    .thing("latest.md", link("docs/guide/a.md"))
    .thing("long", link(&"d/".repeat(3_000)))
    .thing("loop/a", link("b"))
    .thing("loop/b", link("a"))
    .thing("nul", link("docs/\0b.md"))
    .thing("out", link("../../etc/passwd"))
    .thing("secrets", link(".env"))
    .thing("src/up.md", link("../docs/./b.md"))
    .thing("to-module", link("vendor/other"))
    .thing("vendor/other", Thing::Submodule)
}

#[test]
fn links_are_followed_when_a_path_is_located() {
    let (_server, door) = serve(repository());
    for (path, real, content) in [
        ("latest.md", "docs/guide/a.md", "guide\n"),
        ("handbook/a.md", "docs/guide/a.md", "guide\n"),
        ("docs/again/a.md", "docs/guide/a.md", "guide\n"),
        ("handbook/../b.md", "docs/b.md", "b\n"),
        ("src/up.md", "docs/b.md", "b\n"),
        ("src/lib.rs", "src/lib.rs", "lib\n"),
    ] {
        assert_eq!(door.locate(path).unwrap().to_string(), real, "{path}");
        assert_eq!(read(&door, path).unwrap(), content.as_bytes(), "{path}");
    }
    let entries = door.entries(&door.locate("docs/again").unwrap()).unwrap();
    let entries: Vec<_> = entries.iter().map(|entry| (entry.name.as_str(), entry.kind)).collect();
    assert_eq!(entries, [("a.md", EntryKind::File)]);
}

#[test]
fn a_link_is_judged_where_it_leads() {
    let (_server, door) = serve(repository());
    let path = door.locate("secrets").unwrap();
    assert_eq!(path.to_string(), ".env");
    assert_eq!(door.judge(&path, Access::Read).unwrap_err().kind, FileErrorKind::Secret(ClosedBy::Rule));
    for (path, kind) in [
        ("out", FileErrorKind::Outside),
        ("out/x", FileErrorKind::Outside),
        ("absolute", FileErrorKind::Outside),
        ("handbook/../../../x", FileErrorKind::Outside),
        ("loop/a", FileErrorKind::Invalid),
        ("nul", FileErrorKind::Invalid),
    ] {
        assert_eq!(door.locate(path).unwrap_err().kind, kind, "{path}");
    }
}

#[test]
fn what_a_link_cannot_lead_to_says_what_it_is() {
    let (_server, door) = serve(repository());
    let remote = FileErrorKind::Remote;
    let submodule = |path: &str| match door.locate(path) {
        Ok(located) => door.entries(&located).unwrap_err().kind,
        Err(error) => error.kind,
    };
    for (path, kind) in [
        ("broken", FileErrorKind::NotFound),
        ("to-module", remote(RemoteFault::Submodule)),
        ("to-module/x.c", remote(RemoteFault::Submodule)),
        ("empty", remote(RemoteFault::Link)),
        ("long", remote(RemoteFault::Link)),
    ] {
        let error = door.locate(path).and_then(|located| door.open(&located)).unwrap_err();
        assert_eq!(error.kind, kind, "{path}");
        assert!(!ToolError::from(error).kind().facts().refusal, "{path}: nothing was refused");
    }
    for path in ["to-module", "vendor/other", "vendor/other/x"] {
        assert_eq!(submodule(path), remote(RemoteFault::Submodule), "{path}");
    }
}

/// A path that could not be resolved is never judged by its letters, and a server that is away is asked once.
#[test]
fn where_names_cannot_be_learnt_locating_says_why() {
    let server = GitHubServer::start(repository(), TOKEN);
    let door = door(&server);
    server.instead("/repos", Instead::Status(404, vec![], "{}".to_owned()));
    assert_eq!(door.locate("latest.md").unwrap_err().kind, FileErrorKind::Remote(RemoteFault::Missing));
    assert_eq!(server.asked().len(), 1);
    door.commit_seen().unwrap();
    server.instead("/git/blobs/", Instead::secondary_limit(403));
    assert_eq!(door.locate("latest.md").unwrap_err().kind, FileErrorKind::Remote(RemoteFault::RateLimited));
    assert_eq!(door.locate("src/lib.rs").unwrap().to_string(), "src/lib.rs", "its names are known");
}
