use proptest::prelude::*;

use super::super::*;
use crate::edit::diff::unified;

/// Texts whose lines collide, look like headers, and end in every way.
pub(super) fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => "[abc]{0,2}",
        1 => Just("--- a/f".to_owned()),
        1 => Just("+++ b/f".to_owned()),
        1 => Just("-- ".to_owned()),
        1 => Just("@@ -1 +1 @@".to_owned()),
        1 => Just("diff --git a/f b/f".to_owned()),
        1 => Just("\\ No newline at end of file".to_owned()),
        1 => "[ \\t\\x0c\u{2028}\u{85}é\\r]{1,3}",
    ];
    let end = prop_oneof![5 => Just("\n"), 2 => Just("\r\n")];
    (prop::collection::vec((line, end), 0..30), prop::option::of("[a-c\\r]{1,2}")).prop_map(|(lines, last)| {
        let mut text: String = lines.into_iter().map(|(line, end)| line + end).collect();
        text.push_str(last.as_deref().unwrap_or(""));
        text
    })
}

/// Pairs that share most lines.
pub(super) fn versions() -> impl Strategy<Value = (String, String)> {
    (text(), prop::collection::vec((any::<prop::sample::Index>(), "[abc]{0,2}", 0..3_u8), 0..5)).prop_map(
        |(before, edits)| {
            let mut lines: Vec<String> = before.split_inclusive('\n').map(str::to_owned).collect();
            for (at, line, kind) in edits {
                let at = at.index(lines.len() + 1);
                match kind {
                    0 => lines.insert(at, line + "\n"),
                    1 if at < lines.len() => drop(lines.remove(at)),
                    _ if at < lines.len() => lines[at] = line + "\r\n",
                    _ => {}
                }
            }
            (before, lines.concat())
        },
    )
}

fn round_trip(before: &str, after: &str) -> Result<(), TestCaseError> {
    let diff = unified("dir/a b.txt", Some(before), Some(after));
    if diff.text.is_empty() {
        prop_assert_eq!(before, after);
        return Ok(());
    }
    let patch = parse(&diff.text, None).map_err(|error| TestCaseError::fail(format!("{error}\n{}", diff.text)))?;
    prop_assert!(patch.notes.is_empty(), "{:?}\n{}", patch.notes, diff.text);
    let applied = apply("f", before, &patch.files[0].hunks)
        .map_err(|error| TestCaseError::fail(format!("{error}\n{}", diff.text)))?;
    prop_assert_eq!(&applied.text, after, "{}", diff.text);
    prop_assert_eq!((applied.added, applied.removed), (diff.stat.added, diff.stat.removed));
    prop_assert!(applied.hunks.iter().all(|hunk| hunk.offset == 0 && hunk.whitespace <= Whitespace::LineEnds));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_diff_applies_to_what_it_was_made_from((before, after) in versions()) {
        round_trip(&before, &after)?;
    }

    #[test]
    fn unrelated_texts_too(before in text(), after in text()) {
        round_trip(&before, &after)?;
    }

    #[test]
    fn creation_and_deletion(body in text()) {
        for (before, after) in [(None, Some(body.as_str())), (Some(body.as_str()), None)] {
            let diff = unified("f", before, after);
            let patch = parse(&diff.text, None).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let plan = plan(&patch, |_| Ok::<_, String>(before.map(str::to_owned))).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let expected = match before {
                None => FileOperation::Create { path: "f".into(), text: body.clone(), mode: patch.files[0].mode, like: None },
                Some(_) => FileOperation::Delete { path: "f".into(), before: body.clone() },
            };
            prop_assert_eq!(plan.operations, [expected]);
        }
    }

    /// Moved by unrelated lines, a hunk either finds its place or says that there are several.
    #[test]
    fn shifted((before, after) in versions(), above in 1..20_usize) {
        let diff = unified("f", Some(&before), Some(&after));
        if diff.text.is_empty() {
            return Ok(());
        }
        let patch = parse(&diff.text, None).unwrap();
        let head: String = (0..above).map(|n| format!("unrelated {n}\n")).collect();
        if let Ok(applied) = apply("f", &(head.clone() + &before), &patch.files[0].hunks) {
            prop_assert_eq!(applied.text.len(), head.len() + after.len());
            prop_assert!(applied.text.starts_with("unrelated 0\n") || before.len() < 8);
        }
    }

    /// Whatever is applied, only lines that the hunks touch change.
    #[test]
    fn no_line_is_lost(base in text(), body in "([ +-][abc]{0,2}\n){1,8}", start in 0..12_usize) {
        let patch = format!("--- a/f\n+++ b/f\n@@ -{start} +{start} @@\n{body}");
        let Ok(patch) = parse(&patch, None) else { return Ok(()) };
        let hunks = &patch.files[0].hunks;
        if let Ok(applied) = apply("f", &base, hunks) {
            let count = |text: &str| text.split_inclusive('\n').count();
            prop_assert_eq!(count(&applied.text) + applied.removed, count(&base) + applied.added);
        }
    }

    #[test]
    fn the_parser_never_panics(text in "\\PC{0,200}", path in prop::option::of("\\PC{0,10}")) {
        let _ = parse(&text, path.as_deref());
    }

    #[test]
    fn near_patches_never_panic(
        parts in prop::collection::vec(prop_oneof![
            "(---|\\+\\+\\+) (a/|b/|\"|)[xy/.]{0,4}\"?\n",
            "@@ -[0-9]{1,2}(,[0-9])? \\+[0-9](,[0-9])? @@\n",
            "[ +\\-\\\\]?[ab ]{0,3}\r?\n",
            "diff --git [ab]/[xy] [ab]/[xy]\n",
            "(rename|copy) (from|to) [xy]\n",
            "(new file|deleted file|old|new) mode 1[02460]0[67][45][45]\n",
            Just("```\n".to_owned()),
            Just("@@\n".to_owned()),
        ], 0..24),
        base in text(),
        path in prop::option::of("[xy]"),
    ) {
        let text = parts.concat();
        let parsed = parse(&text, path.as_deref());
        prop_assert_eq!(paths(&text, path.as_deref()).is_ok(), parsed.is_ok());
        if let Ok(patch) = parsed {
            let touched = paths(&text, path.as_deref()).unwrap();
            let planned = plan(&patch, |path| {
                assert!(touched.iter().any(|one| one.path == path), "{path} is not announced");
                Ok::<_, String>(path.len().is_multiple_of(2).then(|| base.clone()))
            });
            for operation in planned.map(|plan| plan.operations).unwrap_or_default() {
                let (FileOperation::Create { path, .. } | FileOperation::Modify { path, .. }
                    | FileOperation::Delete { path, .. } | FileOperation::Rename { to: path, .. }) = &operation;
                assert!(touched.iter().any(|one| one.path == *path), "{path} is not announced");
            }
        }
    }
}
