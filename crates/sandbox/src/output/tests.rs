#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{Capture, Unfinished, unfinished};
use crate::settings::Spill;
use palanca_core::ports::{AsItIs, Keep, RedactStream, Redactor};
use std::borrow::Cow;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

/// Pushes the text in chunks of every size; what is kept must not depend on it.
fn check(text: &[u8], keep: Keep, expected: (&[u8], &[u8], u64, u64)) {
    for chunk in 1..=text.len().max(1) {
        let place = tempfile::tempdir().unwrap();
        let spill = Spill::new(place.path().join("out"), Arc::new(AsItIs));
        let mut capture = Capture::new(keep, Some(&spill));
        text.chunks(chunk).for_each(|part| capture.push(part));
        let got = capture.finish();
        let kept = (got.head.as_slice(), got.tail.as_slice(), got.omitted_bytes, got.omitted_lines);
        assert_eq!(kept, expected, "in chunks of {chunk}");
        assert_eq!(got.total_bytes(), u64::try_from(text.len()).unwrap());
        // The file is there exactly when something is missing, and then it has everything.
        assert_eq!(got.whole.map(|path| std::fs::read(path).unwrap()), (expected.2 > 0).then(|| text.to_vec()));
    }
}

#[test]
fn beginning_and_end_are_kept() {
    let keep = |head, tail| Keep { head, tail };
    check(b"", keep(4, 4), (b"", b"", 0, 0));
    check(b"abcd", keep(4, 4), (b"abcd", b"", 0, 0));
    check(b"abcdefgh", keep(4, 4), (b"abcdefgh", b"", 0, 0));
    check(b"abcd\nfghi", keep(4, 4), (b"abcd", b"fghi", 1, 1));
    check(b"a\nb\nc\nd\ne\nf\ng\nh\n", keep(3, 3), (b"a\nb", b"\nh\n", 10, 5));
    check(b"abcdef", keep(0, 2), (b"", b"ef", 4, 0));
    check(b"ab\ndef", keep(2, 0), (b"ab", b"", 4, 1));
    check(b"ab\n", keep(0, 0), (b"", b"", 3, 1));
}

#[test]
fn a_file_has_a_limit_and_belongs_to_us_alone() {
    let place = tempfile::tempdir().unwrap();
    let spill = Spill { limit: 10, ..Spill::new(place.path().join("a/out"), Arc::new(AsItIs)) };
    let mut capture = Capture::new(Keep { head: 2, tail: 2 }, Some(&spill));
    (0..10).for_each(|_| capture.push(b"12345"));
    let whole = capture.finish().whole.unwrap();
    assert_eq!(std::fs::read_to_string(&whole).unwrap(), "1234512345\n[... 40 more bytes were not kept ...]\n");
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode(whole.as_ref()), mode(&spill.directory)), (0o600, 0o700));
}

/// Holds every piece back until the end, as a redactor does with what may be the beginning of a secret.
#[derive(Default)]
struct Holding(String);

impl Redactor for Holding {
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Cow::Owned(text.replace("s3cret", "[REDACTED:x]"))
    }

    fn stream(&self) -> Box<dyn RedactStream> {
        Box::new(Self::default())
    }
}

impl RedactStream for Holding {
    fn push(&mut self, piece: &str) -> String {
        self.0.push_str(piece);
        String::new()
    }

    fn finish(&mut self) -> String {
        let held = std::mem::take(&mut self.0);
        self.redact(&held).into_owned()
    }
}

#[test]
fn a_file_holds_no_secret_and_every_other_byte() {
    let text = b"one s3cret \xff\xfe \xe2\x82\xac s3cret\n\xe2\x82";
    let expected = b"one [REDACTED:x] \xff\xfe \xe2\x82\xac [REDACTED:x]\n\xe2\x82";
    for chunk in 1..=text.len() {
        let place = tempfile::tempdir().unwrap();
        let spill = Spill::new(place.path(), Arc::new(Holding::default()));
        let mut capture = Capture::new(Keep { head: 3, tail: 3 }, Some(&spill));
        text.chunks(chunk).for_each(|part| capture.push(part));
        assert_eq!(std::fs::read(capture.finish().whole.unwrap()).unwrap(), expected, "in chunks of {chunk}");
    }
}

#[test]
fn without_a_place_the_counts_still_hold() {
    for spill in [None, Some(Spill::new("/proc/no/such/place", Arc::new(AsItIs)))] {
        let mut capture = Capture::new(Keep { head: 1, tail: 1 }, spill.as_ref());
        capture.push(b"a\n\nb");
        let got = capture.finish();
        assert_eq!((got.omitted_bytes, got.omitted_lines, got.whole), (2, 2, None));
    }
}

#[test]
fn unfinished_characters_wait() {
    let check = |bytes: &[u8], waiting: usize| assert_eq!(unfinished(bytes), waiting, "{bytes:?}");
    check(b"", 0);
    check(b"abc", 0);
    check("ñ".as_bytes(), 0);
    check(&"ñ".as_bytes()[..1], 1);
    check(&"a€".as_bytes()[..3], 2);
    check(&"😀".as_bytes()[..3], 3);
    check("😀".as_bytes(), 0);
    check(b"\x80\x80\x80\x80", 0);
    check(b"\xff", 0);
    let mut capture = Capture::new(Keep { head: 10, tail: 10 }, None);
    capture.push(&"a€".as_bytes()[..3]);
    assert_eq!(capture.drain(Unfinished::Kept).head, b"a");
    capture.push(&"€".as_bytes()[2..]);
    assert_eq!(capture.drain(Unfinished::Kept).head, "€".as_bytes());
    capture.push(b"\xe2\x82");
    assert_eq!(capture.drain(Unfinished::Given).head, b"\xe2\x82");
}
