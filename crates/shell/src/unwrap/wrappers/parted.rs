//! The value of `env -S`: split at blanks as env does it, which is nearly what a shell does.

use crate::command::{Piece, Word};
use crate::unwrap::words::push;

/// The words of the value. What is not known stays within one word.
pub(super) fn parted(value: &Word) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut quote: Option<char> = None;
    for piece in &value.pieces {
        let Piece::Text(text) = piece else {
            push(word.get_or_insert_default(), piece.clone());
            continue;
        };
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match (quote, c) {
                (Some(open), c) if c == open => quote = None,
                (None, '\'' | '"') => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                (None, '#') if word.is_none() => {
                    words.extend(word);
                    return words;
                }
                (Some('\''), '\\') => match chars.next() {
                    Some(c @ ('\'' | '\\')) => letter(&mut word, c),
                    Some(c) => ['\\', c].into_iter().for_each(|c| letter(&mut word, c)),
                    None => letter(&mut word, '\\'),
                },
                (_, '\\') => match chars.next() {
                    Some('_') if quote.is_none() => words.extend(word.take()),
                    // What follows is left out.
                    Some('c') | None => {
                        words.extend(word);
                        return words;
                    }
                    Some(c) => letter(&mut word, escaped(c)),
                },
                (None, c) if c.is_ascii_whitespace() => words.extend(word.take()),
                (_, c) => letter(&mut word, c),
            }
        }
    }
    words.extend(word);
    words
}

fn letter(word: &mut Option<Word>, c: char) {
    let word = word.get_or_insert_default();
    match word.pieces.last_mut() {
        Some(Piece::Text(text)) => text.push(c),
        _ => word.pieces.push(Piece::Text(c.to_string())),
    }
}

const fn escaped(c: char) -> char {
    match c {
        '_' => ' ',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0b',
        other => other,
    }
}

/// The word as a shell would read it back, with `${NAME}` still to be replaced.
pub(super) fn quoted(word: &Word) -> Word {
    let mut out = Word::default();
    for piece in &word.pieces {
        let Piece::Text(text) = piece else {
            push(&mut out, piece.clone());
            continue;
        };
        let mut rest = text.as_str();
        while let Some((before, tail)) = rest.split_once("${") {
            let Some((name, after)) = tail.split_once('}').filter(|(name, _)| is_name(name)) else { break };
            push(&mut out, Piece::Text(format!("{}\"${{{name}}}\"", single(before))));
            rest = after;
        }
        push(&mut out, Piece::Text(single(rest)));
    }
    out
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Between quotes, unless it needs none: a shell knows its own words only without them.
fn single(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '=' | ':' | ',' | '+' | '@');
    match text {
        "" => String::new(),
        text if text.chars().all(plain) => text.to_owned(),
        text => format!("'{}'", text.replace('\'', r"'\''")),
    }
}
