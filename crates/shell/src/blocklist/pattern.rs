//! Names with unknown characters in them, and what they could be: file patterns, holes where a variable stands.
//!
//! This module answers "could it be"; whether that is bad is the rules' business.

use crate::command::{Piece, Surroundings, Word};
use crate::unwrap::words::home_path;

/// One character of a name that need not be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// This character.
    Char(char),
    /// `?`
    One,
    /// `*`, or an extended pattern, which is never read closer.
    Many,
    /// `[a-z]`, `[!a]`.
    Class(bool, Vec<(char, char)>),
    /// Characters that the text does not tell; whether there may be none.
    Hole(bool),
}

/// The characters of a word. A home directory whose name is not known stands as `/home/~`.
pub(super) fn tokens(word: &Word, surroundings: &Surroundings) -> Vec<Token> {
    let mut out = Vec::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text(text) => out.extend(text.chars().map(Token::Char)),
            Piece::Glob(pattern) => glob(pattern, &mut out),
            Piece::Home(user) => {
                let path = home_path(user.as_deref(), surroundings.home.as_deref());
                out.extend(path.chars().map(Token::Char));
            }
            Piece::Unknown(unknown) => out.push(Token::Hole(unknown.may_be_empty)),
        }
    }
    out
}

/// Reads pattern characters as bash does; what is not a finished class or group stands for itself.
pub(crate) fn glob(pattern: &str, out: &mut Vec<Token>) {
    let characters: Vec<char> = pattern.chars().collect();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        at += 1;
        match character {
            '?' | '*' | '+' | '@' | '!' if characters.get(at) == Some(&'(') => {
                at = group_end(&characters, at);
                out.push(Token::Many);
            }
            '*' => out.push(Token::Many),
            '?' => out.push(Token::One),
            '[' => match class(&characters, at) {
                Some((token, end)) => {
                    out.push(token);
                    at = end;
                }
                None => out.push(Token::Char('[')),
            },
            '\\' => {
                if let Some(&escaped) = characters.get(at) {
                    out.push(Token::Char(escaped));
                    at += 1;
                }
            }
            other => out.push(Token::Char(other)),
        }
    }
}

fn group_end(characters: &[char], open: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, character) in characters.iter().enumerate().skip(open) {
        match character {
            '(' => depth += 1,
            ')' if depth == 1 => return offset + 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    characters.len()
}

fn class(characters: &[char], start: usize) -> Option<(Token, usize)> {
    let mut at = start;
    let negated = matches!(characters.get(at), Some('!' | '^'));
    at += usize::from(negated);
    let first = at;
    let mut ranges = Vec::new();
    loop {
        // No text of people has a longer one, and every bracket without an end would be looked through to the end.
        let character = *characters.get(at).filter(|_| at < start + 256)?;
        if character == ']' && at > first {
            return Some((Token::Class(negated, ranges), at + 1));
        }
        if character == '[' && matches!(characters.get(at + 1), Some(':')) {
            let end = (at + 2..characters.len()).find(|&end| characters.get(end) == Some(&':'))?;
            let name: String = characters.get(at + 2..end)?.iter().collect();
            ranges.extend(named_class(&name));
            at = end + 2;
            continue;
        }
        let character = if character == '\\' {
            at += 1;
            *characters.get(at)?
        } else {
            character
        };
        match (characters.get(at + 1), characters.get(at + 2)) {
            (Some('-'), Some(&last)) if last != ']' => {
                ranges.push((character, last));
                at += 3;
            }
            _ => {
                ranges.push((character, character));
                at += 1;
            }
        }
    }
}

fn named_class(name: &str) -> Vec<(char, char)> {
    match name {
        "lower" => vec![('a', 'z')],
        "upper" => vec![('A', 'Z')],
        "digit" => vec![('0', '9')],
        "alpha" => vec![('a', 'z'), ('A', 'Z')],
        "alnum" | "xdigit" => vec![('a', 'z'), ('A', 'Z'), ('0', '9')],
        _ => vec![('\u{0}', char::MAX)],
    }
}

/// Whether the pattern can stand for `name`. A hole stands for nothing here but itself when it may be empty.
pub(super) fn could_be(pattern: &[Token], name: &str) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    // Names are asked for by the hundred: no copy of each.
    let character_at = |place: usize| name.get(place..).and_then(|rest| rest.chars().next());
    let after_character = |place: usize| place + character_at(place).map_or(1, char::len_utf8);
    loop {
        match pattern.get(at) {
            Some(Token::Many) => {
                retry = Some((at + 1, read));
                at += 1;
                continue;
            }
            Some(Token::Hole(true)) => {
                at += 1;
                continue;
            }
            Some(token) if character_at(read).is_some_and(|character| stands_for(token, character)) => {
                at += 1;
                read = after_character(read);
                continue;
            }
            None if read == name.len() => return true,
            _ => {}
        }
        match retry {
            Some((after, from)) if from < name.len() => {
                let next = after_character(from);
                retry = Some((after, next));
                at = after;
                read = next;
            }
            _ => return false,
        }
    }
}

pub(crate) fn stands_for(token: &Token, character: char) -> bool {
    match token {
        Token::Char(own) => *own == character,
        Token::One => true,
        Token::Class(negated, ranges) => {
            ranges.iter().any(|(low, high)| (*low..=*high).contains(&character)) != *negated
        }
        Token::Many | Token::Hole(_) => false,
    }
}

/// Whether the pattern stands for every name of a usual folder, or for every hidden one: `*`, `?*`, `[!.]*`, `.*`.
pub(super) fn is_all(pattern: &[Token]) -> bool {
    const USUAL: &str = "bin usr etc project notes www";
    const HIDDEN: &str = ".bashrc .ssh .config .local";
    let open = |token: &Token| matches!(token, Token::Many | Token::One | Token::Class(..));
    pattern.iter().any(open)
        && (USUAL.split(' ').all(|name| could_be(pattern, name))
            || HIDDEN.split(' ').all(|name| could_be(pattern, name)))
}

/// Whether every character is known, and which.
pub(super) fn literal(pattern: &[Token]) -> Option<String> {
    pattern
        .iter()
        .map(|token| match token {
            Token::Char(character) => Some(*character),
            _ => None,
        })
        .collect()
}
