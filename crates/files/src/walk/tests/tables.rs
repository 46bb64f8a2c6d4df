//! What is shown of small trees.

use super::*;
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::ffi::OsStr;
use std::io::Read;
use std::sync::Arc;

#[test]
fn everything_is_shown_once_and_no_link_is_followed() {
    let root = tree(&[
        "a.txt",
        ".hidden",
        "sub/b.txt",
        "sub/.git/config",
        "empty/",
        "loop->.",
        "sub/up->..",
        "dangling->nowhere",
        "away->/etc",
        "file->a.txt",
    ]);
    mknodat(CWD, root.path().join("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    let expected = [
        ".hidden",
        "a.txt",
        "away@",
        "dangling@",
        "empty/",
        "file@",
        "loop@",
        "pipe!",
        "sub/",
        "sub/.git/",
        "sub/.git/config",
        "sub/b.txt",
        "sub/up@",
    ];
    assert_eq!(shown(root.path(), EVERYTHING), expected);
}

#[test]
fn ignore_files() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("by name at any depth", &[".gitignore=*.log", "a.log", "d/b.log", "c"], &["c", "d/"]),
        (
            "a directory with all in it",
            &[".gitignore=target/", "target/a", "d/target/b", "e/target"],
            &["d/", "e/", "e/target"],
        ),
        ("anchored", &[".gitignore=/a\nd/b", "a", "d/a", "d/b", "e/d/b"], &["d/", "d/a", "e/", "e/d/", "e/d/b"]),
        ("negated", &[".gitignore=*.log\n!keep.log", "a.log", "keep.log"], &["keep.log"]),
        ("nested takes back", &[".gitignore=*.log", "d/.gitignore=!*.log", "a.log", "d/a.log"], &["d/", "d/a.log"]),
        ("nested adds", &["d/.gitignore=a", "a", "d/a", "d/e/a", "d/b"], &["a", "d/", "d/b", "d/e/"]),
        ("nested anchored", &["d/.gitignore=/a", "d/a", "d/e/a"], &["d/", "d/e/", "d/e/a"]),
        (
            ".ignore before .gitignore",
            &[".gitignore=a", "d/.gitignore=a", ".ignore=!a", "a", "d/a"],
            &["a", "d/", "d/a"],
        ),
        ("exclude last", &[".git/info/exclude=a\nb", ".gitignore=!a", "a", "b"], &["a"]),
        ("hidden, but taken back", &[".gitignore=!.shown", ".shown", ".other"], &[".shown"]),
        ("no repository needed", &[".gitignore=a", "a", "b"], &["b"]),
        ("mark and line ends", &[".gitignore=\u{feff}a\r\nb\r\n", "a", "b", "c"], &["c"]),
        ("a wrong line", &[".gitignore=a{\nb", "b", "c"], &["c"]),
        ("comments and blanks", &[".gitignore=# a\n\n\\#b\nc  ", "#b", "c", "a"], &["a"]),
        ("a link is no ignore file", &["rules=a", ".gitignore->rules", "a"], &["a", "rules"]),
        ("a directory is no ignore file", &[".gitignore/x", ".ignore/y", "a"], &["a"]),
    ];
    for (what, names, expected) in cases {
        assert_eq!(shown(tree(names).path(), USUAL), *expected, "{what}");
    }
}

#[test]
fn hidden_names_and_ignored_ones_are_told_apart() {
    let root = tree(&[".gitignore=no", "no", ".dot/in", "yes"]);
    let all = [".dot/", ".dot/in", ".gitignore", "no", "yes"];
    for (ignore_files, hidden, left_out) in [
        (Visit::Show, Visit::Show, &[][..]),
        (Visit::Show, Visit::Hide, &[".dot/", ".dot/in", ".gitignore"]),
        (Visit::Hide, Visit::Show, &["no"]),
    ] {
        let expected: Vec<&str> = all.into_iter().filter(|name| !left_out.contains(name)).collect();
        let options = WalkOptions { ignore_files, hidden, ..USUAL };
        assert_eq!(shown(root.path(), options), expected, "{options:?}");
    }
}

#[test]
fn what_is_ignored_can_be_told_of_and_is_not_entered() {
    let root = tree(&[".gitignore=no\nout/", "no", ".dot/in", "yes", "out/made", "sub/no"]);
    let told = Mutex::new(Vec::new());
    let options = WalkOptions { ignore_files: Visit::Mention, ..EVERYTHING };
    let end = walk_from(root.path(), "", options, &|entry: &WalkEntry<'_>| {
        if entry.inclusion == Inclusion::Ignored {
            told.lock().unwrap().push(entry.path.display().to_string());
        }
        Flow::Continue
    });
    let mut told = told.into_inner().unwrap();
    told.sort();
    assert_eq!(told, ["no", "out", "sub/no"]);
    assert_eq!(end.seen, 5, "what is told of is no part of the walk: .gitignore, .dot, .dot/in, yes, sub");
}

