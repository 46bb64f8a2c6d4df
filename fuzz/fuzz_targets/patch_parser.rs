//! Any text as a patch: parsing ends, never panics, and lists the same paths that it parsed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palanca_tools::edit::patch::{LineKind, parse, paths};

fuzz_target!(|input: (bool, &str)| {
    let (with_path, text) = input;
    let path = with_path.then_some("some/file.rs");
    let touched = paths(text, path);
    match parse(text, path) {
        Err(error) => {
            assert!(error.line >= 1);
            assert_eq!(touched.as_ref().err(), Some(&error));
            assert!(!error.to_string().is_empty());
        }
        Ok(patch) => {
            let touched = touched.expect("what can be parsed can be listed");
            for file in &patch.files {
                for path in [Some(file.change.path()), file.change.source()].into_iter().flatten() {
                    assert!(!path.is_empty() && !path.contains('\0'));
                    assert!(touched.iter().any(|one| one.path == path), "{path} is not listed");
                }
                for hunk in &file.hunks {
                    assert!(hunk.lines.iter().any(|line| line.kind != LineKind::Context));
                    assert!(hunk.lines.iter().all(|line| !line.text.contains('\n')));
                    assert!(hunk.soft_tail <= hunk.lines.len());
                }
            }
            for note in &patch.notes {
                assert!(!note.to_string().is_empty());
            }
        }
    }
});
