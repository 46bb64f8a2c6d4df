#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

mod quality;

use super::*;

fn source<'a>(body: &'a [u8], content_type: &'a str) -> Source<'a> {
    Source { body, content_type: Some(content_type), url: "https://a.test/d/", completeness: Completeness::Whole }
}

fn check(body: &[u8], content_type: &str, format: Format, expected: (PageKind, &str, &[&str])) {
    let page = read(&source(body, content_type), format, Extent::Main);
    let notes: Vec<_> = page.notes.iter().map(Message::key).collect();
    assert_eq!((page.kind, page.text.as_str(), notes.as_slice()), expected, "{:?}", String::from_utf8_lossy(body));
}

#[test]
fn each_kind_of_body_is_read_in_its_way() {
    use Format::{Html, Markdown, Text};
    check(b"", "text/html", Markdown, (PageKind::Empty, "", &["page-empty"]));
    check(b" \n\t", "", Markdown, (PageKind::Empty, "", &["page-empty"]));
    check(b"<html><body><script>x</script>", "text/html", Markdown, (PageKind::Html, "", &["page-no-text"]));
    check(b"<p>a <b>b</b>", "text/html", Markdown, (PageKind::Html, "a **b**", &[]));
    check(b"<p>a <b>b</b>", "text/html", Text, (PageKind::Html, "a b", &[]));
    check(b"<p>a <b>b</b>\r\n", "text/html", Html, (PageKind::Html, "<p>a <b>b</b>\n", &[]));
    check(b"{\"a\":1}", "application/json", Markdown, (PageKind::Json, "{\n  \"a\": 1\n}", &[]));
    check(b"{\"a\":1}", "application/json", Html, (PageKind::Json, "{\"a\":1}", &[]));
    check(b"# a\n\n| b |\x1b[0m\n", "text/markdown", Markdown, (PageKind::Text, "# a\n\n| b |[0m\n", &[]));
    check(
        b"<rss><item>a</item></rss>",
        "application/rss+xml",
        Text,
        (PageKind::Text, "<rss><item>a</item></rss>", &[]),
    );
    check(b"GIF89a\x01\0\x01\0", "text/plain", Markdown, (PageKind::Binary, "", &["page-image"]));
    check(b"a\xf1o", "text/plain", Markdown, (PageKind::Text, "año", &["page-encoding-guessed"]));
}

#[test]
fn notes_of_both_passes_are_told() {
    let both: &[&str] = &["page-whole", "page-encoding-guessed"];
    check(b"<nav>ab</nav><footer>cd</footer>\xf1o", "text/html", Format::Text, (PageKind::Html, "ab\ncd\nño", both));
}

#[test]
fn no_body_makes_it_fail() {
    // Every two bytes as the beginning of a body, and every claim.
    for claim in ["", "text/html", "application/json", "application/pdf", "image/png", "text/html; charset=utf-16"] {
        for (first, second) in
            (0..=255_u8).flat_map(|first| (0..=255_u8).step_by(17).map(move |second| (first, second)))
        {
            for format in [Format::Markdown, Format::Text, Format::Html] {
                let page = read(&source(&[first, second, b'<', first, b'>', second], claim), format, Extent::Main);
                assert!(
                    !page.text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')),
                    "{first} {second} {claim}"
                );
            }
        }
    }
}