#[test]
fn starting_below_the_root_keeps_what_the_ignore_files_above_say() {
    let root = tree(&[
        ".gitignore=*.log\n/a/b/no\nbuild/",
        "a/.ignore=x",
        "a/b/x",
        "a/b/no",
        "a/b/yes",
        "a/b/z.log",
        "build/made",
    ]);
    assert_eq!(shown_from(root.path(), "a/b", USUAL), ["a/b/yes"]);
    // Named outright, an ignored directory is looked into.
    assert_eq!(shown_from(root.path(), "build", USUAL), ["build/made"]);
    let without_root = |directory: &str| {
        let seen = Mutex::new(Vec::new());
        let handle = fs::File::open(root.path().join(directory)).unwrap().into();
        let start = Start {
            directory: handle,
            prefix: Path::new(directory),
            root: None,
            rules: &Secrets,
            judge: &|_, _, _| Ok(()),
        };
        walk(&start, USUAL, &|entry| {
            seen.lock().unwrap().push(entry.path.display().to_string());
            Flow::Continue
        })
        .unwrap();
        let mut seen = seen.into_inner().unwrap();
        seen.sort();
        seen
    };
    assert_eq!(without_root("a/b"), ["a/b/no", "a/b/x", "a/b/yes", "a/b/z.log"]);
}

#[test]
fn depth_is_counted_from_the_start() {
    let root = tree(&["a", "d/b", "d/e/c"]);
    for (prefix, max_depth, expected) in [
        ("", 0, &[][..]),
        ("", 1, &["a", "d/"]),
        ("", 2, &["a", "d/", "d/b", "d/e/"]),
        ("", 3, &["a", "d/", "d/b", "d/e/", "d/e/c"]),
        ("d", 1, &["d/b", "d/e/"]),
    ] {
        assert_eq!(shown_from(root.path(), prefix, WalkOptions { max_depth, ..EVERYTHING }), expected);
    }
    walk_from(root.path(), "d", EVERYTHING, &|entry| {
        assert_eq!(entry.depth, entry.path.components().count() - 1);
        Flow::Continue
    });
}

#[test]
fn skip_leaves_out_what_is_below() {
    let root = tree(&["a/in", "b/in", "c"]);
    let seen = Mutex::new(Vec::new());
    walk_from(root.path(), "", EVERYTHING, &|entry| {
        seen.lock().unwrap().push(entry.path.display().to_string());
        if entry.path == Path::new("a") { Flow::Skip } else { Flow::Continue }
    });
    let mut seen = seen.into_inner().unwrap();
    seen.sort();
    assert_eq!(seen, ["a", "b", "b/in", "c"]);
}

#[test]
fn names_are_kept_byte_by_byte() {
    let root = tree(&[]);
    fs::create_dir(root.path().join(OsStr::from_bytes(b"d\xFF"))).unwrap();
    fs::write(root.path().join(OsStr::from_bytes(b"d\xFF/f\xFE")), "x").unwrap();
    fs::write(root.path().join("new\nline"), "x").unwrap();
    assert_eq!(shown(root.path(), USUAL), ["d\\xff/", "d\\xff/f\\xfe", "new\\nline"]);
}

#[test]
fn only_unfinished_writes_of_this_process_are_not_shown() {
    let name = ".palanca-12-0123456789abcdef-0123456789abcdef.tmp";
    let root = tree(&["a", &format!("{name}/.env")]);
    let directory = Arc::new(OwnedFd::from(fs::File::open(root.path()).unwrap()));
    let unfinished = crate::atomic::Temporary::create(&directory, Mode::RUSR).unwrap();
    assert!(root.path().join(unfinished.name()).exists());
    assert_eq!(shown(root.path(), EVERYTHING), [format!("{name}/"), format!("{name}/.env"), "a".to_owned()]);
}

#[test]
fn entries_open_as_the_policy_allows() {
    let root = tree(&["d/a=text", "d/secret=key", "d/link->a", "d/sub/"]);
    mknodat(CWD, root.path().join("d/pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    let opened = Mutex::new(Vec::new());
    walk_from(root.path(), "d", EVERYTHING, &|entry| {
        let mut text = String::new();
        let result = entry.open().map(|mut file| {
            file.content.read_to_string(&mut text).unwrap();
            (text, file.info.size)
        });
        opened
            .lock()
            .unwrap()
            .push((entry.path.display().to_string(), result.map_err(|error| (error.kind, error.path))));
        Flow::Continue
    });
    let mut opened = opened.into_inner().unwrap();
    opened.sort_by(|left, right| left.0.cmp(&right.0));
    let failed = |path: &str, kind| (path.to_owned(), Err((kind, path.to_owned())));
    let expected = [
        ("d/a".to_owned(), Ok(("text".to_owned(), 4))),
        failed("d/link", FileErrorKind::Special),
        failed("d/pipe", FileErrorKind::Special),
        failed("d/secret", FileErrorKind::Secret(ClosedBy::Rule)),
        failed("d/sub", FileErrorKind::IsDirectory),
    ];
    assert_eq!(opened, expected);
}
