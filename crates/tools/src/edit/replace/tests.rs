#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use proptest::prelude::*;

use super::super::Why;
use super::*;

#[test]
fn replaced() {
    use Occurrence::{All, Unique};
    for (name, text, old, new, occurrence, expected, count, line) in [
        ("plain", "a\nb\nc\n", "b", "x", Unique, "a\nx\nc\n", 1, 2),
        ("deletion", "a\nb\nc\n", "b\n", "", Unique, "a\nc\n", 1, 2),
        ("all", "x a x\nx\n", "x", "y", All, "y a y\ny\n", 3, 1),
        ("all, overlapping", "aaa", "aa", "b", All, "ba", 1, 1),
        ("all, contained in new", "aa", "a", "aa", All, "aaaa", 2, 1),
        ("lf given, crlf file", "a\r\nb\r\nc\r\n", "a\nb", "a\nx\ny", Unique, "a\r\nx\r\ny\r\nc\r\n", 1, 1),
        ("crlf given, lf file", "a\nb\nc\n", "a\r\nb\r\n", "a\r\nx\r\n", Unique, "a\nx\nc\n", 1, 1),
        ("new lines in a crlf line", "a\r\nb\r\n", "b", "b\nc", Unique, "a\r\nb\r\nc\r\n", 1, 2),
        ("new lines in the last line", "a\r\nb", "b", "b\nc", Unique, "a\r\nb\r\nc", 1, 2),
        ("new lines in a single line", "b", "b", "b\nc", Unique, "b\nc", 1, 1),
        (
            "mixed: untouched ends stay",
            "a\r\nb\nc\r\nd\n",
            "a\nb\nc\nd",
            "a\nb\nX\nd",
            Unique,
            "a\r\nb\nX\r\nd\n",
            1,
            1,
        ),
        ("mixed: the changed end decides", "a\nb\r\nc\n", "b\nc", "x\ny\nc", Unique, "a\nx\r\ny\r\nc\n", 1, 2),
        ("starts at a break", "a\r\nb\r\n", "\nb", "\nc", Unique, "a\r\nc\r\n", 1, 1),
        ("ends before a break", "a\r\nb\r\n", "a", "x", Unique, "x\r\nb\r\n", 1, 1),
        ("line ends are the change", "a\r\nb\r\n", "a\r\nb\r\n", "a\nb\n", Unique, "a\nb\n", 1, 1),
        ("lone cr is a character", "a\rb\n", "a\rb", "c", Unique, "c\n", 1, 1),
        ("form feed, line separator", "a\x0c\nb\u{2028}c\n", "b\u{2028}c", "d", Unique, "a\x0c\nd\n", 1, 2),
        ("unicode", "ß→é\n", "→", "é", Unique, "ßéé\n", 1, 1),
        ("byte order mark", "\u{feff}a\n", "a", "b", Unique, "\u{feff}b\n", 1, 1),
    ] {
        let got = replace(text, old, new, occurrence);
        assert_eq!(got, Ok(Replaced { text: expected.to_owned(), count, first_line: line }), "{name}");
    }
}

#[test]
fn refused() {
    let not_unique = |count, lines: &[usize]| ReplaceError::NotUnique { count, lines: lines.to_vec() };
    for (name, text, old, new, occurrence, expected) in [
        ("empty", "a", "", "x", Occurrence::Unique, ReplaceError::EmptyOld),
        ("same", "a", "a", "a", Occurrence::All, ReplaceError::NoChange),
        ("same but for line ends the file has", "a\r\n", "a\n", "a\r\n", Occurrence::Unique, ReplaceError::NoChange),
        ("twice", "a\nb\na\n", "a", "x", Occurrence::Unique, not_unique(2, &[1, 3])),
        ("overlapping itself", "b\naaa\n", "aa", "x", Occurrence::Unique, not_unique(2, &[2, 2])),
        ("twice across line ends", "a\r\nb\na\nb\n", "a\nb\n", "x", Occurrence::Unique, not_unique(2, &[1, 3])),
        ("missing", "a\n", "zzz", "x", Occurrence::All, ReplaceError::NotFound { nearest: None }),
    ] {
        assert_eq!(replace(text, old, new, occurrence), Err(expected), "{name}");
    }
}

