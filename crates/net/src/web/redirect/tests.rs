#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use hyper::header::HeaderValue;

fn after(status: u16, method: Method, location: &str) -> Option<(String, Method, Carried)> {
    let mut headers = HeaderMap::new();
    headers.insert(LOCATION, HeaderValue::from_bytes(location.as_bytes()).unwrap());
    let from = Url::parse("https://example.com/a/b?q#f").unwrap();
    match step(status, &headers, (method, &from)) {
        Step::Stay => None,
        Step::Go { url, method, body } => Some((url, method, body)),
    }
}

#[test]
fn addresses_are_joined() {
    for (location, url) in [
        ("/x", "https://example.com/x"),
        ("x", "https://example.com/a/x"),
        ("?y", "https://example.com/a/b?y"),
        ("//example.org/", "https://example.org/"),
        ("http://127.0.0.1/", "http://127.0.0.1/"),
        ("http://user:pw@127.0.0.1/", "http://user:pw@127.0.0.1/"),
        ("file:///etc/passwd", "file:///etc/passwd"),
        ("https://[nonsense", "https://[nonsense"),
        ("/ñ", "https://example.com/%C3%B1"),
    ] {
        assert_eq!(after(302, Method::Get, location).unwrap().0, url, "{location}");
    }
}

#[test]
fn methods_change_as_the_fetch_standard_says() {
    use Carried::{Dropped, Kept};
    for (status, method, expected) in [
        (301, Method::Get, Some((Method::Get, Kept))),
        (303, Method::Get, Some((Method::Get, Kept))),
        (303, Method::Head, Some((Method::Head, Kept))),
        (307, Method::Head, Some((Method::Head, Kept))),
        (301, Method::Post, Some((Method::Get, Dropped))),
        (302, Method::Post, Some((Method::Get, Dropped))),
        (303, Method::Post, Some((Method::Get, Dropped))),
        (303, Method::Put, Some((Method::Get, Dropped))),
        (303, Method::Delete, Some((Method::Get, Dropped))),
        (302, Method::Put, Some((Method::Put, Kept))),
        (307, Method::Post, Some((Method::Post, Kept))),
        (308, Method::Post, Some((Method::Post, Kept))),
        (308, Method::Delete, Some((Method::Delete, Kept))),
        (200, Method::Get, None),
        (300, Method::Get, None),
        (304, Method::Get, None),
        (305, Method::Get, None),
    ] {
        let got = after(status, method, "/x").map(|(_, method, body)| (method, body));
        assert_eq!(got, expected, "{status} {method:?}");
    }
}

#[test]
fn a_body_goes_to_no_other_origin() {
    for to in ["https://example.org/", "http://example.com/", "https://example.com:8443/", "https://[nonsense"] {
        assert_eq!(after(307, Method::Post, to), None, "{to}");
        assert_eq!(after(301, Method::Delete, to), None, "{to}");
        assert!(after(302, Method::Post, to).is_some(), "{to}");
    }
}

#[test]
fn without_an_address_it_is_an_answer() {
    let from = Url::parse("https://example.com/").unwrap();
    assert_eq!(step(302, &HeaderMap::new(), (Method::Get, &from)), Step::Stay);
}
