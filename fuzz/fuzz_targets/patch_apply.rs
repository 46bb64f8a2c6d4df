//! Any patch on any text: no panic, no lost line; and a diff of two texts turns the one into the other.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use palanca_tools::edit::LineEnd;
use palanca_tools::edit::diff::unified;
use palanca_tools::edit::patch::{FileOperation, apply, parse, paths, plan};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    patch: &'a str,
    base: &'a str,
    other: &'a str,
}

fn lines(text: &str) -> usize {
    text.split_inclusive('\n').count()
}

fuzz_target!(|input: Input<'_>| {
    let Input { patch, base, other } = input;
    if let Ok(parsed) = parse(patch, Some("f")) {
        for file in &parsed.files {
            // An added empty line without a line break is no line.
            let nothing = |end: LineEnd, text: &str| end == LineEnd::None && text.is_empty();
            let odd = file.hunks.iter().flat_map(|hunk| &hunk.lines).any(|line| nothing(line.end, line.text));
            match apply("f", base, &file.hunks) {
                Ok(applied) if !odd => {
                    assert_eq!(lines(&applied.text) + applied.removed, lines(base) + applied.added);
                }
                Ok(_) => {}
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        let listed = paths(patch, Some("f")).expect("what can be parsed can be listed");
        let planned = plan(&parsed, |path| {
            assert!(listed.iter().any(|one| one.path == path), "{path} is not listed");
            Ok::<_, String>((path.len() % 2 == 1).then(|| base.to_owned()))
        });
        let mut seen = std::collections::HashSet::new();
        for operation in planned.map(|plan| plan.operations).unwrap_or_default() {
            let touched = match operation {
                FileOperation::Create { path, .. } | FileOperation::Modify { path, .. } => vec![path],
                FileOperation::Delete { path, .. } => vec![path],
                FileOperation::Rename { from, to, .. } => vec![from, to],
            };
            for path in touched {
                assert!(listed.iter().any(|one| one.path == path), "{path} is not listed");
                assert!(seen.insert(path), "one path in two operations");
            }
        }
    }
    let diff = unified("f", Some(base), Some(other));
    if base == other {
        assert!(diff.text.is_empty());
        return;
    }
    let parsed = parse(&diff.text, None).expect("our diffs are patches");
    assert!(parsed.notes.is_empty(), "{:?}", parsed.notes);
    let hunks = parsed.files.first().map(|file| file.hunks.as_slice()).unwrap_or_default();
    let applied = apply("f", base, hunks).expect("our diffs apply");
    assert_eq!(applied.text, other);
    assert_eq!((applied.added, applied.removed), (diff.stat.added, diff.stat.removed));
});
