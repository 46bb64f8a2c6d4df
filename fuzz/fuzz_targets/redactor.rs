//! Any text, whole and in pieces: no panic, a planted value is never seen, both ways say the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palanca_core::ports::Redactor as _;
use palanca_policy::secrets::Secrets;

const VALUE: &str = "cAn4ry-7f3a/Zz+91k=Qq";

fuzz_target!(|input: (&str, &str, u8)| {
    let (before, after, size) = input;
    let secrets = Secrets::new([("CANARY".to_owned(), VALUE.to_owned())]);
    let text = format!("{before} {VALUE} {after}");
    let whole = secrets.redact(&text).into_owned();
    assert!(!whole.contains(VALUE));
    let mut stream = secrets.stream();
    let characters: Vec<char> = text.chars().collect();
    let pieces = characters.chunks(usize::from(size).max(1));
    let mut out: String = pieces.map(|piece| stream.push(&piece.iter().collect::<String>())).collect();
    out.push_str(&stream.finish());
    assert!(!out.contains(VALUE));
});
