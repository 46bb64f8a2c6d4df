#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::tests::{ALL, ask, ask_within};
use super::super::{Case, Cut, Role, Syntax};
use super::*;
use palanca_core::ports::{ClosedBy, Visit};
use palanca_testkit::TempWorkspace;
use proptest::prelude::*;
use std::sync::atomic::AtomicUsize;

/// What is asked, in values that a test can move to another thread.
#[derive(Clone)]
struct Question {
    path: &'static str,
    pattern: &'static str,
    files: Option<&'static str>,
    context: usize,
    most_hits: usize,
    longest_line: usize,
    scope: Scope<'static>,
    halt_after: usize,
}

const QUESTION: Question = Question {
    path: ".",
    pattern: "hit",
    files: None,
    context: 0,
    most_hits: 1_000,
    longest_line: 500,
    scope: ALL,
    halt_after: usize::MAX,
};

impl Question {
    fn ask(&self, files: &FilesHandle) -> Result<Found, FileError> {
        let needle = Needle::new(self.pattern, Syntax::Regex, Case::Sensitive).unwrap();
        let glob = self.files.map(|glob| Glob::new(glob, Case::Sensitive).unwrap());
        let asked = AtomicUsize::new(0);
        let query = ContentQuery {
            needle: &needle,
            files: glob.as_ref(),
            scope: self.scope,
            context: self.context,
            most_hits: self.most_hits,
            longest_line: self.longest_line,
            halt: &|| asked.fetch_add(1, Ordering::Relaxed) >= self.halt_after,
        };
        search(files, &files.locate(self.path)?, &query)
    }

    fn found(self, workspace: &TempWorkspace) -> Result<Found, FileError> {
        ask(workspace.door(), move |files| self.ask(files))
    }

    /// Each line as `path:number:text`, context with `-`.
    fn lines(self, workspace: &TempWorkspace) -> Vec<String> {
        lines(&self.found(workspace).unwrap())
    }
}

fn lines(found: &Found) -> Vec<String> {
    let mut shown = Vec::new();
    for file in &found.files {
        for line in &file.lines {
            let mark = if line.role == Role::Hit { ':' } else { '-' };
            shown.push(format!("{}{mark}{}{mark}{}", file.path, line.number, line.text));
        }
        assert_eq!(file.hits, file.lines.iter().filter(|line| line.role == Role::Hit).count());
    }
    assert_eq!(found.hits, found.files.iter().map(|file| file.hits).sum::<usize>());
    shown
}

#[test]
fn hits_come_by_path_and_line_from_the_root() {
    let workspace = TempWorkspace::with(&[
        ("b/x", "no\nhit 1\n\nhit 2"),
        ("b.txt", "hit 3\n"),
        ("a/deep/er/x", "hit 4"),
        ("c", "nothing"),
    ]);
    let all = ["a/deep/er/x:1:hit 4", "b.txt:1:hit 3", "b/x:2:hit 1", "b/x:4:hit 2"];
    assert_eq!(QUESTION.lines(&workspace), all);
    assert_eq!(Question { path: "b", ..QUESTION }.lines(&workspace), ["b/x:2:hit 1", "b/x:4:hit 2"]);
    assert_eq!(Question { path: "b/x", ..QUESTION }.lines(&workspace), ["b/x:2:hit 1", "b/x:4:hit 2"]);
    assert_eq!(Question { pattern: "zzz", ..QUESTION }.lines(&workspace), Vec::<String>::new());
}

#[test]
fn line_ends_and_encodings() {
    let workspace = TempWorkspace::new();
    // Also one that is read in pieces.
    let long: Vec<u8> =
        format!("\u{feff}{}a hit\n", "line\n".repeat(100_000)).encode_utf16().flat_map(u16::to_be_bytes).collect();
    workspace.write("utf16-long", long);
    let utf16: Vec<u8> = "\u{feff}one\r\na hit ü\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    workspace.write("crlf", "a\r\nhit\r\nb\r\n");
    workspace.write("latin", b"hit \xFC\n");
    workspace.write("mark", "\u{feff}hit\n");
    workspace.write("other-breaks", "a\x0Cb\u{2028}c\x0Bhit\n");
    workspace.write("utf16", &utf16);
    assert_eq!(
        Question { pattern: "hit( .)?$", ..QUESTION }.lines(&workspace),
        [
            "crlf:2:hit",
            "latin:1:hit ü",
            "mark:1:hit",
            "other-breaks:1:a\x0Cb\u{2028}c\x0Bhit",
            "utf16:2:a hit ü",
            "utf16-long:100001:a hit"
        ]
    );
}

