#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::Completeness;
use super::*;

fn check(body: &[u8], content_type: &str, expected: Kind) {
    let content_type = Some(content_type).filter(|claim| !claim.is_empty());
    let source = Source { body, content_type, url: "https://a.test/", completeness: Completeness::Whole };
    assert_eq!(of(&source), expected, "{:?} {content_type:?}", String::from_utf8_lossy(body));
}

#[test]
fn a_body_is_judged_by_what_it_holds() {
    use Kind::{Binary, Pdf, Textual as As};
    use Textual::{Html, Json, Other};
    check(b"<!-- a --> <!DOCTYPE HTML><p>a", "text/plain", As(Html));
    check(b"<?xml version='1.0'?><html xmlns='x'>", "application/xml", As(Html));
    check(b"<p>a", "text/html; charset=utf-8", As(Html));
    check(b"<p>a", "", As(Html));
    check(b"<p>a", "text/plain", As(Other));
    check(b"<?xml version='1.0'?><rss>", "application/rss+xml", As(Other));
    check(b"<?xml version='1.0'?><rss>", "text/html", As(Html));
    check(b"{\"a\": 1}", "text/html", As(Json));
    check(b" [1, 2]", "text/plain", As(Json));
    check(b"[a link](b)", "text/plain", As(Other));
    check(b"anything", "application/problem+json", As(Json));
    check(b"a,b\n1,2\n", "text/csv", As(Other));
    check(b"%PDF-1.7\n\xe2\xe3", "text/html", Pdf);
    check(b"text about %PDF-1.7", "text/plain", As(Other));
    check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "text/html", Binary(Some("PNG image")));
    check(b"PK\x03\x04\0\0\0\0", "application/octet-stream", Binary(Some("ZIP archive or office document")));
    check(b"\0\x02\x01\x05\x06", "text/plain", Binary(None));
    check(b"\xff\xfe<\0p\0>\0", "text/html", As(Html));
}

#[test]
fn a_binary_body_behind_a_text_is_binary() {
    let body = [b"text ".repeat(500), (0..=255).collect::<Vec<u8>>().repeat(20)].concat();
    check(&body, "text/plain", Kind::Binary(None));
}
