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
        ("a/x y\t", Some("a/x y")),
        ("x\t(revision 7)", Some("x")),
        ("x\tThu Jan 01 00:00:00 1970 +0000", Some("x")),
        ("x\t1 Jan 2024 10:00:00 -0000\t1.3", Some("x")),
        ("//depot/x\t2024/01/01 10:00:00", Some("//depot/x")),
        ("a/tab\there\t2024-01-01 10:00:00", Some("a/tab\there")),
        ("a/tab\there.txt", None),
        ("a/tab\t2.txt", None),
        ("a/tab\there.txt\t", None),
        ("\"a/line\\nbreak\"", None),
        ("\"a/line\\012break\"", None),
        ("\"a/\\377\"", None),
        ("\"a/\\000\"", None),
        ("\"open", None),
        ("\"bad\\z\"", None),
        ("", None),
    ] {
        assert_eq!(read(raw).ok().map(|side| side.name).as_deref(), expected, "{raw:?}");
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
        ("o/x", "w/x", Some("x")),
        ("w/x", "c/x", Some("x")),
        ("old/proj/src/x", "new/proj/src/x", Some("proj/src/x")),
        ("one/old/src/x", "two/new/src/x", Some("src/x")),
        ("tmp/old/src/x", "tmp/new/src/x", None),
        ("src/a/mod.rs", "src/b/mod.rs", None),
        ("one/x", "two/new/x", None),
        ("a/src/x", "b/lib/x", None),
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
        ("a/src/x b/lib/x", None),
        ("i/x w/x", Some("x")),
        ("old/x y new/x y", Some("x y")),
        ("one/two/x three/x", Some("x")),
        ("x pre/x", Some("x")),
        ("old/b b/b b newer/b b/b b", Some("b b/b b")),
        ("\"a/n\\nm\" \"b/n\\nm\"", None),
        ("\"a/\\303\\251\" \"b/\\303\\251\"", Some("é")),
        ("\"a/\\303\\251\" b/é", Some("é")),
        ("a/é \"b/\\303\\251\"", Some("é")),
        ("", None),
        (" ", None),
    ] {
        assert_eq!(from_git_header(rest).ok().flatten().map(|names| names.path).as_deref(), expected, "{rest:?}");
    }
}

#[test]
fn the_epoch_is_told_in_any_zone() {
    for (stamp, expected) in [
        ("1970-01-01 00:00:00.000000000 +0000", true),
        ("1970-01-01 01:00:00.000000000 +0100", true),
        ("1970-01-01 05:30:00 +05:30", true),
        ("1969-12-31 19:00:00.000000000 -0500", true),
        ("1969-12-31 13:00:00 -1100", true),
        ("1970-01-01 00:00:00", true),
        ("Thu Jan 01 00:00:00 1970 +0000", true),
        ("Thu Jan  1 01:00:00 1970", true),
        ("Wed Dec 31 16:00:00 1969 -0800", true),
        ("1970-01-01 00:00:00 +0100", false),
        ("1970-01-01 00:00:01.000000000 +0000", false),
        ("1970-01-01 00:00:00.000000001 +0000", false),
        ("1970-01-02 00:00:00 +0000", false),
        ("2024-01-01 00:00:00 +0000", false),
        ("", false),
    ] {
        assert_eq!(is_epoch(stamp), expected, "{stamp}");
        assert_eq!(read(&format!("x\t{stamp}")).unwrap().stamp == Stamp::Epoch, expected, "{stamp}");
    }
}
