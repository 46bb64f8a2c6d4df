#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use grep_matcher::Matcher;
use std::time::Duration;

fn matches(pattern: &str, syntax: Syntax, case: Case, line: &str) -> bool {
    Needle::new(pattern, syntax, case).unwrap().matcher.is_match(line.as_bytes()).unwrap()
}

#[test]
fn patterns() {
    use Case::{Insensitive, Sensitive, Smart};
    use Syntax::{Literal, Regex};
    for (pattern, syntax, case, line, expected) in [
        ("a.c", Regex, Sensitive, "abc", true),
        ("a.c", Literal, Sensitive, "abc", false),
        ("a.c", Literal, Sensitive, "xa.cx", true),
        ("(", Literal, Sensitive, "f(", true),
        ("\\d+", Literal, Sensitive, "\\d+", true),
        ("Abc", Regex, Insensitive, "aBC", true),
        ("ÄB", Literal, Insensitive, "äb", true),
        ("abc", Regex, Smart, "ABC", true),
        ("Abc", Regex, Smart, "ABC", false),
        ("\\S", Regex, Smart, "x", true),
        ("^b$", Regex, Sensitive, "a\nb\nc\n", true),
        ("^b$", Regex, Sensitive, "a\r\nb\r\nc\r\n", true),
        ("\\bfn\\b", Regex, Sensitive, "pub fn x", true),
        ("a\\s+b", Regex, Sensitive, "a\nb", false),
        ("[^x]", Regex, Sensitive, "\n", false),
        ("(?i)abc", Regex, Sensitive, "ABC", true),
    ] {
        assert_eq!(matches(pattern, syntax, case, line), expected, "{pattern} on {line:?}");
    }
}

#[test]
fn refused() {
    let error = |pattern: &str, syntax| Needle::new(pattern, syntax, Case::Sensitive).unwrap_err();
    assert_eq!(error("", Syntax::Regex), NeedleError::Empty);
    for pattern in ["a\nb", "a\r\n"] {
        assert_eq!(error(pattern, Syntax::Regex), NeedleError::LineBreak);
        assert_eq!(error(pattern, Syntax::Literal), NeedleError::LineBreak);
    }
    assert_eq!(error("a\\nb", Syntax::Regex), NeedleError::LineBreak);
    assert_eq!(error(&"a".repeat(70_000), Syntax::Literal), NeedleError::TooLarge);
    for (pattern, word) in
        [("a(b", "unclosed group"), ("[z-a]", "range"), ("(?=x)", "look-around"), ("*a", "repetition")]
    {
        match error(pattern, Syntax::Regex) {
            NeedleError::Invalid { reason } => {
                assert!(reason.contains(word) && reason.contains(pattern), "{reason}");
            }
            other => panic!("{pattern}: {other:?}"),
        }
    }
}

#[test]
fn patterns_that_hang_others_are_refused_or_quick() {
    let line = "a".repeat(100_000);
    let ((), time) = palanca_testkit::spent(|| {
        assert!(matches("(a*)*b|(a|aa)+$", Syntax::Regex, Case::Sensitive, &line));
        assert!(!matches("(a+)+b", Syntax::Regex, Case::Sensitive, &line));
    });
    assert!(time < Duration::from_secs(20), "{time:?}");
    for pattern in ["(\\w{1000}){1000}", "((a{100}){100}){100}", "\\pL{50000}"] {
        assert_eq!(
            Needle::new(pattern, Syntax::Regex, Case::Sensitive).unwrap_err(),
            NeedleError::TooLarge,
            "{pattern}"
        );
    }
}

#[test]
fn patterns_that_look_around_or_back_are_tried_within_bounds() {
    use Case::{Insensitive, Sensitive, Smart};
    let tried = |pattern: &str, case, line: &str| {
        let needle = Needle::new(pattern, Syntax::Backtracking, case).unwrap();
        (needle.matcher.is_match(line.as_bytes()), needle.gave_up())
    };
    for (pattern, case, line, expected) in [
        ("foo(?=bar)", Sensitive, "foobar", true),
        ("foo(?=bar)", Sensitive, "foobaz", false),
        ("(?<!un)safe", Sensitive, "unsafe", false),
        ("(?<!un)safe$", Sensitive, "is safe", true),
        (r"(\w)\1", Sensitive, "letter", true),
        (r"(\w)\1", Sensitive, "later", false),
        ("foo(?!BAR)", Insensitive, "FOObar", false),
        ("foo(?!x)", Smart, "FOO", true),
        ("Foo(?!x)", Smart, "FOO", false),
        ("a.c", Sensitive, "abc", true),
    ] {
        assert_eq!(tried(pattern, case, line), (Ok(expected), false), "{pattern} on {line}");
    }
    assert_eq!(tried("(?=x)é", Sensitive, "x\u{e9}").0, Ok(false));
    let bytes = Needle::new("(?<=a)b", Syntax::Backtracking, Sensitive).unwrap();
    assert_eq!(bytes.matcher.find(b"\xff\xffab").unwrap().map(|found| found.end() <= 4), Some(true));
    let evil = Needle::new(r"^c(?:(a+)\1?)+(?=c)", Syntax::Backtracking, Sensitive).unwrap();
    assert!(evil.matcher.is_match(format!("c{}b", "a".repeat(60)).as_bytes()).is_err());
    assert!(evil.gave_up() && evil.clone().matcher.is_match(b"aa").is_err(), "everywhere at once");
    for (pattern, reason) in [("(?=", "look-around"), ("a(b", "unclosed group")] {
        match Needle::new(pattern, Syntax::Backtracking, Sensitive).unwrap_err() {
            NeedleError::Invalid { reason: said } => assert!(said.contains(reason), "{said}"),
            other => panic!("{other:?}"),
        }
    }
}