/// What is found is what `read_file` shows, in every encoding: small files and those that are read in pieces.
#[test]
fn lines_are_decoded_as_they_are_read() {
    let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(bytes).collect() };
    let forms: &[(&str, Vec<u8>)] = &[
        ("ascii", b"one plain line\n".to_vec()),
        ("utf8", "una línea 🦀\r\n".into()),
        ("utf8-mark", "\u{feff}una línea\n".into()),
        ("latin1", b"una l\xEDnea\n".to_vec()),
        ("latin1-no-end", b"caf\xE9".to_vec()),
        ("windows-1252", b"\x93una l\xEDnea\x94 \x80 5\n".to_vec()),
        ("mark-that-marks-nothing", b"\xEF\xBB\xBFuna l\xEDnea\n".to_vec()),
        ("utf16le", utf16("\u{feff}una línea\n", u16::to_le_bytes)),
        ("utf16be", utf16("\u{feff}una línea 🦀\n", u16::to_be_bytes)),
        ("utf16-half-a-unit", b"\xFF\xFEa\0b".to_vec()),
        ("utf16-half-a-pair", b"\xFF\xFE\x3D\xD8a\0".to_vec()),
        ("utf32", b"\xFF\xFE\0\0a\0\0\0".to_vec()),
        ("binary", b"\x7FELF\0\0una".to_vec()),
    ];
    let workspace = TempWorkspace::new();
    for (name, bytes) in forms {
        workspace.write(name, bytes);
        let text = palanca_files::text::decode(bytes).map(|decoded| decoded.text).unwrap_or_default();
        let read: Vec<String> =
            text.lines().enumerate().map(|(at, line)| format!("{name}:{}:{line}", at + 1)).collect();
        assert_eq!(Question { path: name, pattern: ".", ..QUESTION }.lines(&workspace), read, "{name}");
        // Behind half a mebibyte of other lines, a file is read in pieces. UTF-16 has its mark once.
        if read.is_empty() || name.starts_with("utf16") {
            continue;
        }
        let long = [&b"line\n".repeat(120_000), bytes.as_slice()].concat();
        workspace.write(name, &long);
        let text = palanca_files::text::decode(&long).unwrap().text;
        let last = format!("{name}:120001:{}", text.lines().last().unwrap());
        assert_eq!(Question { path: name, pattern: "una|plain|caf", ..QUESTION }.lines(&workspace), [last], "{name}");
    }
}

#[test]
fn one_stray_byte_hides_nothing() {
    let workspace = TempWorkspace::new();
    let bytes = ["una línea\n".as_bytes(), b"caf\xE9\n"].concat();
    workspace.write("mixed", &bytes);
    workspace.write("mixed-long", [&b"line\n".repeat(120_000), bytes.as_slice()].concat());
    let found = |pattern| Question { pattern, ..QUESTION }.lines(&workspace);
    assert_eq!(found("línea"), ["mixed:1:una línea", "mixed-long:120001:una línea"]);
    assert_eq!(found("café"), ["mixed:2:café", "mixed-long:120002:café"]);
}

#[test]
fn context_is_shown_once_a_line() {
    let text: String =
        (1..=12).map(|n| if n % 4 == 1 { format!("hit {n}\n") } else { format!("line {n}\n") }).collect();
    let workspace = TempWorkspace::with(&[("f", &text)]);
    let numbers = |context, most_hits| -> Vec<String> {
        let shown = Question { context, most_hits, ..QUESTION }.lines(&workspace);
        shown.into_iter().map(|line| line[1..line.len()].replace("hit ", "").replace("line ", "")).collect()
    };
    assert_eq!(numbers(0, 9), [":1:1", ":5:5", ":9:9"]);
    assert_eq!(numbers(1, 9), [":1:1", "-2-2", "-4-4", ":5:5", "-6-6", "-8-8", ":9:9", "-10-10"]);
    assert_eq!(numbers(20, 9).len(), 12, "more context than allowed is cut, not refused");
    // The next hit stands in the context of the last one shown.
    assert_eq!(numbers(4, 1), [":1:1", "-2-2", "-3-3", "-4-4", "-5-5"]);
    assert_eq!(numbers(1, 2), [":1:1", "-2-2", "-4-4", ":5:5", "-6-6"]);
}

