//! Everything that a server can say instead.

use crate::support::{TOKEN, contents, door, door_to, options, read, serve};
use palanca_core::ports::{FileError, FileErrorKind, RemoteFault};
use palanca_testkit::{FakeRepository, GitHubServer, Instead};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn small() -> FakeRepository {
    FakeRepository::with("o/n", &[("src/a.txt", "one\n"), ("b.txt", "two\n")])
}

fn many() -> FakeRepository {
    (0..20).fold(FakeRepository::new("o/n"), |repository, number| {
        repository.file(&format!("f{number}.txt"), format!("x{number}\n"))
    })
}

fn fault(error: &FileError) -> RemoteFault {
    match error.kind {
        FileErrorKind::Remote(fault) => fault,
        other => panic!("{other:?}: {error}"),
    }
}

fn status(code: u16, message: &str) -> Instead {
    Instead::Status(code, vec![], format!("{{\"message\": \"{message}\"}}"))
}

#[test]
fn what_is_wrong_with_a_repository() {
    let server = GitHubServer::start(small(), TOKEN);
    let seen = |change: &dyn Fn(&mut palanca_github::GitHubOptions)| {
        let mut options = options(&server);
        change(&mut options);
        door_to(options, &[server.base()]).commit_seen().unwrap_err()
    };
    let missing = seen(&|options| options.repository = "o/none".parse().unwrap());
    assert_eq!((fault(&missing), missing.path.as_str()), (RemoteFault::Missing, "o/none"));
    assert_eq!(fault(&seen(&|options| options.token = "old".to_owned())), RemoteFault::Expired);
    server.change(|repository| repository.empty = true);
    assert_eq!(fault(&seen(&|_| ())), RemoteFault::Empty);
    server.instead("/repos", status(403, "Resource protected by organization SAML enforcement."));
    let forbidden = seen(&|_| ());
    assert_eq!(fault(&forbidden), RemoteFault::Forbidden);
    assert!(forbidden.detail.contains("SAML"), "{forbidden}");
    server.instead("/repos", Instead::Status(200, vec![], "<html>not the API</html>".to_owned()));
    assert_eq!(fault(&seen(&|_| ())), RemoteFault::Malformed);
}

#[test]
fn a_rate_limit_names_its_end_and_is_not_asked_again() {
    let (server, door) = serve(small());
    door.commit_seen().unwrap();
    server.set_left(0);
    let error = read(&door, "b.txt").unwrap_err();
    assert_eq!(fault(&error), RemoteFault::RateLimited);
    assert!(error.detail.contains("UTC (10 min)"), "{error}");
    let asked = server.asked().len();
    assert_eq!(fault(&read(&door, "src/a.txt").unwrap_err()), RemoteFault::RateLimited);
    assert_eq!(fault(&door.renewed().commit_seen().unwrap_err()), RemoteFault::RateLimited);
    assert_eq!(server.asked().len(), asked, "nothing is asked before the end");

    for (code, headers, body) in
        [(429, vec![("retry-after", "120".to_owned())], ""), (403, vec![("retry-after", "120".to_owned())], "")]
    {
        check_pause(Instead::Status(code, headers, body.to_owned()), "(2 min)");
    }
}

fn check_pause(instead: Instead, minutes: &str) {
    let (server, door) = serve(small());
    server.instead("/repos", instead.clone());
    let error = door.commit_seen().unwrap_err();
    assert_eq!(fault(&error), RemoteFault::RateLimited, "{instead:?}");
    assert!(error.detail.ends_with(minutes), "{error}: {instead:?}");
    assert_eq!(server.asked().len(), 1, "it is not repeated");
}

#[test]
fn a_limit_is_waited_for_as_long_as_it_says() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let reset = |left: &str, after: u64| {
        vec![("x-ratelimit-remaining", left.to_owned()), ("x-ratelimit-reset", (now + after).to_string())]
    };
    let retry = |after: &str, headers: Vec<(&'static str, String)>| {
        headers.into_iter().chain([("retry-after", after.to_owned())]).collect::<Vec<_>>()
    };
    for code in [403, 429] {
        // Without an end of its own, a minute: the reset of the primary limit is another one's.
        check_pause(Instead::secondary_limit(code), "(1 min)");
        check_pause(status(code, "You have triggered an abuse detection mechanism."), "(1 min)");
        for (headers, minutes) in [
            (reset("0", 600), "(10 min)"),
            // A window is an hour long.
            (reset("0", 36_000), "(60 min)"),
            (retry("120", reset("4987", 3_600)), "(2 min)"),
            (retry("120", reset("0", 3_600)), "(2 min)"),
            (retry("soon", reset("4987", 3_600)), "(1 min)"),
            // A clock that is ahead.
            (vec![("x-ratelimit-remaining", "0".to_owned()), ("x-ratelimit-reset", "5".to_owned())], "(1 min)"),
        ] {
            check_pause(Instead::Status(code, headers, "{}".to_owned()), minutes);
        }
    }
}

#[test]
fn a_search_that_meets_the_limit_ends_with_it() {
    let (server, door) = serve(many());
    door.commit_seen().unwrap();
    server.set_left(5);
    let found = contents(&door).unwrap();
    let limited = found.values().filter(|content| content.is_err()).count();
    assert_eq!((found.len(), limited), (20, 15));
}

