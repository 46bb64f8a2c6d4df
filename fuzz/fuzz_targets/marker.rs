//! Any text between marks: no panic, no forged mark, bounded.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palanca_core::ports::Marker as _;
use palanca_policy::marking::{ExternalMarker, imitates_mark};

fuzz_target!(|text: &str| {
    let marked = ExternalMarker::new(|| 1).mark(text, "fuzz");
    let inside = marked.split_once('\n').and_then(|(_, rest)| rest.rsplit_once('\n')).map_or("", |(inside, _)| inside);
    assert!(!imitates_mark(inside), "{inside:?}");
    assert!(marked.len() <= text.len() + text.len() / 2 + 1200);
});
