//! Values that are known in full, found in every encoding, and broken by blanks, line ends or invisible characters.

use super::sieve::{Case, Sieve, Took};
use super::{Found, encodings, looks};
use crate::marking::is_hidden;
use palanca_core::ports::is_searchable;
use std::borrow::Cow;

/// A value is looked for in pieces when it has at least twice this many bytes.
const PIECE: usize = 8;
/// At most this many blanks are taken for a break within a value.
const BREAK: usize = 8;

/// The values to look for.
#[derive(Default)]
pub(super) struct Known {
    sieve: Option<Sieve>,
    /// What each of its words is.
    patterns: Vec<Pattern>,
    ways: Vec<String>,
    longest: usize,
    pub(super) values: Vec<(Cow<'static, str>, String)>,
}

/// A way of writing the value with this number, or one end of some value, to find those that are broken in one place.
#[derive(Clone, Copy)]
enum Pattern {
    Whole(usize),
    First,
    Last,
    /// First bytes in hex, apart.
    Hex,
}

impl Known {
    pub(super) fn new(values: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut values: Vec<(Cow<'static, str>, String)> = values
            .into_iter()
            .map(|(name, value)| (Cow::Owned(shown(&name)), value.trim().to_owned()))
            .filter(|(_, value)| is_searchable(value) && !looks::is_placeholder(value))
            .collect();
        values.sort_by(|one, other| one.1.cmp(&other.1).then_with(|| one.0.cmp(&other.0)));
        values.dedup_by(|one, other| one.1 == other.1);
        let (mut patterns, mut texts, mut ways) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (_, value)) in values.iter().enumerate() {
            ways.extend(encodings::all(value));
            patterns.resize(ways.len(), Pattern::Whole(index));
        }
        // Whole values first: of two equal texts the first counts.
        texts.extend(ways.iter().cloned().map(Cow::Owned));
        for (_, value) in values.iter().filter(|(_, value)| value.len() >= 2 * PIECE) {
            if let (Some(first), Some(last)) = (value.get(..PIECE), value.get(value.len() - PIECE..)) {
                patterns.extend([Pattern::First, Pattern::Last]);
                texts.extend([first, last].map(|piece| Cow::Owned(piece.to_owned())));
            }
        }
        for (_, value) in &values {
            let apart = encodings::hex_apart(value);
            patterns.extend(apart.iter().map(|_| Pattern::Hex));
            texts.extend(apart.into_iter().map(Cow::Owned));
        }
        let longest = ways.iter().map(String::len).max().unwrap_or_default();
        Self { sieve: Sieve::new(texts, Case::Exact), patterns, ways, longest, values }
    }

    pub(super) fn find(&self, text: &str, found: &mut Vec<Found>) {
        let Some(sieve) = &self.sieve else { return };
        sieve.each(text, |number, place| match self.at(text, number, place) {
            Some(secret) => {
                found.push(secret);
                Took::It
            }
            None => Took::Nothing,
        });
    }

    /// The value of which a word with this number stands there. Values may begin or end alike, as the keys of one provider
    /// do, so each one is tried behind a common beginning; the longest counts.
    fn at(&self, text: &str, number: usize, (start, end): (usize, usize)) -> Option<Found> {
        let pattern = *self.patterns.get(number)?;
        if let Pattern::Whole(value) = pattern {
            return Some(Found::new(start, end, self.name(value)?));
        }
        let piece = text.get(start..end)?;
        let stands = |secret: &str| match pattern {
            Pattern::First => Some((start, forward(text, end, secret.strip_prefix(piece)?)?)),
            Pattern::Last => Some((backward(text, start, secret.strip_suffix(piece)?)?, end)),
            Pattern::Hex | Pattern::Whole(_) => match hex(text.get(start..)?, secret) {
                (read, left) if read == secret.len() => Some((start, text.len() - left.len())),
                _ => None,
            },
        };
        let all = self.values.iter().filter_map(|(name, secret)| Some((stands(secret)?, name)));
        let ((start, end), name) = all.max_by_key(|((start, end), _)| end - start)?;
        Some(Found::new(start, end, name.clone()))
    }

