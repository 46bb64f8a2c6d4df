//! How else a value may be written: base64 at each of its three alignments, hex, percent signs, escapes of JSON and HTML, and
//! from its end.

use data_encoding::{BASE64_NOPAD, Encoding};
use std::fmt::Write as _;
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
    let hex = |upper: bool, prefix: &str| {
        bytes.iter().fold(String::new(), |mut hex, byte| {
            // ignored: writing to a string cannot fail.
            let _ = if upper { write!(hex, "{prefix}{byte:02X}") } else { write!(hex, "{prefix}{byte:02x}") };
            hex
        })
    };
    ways.extend([hex(false, ""), hex(true, ""), hex(false, "\\x"), hex(true, "%"), hex(false, "%")]);
    ways.extend([percent(value, false), percent(value, true)]);
    ways.push(escaped(value, |character| match character {
        '"' => Some("\\\""),
        '\\' => Some("\\\\"),
        '\n' => Some("\\n"),
        '\t' => Some("\\t"),
        _ => None,
    }));
    ways.push(escaped(value, |character| (character == '/').then_some("\\/")));
    ways.push(escaped(value, |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#39;"),
        _ => None,
    }));
    ways.push(value.chars().rev().collect());
    let mut seen = std::collections::HashSet::new();
    ways.retain(|way| way.len() >= value.len().min(super::SHORTEST) && seen.insert(way.clone()));
    ways
}

/// How a value begins in hex whose bytes stand apart: `5a 71`, `5A:71`, `0x5a, 0x71`, `5a71 37`.
pub(super) fn hex_apart(value: &str) -> Vec<String> {
    let [one, two, ..] = value.as_bytes() else { return Vec::new() };
    let mut ways = Vec::new();
    for between in [" ", ":", "-", ",", ", ", "\n", " 0x", ", 0x", ",0x"] {
        ways.extend([format!("{one:02x}{between}{two:02x}"), format!("{one:02X}{between}{two:02X}")]);
    }
    for behind in [" ", "\n", ":", "-", ","] {
        ways.extend([format!("{one:02x}{two:02x}{behind}"), format!("{one:02X}{two:02X}{behind}")]);
    }
    ways
}

fn escaped(value: &str, escape: impl Fn(char) -> Option<&'static str>) -> String {
    let mut out = String::with_capacity(value.len());
    for character in value.chars() {
        match escape(character) {
            Some(escaped) => out.push_str(escaped),
            None => out.push(character),
        }
    }
    out
}

/// All but the unreserved characters, with digits in one letter case.
fn percent(value: &str, lower: bool) -> String {
    value.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // ignored: writing to a string cannot fail.
            let _ = if lower { write!(out, "%{byte:02x}") } else { write!(out, "%{byte:02X}") };
        }
        out
    })
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
    prefix.bytes().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn hex_decoded(text: &str) -> Vec<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    text.as_bytes()
        .chunks_exact(2)
        .map_while(|pair| pair.iter().map(digit).try_fold(0_u8, |value, digit| digit.map(|digit| value << 4 | digit)))
        .collect()
}
