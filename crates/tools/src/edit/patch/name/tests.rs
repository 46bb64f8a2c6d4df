#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

#[test]
fn names_are_read() {
    for (raw, expected) in [
        ("a/x.rs", Some("a/x.rs")),
        ("a/with space.rs\t2024-01-01 10:00:00.000 +0100", Some("a/with space.rs")),
        ("a/x.rs 2024-01-01 10:00:00.123456 +0100", Some("a/x.rs")),
        ("a/x 2024.rs", Some("a/x 2024.rs")),
        ("\"a/\\303\\251.txt\"", Some("a/é.txt")),
        ("\"a/q\\\"\\\\\\t.txt\"\tstamp", Some("a/q\"\\\t.txt")),
        ("\"a/\\377\"", None),
        ("\"a/\\000\"", None),
        ("\"open", None),
        ("\"bad\\z\"", None),
        ("", None),
    ] {
        assert_eq!(read(raw).ok().as_deref(), expected, "{raw:?}");
    }
}

#[test]
fn prefixes_are_pairs() {
    for (old, new, expected) in [
        ("a/src/x", "b/src/x", Some("src/x")),
        ("src/x", "src/x", Some("src/x")),
        ("a/x", "a/x", Some("a/x")),
        ("i/x", "w/x", Some("x")),
        ("x", "b/x", Some("x")),
        ("a/x", "x", Some("x")),
        ("a/./x", "b/./x", Some("x")),
        ("x.orig", "x", Some("x")),
        ("a/x~", "b/x", Some("x")),
        ("proj-1/src/x", "proj-2/src/x", Some("src/x")),
        ("a/x", "../../evil.txt", None),
        ("../x", "./x", None),
        ("a/x", "b/y", None),
    ] {
        assert_eq!(agree(old, new).ok().as_deref(), expected, "{old} {new}");
    }
}

#[test]
fn git_header_names() {
    for (rest, expected) in [
        ("a/x b/x", Some("x")),
        ("a/x y b/x y", Some("x y")),
        ("x x", Some("x")),
        ("a/x b/y", None),
        ("\"a/\\303\\251\" \"b/\\303\\251\"", Some("é")),
        ("\"a/\\303\\251\" b/é", Some("é")),
        ("a/é \"b/\\303\\251\"", Some("é")),
        ("", None),
        (" ", None),
    ] {
        assert_eq!(from_git_header(rest).as_deref(), expected, "{rest:?}");
    }
}
