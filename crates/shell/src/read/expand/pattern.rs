//! Patterns of parameter operators: `*`, `?`, `[…]`, quoted characters.

use super::{Choice, Fragment};
use crate::blocklist::pattern::{Token, glob, stands_for};
use crate::command::Piece;

/// A pattern whose characters are all known; `None` when something in it is not.
pub(super) fn pattern(choice: &Choice) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    for fragment in choice {
        match fragment {
            Fragment::Literal(text) | Fragment::Piece(Piece::Text(text)) => {
                tokens.extend(text.chars().map(Token::Char));
            }
            Fragment::Raw(text) | Fragment::Value(text) => glob(text, &mut tokens),
            Fragment::Piece(_) | Fragment::Break => return None,
        }
    }
    Some(tokens)
}

/// The lengths of the prefixes of `text` that match, ascending. Follows every place of the pattern at once, so that stars
/// cost nothing extra.
pub(super) fn prefixes(pattern: &[Token], text: &[char]) -> Vec<usize> {
    let mut places = vec![false; pattern.len() + 1];
    let mut found = Vec::new();
    reach(pattern, &mut places, 0);
    for length in 0..=text.len() {
        if places.last() == Some(&true) {
            found.push(length);
        }
        let Some(character) = text.get(length).filter(|_| places.contains(&true)) else { break };
        let mut next = vec![false; pattern.len() + 1];
        for (place, token) in pattern.iter().enumerate().filter(|(place, _)| places.get(*place) == Some(&true)) {
            match token {
                Token::Many => reach(pattern, &mut next, place),
                one if stands_for(one, *character) => reach(pattern, &mut next, place + 1),
                _ => {}
            }
        }
        places = next;
    }
    found
}

/// Marks a place, and those that stars let through.
fn reach(pattern: &[Token], places: &mut [bool], from: usize) {
    let stars = pattern.iter().skip(from).take_while(|token| **token == Token::Many).count();
    places.iter_mut().skip(from).take(stars + 1).for_each(|mark| *mark = true);
}
