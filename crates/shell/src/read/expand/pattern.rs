//! Patterns of parameter operators: `*`, `?`, `[…]`, quoted characters.

use super::{Choice, Fragment};
use crate::command::Piece;

/// One element of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Element {
    Exactly(char),
    Any,
    Many,
    Set { negated: bool, ranges: Vec<(char, char)> },
}

/// A pattern whose characters are all known.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Vec<Element>);

impl Pattern {
    /// `None` when something in it is unknown, or an extended pattern.
    pub(super) fn new(choice: &Choice) -> Option<Self> {
        let mut elements = Vec::new();
        for fragment in choice {
            match fragment {
                Fragment::Literal(text) => elements.extend(text.chars().map(Element::Exactly)),
                Fragment::Raw(text) | Fragment::Value(text) => read(text, &mut elements),
                Fragment::Piece(Piece::Text(text)) => elements.extend(text.chars().map(Element::Exactly)),
                Fragment::Piece(_) | Fragment::Break => return None,
            }
        }
        Some(Self(elements))
    }

    /// The pattern without elements, which operators take for "every character".
    pub(super) const fn empty() -> Self {
        Self(Vec::new())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The lengths of the prefixes of `text` that match, ascending.
    pub(super) fn prefixes(&self, text: &[char]) -> Vec<usize> {
        matches(&self.0, text)
    }

    /// The lengths of the suffixes that match, ascending.
    pub(super) fn suffixes(&self, text: &[char]) -> Vec<usize> {
        let elements: Vec<Element> = self.0.iter().rev().cloned().collect();
        let text: Vec<char> = text.iter().rev().copied().collect();
        matches(&elements, &text)
    }
}

fn read(text: &str, elements: &mut Vec<Element>) {
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while let Some(character) = characters.get(at) {
        at += 1;
        elements.push(match character {
            '*' => Element::Many,
            '?' => Element::Any,
            '\\' => {
                at += 1;
                Element::Exactly(characters.get(at - 1).copied().unwrap_or('\\'))
            }
            '[' => match set(characters.get(at..).unwrap_or_default()) {
                Some((element, length)) => {
                    at += length;
                    element
                }
                None => Element::Exactly('['),
            },
            other => Element::Exactly(*other),
        });
    }
}

/// A bracket expression after its bracket, and its length.
fn set(characters: &[char]) -> Option<(Element, usize)> {
    let negated = matches!(characters.first(), Some('!' | '^'));
    let mut at = usize::from(negated);
    let mut ranges = Vec::new();
    loop {
        let first = *characters.get(at).filter(|_| at < 256)?;
        if first == ']' && at > usize::from(negated) {
            return Some((Element::Set { negated, ranges }, at + 1));
        }
        if first == '[' && characters.get(at + 1) == Some(&':') {
            let rest: String = characters.get(at + 2..)?.iter().take(16).collect();
            let name = rest.split(":]").next().filter(|name| name.len() + 2 <= rest.len())?;
            ranges.extend(class(name));
            at += name.chars().count() + 4;
            continue;
        }
        at += 1;
        let last = match (characters.get(at), characters.get(at + 1)) {
            (Some('-'), Some(last)) if *last != ']' => {
                at += 2;
                *last
            }
            _ => first,
        };
        ranges.push((first, last));
    }
}

fn class(name: &str) -> Vec<(char, char)> {
    match name {
        "alpha" => vec![('a', 'z'), ('A', 'Z')],
        "alnum" => vec![('a', 'z'), ('A', 'Z'), ('0', '9')],
        "digit" => vec![('0', '9')],
        "lower" => vec![('a', 'z')],
        "upper" => vec![('A', 'Z')],
        "space" => vec![('\t', '\r'), (' ', ' ')],
        "blank" => vec![('\t', '\t'), (' ', ' ')],
        "punct" => vec![('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "xdigit" => vec![('a', 'f'), ('A', 'F'), ('0', '9')],
        _ => Vec::new(),
    }
}

fn fits(element: &Element, character: char) -> bool {
    match element {
        Element::Exactly(own) => *own == character,
        Element::Any | Element::Many => true,
        Element::Set { negated, ranges } => {
            ranges.iter().any(|(first, last)| (*first..=*last).contains(&character)) != *negated
        }
    }
}

/// Follows every place of the pattern at once, so that stars cost nothing extra.
fn matches(elements: &[Element], text: &[char]) -> Vec<usize> {
    let mut places = vec![false; elements.len() + 1];
    let mut found = Vec::new();
    reach(elements, &mut places, 0);
    if places.last() == Some(&true) {
        found.push(0);
    }
    for (length, character) in text.iter().enumerate() {
        let mut next = vec![false; elements.len() + 1];
        for (place, element) in elements.iter().enumerate() {
            if places.get(place) != Some(&true) || !fits(element, *character) {
                continue;
            }
            reach(elements, &mut next, if matches!(element, Element::Many) { place } else { place + 1 });
        }
        places = next;
        if places.last() == Some(&true) {
            found.push(length + 1);
        }
        if !places.contains(&true) {
            break;
        }
    }
    found
}

/// Marks a place, and those that stars let through.
fn reach(elements: &[Element], places: &mut [bool], from: usize) {
    let mut place = from;
    loop {
        match places.get_mut(place) {
            Some(mark) => *mark = true,
            None => return,
        }
        match elements.get(place) {
            Some(Element::Many) => place += 1,
            _ => return,
        }
    }
}