#[test]
fn counts_are_exact_and_lists_short() {
    let text = "a".repeat(100_000);
    let Err(ReplaceError::NotUnique { count, lines }) = replace(&text, &"a".repeat(50_000), "b", Occurrence::Unique)
    else {
        panic!("unique")
    };
    assert_eq!((count, lines.len()), (50_001, LISTED));
}

#[test]
fn near_misses() {
    let text = "use std::io;\n\nfn main() {\n\tlet total = compute(items, 10);\n    println!(\"don't \\n stop\");\n\n    return;\n}\n\nfn compute(items: &[u32], factor: u32) -> u32 {\n    items.iter().sum::<u32>() * factor\n}\n";
    for (old, line, why) in [
        ("    let total = compute(items, 10);", 4, Why::Indentation),
        ("let total = compute( items, 10 );", 4, Why::Whitespace),
        ("let Total = Compute(items, 10);", 4, Why::Case),
        ("println!(\"don’t \\n stop\");", 5, Why::Lookalikes),
        ("     4\t\tlet total = compute(items, 10);", 4, Why::LineNumbers),
        ("7:     return;\n8: }", 7, Why::LineNumbers),
        ("return;\\n}", 7, Why::Escapes),
        ("println!(\"don't \n stop\");", 5, Why::Escapes),
        ("fn main() {\n  let total = compute(items, 10);", 3, Why::Indentation),
        ("LET total = compute( items,10);", 4, Why::Several),
        ("fn compute(items: &[u64], factor: u64) -> u64 {", 10, Why::Wording),
        ("fn compute(items: &[u32], factor: u32) -> u32 {\n    items.iter().product::<u32>()\n}", 10, Why::Wording),
        ("fn main() {\n\n\tlet total = compute(items, 10);", 3, Why::Whitespace),
    ] {
        let Err(ReplaceError::NotFound { nearest: Some(miss) }) = replace(text, old, "x", Occurrence::Unique) else {
            panic!("nothing near {old:?}")
        };
        assert_eq!((miss.line, miss.why), (line, why), "{old:?}: {miss:?}");
        assert!(miss.similarity >= 0.5 && miss.similarity <= 1.0, "{miss:?}");
    }
}

#[test]
fn errors_say_what_to_do() {
    let error = replace("fn  a() {}\n", "fn a() {}", "x", Occurrence::Unique).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the text to replace is not in the file; nearest is line 1, where white space differs:\nfn  a() {}"
    );
    let error = replace("a\na\n", "a", "x", Occurrence::Unique).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the text to replace is not unique: it occurs 2 times (lines 1, 2); add lines around it, or replace all"
    );
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof!["[ab]{0,3}", Just("\n".to_owned()), Just("\r\n".to_owned()), "[\\r\u{2028}é\\x0c]"];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn untouched_bytes_stay(text in text(), old in text(), new in text()) {
        if let Ok(done) = replace(&text, &old, &new, Occurrence::Unique) {
            prop_assert_eq!(done.count, 1);
            let flat = |text: &str| text.replace("\r\n", "\n");
            // Modulo line ends it is plain replacement.
            if flat(&old) != flat(&new) && [&text, &old, &new].iter().all(|text| !flat(text).contains('\r')) {
                prop_assert_eq!(flat(&done.text), flat(&flat(&text).replacen(&flat(&old), &flat(&new), 1)));
            }
            // What stands before and after the piece is there byte for byte.
            let (at, end) = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).find_map(|at| {
                let end = (at..=text.len()).filter(|end| text.is_char_boundary(*end))
                    .find(|end| flat(&text[at..*end]) == flat(&old))?;
                Some((at, end))
            }).unwrap();
            prop_assert!(done.text.starts_with(&text[..at]), "{:?}", done.text);
            prop_assert!(done.text.ends_with(&text[end..]) || text[end..].starts_with('\n'), "{:?}", done.text);
        }
    }

    #[test]
    fn all_is_plain_replacement_in_lf_files(text in "[ab\n]{0,30}", old in "[ab\n]{1,3}", new in "[ab\n]{0,3}") {
        match replace(&text, &old, &new, Occurrence::All) {
            Ok(done) => {
                prop_assert_eq!(&done.text, &text.replace(&old, &new));
                prop_assert_eq!(done.count, text.matches(&old).count());
            }
            Err(ReplaceError::NotFound { .. }) => prop_assert!(!text.contains(&old)),
            Err(error) => prop_assert_eq!(error, ReplaceError::NoChange),
        }
    }
}
