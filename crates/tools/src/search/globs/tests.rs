#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use proptest::prelude::*;

#[test]
fn names_and_paths() {
    for (pattern, path, expected) in [
        ("*.py", "a.py", true),
        ("*.py", "src/a.py", true),
        ("*.py", "a.pyc", false),
        ("*.py", "A.PY", false),
        ("*", ".hidden", true),
        ("Makefile", "x/Makefile", true),
        ("?.c", "a.c", true),
        ("?.c", "aa.c", false),
        ("[!a].c", "b.c", true),
        ("[!a].c", "a.c", false),
        ("*.{ts,tsx}", "d/x.tsx", true),
        ("*{,.bak}", "x.bak", true),
        ("src/*.rs", "src/a.rs", true),
        ("src/*.rs", "src/d/a.rs", false),
        ("src/*.rs", "x/src/a.rs", false),
        ("./src/*.rs", "src/a.rs", true),
        (".//src/*.rs", "src/a.rs", true),
        ("src/**/*.rs", "src/a.rs", true),
        ("src/**/*.rs", "src/d/e/a.rs", true),
        ("**/test_*", "test_a", true),
        ("**/test_*", "d/test_a", true),
        ("**", "d/e", true),
        ("target/", "d/target", true),
        ("a\\*b", "a*b", true),
        ("a\\*b", "axb", false),
        ("[id].tsx", "[id].tsx", true),
        ("[id].tsx", "i.tsx", true),
        ("[z-a]", "[z-a]", true),
        ("app/[id]/page.tsx", "app/[id]/page.tsx", true),
        ("app/[id]/*.tsx", "app/[id]/page.tsx", true),
        ("app/[id]/*.tsx", "app/i/page.tsx", true),
        ("app/[id]/*.tsx", "app/x/page.tsx", false),
        ("app/[user-id]/*.tsx", "app/[user-id]/page.tsx", true),
        ("app/[user-id]/*.tsx", "app/u/page.tsx", false),
        ("app/[[...slug]]/**", "app/[[...slug]]/d/page.tsx", true),
        ("**/[...all]/*", "app/[...all]/page.tsx", true),
        ("[ab]\\[c]*", "[ab][c]d", true),
        ("{[id],x}/*", "[id]/page.tsx", true),
        ("..name", "..name", true),
        ("a..b", "a..b", true),
        ("...", "...", true),
        ("*ü*", "grün", true),
    ] {
        let glob = Glob::new(pattern, Case::Sensitive).unwrap();
        assert_eq!(glob.matches(Path::new(path)), expected, "{pattern} on {path}");
    }
}

#[test]
fn case() {
    for (pattern, case, path, expected) in [
        ("readme*", Case::Insensitive, "README.md", true),
        ("README*", Case::Insensitive, "readme.md", true),
        ("readme*", Case::Smart, "README.md", true),
        ("Readme*", Case::Smart, "README.md", false),
        ("readme*", Case::Sensitive, "README.md", false),
    ] {
        assert_eq!(Glob::new(pattern, case).unwrap().matches(Path::new(path)), expected, "{pattern} {case:?}");
    }
}

#[test]
fn what_leads_out_is_refused() {
    for pattern in [
        "..",
        "../x",
        "../**/*.txt",
        "src/../../outside/*",
        "{src,../outside}/*",
        "{a,b,{c,..}}/x",
        "a/{b,..}",
        "/etc/*",
        "{a,/etc}/*",
        "{/,a}b",
        "{,a}/b",
        "\\../x",
        "\\.\\./x",
        ".\\./x",
        "[.][.]/x",
        "[.]./x",
        "{.,a}{.,b}/x",
        "~/x",
        "~",
        "{~,a}/x",
        "./../x",
        "**/../x",
        "a/..",
        "{..",
        "{a,../x",
        "\\/etc",
        "[/]etc/x",
    ] {
        let error = Glob::new(pattern, Case::Sensitive).unwrap_err();
        assert_eq!(error, GlobError::Outside { pattern: pattern.to_owned() });
    }
}

#[test]
fn what_does_not_parse_is_refused() {
    for (pattern, reason) in [
        ("[", "character class"),
        ("a{b", "alternate group"),
        ("a\0b", "NUL"),
        (&"a".repeat(5_000), "4,096"),
        (&"{a,b}".repeat(11), "1,000"),
        (&format!("{{{}}}", "a,".repeat(1_500)), "1,000"),
    ] {
        match Glob::new(pattern, Case::Sensitive) {
            Err(GlobError::Invalid { reason: said, .. }) => assert!(said.contains(reason), "{pattern}: {said}"),
            other => panic!("{pattern}: {other:?}"),
        }
    }
    for pattern in ["", "./", "."] {
        let glob = Glob::new(pattern, Case::Sensitive).map(|glob| glob.text);
        let expected = if pattern == "." { Ok(".".to_owned()) } else { Err(GlobError::Empty) };
        assert_eq!(glob, expected);
    }
}

#[test]
fn the_literal_start_is_split_off() {
    for (pattern, directory, rest, below, not_below) in [
        ("*.rs", None, "*.rs", "d/a.rs", "a.c"),
        ("./*.rs", None, "*.rs", "d/a.rs", "a.c"),
        ("src/*.rs", Some("src"), "*.rs", "a.rs", "d/a.rs"),
        ("src/app/**/*.rs", Some("src/app"), "**/*.rs", "d/a.rs", "a.c"),
        ("src/a*/b/*.rs", Some("src"), "a*/b/*.rs", "ax/b/c.rs", "b/c.rs"),
        ("a/b", Some("a"), "b", "b", "d/b"),
        ("/ws/src/*.rs", Some("/ws/src"), "*.rs", "a.rs", "d/a.rs"),
        ("/*.rs", Some("/"), "*.rs", "a.rs", "d/a.rs"),
        ("../**/*.txt", Some(".."), "**/*.txt", "d/a.txt", "a.c"),
        ("src/../../x/*", Some("src/../../x"), "*", "a", "d/a"),
    ] {
        let (found, glob) = Glob::split(pattern, Case::Sensitive).unwrap();
        assert_eq!((found, glob.as_str()), (directory, rest), "{pattern}");
        assert!(glob.matches(Path::new(below)), "{pattern} on {below}");
        assert!(!glob.matches(Path::new(not_below)), "{pattern} on {not_below}");
    }
    for pattern in ["a/*/../b", "{src,../outside}/*", "src/{a,/etc}/*"] {
        let leads_out = matches!(Glob::split(pattern, Case::Sensitive), Err(GlobError::Outside { .. }));
        assert!(leads_out, "{pattern}");
    }
    assert_eq!(Glob::split("src/", Case::Sensitive).unwrap_err(), GlobError::Empty);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// No glob that is accepted matches a path that leads out, and none takes long or panics.
    #[test]
    fn nothing_outside_is_matched(pattern in "[a./{},*?\\\\\\[\\]!~]{0,14}") {
        if let Ok(glob) = Glob::new(&pattern, Case::Sensitive) {
            for outside in ["/a", "../a", "a/../a", "../../a", ".."] {
                let by_path = glob.set.is_match(outside) && glob.subject == Subject::Path;
                // Wildcards match any name, and `..` is a name that no walk shows.
                let spelled = !pattern.contains(['*', '?', '[']);
                prop_assert!(!(by_path && spelled), "{pattern} on {outside}");
            }
        }
    }
}
