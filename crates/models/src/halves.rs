//! Halves of surrogate pairs, which servers that cut text by UTF-16 units send in two pieces.
//!
//! JSON cannot be read with a lone half in it, so each is carried to where pieces are joined as a character of the last
//! private plane. There two halves become their character, and one alone U+FFFD.

use std::borrow::Cow;

/// U+D800 is carried as U+10D800.
const CARRIED: u32 = 0x10_0000;
const HIGH: std::ops::RangeInclusive<u32> = 0xD800..=0xDBFF;
const LOW: std::ops::RangeInclusive<u32> = 0xDC00..=0xDFFF;

/// A JSON text with its lone halves as carriers.
pub(crate) fn carried(json: &str) -> Cow<'_, str> {
    replaced(json, |half| char::from_u32(CARRIED + half).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Arguments, whose own escapes may be halves, too: a lone one is no character.
pub(crate) fn readable(arguments: &str) -> Cow<'_, str> {
    replaced(arguments, |_| char::REPLACEMENT_CHARACTER)
}

fn replaced(json: &str, by: impl Fn(u32) -> char) -> Cow<'_, str> {
    let mut out: Option<String> = None;
    let (mut at, mut kept) = (0, 0);
    while let Some(offset) = json.get(at..).and_then(|rest| rest.find('\\')) {
        at += offset;
        let Some(unit) = escape(json, at) else {
            at += 2;
            // The escaped character may be longer than a byte.
            at += (at..json.len()).take_while(|at| !json.is_char_boundary(*at)).count();
            continue;
        };
        let pair = HIGH.contains(&unit) && escape(json, at + 6).is_some_and(|next| LOW.contains(&next));
        if pair {
            at += 12;
        } else if HIGH.contains(&unit) || LOW.contains(&unit) {
            let out = out.get_or_insert_default();
            out.push_str(json.get(kept..at).unwrap_or_default());
            out.push(by(unit));
            at += 6;
            kept = at;
        } else {
            at += 6;
        }
    }
    match out {
        None => Cow::Borrowed(json),
        Some(mut out) => {
            out.push_str(json.get(kept..).unwrap_or_default());
            Cow::Owned(out)
        }
    }
}

/// The UTF-16 unit of the escape `\uXXXX` at this place.
fn escape(json: &str, at: usize) -> Option<u32> {
    let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
    u32::from_str_radix(digits, 16).ok()
}

fn half(c: char) -> Option<u32> {
    u32::from(c).checked_sub(CARRIED).filter(|unit| HIGH.contains(unit) || LOW.contains(unit))
}

/// Joins the halves in pieces of one text.
#[derive(Debug, Default)]
pub(crate) struct Joiner {
    open: Option<u32>,
}

impl Joiner {
    /// The next piece; a first half at its end waits for the next one.
    pub(crate) fn push(&mut self, piece: String) -> String {
        if self.open.is_none() && !piece.contains(|c| half(c).is_some()) {
            return piece;
        }
        let mut out = String::with_capacity(piece.len());
        for c in piece.chars() {
            match (self.open.take(), half(c)) {
                (Some(high), Some(low)) if LOW.contains(&low) => {
                    out.extend(char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)));
                }
                (before, unit) => {
                    out.extend(before.map(|_| char::REPLACEMENT_CHARACTER));
                    match unit {
                        Some(high) if HIGH.contains(&high) => self.open = unit,
                        Some(_) => out.push(char::REPLACEMENT_CHARACTER),
                        None => out.push(c),
                    }
                }
            }
        }
        out
    }

    /// What a half that stayed alone becomes.
    pub(crate) fn finish(&mut self) -> Option<char> {
        self.open.take().map(|_| char::REPLACEMENT_CHARACTER)
    }
}

/// A whole text with its halves joined.
pub(crate) fn joined(text: String) -> String {
    let mut joiner = Joiner::default();
    let mut text = joiner.push(text);
    text.extend(joiner.finish());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_joined_and_lone_ones_replaced() {
        for (pieces, expected) in [
            (&[r"a\ud83d", r"\ude00b"][..], "a😀b"),
            (&[r"\uD83D", "", r"\uDE00"], "😀"),
            (&[r"\ud83d\ude00"], "😀"),
            (&[r"a\ud83d", "b"], "a\u{fffd}b"),
            (&[r"\ud83d\ud83d", r"\ude00"], "\u{fffd}😀"),
            (&[r"\ude00\ud83d"], "\u{fffd}\u{fffd}"),
            (&[r"\\ud83d", r"\u00e9é\né"], "\\ud83déé\né"),
        ] {
            let mut joiner = Joiner::default();
            let mut text = String::new();
            for piece in pieces {
                let json = format!("\"{piece}\"");
                text += &joiner.push(serde_json::from_str(&carried(&json)).unwrap_or_else(|e| panic!("{json}: {e}")));
            }
            text.extend(joiner.finish());
            assert_eq!(text, expected, "{pieces:?}");
        }
        assert_eq!(readable(r#"{"a":"\ud83d \ud83d\ude00 \\ud83d"}"#), "{\"a\":\"\u{fffd} \\ud83d\\ude00 \\\\ud83d\"}");
        assert_eq!(carried("a \\é \\"), "a \\é \\");
    }
}
