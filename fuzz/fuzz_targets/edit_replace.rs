//! Any replacement in any text: no panic, untouched bytes stay, and without CRLF it is plain replacement.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use palanca_tools::edit::replace::{Occurrence, ReplaceError, replace};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    all: bool,
    old: &'a str,
    new: &'a str,
    text: &'a str,
}

fuzz_target!(|input: Input<'_>| {
    let Input { all, old, new, text } = input;
    let occurrence = if all { Occurrence::All } else { Occurrence::Unique };
    let plain = ![old, new, text].iter().any(|text| text.contains('\r'));
    match replace(text, old, new, occurrence) {
        Ok(done) => {
            assert_ne!(done.text, text);
            assert!(done.count >= 1 && (all || done.count == 1));
            assert!(done.first_line >= 1 && done.first_line <= text.split('\n').count());
            if plain && all {
                assert_eq!(done.text, text.replace(old, new));
            } else if plain {
                assert_eq!(done.text, text.replacen(old, new, 1));
            }
            let breaks = |text: &str| text.matches('\n').count();
            assert_eq!(breaks(&done.text) + done.count * breaks(old), breaks(text) + done.count * breaks(new));
        }
        Err(ReplaceError::NotFound { nearest }) => {
            // With line ends of both kinds, half of a CRLF is not a place.
            assert!(!plain || !text.contains(old));
            if let Some(miss) = nearest {
                assert!(miss.line >= 1 && miss.line <= text.split('\n').count());
                assert!((0.0..=1.0).contains(&miss.similarity));
            }
        }
        Err(ReplaceError::NotUnique { count, lines }) => {
            assert!(!all && count >= 2 && lines.len() >= 2);
            assert!(lines.is_sorted());
        }
        Err(ReplaceError::EmptyOld) => assert!(old.is_empty()),
        Err(error @ ReplaceError::NoChange) => assert!(!error.to_string().is_empty()),
    }
});
