//! `tr`: sets of characters.

use super::super::echo::{Zero, unescape};
use super::super::options;
use crate::command::{Command, Word};
use std::collections::{HashMap, HashSet};

/// What `tr` makes of a text.
pub(super) fn translated(command: &Command, text: &str) -> Option<String> {
    let scan = options(command, "cCdst", "complement delete squeeze-repeats truncate-set1");
    let sets: Option<Vec<&str>> = scan.operands.iter().map(Word::literal).collect();
    let sets = sets?;
    let complement = scan.has("c C complement");
    let first = set(sets.first()?)?;
    let second = match sets.get(1) {
        Some(text) => Some(set(text)?),
        None => None,
    };
    // The last of equal characters counts.
    let places: HashMap<char, usize> = first.iter().enumerate().map(|(at, c)| (*c, at)).collect();
    let last: HashSet<char> = second.iter().flatten().copied().collect();
    let within = |c: char| places.contains_key(&c) != complement;
    let delete = scan.has("d delete");
    let squeeze = scan.has("s squeeze-repeats");
    let squeezed = |c: char| match (&second, delete) {
        (Some(_), _) => last.contains(&c),
        (None, _) => within(c),
    };
    let mut out = String::new();
    for c in text.chars() {
        if delete && within(c) {
            continue;
        }
        let c = match &second {
            Some(second) if !delete && within(c) => {
                let at = if complement { usize::MAX } else { *places.get(&c)? };
                second.get(at).or(second.last()).copied().unwrap_or(c)
            }
            _ => c,
        };
        if !(squeeze && squeezed(c) && out.ends_with(c)) {
            out.push(c);
        }
    }
    Some(out)
}

/// The characters of a set, in order.
fn set(text: &str) -> Option<Vec<char>> {
    let mut plain = String::new();
    unescape(text, Zero::Free, &mut plain);
    let chars: Vec<char> = plain.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        let rest: String = chars.iter().skip(at).take(12).collect();
        if let Some((class, length)) = class(&rest) {
            out.extend(class);
            at += length;
        } else if let (Some('-'), Some(end)) = (chars.get(at + 1), chars.get(at + 2)) {
            if c > end || u32::from(*end) - u32::from(*c) > 512 {
                return None;
            }
            out.extend(*c..=*end);
            at += 3;
        } else {
            out.push(*c);
            at += 1;
        }
        if out.len() > 4096 {
            return None;
        }
    }
    Some(out)
}

fn class(text: &str) -> Option<(Vec<char>, usize)> {
    let name = text.strip_prefix("[:")?.split_once(":]")?.0;
    let fits: fn(&char) -> bool = match name {
        "lower" => char::is_ascii_lowercase,
        "upper" => char::is_ascii_uppercase,
        "digit" => char::is_ascii_digit,
        "alpha" => char::is_ascii_alphabetic,
        "alnum" => char::is_ascii_alphanumeric,
        "space" => char::is_ascii_whitespace,
        "punct" => char::is_ascii_punctuation,
        "cntrl" => char::is_ascii_control,
        "print" => |c| c.is_ascii_graphic() || *c == ' ',
        "graph" => char::is_ascii_graphic,
        "xdigit" => char::is_ascii_hexdigit,
        "blank" => |c| matches!(c, ' ' | '\t'),
        _ => return None,
    };
    Some(((0u8..128).map(char::from).filter(fits).collect(), name.len() + 4))
}

/// Letters moved by thirteen places.
pub(super) fn rot13(c: char) -> char {
    let moved = |base: u8| u8::try_from(c).map_or(c, |byte| char::from((byte - base + 13) % 26 + base));
    match c {
        'a'..='z' => moved(b'a'),
        'A'..='Z' => moved(b'A'),
        c => c,
    }
}
