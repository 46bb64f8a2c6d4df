use super::super::*;

fn hunks(body: &str) -> String {
    format!("--- a/f\n+++ b/f\n{body}")
}

fn run(text: &str, body: &str) -> Result<Applied, ApplyError> {
    let patch = hunks(body);
    let parsed = parse(&patch, None).unwrap_or_else(|error| panic!("{error}\n{patch}"));
    apply("f", text, &parsed.files[0].hunks)
}

const BLOCKS: &str = "begin one\n  set v\nend one\nbegin two\n  set w\nend two\n";
const TEN: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

#[test]
fn fits() {
    for (name, text, body, expected) in [
        ("exact", "a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", "a\nx\nc\n"),
        ("insert after", "a\nb\n", "@@ -1,0 +2 @@\n+x\n", "a\nx\nb\n"),
        ("insert at the end", "a\nb\n", "@@ -2,0 +3 @@\n+x\n", "a\nb\nx\n"),
        ("insert into nothing", "", "@@ -0,0 +1 @@\n+x\n", "x\n"),
        ("insert into nothing, wrong header", "", "@@ -1 +1 @@\n+x\n", "x\n"),
        (
            "two hunks",
            TEN,
            "@@ -2 +2,2 @@\n-2\n+two\n+zwei\n@@ -9 +10 @@\n-9\n+nine\n",
            "1\ntwo\nzwei\n3\n4\n5\n6\n7\n8\nnine\n10\n",
        ),
        (
            "two hunks, wrong order",
            TEN,
            "@@ -9 +9 @@\n-9\n+nine\n@@ -2 +2 @@\n-2\n+two\n",
            "1\ntwo\n3\n4\n5\n6\n7\n8\nnine\n10\n",
        ),
        ("added ++", "a\n", "@@ -1 +1,2 @@\n a\n+++ i;\n", "a\n++ i;\n"),
        ("removed --", "-- x\na\n", "@@ -1,2 +1 @@\n--- x\n a\n", "a\n"),
        ("offset", TEN, "@@ -1,3 +1,3 @@\n 6\n-7\n+seven\n 8\n", "1\n2\n3\n4\n5\n6\nseven\n8\n9\n10\n"),
        (
            "offset carries on",
            TEN,
            "@@ -1 +1 @@\n-4\n+four\n@@ -5 +5 @@\n-8\n+eight\n",
            "1\n2\n3\nfour\n5\n6\n7\neight\n9\n10\n",
        ),
        ("the stated one of two", "x\na\nb\nc\nd\nx\n", "@@ -6 +6 @@\n-x\n+y\n", "x\na\nb\nc\nd\ny\n"),
        ("one of two is taken", "x\na\nx\n", "@@ -1 +1 @@\n-x\n+y\n@@ -2 +2 @@\n-x\n+z\n", "y\na\nz\n"),
        (
            "insert at the top and below, without context",
            "a\nb\n",
            "@@ -0,0 +1 @@\n+x\n@@ -2 +3 @@\n-b\n+y\n",
            "x\na\ny\n",
        ),
        ("more context than the header counts", "a\nb\nc\n", "@@ -1 +1 @@\n-a\n+x\n b\n c\n", "x\nb\nc\n"),
        ("appended where the file ends by now", "new\na\nb\n", "@@ -1,2 +1,3 @@\n a\n b\n+c\n", "new\na\nb\nc\n"),
        ("bare header", TEN, "@@\n 6\n-7\n+seven\n", "1\n2\n3\n4\n5\n6\nseven\n8\n9\n10\n"),
        ("crlf file, lf patch", "a\r\nb\r\nc\r\n", "@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c\n", "a\r\nx\r\ny\r\nc\r\n"),
        ("crlf file, crlf content", "a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+x\r\n", "a\r\nx\r\n"),
        ("lf file, crlf content", "a\nb\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+x\r\n", "a\nx\n"),
        ("mixed file", "a\r\nb\nc\r\nd\n", "@@ -1,4 +1,4 @@\n a\n b\n-c\n+x\n d\n", "a\r\nb\nx\r\nd\n"),
        ("line ends are the change", "a\r\nb\r\n", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n", "a\nb\r\n"),
        (
            "no newline kept",
            "a\nb",
            "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+x\n\\ No newline at end of file\n",
            "a\nx",
        ),
        ("no newline gained", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"),
        ("no newline lost", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n", "a\nb"),
        ("no newline, marker forgotten", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+x\n", "a\nx"),
        ("appending without a newline", "abc", "@@ -1 +1,2 @@\n abc\n+new\n", "abc\nnew"),
        ("appending, half a marker", "abc", "@@ -1 +1,2 @@\n abc\n\\ No newline at end of file\n+new\n", "abc\nnew\n"),
        ("appending crlf", "a\r\nb", "@@ -2 +2,2 @@\n b\n+c\n", "a\r\nb\r\nc"),
        ("an empty line after no newline", "a\nb", "@@ -1,2 +1,4 @@\n a\n b\n+\n+c\n", "a\nb\n\nc"),
        ("last line removed", "a\nb", "@@ -1,2 +1 @@\n a\n-b\n", "a\n"),
        ("everything removed", "a\nb\n", "@@ -1,2 +0,0 @@\n-a\n-b\n", ""),
        ("trailing blanks", "a  \nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", "a  \nx\nc\n"),
        (
            "indentation",
            "fn f() {\n\tone();\n\tif x {\n\t\ttwo();\n\t}\n}\n",
            "@@ -2,3 +2,4 @@\n     one();\n     if x {\n+        three();\n         two();\n",
            "fn f() {\n\tone();\n\tif x {\n\t\tthree();\n\t\ttwo();\n\t}\n}\n",
        ),
        (
            "form feed and separator",
            "a\x0cb\u{2028}c\nd\n",
            "@@ -1,2 +1,2 @@\n a\x0cb\u{2028}c\n-d\n+e\n",
            "a\x0cb\u{2028}c\ne\n",
        ),
        ("byte order mark given", "\u{feff}a\nb\n", "@@ -1,2 +1,2 @@\n \u{feff}a\n-b\n+c\n", "\u{feff}a\nc\n"),
        ("blank lines doubled on purpose", "a\n\nb\n", "@@ -1 +1,2 @@\n a\n+\n", "a\n\n\nb\n"),
    ] {
        match run(text, body) {
            Ok(applied) => assert_eq!(applied.text, expected, "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn fails() {
    for (name, text, body, expected) in [
        ("not found", TEN, "@@ -2,2 +2,2 @@\n two\n-three\n+x\n", "its old lines are not in the file"),
        ("already applied", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", "the patch is already applied to f"),
        ("already applied at the end", "a\nb\nc\n", "@@ -1 +1,2 @@\n a\n+b\n", "already applied"),
        ("already applied at the start", "x1\na\nb\n", "@@ -1 +1,2 @@\n+x1\n a\n", "already applied"),
        ("bare header in two places", "a\nb\na\nb\n", "@@\n-a\n+x\n", "fit equally well at lines 1, 3"),
        (
            "fuzz in two places",
            "q\na  \nb\nq\na  \nb\n",
            "@@ -1,2 +1,2 @@\n a\n-b\n+x\n",
            "fit equally well at lines 2, 5",
        ),
        (
            "overlap",
            TEN,
            "@@ -2,3 +2,3 @@\n 2\n-3\n+x\n 4\n@@ -4,2 +4,2 @@\n 4\n-5\n+y\n",
            "hunk 2 (patch line 8): it overlaps hunk 1",
        ),
        ("order", TEN, "@@ -5 +5 @@\n-8\n+x\n@@ -6 +6 @@\n-3\n+y\n", "its lines are at line 3, before those of hunk 1"),
        ("no anchor", TEN, "@@ -5 +5,2 @@\n+x\n+y\n", "does not say where"),
        ("past the end", TEN, "@@ -99,0 +100 @@\n+x\n", "the file has 10 lines"),
        ("context at the start", TEN, "@@ -2,3 +2,3 @@\n two\n-3\n+x\n 4\n", "not in the file"),
        ("context at the end", TEN, "@@ -3,4 +3,4 @@\n 3\n 4\n-5\n+five\n six\n", "not in the file"),
        ("context of an insertion", TEN, "@@ -4,2 +4,3 @@\n 4\n+x\n five\n", "not in the file"),
        (
            "the block above has the context",
            BLOCKS,
            "@@ -1,3 +1,3 @@\n begin one\n-  set w\n+  set q\n end one\n",
            "not in",
        ),
        ("an empty line of context", "a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n\n", "not in the file"),
        ("more context than counted, elsewhere", TEN, "@@ -2 +2 @@\n-2\n+x\n 4\n", "not in the file"),
        ("the nearest of two", "x\na\nb\nc\nd\nx\n", "@@ -5 +5 @@\n-x\n+y\n", "fit equally well at lines 1, 6"),
        ("white space at the stated line and elsewhere", "a1 \nb\na1 \n", "@@ -1 +1 @@\n-a1\n+x\n", "at lines 1, 3"),
        ("line ends at the stated line, identical elsewhere", "a\r\nb\na\n", "@@ -1 +1 @@\n-a\n+x\n", "at lines 1, 3"),
        (
            "two places after a hunk that moved",
            "0\na\nx\nb\nx\n",
            "@@ -1 +1 @@\n-a\n+c\n@@ -4 +4 @@\n-x\n+y\n",
            "fit equally well at lines 3, 5",
        ),
        ("the file is not empty", "a\nb\n", "@@ -0,0 +1 @@\n+x\n", "says that the file is empty, but it has 2 lines"),
        ("the file is empty", "", "@@ -5,0 +6 @@\n+x\n", "the file has 0 lines"),
        (
            "an insertion after a hunk that moved",
            "0\na\nb\nc\n",
            "@@ -1 +1 @@\n-a\n+x\n@@ -2,0 +3 @@\n+y\n",
            "earlier hunks are 1 lines from",
        ),
        (
            "the end of the file has moved",
            "new\na\nb\nlast\n",
            "@@ -1,2 +1,3 @@\n a\n b\n+c\n",
            "at line 2, not below its @@ lines or at the start or end",
        ),
        ("the start of the file has moved", "new\na\nb\n", "@@ -1,2 +1,3 @@\n+x\n a\n b\n", "at line 2, not below"),
        ("only punctuation left", "}\n}\n{\n", "@@ -9,2 +9,3 @@\n gone\n }\n+x\n", "not in the file"),
    ] {
        match run(text, body) {
            Ok(applied) => panic!("{name}: {:?}", applied.text),
            Err(error) => assert!(error.to_string().contains(expected), "{name}: {error}"),
        }
    }
}

#[test]
fn a_tie_is_ambiguous() {
    let error = run("x1\na\nb\nc\nx1\n", "@@ -3 +3 @@\n-x1\n+y\n").unwrap_err();
    assert_eq!(error.failures[0].reason, FailureReason::Ambiguous { lines: vec![1, 5] });
}

#[test]
fn reports() {
    for (name, text, body, offset, expected, others) in [
        ("exact", TEN, "@@ -2 +2 @@\n-2\n+x\n", 0, Whitespace::Exact, 0),
        ("offset", TEN, "@@ -2 +2 @@\n-7\n+x\n", 5, Whitespace::Exact, 0),
        ("above", TEN, "@@ -9 +9 @@\n-7\n+x\n", -2, Whitespace::Exact, 0),
        ("line ends", "a\r\n", "@@ -1 +1 @@\n-a\n+x\n", 0, Whitespace::LineEnds, 0),
        ("trailing", "a \n", "@@ -1 +1 @@\n-a\n+x\n", 0, Whitespace::Trailing, 0),
        ("indentation", "  a\n", "@@ -1 +1 @@\n-a\n+x\n", 0, Whitespace::Indentation, 0),
        ("others", "x\na\nx\n", "@@ -2 +2 @@\n-a\n+y\n", 0, Whitespace::Exact, 0),
    ] {
        let report = &run(text, body).unwrap_or_else(|error| panic!("{name}: {error}")).hunks[0];
        assert_eq!((report.offset, report.whitespace, report.others), (offset, expected, others), "{name}");
    }
    let applied = run("    a\n", "@@ -1 +1,2 @@\n a\n+b\n").unwrap();
    assert_eq!((applied.hunks[0].reindented, applied.text.as_str()), (Reindented::Yes, "    a\n    b\n"));
    assert_eq!((applied.added, applied.removed), (1, 0));
}

#[test]
fn a_failure_shows_both_sides() {
    let text = "fn a() {\n    one();\n    two();\n    three();\n}\n\nfn b() {\n    four();\n    five();\n}\n";
    let error = run(text, "@@ -1,4 +1,4 @@\n fn b() {\n     four();\n-    six();\n+    seven();\n }\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "1 of 1 hunks do not apply to f; nothing was changed
hunk 1 (patch line 3): its old lines are not in the file
  expected:
    | fn b() {
    |     four();
    |     six();
    | }
  the file has there:
      1 | fn a() {
      2 |     one();
      3 |     two();
      4 |     three();
  nearest: line 7, where 3 of 4 lines match; line 9 differs:
    expected \"    six();\"
    found    \"    five();\""
    );
}

#[test]
fn every_failing_hunk_is_told() {
    let error = run(TEN, "@@ -1 +1 @@\n-x\n+y\n@@ -5 +5 @@\n-5\n+five\n@@ -9 +9 @@\n-z\n+y\n").unwrap_err();
    assert_eq!(error.failures.iter().map(|failure| failure.hunk).collect::<Vec<_>>(), [1, 3]);
    assert!(error.to_string().starts_with("2 of 3 hunks do not apply to f"));
}