    fn name(&self, value: usize) -> Option<Cow<'static, str>> {
        self.values.get(value).map(|(name, _)| name.clone())
    }

    /// Where a value may have begun that the end of the text cuts off; the end of the text when none has.
    pub(super) fn begun(&self, text: &str) -> usize {
        let near = text.len().saturating_sub(self.longest + BREAK);
        // A byte in hex, apart, takes no more than twice what it takes in the longest way.
        let from = text.len().saturating_sub(2 * self.longest + BREAK);
        (from..text.len())
            .filter(|at| text.is_char_boundary(*at))
            .find(|at| {
                let rest = text.get(*at..).unwrap_or_default();
                *at >= near && self.ways.iter().any(|way| way.starts_with(rest))
                    || self.values.iter().any(|(_, value)| begins(rest, value) || begins_hex(rest, value))
            })
            .unwrap_or(text.len())
    }
}

/// Whether `rest` is the beginning of `value`, with breaks in it.
fn begins(rest: &str, value: &str) -> bool {
    if value.len() < 2 * PIECE || rest.chars().next() != value.chars().next() {
        return false;
    }
    let mut value = value.chars();
    rest.chars().filter(|character| !is_break(*character)).all(|character| value.next() == Some(character))
}

/// Only what a mark is made of.
fn shown(name: &str) -> String {
    name.chars().filter(|character| character.is_ascii_alphanumeric() || "._-".contains(*character)).take(64).collect()
}

const fn is_break(character: char) -> bool {
    character.is_ascii_whitespace() || is_hidden(character)
}

/// Whether `rest` is the beginning of a value in hex, its bytes apart, and ends before the value does.
fn begins_hex(rest: &str, value: &str) -> bool {
    let (read, left) = hex(rest, value);
    let left = left.trim_start_matches(is_apart);
    let left = left.strip_prefix("0x").unwrap_or(left);
    read > 0 && read < value.len() && left.len() < 2
}

/// How many bytes of a value are read from the beginning of a text, and the text behind them.
fn hex<'t>(text: &'t str, value: &str) -> (usize, &'t str) {
    let mut left = text;
    for (read, byte) in value.bytes().enumerate() {
        let gap = left.bytes().take(BREAK).take_while(|one| is_apart(char::from(*one))).count();
        let from = left.get(gap..).filter(|_| read > 0).unwrap_or(left);
        let from = from.strip_prefix("0x").unwrap_or(from);
        match from.get(..2).map(|digits| u8::from_str_radix(digits, 16)) {
            Some(Ok(written)) if written == byte => left = from.get(2..).unwrap_or_default(),
            _ => return (read, left),
        }
    }
    (value.len(), left)
}

/// What stands between bytes in hex.
const fn is_apart(character: char) -> bool {
    character.is_ascii_whitespace() || matches!(character, ':' | '-' | ',' | ';' | '.' | '_')
}

/// The end of `tail`, when it goes on at `at` with breaks between its characters.
fn forward(text: &str, at: usize, tail: &str) -> Option<usize> {
    let (last, character) = through(text.get(at..)?.char_indices(), tail.chars())?;
    Some(at + last + character.len_utf8())
}

/// The start of `head`, when it ends at `at` with breaks between its characters.
fn backward(text: &str, at: usize, head: &str) -> Option<usize> {
    through(text.get(..at)?.char_indices().rev(), head.chars().rev()).map(|(start, _)| start)
}

/// The last of the wanted characters, where all of them come with at most breaks between them.
fn through(
    mut text: impl Iterator<Item = (usize, char)>,
    mut wanted: impl Iterator<Item = char>,
) -> Option<(usize, char)> {
    wanted.try_fold((0, '\0'), |_, wanted| {
        let mut near = text.by_ref().take(BREAK + 1);
        near.find(|(_, one)| *one == wanted || !is_break(*one)).filter(|(_, one)| *one == wanted)
    })
}
