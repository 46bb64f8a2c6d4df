#![allow(clippy::unwrap_used)]
use super::*;

fn permissions() -> Permissions {
    let list = |entries: &[&str]| entries.iter().map(|entry| (*entry).to_owned()).collect();
    Permissions {
        hosts: list(&["example.com", "API.example.org", "127.0.0.1:8080"]),
        reads: list(&["data/", "./notes.md"]),
        tools: list(&["web_search"]),
    }
}

#[test]
fn only_what_is_named_is_permitted() {
    let fetch =
        |url: &str| Request::Fetch { url: url.to_owned(), method: "GET".to_owned(), headers: vec![], body: None };
    let read = |path: &str| Request::Read { path: path.to_owned() };
    let call = |tool: &str| Request::Call { tool: tool.to_owned(), arguments: "{}".to_owned() };
    for (request, permitted) in [
        (fetch("https://example.com/x?y=1"), true),
        (fetch("HTTP://EXAMPLE.com:80/"), true),
        (fetch("https://api.example.org/"), true),
        (fetch("http://127.0.0.1:8080/"), true),
        (fetch("http://127.0.0.1/"), false),
        (fetch("http://2130706433:8080/"), true),
        (fetch("https://example.com:8443/"), false),
        (fetch("https://www.example.com/"), false),
        (fetch("https://example.com.evil.test/"), false),
        (fetch("https://example.com@evil.test/"), false),
        (fetch("https://evil.test/?example.com"), false),
        (fetch("file:///etc/passwd"), false),
        (fetch("ftp://example.com/"), false),
        (fetch("/x"), false),
        (fetch(""), false),
        (read("data/a.csv"), true),
        (read("data"), true),
        (read("data/deep/./a.csv"), true),
        (read("notes.md"), true),
        (read("data/../secret"), false),
        (read("database"), false),
        (read("/data/a.csv"), false),
        (read("notes.md.bak"), false),
        (read(""), false),
        (read("data\\..\\x"), false),
        (read("data/\0"), false),
        (call("web_search"), true),
        (call("exec"), false),
        (call("web_search "), false),
    ] {
        assert_eq!(permissions().judge(request.clone()).is_ok(), permitted, "{request:?}");
        assert!(Permissions::default().judge(request).is_err());
    }
    assert_eq!(permissions().judge(read("./data//a.csv")).unwrap(), read("data/a.csv"));
    let refused = Message::new("script-host-not-permitted").with("host", "example.com:8443");
    assert_eq!(permissions().judge(fetch("https://example.com:8443/x")).unwrap_err(), refused, "as it would be named");
}

#[test]
fn an_entry_that_names_nothing_permits_nothing() {
    let fetch =
        |url: &str| Request::Fetch { url: url.to_owned(), method: "GET".to_owned(), headers: vec![], body: None };
    let read = |path: &str| Request::Read { path: path.to_owned() };
    for entry in ["*", "", "https://example.com", "example.com/x", "/etc", "a/../.."] {
        let list = || vec![entry.to_owned()];
        let permissions = Permissions { hosts: list(), reads: list(), tools: Vec::new() };
        for request in [fetch("https://example.com/x"), read("/etc"), read("a/../.."), read("etc"), read("a")] {
            assert!(permissions.judge(request.clone()).is_err(), "{entry}: {request:?}");
        }
    }
}