#[test]
fn a_server_that_fails_is_asked_once_more() {
    let (server, door) = serve(small());
    server.instead("/repos", status(502, "Bad Gateway"));
    server.instead("/commits", Instead::CutShort);
    assert!(door.commit_seen().is_ok());
    assert_eq!(server.asked().len(), 5);

    let (server, door) = serve(small());
    for _ in 0..2 {
        server.instead("/repos", status(500, "no"));
    }
    let error = door.commit_seen().unwrap_err();
    assert_eq!((fault(&error), error.detail.as_str()), (RemoteFault::Unavailable, "HTTP 500"));
    assert_eq!(server.asked().len(), 2);
    assert!(door.commit_seen().is_ok(), "a fault is not kept");
}

#[test]
fn bodies_that_are_no_answers() {
    for (path, body) in [
        ("/commits/", r#"{"sha": "../../x"}"#),
        ("/commits/", r#"{"sha": 7}"#),
        ("/git/trees/", "[1, 2"),
        ("/git/trees/", r#"{"tree": "x"}"#),
    ] {
        let (server, door) = serve(small());
        server.instead(path, Instead::Status(200, vec![], body.to_owned()));
        assert_eq!(fault(&door.commit_seen().unwrap_err()), RemoteFault::Malformed, "{body}");
    }
    for body in [
        r#"{"content": "%%%", "encoding": "base64"}"#,
        r#"{"content": "", "encoding": "none"}"#,
        // `two`, and the file has a line end.
        r#"{"content": "dHdv", "encoding": "base64"}"#,
        "",
    ] {
        let (server, door) = serve(small());
        server.instead("/git/blobs/", Instead::Status(200, vec![], body.to_owned()));
        assert_eq!(fault(&read(&door, "b.txt").unwrap_err()), RemoteFault::Unreadable, "{body}");
    }
}

#[test]
fn an_archive_that_failed_for_now_is_tried_again_by_the_next_walk() {
    let (server, door) = serve(many());
    server.instead("/tarball/", Instead::Status(429, vec![("retry-after", "0".to_owned())], String::new()));
    assert!(contents(&door).unwrap().values().any(Result::is_err));
    assert!(contents(&door).unwrap().values().all(Result::is_ok));
    assert_eq!(server.count("/tarball/"), 2);

    let (server, door) = serve(many());
    for _ in 0..2 {
        server.instead("/tarball/", status(503, "busy"));
    }
    contents(&door).unwrap();
    assert_eq!((server.count("/git/blobs/"), server.count("/tarball/")), (20, 2), "once, and once more after a pause");
}

#[test]
fn a_silent_server_ends_after_its_time() {
    // As long as a busy machine needs to ask both times.
    let mut asked = [1, 10, 100, 1_000].into_iter().map(|part| {
        let server = GitHubServer::start(small(), TOKEN);
        let mut options = options(&server);
        options.time = part * Duration::from_millis(100);
        for _ in 0..2 {
            server.instead("/repos", Instead::Silent);
        }
        let error = door_to(options, &[server.base()]).commit_seen().unwrap_err();
        assert_eq!(fault(&error), RemoteFault::Unavailable);
        server.asked().len()
    });
    assert_eq!(asked.find(|asked| *asked >= 2), Some(2), "it asks once more");
}

#[test]
fn nobody_there() {
    let server = GitHubServer::start(small(), TOKEN);
    let door = door(&server);
    drop(server);
    assert_eq!(fault(&door.commit_seen().unwrap_err()), RemoteFault::Unavailable);
}

#[test]
fn a_renamed_repository_is_found_under_its_old_name() {
    let mut repository = FakeRepository::with("new/name", &[("a.txt", "one")]);
    repository.old_name = Some("o/n".to_owned());
    let (server, door) = serve(repository);
    assert_eq!(read(&door, "a.txt").unwrap(), b"one");
    assert_eq!(server.count("/repos/o/n"), server.count("/repos/new/name"));
}

#[test]
fn redirects_to_other_hosts_are_not_followed() {
    for to in ["http://127.0.0.1:1/x", "https://evil.example/x", "//evil.example/x", "ftp://evil.example", ""] {
        let (server, door) = serve(small());
        server.instead("/repos", Instead::Status(302, vec![("location", to.to_owned())], String::new()));
        let error = door.commit_seen().unwrap_err();
        assert_eq!(fault(&error), RemoteFault::Elsewhere, "{to}: {error}");
    }
    let (server, door) = serve(small());
    for _ in 0..10 {
        let to = format!("{}/repos/o/n", server.base());
        server.instead("/repos", Instead::Status(302, vec![("location", to)], String::new()));
    }
    assert_eq!(fault(&door.commit_seen().unwrap_err()), RemoteFault::Malformed, "a loop");
    assert_eq!(server.asked().len(), 6);
}

#[test]
fn an_archive_elsewhere_is_not_fetched_and_files_come_singly() {
    let mut repository = many();
    repository.archives_at = Some("http://127.0.0.1:1".to_owned());
    let (server, door) = serve(repository);
    assert_eq!(contents(&door).unwrap().values().filter(|content| content.is_ok()).count(), 20);
    assert_eq!((server.count("/git/blobs/"), server.count("/tarball/")), (20, 1));
}

#[test]
fn a_broken_archive_is_no_loss() {
    for instead in [
        Instead::CutShort,
        Instead::Status(200, vec![], "not gzip".to_owned()),
        Instead::Status(200, vec![], String::new()),
        Instead::Status(500, vec![], String::new()),
    ] {
        let (server, door) = serve(many());
        server.instead("/_codeload", instead.clone());
        if let Instead::Status(500, ..) = instead {
            server.instead("/_codeload", instead.clone());
        }
        let found = contents(&door).unwrap();
        assert_eq!(
            found.values().filter(|content| content.as_ref().is_ok_and(|content| content.starts_with(b"x"))).count(),
            20,
            "{instead:?}"
        );
    }
}
