//! How else a value may be written: base64 at each of its three alignments, hex, percent signs, escapes of JSON and HTML, and
//! from its end.

use data_encoding::{BASE64_NOPAD, Encoding, HEXLOWER, HEXLOWER_PERMISSIVE, HEXUPPER};
use std::sync::LazyLock;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Base64 whose last bits may be anything: a text is cut anywhere.
static LENIENT: LazyLock<Encoding> = LazyLock::new(|| {
    let mut own = BASE64_NOPAD.specification();
    own.check_trailing_bits = false;
    own.encoding().unwrap_or(BASE64_NOPAD)
});

/// Every way of writing `value`, itself first, none twice.
pub(super) fn all(value: &str) -> Vec<String> {
    let bytes = value.as_bytes();
    let mut ways = vec![value.to_owned()];
    for alphabet in [STANDARD, URL] {
        ways.extend((0..3).map(|before| base64_within(bytes, before, alphabet)));
    }
    let apart = |hex: &Encoding, sign: &str| -> String {
        bytes.iter().map(|byte| format!("{sign}{}", hex.encode(&[*byte]))).collect()
    };
    ways.extend([HEXLOWER.encode(bytes), HEXUPPER.encode(bytes)]);
    ways.extend([apart(&HEXLOWER, "\\x"), apart(&HEXUPPER, "%"), apart(&HEXLOWER, "%")]);
    ways.extend([percent(value, &HEXUPPER), percent(value, &HEXLOWER)]);
    ways.push(replaced(value, &[("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n"), ("\t", "\\t")]));
    ways.push(replaced(value, &[("/", "\\/")]));
    ways.push(replaced(value, &[("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")]));
    ways.push(value.chars().rev().collect());
    let mut seen = std::collections::HashSet::new();
    ways.retain(|way| way.len() >= value.len().min(super::SHORTEST) && seen.insert(way.clone()));
    ways
}

/// How a value begins in hex whose bytes stand apart: `5a 71`, `5A:71`, `0x5a, 0x71`, `5a71 37`.
pub(super) fn hex_apart(value: &str) -> Vec<String> {
    let [one, two, ..] = value.as_bytes() else { return Vec::new() };
    let mut ways = Vec::new();
    for hex in [HEXLOWER, HEXUPPER] {
        let (one, two) = (hex.encode(&[*one]), hex.encode(&[*two]));
        let between = [" ", ":", "-", ",", ", ", "\n", " 0x", ", 0x", ",0x"];
        ways.extend(between.map(|between| format!("{one}{between}{two}")));
        ways.extend([" ", "\n", ":", "-", ","].map(|behind| format!("{one}{two}{behind}")));
    }
    ways
}

/// One replacement after another.
fn replaced(value: &str, each: &[(&str, &str)]) -> String {
    each.iter().fold(value.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// All but the unreserved characters, with digits in one letter case.
fn percent(value: &str, hex: &Encoding) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let one = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{}", hex.encode(&[byte])) };
    value.bytes().map(one).collect()
}

/// The characters that depend on `bytes` alone when they stand behind `before` other bytes (0 to 2) in something encoded.
pub(super) fn base64_within(bytes: &[u8], before: usize, alphabet: &[u8; 64]) -> String {
    within(bytes, before, (6, alphabet))
}

/// The same with characters of so many bits each.
fn within(bytes: &[u8], before: usize, (width, alphabet): (usize, &[u8])) -> String {
    let first = (before * 8).div_ceil(width) * width - before * 8;
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| usize::from(byte >> (7 - at % 8) & 1));
    let groups = (first..).step_by(width).take_while(|at| at + width <= bytes.len() * 8);
    let value = |at: usize| (at..at + width).fold(0, |value, at| value << 1 | bit(at));
    groups.map(|at| char::from(alphabet.get(value(at)).copied().unwrap_or_default())).collect()
}

/// The bytes that `text` stands for in either alphabet, up to the first character that is in none.
pub(super) fn base64_decoded(text: &str) -> Vec<u8> {
    let known = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'/' | b'_');
    let digits = text.bytes().take_while(known).map(|byte| match byte {
        b'-' => b'+',
        b'_' => b'/',
        other => other,
    });
    let mut digits: Vec<u8> = digits.collect();
    if digits.len() % 4 == 1 {
        // One character makes no byte.
        digits.pop();
    }
    LENIENT.decode(&digits).unwrap_or_default()
}

/// In base32, whose letters host names may have, at each of its five alignments: without what its neighbours change.
pub(super) fn base32(bytes: &[u8]) -> Vec<String> {
    (0..5).map(|before| within(bytes, before, (5, b"abcdefghijklmnopqrstuvwxyz234567"))).collect()
}

pub(super) fn base64_beginning(prefix: &str) -> String {
    base64_within(prefix.as_bytes(), 0, STANDARD)
}

pub(super) fn hex_beginning(prefix: &str) -> String {
    HEXLOWER.encode(prefix.as_bytes())
}

/// The bytes that `text` stands for, up to the first character that is no digit of hex.
pub(super) fn hex_decoded(text: &str) -> Vec<u8> {
    let digits = text.bytes().take_while(u8::is_ascii_hexdigit).count();
    let whole = text.as_bytes().get(..digits - digits % 2).unwrap_or_default();
    HEXLOWER_PERMISSIVE.decode(whole).unwrap_or_default()
}
