#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;

#[test]
fn a_matcher_is_a_whole_regular_expression_or_a_glob() {
    for (pattern, yes, no) in [
        ("*", &["read_file", "run_command"][..], &[][..]),
        (".*", &["read_file"], &[]),
        ("write_file", &["write_file"], &["write_file_extra", "my_write_file"]),
        ("write_file|edit_file", &["write_file", "edit_file"], &["write_file_extra", "xedit_file"]),
        ("*_file", &["read_file", "_file"], &["read_files"]),
        ("write_*", &["write_file", "write_"], &["write", "rewrite_file"]),
        ("read_file?", &["read_files"], &["read_file"]),
        ("(read|write)_file", &["read_file"], &["read_file2"]),
        ("read_[ft]ile", &["read_file"], &["read_pile"]),
        ("mcp__.+", &["mcp__git__log"], &["mcp__"]),
        ("^edit_file$", &["edit_file"], &["edit_files"]),
        ("(?i)READ_FILE", &["read_file"], &[]),
        ("a|ab", &["a", "ab"], &["abc"]),
    ] {
        let matcher = Matcher::new(pattern).unwrap();
        for name in yes {
            assert!(matcher.matches(name), "{pattern} {name}");
        }
        for name in no {
            assert!(!matcher.matches(name), "{pattern} {name}");
        }
    }
}

#[test]
fn an_invalid_matcher_is_found_at_load() {
    for pattern in ["write_file(", "(a", "a)(b", "[a", "x{2", "a\\", "*(", "a|*"] {
        let reason = Matcher::new(pattern).err();
        assert!(reason.is_some(), "{pattern}");
    }
}

#[test]
fn a_pattern_of_files_sees_name_and_path() {
    let whole = |relative: &str| Path::new("/ws").join(relative);
    for (pattern, path, expected) in [
        ("*.py", "a.py", true),
        ("*.py", "src/deep/a.py", true),
        ("*.py", "a.pyc", false),
        ("src/*.py", "src/a.py", true),
        ("src/*.py", "src/deep/a.py", true),
        ("src/*.py", "lib/a.py", false),
        ("./src/**", "src/a.py", true),
        ("/ws/src/*", "src/a.py", true),
        ("**/tests/*", "a/tests/b.rs", true),
        ("*.{ts,tsx}", "x.tsx", true),
        ("Makefile", "sub/Makefile", true),
    ] {
        let patterns = FilePatterns::new(&[pattern.to_owned()]).unwrap();
        assert_eq!(patterns.matches(Path::new(path), &whole(path)), expected, "{pattern} {path}");
    }
    assert_eq!(FilePatterns::new(&["*.py".into(), "[".into()]).unwrap_err().0, "[");
}