#[test]
fn files_that_are_not_searched_are_counted() {
    let workspace = TempWorkspace::with(&[
        ("a.rs", "hit"),
        ("b.txt", "hit"),
        ("bin", "hit\0"),
        ("late", &format!("hit{}\n\0", "x".repeat(10_000))),
        ("long", &format!("{}\nhit\n\0", "line\n".repeat(300_000))),
        (".env", "KEY=hit"),
        ("sub/.env", "hit"),
        ("empty", ""),
        (".gitignore", "ignored"),
        ("ignored", "hit"),
    ]);
    workspace.link("a.rs", "link.rs");
    workspace.link("..", "up");
    let found = QUESTION.found(&workspace).unwrap();
    assert_eq!(lines(&found), ["a.rs:1:hit", "b.txt:1:hit"]);
    let counts = Counts { searched: 4, binary: 3, secret: 2, ..Counts::default() };
    assert_eq!((found.end, found.counts), (End::Complete, counts));
    let only = Question { files: Some("*.rs"), ..QUESTION }.found(&workspace).unwrap();
    assert_eq!(lines(&only), ["a.rs:1:hit"]);
    assert_eq!(only.counts, Counts { searched: 1, excluded: 8, ..Counts::default() });
    // Named outright, a file is searched whatever its name; a secret is still refused.
    assert_eq!(Question { files: Some("*.rs"), path: "b.txt", ..QUESTION }.lines(&workspace), ["b.txt:1:hit"]);
    assert_eq!(Question { path: "ignored", ..QUESTION }.lines(&workspace), ["ignored:1:hit"]);
    let refused = Question { path: ".env", ..QUESTION }.found(&workspace).unwrap_err();
    assert_eq!(refused.kind, FileErrorKind::Secret(ClosedBy::Rule));
    assert_eq!(Question { path: "none", ..QUESTION }.found(&workspace).unwrap_err().kind, FileErrorKind::NotFound);
}

#[test]
fn file_patterns_with_a_slash_count_from_the_start_or_the_root() {
    let workspace = TempWorkspace::with(&[("src/a/x.rs", "hit"), ("src/b/x.rs", "hit"), ("x.rs", "hit")]);
    for (path, files, expected) in [
        (".", "src/a/*.rs", &["src/a/x.rs:1:hit"][..]),
        ("src", "src/a/*.rs", &["src/a/x.rs:1:hit"]),
        ("src", "a/*.rs", &["src/a/x.rs:1:hit"]),
        (".", "{src/b,lib}/**", &["src/b/x.rs:1:hit"]),
        ("src", "x.rs", &["src/a/x.rs:1:hit", "src/b/x.rs:1:hit"]),
    ] {
        assert_eq!(Question { path, files: Some(files), ..QUESTION }.lines(&workspace), expected, "{path} {files}");
    }
}

#[test]
fn directories_set_aside_are_not_entered() {
    let workspace = TempWorkspace::with(&[
        ("node_modules/x", "hit"),
        ("a/node_modules/x", "hit"),
        (".venv/x", "hit"),
        (".hidden", "hit"),
        ("a/x", "hit"),
    ]);
    let skip: &'static [String] = Box::leak(Box::new(["node_modules".to_owned()]));
    let scope = Scope { skip, dotted: Visit::Hide, ..ALL };
    assert_eq!(Question { scope, ..QUESTION }.lines(&workspace), [".hidden:1:hit", "a/x:1:hit"]);
    let scope = Scope { skip, ..ALL };
    assert_eq!(Question { scope, ..QUESTION }.lines(&workspace), [".hidden:1:hit", ".venv/x:1:hit", "a/x:1:hit"]);
    let within = Question { scope, path: "node_modules", ..QUESTION };
    assert_eq!(within.lines(&workspace), ["node_modules/x:1:hit"]);
}

