//! From fragments to fields: splitting, patterns, empty words.

use super::{Choice, Quotes};
use crate::command::{Piece, Unknown, Word};
use crate::unwrap::words::push;

/// A piece of an expanded word that still knows how it was quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::read) enum Fragment {
    /// Quoted: stays as it is; a word with one, even an empty one, exists.
    Literal(String),
    /// Written outside quotes: patterns, but no splitting.
    Raw(String),
    /// Expanded outside quotes: splitting and patterns.
    Value(String),
    Piece(Piece),
    /// One field ends, another begins.
    Break,
}

/// The fragment of a piece that stands inside or outside quotes.
pub(super) fn from_piece(piece: Piece, quotes: Quotes) -> Fragment {
    match piece {
        Piece::Text(text) if quotes == Quotes::Inside => Fragment::Literal(text),
        Piece::Text(text) => Fragment::Value(text),
        Piece::Unknown(unknown) => {
            let splits = quotes == Quotes::Outside;
            Fragment::Piece(Piece::Unknown(Unknown { splits, ..unknown }))
        }
        other => Fragment::Piece(other),
    }
}

/// The fragments of a value.
pub(super) fn from_word(word: &Word, quotes: Quotes) -> Choice {
    match (word.pieces.as_slice(), quotes) {
        ([], Quotes::Inside) => vec![Fragment::Literal(String::new())],
        (pieces, _) => pieces.iter().cloned().map(|piece| from_piece(piece, quotes)).collect(),
    }
}

/// Collects pieces, joining neighbouring texts.
#[derive(Default)]
struct Builder {
    fields: Vec<Word>,
    word: Word,
    exists: bool,
}

impl Builder {
    fn text(&mut self, text: &str) {
        push(&mut self.word, Piece::Text(text.to_owned()));
    }

    fn piece(&mut self, piece: Piece) {
        match (self.word.pieces.last_mut(), piece) {
            (Some(Piece::Glob(before)), Piece::Glob(more)) => before.push_str(&more),
            (_, piece) => push(&mut self.word, piece),
        }
    }

    /// Text in which `*`, `?` and `[…]` are patterns.
    fn pattern(&mut self, text: &str) {
        let mut rest = text;
        while let Some(place) = rest.find(['*', '?', '[']) {
            let (before, after) = rest.split_at(place);
            self.text(before);
            let length = if after.starts_with('[') { bracket(after) } else { 1 };
            let (glob, tail) = after.split_at(length.max(1));
            if length == 0 {
                self.text(glob);
            } else {
                self.piece(Piece::Glob(glob.to_owned()));
            }
            rest = tail;
        }
        self.text(rest);
    }

    fn end(&mut self) {
        let word = std::mem::take(&mut self.word);
        if std::mem::take(&mut self.exists) {
            self.fields.push(word);
        }
    }
}

/// The length of the bracket expression at the start, 0 when it has no end.
fn bracket(text: &str) -> usize {
    let inner = text.get(1..).unwrap_or_default();
    let skip = usize::from(inner.starts_with(['!', '^']));
    let from = skip + usize::from(inner.get(skip..).is_some_and(|rest| rest.starts_with(']')));
    // No shell of people needs a longer one, and every bracket without an end would be looked through to the end.
    let end = inner.bytes().skip(from).take(256).position(|byte| matches!(byte, b']' | b'/'));
    match end {
        Some(end) if inner.as_bytes().get(from + end) == Some(&b']') => 1 + from + end + 1,
        _ => 0,
    }
}

/// Splits a choice into fields.
pub(super) fn split(choice: Choice, separators: &str) -> Vec<Word> {
    let mut out = Builder::default();
    for fragment in choice {
        match fragment {
            Fragment::Literal(text) => {
                out.exists = true;
                out.text(&text);
            }
            Fragment::Raw(text) => {
                out.exists |= !text.is_empty();
                out.pattern(&text);
            }
            Fragment::Value(text) => {
                let mut rest = text.as_str();
                while let Some(place) = rest.find(|c| separators.contains(c)) {
                    let (before, after) = rest.split_at(place);
                    out.exists |= !before.is_empty();
                    out.pattern(before);
                    out.end();
                    rest = after.trim_start_matches(|c| separators.contains(c));
                }
                out.exists |= !rest.is_empty();
                out.pattern(rest);
            }
            Fragment::Piece(piece) => {
                out.exists = true;
                out.piece(piece);
            }
            Fragment::Break => out.end(),
        }
    }
    out.end();
    out.fields
}

/// One word, nothing split.
pub(super) fn join(choice: Choice) -> Word {
    let mut out = Builder::default();
    for fragment in choice {
        match fragment {
            Fragment::Literal(text) | Fragment::Raw(text) | Fragment::Value(text) => out.text(&text),
            Fragment::Piece(piece) => out.piece(piece),
            Fragment::Break => out.text(" "),
        }
    }
    out.word
}
