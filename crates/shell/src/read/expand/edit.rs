//! Changes to known texts: trimming, case, parts.

use super::pattern::Pattern;
use crate::read::grammar::tree::{Reach, Side};

/// A change whose patterns are known.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    Trim(Pattern, Side, Reach),
    Case(Pattern, char, Reach),
    Replace { pattern: Pattern, with: String, reach: Reach, anchor: Option<Side> },
    Transform(char),
}

impl Edit {
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Trim(pattern, ..) | Self::Case(pattern, ..) | Self::Replace { pattern, .. } => pattern.len(),
            Self::Transform(_) => 1,
        }
    }
}

pub(super) fn cut<T>(all: &[T], from: i64, count: Option<i64>) -> &[T] {
    let length = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let from = if from < 0 { (from + length).max(0) } else { from.min(length) };
    let end = match count {
        None => length,
        Some(count) if count < 0 => (length + count).max(from),
        Some(count) => from.saturating_add(count).min(length),
    };
    let (from, end) = (usize::try_from(from).unwrap_or(0), usize::try_from(end).unwrap_or(0));
    all.get(from..end).unwrap_or_default()
}

pub(super) fn trimmed<'c>(characters: &'c [char], pattern: &Pattern, side: Side, reach: Reach) -> &'c [char] {
    let found = match side {
        Side::Front => pattern.prefixes(characters),
        Side::Back => pattern.suffixes(characters),
    };
    let length = match reach {
        Reach::Short => found.first(),
        Reach::Long => found.last(),
    };
    let length = length.copied().unwrap_or(0);
    match side {
        Side::Front => characters.get(length..).unwrap_or_default(),
        Side::Back => characters.get(..characters.len() - length).unwrap_or_default(),
    }
}

pub(super) fn cased(characters: &[char], pattern: &Pattern, operator: char, reach: Reach) -> String {
    let mut out = String::with_capacity(characters.len());
    for (place, character) in characters.iter().enumerate() {
        let chosen = pattern.is_empty() || pattern.prefixes(&[*character]).last() == Some(&1);
        if !chosen || (reach == Reach::Short && place > 0) {
            out.push(*character);
            continue;
        }
        match operator {
            '^' => out.extend(character.to_uppercase()),
            ',' => out.extend(character.to_lowercase()),
            _ if character.is_uppercase() => out.extend(character.to_lowercase()),
            _ => out.extend(character.to_uppercase()),
        }
    }
    out
}
