//! Holes: how a text that is only partly known is carried and read again.
//!
//! Every unknown piece is one character of a private plane while it is part of a text, so that it survives `echo`, a
//! pipe and a nested shell, and is the same unknown piece where it comes out.

use super::Walker;
use crate::command::{Piece, Unknown, UnknownKind, Word};
use crate::read::grammar::tree::Part;
use crate::read::grammar::{HOLE, HOLES, hole, with_holes};
use crate::read::limits::{Limit, Within};
use crate::unwrap::words::push;

impl Walker<'_> {
    /// A word as one text.
    pub(in crate::read) fn flattened(&mut self, word: &Word) -> Within<String> {
        if let Some(text) = word.literal() {
            return Ok(text.to_owned());
        }
        let mut text = String::new();
        for piece in &word.pieces {
            match piece {
                Piece::Text(known) => text.push_str(known),
                other => text.push(self.hole_for(other)?),
            }
        }
        Ok(text)
    }

    fn hole_for(&mut self, piece: &Piece) -> Within<char> {
        let known = self.holes.iter().rev().take(16).position(|hole| hole == piece);
        let number = match known {
            Some(back) => self.holes.len() - 1 - back,
            None => {
                self.holes.push(piece.clone());
                self.holes.len() - 1
            }
        };
        let number = u32::try_from(number).ok().filter(|number| *number < HOLES).ok_or(Limit::Expansion)?;
        char::from_u32(u32::from(HOLE) + number).ok_or(Limit::Expansion)
    }

    /// What a hole stands for.
    pub(in crate::read) fn hole(&self, number: usize) -> Piece {
        let unknown = Unknown { kind: UnknownKind::Other, splits: true, may_be_empty: true };
        self.holes.get(number).cloned().unwrap_or(Piece::Unknown(unknown))
    }

    /// A text as pieces.
    pub(in crate::read) fn restored(&self, text: &str) -> Vec<Piece> {
        if !holed(text) {
            return if text.is_empty() { Vec::new() } else { vec![Piece::Text(text.to_owned())] };
        }
        let mut word = Word::default();
        for part in with_holes(text) {
            match part {
                Part::Hole(number) => push(&mut word, self.hole(number)),
                Part::Quoted(text) => push(&mut word, Piece::Text(text)),
                _ => {}
            }
        }
        word.pieces
    }

    /// A word whose texts may hold holes.
    pub(super) fn restored_word(&self, word: Word) -> Word {
        let any = word.pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if holed(text)));
        if !any {
            return word;
        }
        let pieces = word.pieces.into_iter().flat_map(|piece| match piece {
            Piece::Text(text) => self.restored(&text),
            other => vec![other],
        });
        Word { pieces: pieces.collect() }
    }
}

/// Whether a text has a hole.
pub(in crate::read) fn holed(text: &str) -> bool {
    // The first byte of every character of that plane.
    text.as_bytes().contains(&0xF3) && text.chars().any(|character| hole(character).is_some())
}
