#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

#[test]
fn one_file() {
    for (name, before, after, expected, stat) in [
        ("same", Some("a\n"), Some("a\n"), "", (0, 0)),
        ("absent twice", None, None, "", (0, 0)),
        (
            "middle",
            Some("1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
            Some("1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
            (1, 1),
        ),
        ("start", Some("a\nb\n"), Some("x\na\nb\n"), "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n+x\n a\n b\n", (1, 0)),
        ("end", Some("a\nb\n"), Some("a\nb\nx\n"), "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n b\n+x\n", (1, 0)),
        (
            "no final newline",
            Some("a\nb"),
            Some("a\nb\nc"),
            "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n",
            (2, 1),
        ),
        ("created", None, Some("a\nb\n"), "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n", (2, 0)),
        ("deleted", Some("a\n"), None, "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", (0, 1)),
        ("emptied", Some("a\n"), Some(""), "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n", (0, 1)),
        ("created empty", None, Some(""), "diff --git a/f b/f\nnew file mode 100644\nindex 0000000..e69de29\n", (0, 0)),
        (
            "deleted empty",
            Some(""),
            None,
            "diff --git a/f b/f\ndeleted file mode 100644\nindex e69de29..0000000\n",
            (0, 0),
        ),
        (
            "crlf kept",
            Some("a\r\nb\r\n"),
            Some("a\r\nc\r\n"),
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n",
            (1, 1),
        ),
    ] {
        let diff = unified("f", before, after);
        assert_eq!(diff.text, expected, "{name}");
        assert_eq!((diff.stat.added, diff.stat.removed), stat, "{name}");
    }
}

#[test]
fn far_changes_are_two_hunks() {
    let before: String = (1..=40).map(|n| format!("{n}\n")).collect();
    let after = before.replace("\n5\n", "\nfive\n").replace("\n30\n", "\nthirty\n");
    let diff = unified("f", Some(&before), Some(&after));
    let headers: Vec<_> = diff.text.lines().filter(|line| line.starts_with("@@")).collect();
    assert_eq!(headers, ["@@ -2,7 +2,7 @@", "@@ -27,7 +27,7 @@"]);
    assert_eq!(stat(&before, &after), Stat { added: 2, removed: 2 });
}

#[test]
fn names_that_need_care() {
    for (path, header) in [
        ("a b.txt", "--- a/a b.txt\t\n+++ b/a b.txt\t\n"),
        ("é.txt", "--- a/é.txt\n+++ b/é.txt\n"),
        ("q\"\\\n.txt", "--- \"a/q\\\"\\\\\\n.txt\"\n+++ \"b/q\\\"\\\\\\n.txt\"\n"),
        ("bell\u{7}", "--- \"a/bell\\007\"\n+++ \"b/bell\\007\"\n"),
    ] {
        let diff = unified(path, Some("x\n"), Some("y\n"));
        assert!(diff.text.starts_with(header), "{}", diff.text);
    }
}

#[test]
fn renames() {
    assert_eq!(
        unified_rename("old", "new", ("a\n", 0o644), ("a\n", 0o600)).text,
        "diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n"
    );
    assert_eq!(
        unified_rename("old", "new", ("a\n", 0o644), ("b\n", 0o644)).text,
        "diff --git a/old b/new\nrename from old\nrename to new\n--- a/old\n+++ b/new\n@@ -1 +1 @@\n-a\n+b\n"
    );
    assert_eq!(
        unified_rename("old", "new", ("a\n", 0o644), ("a\n", 0o755)).text,
        "diff --git a/old b/new\nold mode 100644\nnew mode 100755\nsimilarity index 100%\nrename from old\nrename to new\n"
    );
}

#[test]
fn unlike_texts_stay_within_the_budget() {
    let before: String = (0..20_000_u32).map(|n| format!("{}\n", n.wrapping_mul(2_654_435_761) % 977)).collect();
    let after: String = (0..20_000_u32).map(|n| format!("{}\n", n.wrapping_mul(40_503) % 991)).collect();
    let (diff, time) = palanca_testkit::spent(|| unified("f", Some(&before), Some(&after)));
    assert!(time < BUDGET * 12, "{time:?}");
    assert!(diff.stat.added > 0);
}

#[test]
fn modes_are_told_and_every_section_has_a_header() {
    let check = |before: Option<(&str, u32)>, after: Option<(&str, u32)>, expected: &str| {
        assert_eq!(unified_with_modes("a b", before, after).text, expected);
    };
    let (header, names) = ("diff --git \"a/a b\" \"b/a b\"\n", "--- a/a b\t\n+++ b/a b\t\n");
    check(None, None, "");
    check(Some(("x\n", 0o644)), Some(("x\n", 0o600)), "");
    check(Some(("x\n", 0o644)), Some(("x\n", 0o755)), &format!("{header}old mode 100644\nnew mode 100755\n"));
    check(Some(("x\n", 0o644)), Some(("y\n", 0o644)), &format!("{header}{names}@@ -1 +1 @@\n-x\n+y\n"));
    check(None, Some(("", 0o755)), &format!("{header}new file mode 100755\nindex 0000000..e69de29\n"));
    check(Some(("", 0o644)), None, &format!("{header}deleted file mode 100644\nindex e69de29..0000000\n"));
    let made = "new file mode 100755\n--- /dev/null\n+++ b/a b\t\n@@ -0,0 +1 @@\n+x\n";
    check(None, Some(("x\n", 0o755)), &format!("{header}{made}"));
}
