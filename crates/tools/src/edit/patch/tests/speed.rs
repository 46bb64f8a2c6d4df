//! Bounds on the processor time of the worst cases, wide enough for debug builds; benchmarks measure the usual ones.

use std::fmt::Write as _;
use std::time::Duration;

use super::super::*;
use crate::edit::replace::{Occurrence, replace};

/// Release builds must keep to the bound itself.
fn within(bound: Duration, name: &str, work: impl FnOnce()) {
    let slack = if cfg!(debug_assertions) { 40 } else { 4 };
    let ((), took) = palanca_testkit::spent(work);
    assert!(took < bound * slack, "{name} took {took:?}");
}

#[test]
fn hostile_repetition_stays_linear() {
    let text = "a\n".repeat(50_000);
    let mut body = " a\n".repeat(2_000);
    body.push_str("-b\n+c\n");
    let patch = format!("--- a/f\n+++ b/f\n@@ -10 +10 @@\n{body}");
    within(Duration::from_millis(60), "one needle in a haystack of itself", || {
        let parsed = parse(&patch, None).unwrap();
        assert!(apply("f", &text, &parsed.files[0].hunks).is_err());
    });
    let alternating = "a\nb\n".repeat(25_000);
    let body = " a\n b\n".repeat(1_000) + "-c\n+d\n";
    let patch = format!("--- a/f\n+++ b/f\n@@\n{body}");
    within(Duration::from_millis(60), "period two", || {
        let parsed = parse(&patch, None).unwrap();
        assert!(apply("f", &alternating, &parsed.files[0].hunks).is_err());
    });
}

#[test]
fn a_patch_of_headers_is_parsed_in_linear_time() {
    let mut patch = String::new();
    for at in 0..20_000 {
        let _ = writeln!(patch, "@@ -{at} +{at} @@\n-a\n+b\n\n ");
    }
    within(Duration::from_millis(60), "20,000 hunks", || {
        let _ = parse(&patch, Some("f"));
    });
}

#[test]
fn near_misses_in_a_megabyte() {
    let mut text = String::new();
    for at in 0..20_000_u32 {
        let _ = writeln!(text, "    let value_{at} = compute({}, \"text {at}\");", at.wrapping_mul(2_654_435_761));
    }
    for old in
        ["let value_19999 = compute(no such thing at all, 1);", "nothing like it\nanywhere at all", &"q".repeat(9_000)]
    {
        within(Duration::from_millis(20), "near miss", || {
            assert!(replace(&text, old, "x", Occurrence::Unique).is_err());
        });
    }
}