#[test]
fn the_first_hits_are_kept_whatever_the_threads_do() {
    let workspace = TempWorkspace::new();
    for number in 0..400 {
        workspace.write(&format!("d{:02}/f{number:03}", number % 20), "hit\nno\nhit\nhit\n");
    }
    let all = QUESTION.clone();
    let all = Question { most_hits: 10_000, ..all }.lines(&workspace);
    assert_eq!(all.len(), 1_200);
    for most_hits in [0, 1, 2, 3, 4, 100, 101, 1_199, 1_200, 1_201] {
        for _ in 0..5 {
            let found = Question { most_hits, ..QUESTION }.found(&workspace).unwrap();
            assert_eq!(lines(&found), all[..most_hits.min(1_200)], "{most_hits}");
            assert_eq!(found.end, if most_hits < 1_200 { End::Limit } else { End::Complete }, "{most_hits}");
        }
    }
}

#[test]
fn a_halted_search_says_so_and_keeps_what_it_has() {
    let workspace = TempWorkspace::new();
    for number in 0..100 {
        workspace.write(&format!("f{number:03}"), "hit\n");
    }
    let found = Question { halt_after: 30, ..QUESTION }.found(&workspace).unwrap();
    assert_eq!(found.end, End::Halted);
    assert!((20..50).contains(&found.hits), "{}", found.hits);
    // Also in the middle of one long file.
    workspace.write("long", "line\n".repeat(2_000_000) + "hit\n");
    let question = Question { path: "long", halt_after: 3, ..QUESTION };
    let found = question.found(&workspace).unwrap();
    assert_eq!((found.end, found.hits), (End::Halted, 0));
}

#[test]
fn long_files_and_long_lines() {
    let workspace = TempWorkspace::new();
    let long = format!("{}hit{}", "a".repeat(1_000_000), "b".repeat(1_000_000));
    workspace.write("long", format!("{long}\n{}hit\n", "line\n".repeat(300_000)));
    workspace.write("short", &long);
    let found = Question { longest_line: 20, ..QUESTION }.found(&workspace).unwrap();
    assert_eq!(lines(&found), ["long:1:aaaaahitbbbbbbbbbbbb", "long:300002:hit", "short:1:aaaaahitbbbbbbbbbbbb"]);
    assert_eq!(found.files[1].lines[0].cut, Cut::Both);
}

#[test]
fn a_search_stays_within_its_permit() {
    let workspace = TempWorkspace::with(&[("src/x", "hit"), ("x", "hit")]);
    let asked = |path| {
        let question = Question { path, ..QUESTION };
        ask_within(workspace.door(), "src", move |files| question.ask(files)).map(|found| lines(&found))
    };
    assert_eq!(asked("src").unwrap(), ["src/x:1:hit"]);
    assert_eq!(asked("src/x").unwrap(), ["src/x:1:hit"]);
    for path in [".", "x"] {
        assert_eq!(asked(path).unwrap_err().kind, FileErrorKind::NotGranted, "{path}");
    }
    assert_eq!(asked("..").unwrap_err().kind, FileErrorKind::Outside);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// The same lines as a simple loop over the file finds, in one piece and in pieces.
    #[test]
    fn as_a_simple_loop_would(
        text in "(hit|h|it|x|\u{fc}|\n|\r\n| ){0,60}",
        padding in proptest::sample::select(vec![0_usize, 600_000]),
        context in 0_usize..4,
    ) {
        let workspace = TempWorkspace::new();
        let text = format!("{}{text}", "padding\n".repeat(padding / 8));
        workspace.write("f", &text);
        let all: Vec<&str> = text.lines().collect();
        let hits: Vec<usize> = (0..all.len()).filter(|at| all[*at].contains("hit")).collect();
        let expected: Vec<String> = all.iter().enumerate().filter_map(|(at, line)| {
            let near = hits.iter().any(|hit| hit.abs_diff(at) <= context);
            let mark = if hits.contains(&at) { ':' } else { '-' };
            near.then(|| format!("f{mark}{}{mark}{line}", at + 1))
        }).collect();
        prop_assert_eq!(Question { context, ..QUESTION }.lines(&workspace), expected);
    }
}
