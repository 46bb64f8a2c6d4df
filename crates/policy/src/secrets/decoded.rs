//! A text as a screen or a parser would show it: without hidden characters and colour codes, escapes of JSON, HTML, shells
//! and addresses read. Secrets that are found there are led back to their place in the text as it was written.
//!
//! Most texts have nothing of the kind, which one look at their bytes tells; only then a second text is made.

use super::Found;
use crate::marking::{is_hidden, skip_sequence};
use memchr::memchr3_iter;

/// A text that is encoded more often is looked at this many times.
pub(super) const MOST: usize = 3;
/// Names of HTML that stand for what values are made of, each before its character.
const ENTITIES: &str = "amp& lt< gt> quot\" apos' excl! num# dollar$ percnt% lpar( rpar) ast* plus+ comma, period. \
    sol/ colon: semi; equals= quest? commat@ lsqb[ bsol\\ rsqb] Hat^ lowbar_ grave` lcub{ verbar| rcub} hyphen- dash-";

/// The second text.
pub(super) struct Decoded {
    pub(super) text: String,
    /// Where a stretch of it stood, in order.
    stretches: Vec<Stretch>,
}

/// From `seen` on, the text is that from `real` on; or one character that was an escape up to `end`.
struct Stretch {
    seen: usize,
    real: usize,
    end: Option<usize>,
}

impl Decoded {
    /// None when the text shows what is written in it.
    pub(super) fn of(text: &str) -> Option<Self> {
        if !has_hidden(text) && !has_escape(text) {
            return None;
        }
        let mut decoded = Self { text: String::with_capacity(text.len()), stretches: Vec::new() };
        let mut rest = text.chars();
        let mut plain = false;
        loop {
            let at = text.len() - rest.as_str().len();
            let Some(character) = rest.next() else { break };
            if is_hidden(character) {
                if matches!(character, '\u{1b}' | '\u{9b}' | '\u{9d}') {
                    skip_sequence(character, &mut rest);
                }
                plain = false;
                continue;
            }
            let escape = escape(text.get(at..).unwrap_or_default());
            match escape {
                Some((character, length)) => {
                    let end = at + length;
                    decoded.stretches.push(Stretch { seen: decoded.text.len(), real: at, end: Some(end) });
                    decoded.text.push(character);
                    rest = text.get(end..).unwrap_or_default().chars();
                    plain = false;
                }
                None => {
                    if !plain {
                        decoded.stretches.push(Stretch { seen: decoded.text.len(), real: at, end: None });
                        plain = true;
                    }
                    decoded.text.push(character);
                }
            }
        }
        Some(decoded)
    }

    /// The place in the text as it was written.
    pub(super) fn back(&self, secret: Found) -> Option<Found> {
        let first = self.stretch(secret.start)?;
        let last = self.stretch(secret.end.checked_sub(1)?)?;
        let start = if first.end.is_some() { first.real } else { first.real + (secret.start - first.seen) };
        let end = last.end.unwrap_or(last.real + (secret.end - last.seen));
        Some(Found { start, end, ..secret })
    }

    fn stretch(&self, seen: usize) -> Option<&Stretch> {
        let behind = self.stretches.partition_point(|stretch| stretch.seen <= seen);
        self.stretches.get(behind.checked_sub(1)?)
    }
}

fn has_hidden(text: &str) -> bool {
    // Without a branch for each byte, so that many are looked at at once.
    let plain = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(true, |plain, byte| plain & (matches!(byte, b' '..=b'~') | matches!(byte, b'\t' | b'\n' | b'\r')))
    };
    !text.as_bytes().chunks(256).all(plain) && text.chars().any(is_hidden)
}

/// Whether there is an escape that a known way of writing a whole value does not have: those are sought as they are.
fn has_escape(text: &str) -> bool {
    memchr3_iter(b'\\', b'&', b'%', text.as_bytes()).any(|at| {
        let rest = text.get(at..).unwrap_or_default();
        !matches!(rest.as_bytes().get(1), Some(b'n' | b't' | b'r' | b'"' | b'\'' | b'\\')) && escape(rest).is_some()
    })
}

/// The character that an escape at the beginning of a text stands for, and the bytes of the escape.
fn escape(text: &str) -> Option<(char, usize)> {
    match text.as_bytes() {
        [b'\\', rest @ ..] => backslash(text, rest),
        [b'%', digits @ ..] => Some((char::from_u32(number(digits.get(..2)?, 16)?).filter(char::is_ascii)?, 3)),
        [b'&', b'#', b'x' | b'X', ..] => reference(text, 3, 16),
        [b'&', b'#', ..] => reference(text, 2, 10),
        [b'&', ..] => {
            let name = until(text, 1, b';')?;
            let meant = ENTITIES.split(' ').find_map(|entity| one(entity.strip_prefix(name)?))?;
            Some((meant, name.len() + 2))
        }
        _ => None,
    }
}

fn backslash(text: &str, rest: &[u8]) -> Option<(char, usize)> {
    let simple = |character| Some((character, 2));
    match rest {
        [b'u' | b'x', b'{', ..] => {
            let digits = until(text, 3, b'}')?;
            Some((char::from_u32(number(digits.as_bytes(), 16)?)?, digits.len() + 4))
        }
        [b'u', digits @ ..] => Some((char::from_u32(number(digits.get(..4)?, 16)?)?, 6)),
        [b'U', digits @ ..] => Some((char::from_u32(number(digits.get(..8)?, 16)?)?, 10)),
        [b'x', digits @ ..] => Some((char::from_u32(number(digits.get(..2)?, 16)?).filter(char::is_ascii)?, 4)),
        [b'0'..=b'1', ..] => Some((char::from_u32(number(rest.get(..3)?, 8)?)?, 4)),
        [b'n', ..] => simple('\n'),
        [b't', ..] => simple('\t'),
        [b'r', ..] => simple('\r'),
        [one @ (b'"' | b'\'' | b'\\' | b'/'), ..] => simple(char::from(*one)),
        _ => None,
    }
}

/// `&#90;`, `&#x5a;`, whose digits begin at `from`.
fn reference(text: &str, from: usize, base: u32) -> Option<(char, usize)> {
    let digits = text.as_bytes().get(from..)?.iter().take(8).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let value = number(text.as_bytes().get(from..from + digits)?, base)?;
    let closed = text.as_bytes().get(from + digits) == Some(&b';');
    Some((char::from_u32(value)?, from + digits + usize::from(closed)))
}

/// What stands from `from` up to a sign that is near.
fn until(text: &str, from: usize, sign: u8) -> Option<&str> {
    let length = text.as_bytes().get(from..)?.iter().take(9).position(|byte| *byte == sign)?;
    text.get(from..from + length)
}

/// The only character of a text.
fn one(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

fn number(digits: &[u8], base: u32) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u32, |value, byte| value.checked_mul(base)?.checked_add(char::from(*byte).to_digit(base)?))
}
