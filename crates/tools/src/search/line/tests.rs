#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;

#[test]
fn long_lines_are_cut_around_the_match() {
    for (bytes, limit, around, text, cut) in [
        (&b"short"[..], 10, None, "short", Cut::Whole),
        (b"line\r\n", 10, None, "line", Cut::Whole),
        (b"line\n", 4, None, "line", Cut::Whole),
        (b"a\rb\n", 10, None, "a\rb", Cut::Whole),
        (b"0123456789", 4, None, "0123", Cut::End),
        (b"0123456789", 4, Some(2..4), "0123", Cut::End),
        (b"0123456789", 4, Some(4..6), "3456", Cut::Both),
        (b"0123456789", 4, Some(8..10), "6789", Cut::Start),
        (b"0123456789", 4, Some(3..10), "2345", Cut::Both),
        ("üüüü".as_bytes(), 4, None, "üüüü", Cut::Whole),
        ("üüüüü".as_bytes(), 4, Some(8..10), "üüüü", Cut::Start),
        (b"a\xFFb", 10, None, "a\u{FFFD}b", Cut::Whole),
        (b"", 4, None, "", Cut::Whole),
        (b"0123", 0, Some(1..2), "", Cut::Both),
    ] {
        let line = Line::new((7, Role::Hit), bytes, limit, around);
        assert_eq!(line, Line { number: 7, text: text.to_owned(), role: Role::Hit, cut }, "{bytes:?} {limit}");
    }
}
