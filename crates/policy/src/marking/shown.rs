//! Foreign text as a terminal may have it: whatever steers a terminal, turns the writing direction or is drawn as nothing
//! becomes an escape such as `\u{1b}`. Nothing is taken out, so a reader sees that something was there.
//!
//! Two forms, because a line break is harmless in a text and a forgery in a value: a path that holds one must not add a line
//! to the question that names it.

use super::visible::{is_hidden, is_needed};
use std::borrow::Cow;

/// A text of several lines: line feeds and tabs stay, and so do the joiners that emoji and some scripts are written with.
#[must_use]
pub fn shown_lines(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut pieces = ShownPieces::default();
    let mut shown = pieces.push(text);
    shown.push_str(&pieces.finish());
    if shown == text { Cow::Borrowed(text) } else { Cow::Owned(shown) }
}

/// A value on one line: line breaks of every kind, tabs and joiners are escaped, too; the selector that makes an emoji stays.
#[must_use]
pub fn shown_line(text: &str) -> Cow<'_, str> {
    let plain = |character: char| !character.is_control() && !is_hidden(character);
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut before = None;
    for one in text.chars() {
        let styles_emoji = one == '\u{fe0f}' && is_needed(one, before, None);
        if plain(one) || styles_emoji {
            shown.push(one)
        } else {
            shown.extend(one.escape_default())
        }
        before = Some(one);
    }
    Cow::Owned(shown)
}

/// [`shown_lines`] for a text that comes in pieces, wherever they are cut.
#[derive(Debug, Default)]
pub struct ShownPieces {
    before: Option<char>,
    /// A joiner whose right neighbour has not come.
    held: Option<char>,
}

impl ShownPieces {
    /// As much as can be shown now.
    #[must_use]
    pub fn push(&mut self, piece: &str) -> String {
        let mut shown = String::with_capacity(piece.len() + 16);
        for character in piece.chars() {
            self.settle(Some(character), &mut shown);
            match character {
                '\u{200c}' | '\u{200d}' | '\u{fe0f}' => self.held = Some(character),
                _ => {
                    if is_hidden(character) || character == '\r' {
                        shown.extend(character.escape_default());
                    } else {
                        shown.push(character);
                    }
                    self.before = Some(character);
                }
            }
        }
        shown
    }

    /// What was held back, since the text is over. The next piece begins a new text.
    #[must_use]
    pub fn finish(&mut self) -> String {
        let mut shown = String::new();
        self.settle(None, &mut shown);
        self.before = None;
        shown
    }

    fn settle(&mut self, after: Option<char>, shown: &mut String) {
        let Some(joiner) = self.held.take() else { return };
        if is_needed(joiner, self.before, after) {
            shown.push(joiner);
        } else {
            shown.extend(joiner.escape_default());
        }
        self.before = Some(joiner);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;
    use proptest::prelude::*;

    /// A text, as several lines, and on one.
    const CASES: &[(&str, &str, &str)] = &[
        ("plain ñandú 中文", "plain ñandú 中文", "plain ñandú 中文"),
        ("a\n\tb", "a\n\tb", "a\\n\\tb"),
        ("a\r\nb\rc", "a\\r\nb\\rc", "a\\r\\nb\\rc"),
        ("\u{1b}[2J\u{7}\u{9b}31m", "\\u{1b}[2J\\u{7}\\u{9b}31m", "\\u{1b}[2J\\u{7}\\u{9b}31m"),
        ("a\u{85}b\u{2028}c\u{2029}", "a\\u{85}b\\u{2028}c\\u{2029}", "a\\u{85}b\\u{2028}c\\u{2029}"),
        ("gpj.\u{202e}exe\u{61c}", "gpj.\\u{202e}exe\\u{61c}", "gpj.\\u{202e}exe\\u{61c}"),
        ("\u{ad}\u{3164}\u{e0041}", "\\u{ad}\\u{3164}\\u{e0041}", "\\u{ad}\\u{3164}\\u{e0041}"),
        ("⚠\u{fe0f} 1\u{fe0f}\u{20e3}", "⚠\u{fe0f} 1\u{fe0f}\u{20e3}", "⚠\u{fe0f} 1\\u{fe0f}\u{20e3}"),
        ("👩\u{200d}🔬", "👩\u{200d}🔬", "👩\\u{200d}🔬"),
        ("می\u{200c}خواهم", "می\u{200c}خواهم", "می\\u{200c}خواهم"),
        ("a\u{200d}b\u{fe0f}", "a\\u{200d}b\\u{fe0f}", "a\\u{200d}b\\u{fe0f}"),
    ];

    #[test]
    fn nothing_steers_the_terminal() {
        for (text, lines, line) in CASES {
            assert_eq!((&*shown_lines(text), &*shown_line(text)), (*lines, *line), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn pieces_are_shown_as_the_whole(
            text in "([a-z\n\t\r\u{1b}\u{9b}\\[]|\u{202e}|\u{200d}|\u{200c}|\u{fe0f}|\u{20e3}|👩|⚠|ی|.){0,24}",
            cuts in proptest::collection::vec(0..80_usize, 0..4),
        ) {
            let mut cuts: Vec<usize> = cuts.iter().map(|at| text.floor_char_boundary(*at)).collect();
            cuts.sort_unstable();
            let mut pieces = ShownPieces::default();
            let mut shown = String::new();
            let mut from = 0;
            for at in cuts.into_iter().chain([text.len()]) {
                shown.push_str(&pieces.push(&text[from..at]));
                from = at;
            }
            shown.push_str(&pieces.finish());
            prop_assert_eq!(&shown, &shown_lines(&text));
            prop_assert!(!shown.contains(|one: char| one.is_control() && !matches!(one, '\n' | '\t')), "{:?}", shown);
            let escaped = |one: char| one == '\u{fe0f}' || !(one.is_control() || is_hidden(one));
            prop_assert!(shown_line(&text).chars().all(escaped));
        }
    }
}
