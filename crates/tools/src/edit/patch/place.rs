//! Where a hunk goes: at its stated line, else the nearest identical place, else one place that is nearly identical.
//!
//! It refuses to choose between two equally good places, unless one of them is where the header says. The surprising
//! decision: a difference in line ends at the stated line counts as a match before any search, because a model never
//! sees line ends.

use std::cell::OnceCell;

use serde::Serialize;

use super::index::{Index, Key, key};
use crate::edit::lines::Lines;

pub use super::index::Whitespace;

/// At most this many context lines are given up at each end.
const MAX_DROPPED: usize = 2;

/// How far the file was from what the hunk expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Fuzz {
    /// How lines were compared.
    pub whitespace: Whitespace,
    /// Context lines at the start that do not match and were given up.
    pub leading: usize,
    /// Context lines at the end that do not match and were given up.
    pub trailing: usize,
}

impl Fuzz {
    const NONE: Self = Self { whitespace: Whitespace::Exact, leading: 0, trailing: 0 };

    /// Whether more than line ends had to be overlooked.
    #[must_use]
    pub fn is_fuzzy(&self) -> bool {
        self.whitespace > Whitespace::LineEnds || self.leading + self.trailing > 0
    }
}

/// Where a hunk was put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Placement {
    /// 0-based line of the file at which the hunk (with the context that was given up) begins.
    pub at: usize,
    /// What had to be overlooked.
    pub fuzz: Fuzz,
    /// How many other places match as well; the nearest to the stated line was taken.
    pub others: usize,
}

/// What to look for.
#[derive(Debug)]
pub(super) struct Sought<'a> {
    pub(super) lines: Vec<Key<'a>>,
    /// Context lines at its start and at its end.
    pub(super) leading: usize,
    pub(super) trailing: usize,
}

/// Why there is no place.
#[derive(Debug)]
pub(super) enum Miss {
    Nowhere,
    /// 0-based lines of equally good places.
    Several(Vec<usize>),
}

/// A text in which hunks are looked for.
#[derive(Debug)]
pub(super) struct Ground<'a> {
    pub(super) lines: &'a Lines<'a>,
    indices: [OnceCell<Index<'a>>; 4],
}

impl<'a> Ground<'a> {
    pub(super) fn of(lines: &'a Lines<'a>) -> Self {
        Self { lines, indices: Default::default() }
    }

    pub(super) fn index(&self, whitespace: Whitespace) -> Option<&Index<'a>> {
        let cell = self.indices.get(whitespace as usize)?;
        Some(cell.get_or_init(|| Index::of(self.lines, whitespace)))
    }

    pub(super) fn matches_at(&self, wanted: &[Key<'_>], at: usize, whitespace: Whitespace) -> bool {
        at + wanted.len() <= self.lines.len()
            && wanted
                .iter()
                .zip(at..)
                .all(|(line, at)| key(*line, whitespace) == key((self.lines.text(at), self.lines.end(at)), whitespace))
    }

    /// Every place at or after `from`, ascending.
    pub(super) fn everywhere(&self, wanted: &[Key<'_>], from: usize, whitespace: Whitespace) -> Vec<usize> {
        self.index(whitespace).map_or_else(Vec::new, |index| index.find(&index.numbers(wanted), from))
    }

    /// Identical places: at the stated line, else the nearest.
    pub(super) fn strict(&self, wanted: &Sought<'_>, expected: Option<usize>, from: usize) -> Result<Placement, Miss> {
        let identical = [Whitespace::Exact, Whitespace::LineEnds];
        if let Some(at) = expected.filter(|at| *at >= from) {
            for whitespace in identical {
                if self.matches_at(&wanted.lines, at, whitespace) {
                    return Ok(Placement { at, fuzz: Fuzz { whitespace, ..Fuzz::NONE }, others: 0 });
                }
            }
        }
        for whitespace in identical {
            let places = self.everywhere(&wanted.lines, from, whitespace);
            if !places.is_empty() {
                let at = nearest(&places, expected)?;
                let fuzz = Fuzz { whitespace, ..Fuzz::NONE };
                return Ok(Placement { at, fuzz, others: places.len() - 1 });
            }
        }
        Err(Miss::Nowhere)
    }

    /// Nearly identical places, the least difference first; white space before context.
    pub(super) fn fuzzy(&self, wanted: &Sought<'_>, expected: Option<usize>, from: usize) -> Result<Placement, Miss> {
        for whitespace in [Whitespace::Trailing, Whitespace::Indentation] {
            if let Some(placement) = self.try_fuzz(wanted, (expected, from), whitespace, 0)? {
                return Ok(placement);
            }
        }
        for dropped in 1..=2 * MAX_DROPPED {
            for whitespace in Whitespace::ALL {
                if let Some(placement) = self.try_fuzz(wanted, (expected, from), whitespace, dropped)? {
                    return Ok(placement);
                }
            }
        }
        Err(Miss::Nowhere)
    }

    /// All places with one degree of fuzz: `dropped` context lines given up in all, at either end.
    fn try_fuzz(
        &self,
        wanted: &Sought<'_>,
        (expected, from): (Option<usize>, usize),
        whitespace: Whitespace,
        dropped: usize,
    ) -> Result<Option<Placement>, Miss> {
        let Some(index) = self.index(whitespace) else { return Ok(None) };
        let numbers = index.numbers(&wanted.lines);
        let mut found: Vec<Placement> = Vec::new();
        for leading in 0..=dropped.min(wanted.leading).min(MAX_DROPPED) {
            let trailing = dropped - leading;
            if trailing > wanted.trailing.min(MAX_DROPPED) || dropped >= wanted.lines.len() {
                continue;
            }
            let kept = leading..wanted.lines.len() - trailing;
            let telling = wanted.lines.get(kept.clone()).unwrap_or_default();
            if !telling.iter().any(|(text, _)| text.chars().any(char::is_alphanumeric)) {
                continue;
            }
            let fuzz = Fuzz { whitespace, leading, trailing };
            for at in index.find(numbers.get(kept).unwrap_or_default(), from) {
                let Some(at) = at.checked_sub(leading) else { continue };
                if !found.iter().any(|other| other.at == at) {
                    found.push(Placement { at, fuzz, others: 0 });
                }
            }
        }
        if let Some(stated) = found.iter().find(|place| Some(place.at) == expected) {
            return Ok(Some(Placement { others: found.len() - 1, ..*stated }));
        }
        match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            several => Err(Miss::Several(several.iter().map(|place| place.at).collect())),
        }
    }
}

/// The place nearest to the expected one; two at the same distance are one too many.
fn nearest(places: &[usize], expected: Option<usize>) -> Result<usize, Miss> {
    let Some(expected) = expected else {
        return match places {
            [one] => Ok(*one),
            several => Err(Miss::Several(several.to_vec())),
        };
    };
    let distance = |at: &usize| at.abs_diff(expected);
    let best = places.iter().copied().min_by_key(distance).ok_or(Miss::Nowhere)?;
    let rivals: Vec<_> = places.iter().copied().filter(|at| distance(at) == distance(&best)).collect();
    match rivals.as_slice() {
        [one] => Ok(*one),
        _ => Err(Miss::Several(rivals)),
    }
}
