//! Places in a source, for people.

use crate::error::SyntaxError;

/// Characters of a line that are shown on each side of the place.
const AROUND: usize = 60;

/// What is wrong at this byte of the source.
pub(super) fn wrong_at(source: &str, at: usize, message: impl Into<String>) -> SyntaxError {
    let at = (0..=at.min(source.len())).rev().find(|at| source.is_char_boundary(*at)).unwrap_or_default();
    let (before, after) = source.split_at(at);
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    let before = before.get(begin..).unwrap_or_default();
    let column = before.chars().count();
    let rest = after.split(['\n', '\r']).next().unwrap_or_default();
    let shown: String =
        before.chars().skip(column.saturating_sub(AROUND)).chain(rest.chars().take(AROUND)).map(visible).collect();
    SyntaxError {
        line: source.get(..begin).unwrap_or_default().matches('\n').count() + 1,
        column: column + 1,
        message: message.into(),
        excerpt: shown,
        caret: column.min(AROUND),
    }
}

/// One character for each, so that the caret stands under its own.
fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        other if is_hidden(other) || other.is_control() => '\u{fffd}',
        other => other,
    }
}

/// Controls that make source look like other source.
pub(super) const fn is_hidden(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}

#[cfg(test)]
mod tests;
