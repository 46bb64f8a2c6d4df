//! Cases that the validator's reader accepts although the YAML specification refuses them: lines of a quoted text that
//! are not indented, a comment directly after a closing quote, half of a surrogate pair. The text is repaired where the
//! parser stopped, without changing any value, and read again.

use granit_parser::{ErrorKind, ScanError};

/// Real skills have fewer of these places.
pub(super) const MOST_MENDS: usize = 64;

/// The text, repaired where the parser stopped; none if it is really invalid.
pub(super) fn mended(text: &str, error: &ScanError) -> Option<String> {
    let marker = error.marker();
    match error.kind() {
        // Blanks before a continued line are ignored.
        ErrorKind::InvalidQuotedScalarIndent | ErrorKind::TabInIndentation => {
            let before: usize = text.split_inclusive('\n').take(marker.line().checked_sub(1)?).map(str::len).sum();
            // The end of a document is not continued.
            let ends = text
                .get(before..)?
                .strip_prefix("...")
                .is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with('\n'));
            if ends { None } else { inserted(text, before, "  ") }
        }
        ErrorKind::CommentNotSeparated => {
            let at = text.char_indices().nth(marker.index())?.0;
            // The marker is at the comment, or directly after the preceding token.
            let hash = at + text.get(at..)?.find('#').filter(|distance| *distance <= 1)?;
            text.get(..hash)?.ends_with(['"', '\'']).then(|| inserted(text, hash, " "))?
        }
        ErrorKind::MissingLowSurrogate | ErrorKind::UnpairedLowSurrogate | ErrorKind::InvalidLowSurrogate => {
            without_surrogates(text)
        }
        _ => None,
    }
}

fn inserted(text: &str, at: usize, blanks: &str) -> Option<String> {
    Some(format!("{}{blanks}{}", text.get(..at)?, text.get(at..)?))
}

/// Every escaped surrogate becomes the replacement character: one character, like the original.
fn without_surrogates(text: &str) -> Option<String> {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u") {
        let digits = after.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let surrogate = digits.is_some_and(|code| (0xd800..0xe000).contains(&code));
        whole.push_str(before);
        match after.get(4..).filter(|_| surrogate) {
            Some(after) => {
                whole.push_str("\\ufffd");
                rest = after;
            }
            None => {
                whole.push_str("\\u");
                rest = after;
            }
        }
    }
    whole.push_str(rest);
    (whole != text).then_some(whole)
}
