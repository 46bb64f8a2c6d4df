//! Where a hunk goes: at its stated line, else the one place that is identical, else the one that differs in white space.
//!
//! It refuses to choose between places and to overlook a line: what differs in more than white space is no place. The
//! surprising decision: a difference in line ends at the stated line counts as a match, because a model never sees them.

use std::cell::OnceCell;
use std::ops::Range;

use super::index::{Index, Key, key};
use crate::edit::lines::Lines;

pub use super::index::Whitespace;

/// Where a hunk was put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// 0-based line of the file at which the hunk begins.
    pub at: usize,
    /// How its lines had to be compared.
    pub whitespace: Whitespace,
    /// How many other places match as well: the hunk's `@@` lines decided.
    pub others: usize,
}

/// What decides between places, before any is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Aim {
    /// Nothing: there must be one place.
    Anywhere,
    /// The header's line number, which nothing has contradicted so far. It decides between identical places only.
    Stated(usize),
    /// The `@@` lines of an envelope, or the end of the file.
    Chosen(usize),
}

/// What to look for.
#[derive(Debug)]
pub(super) struct Sought<'a> {
    pub(super) lines: Vec<Key<'a>>,
    /// The lines that earlier hunks have taken, ascending, where a place above them counts as a second one; an envelope's
    /// hunks follow each other, so there it does not.
    pub(super) taken: &'a [Range<usize>],
    /// The first line that it may take.
    pub(super) from: usize,
}

impl Sought<'_> {
    fn after(&self) -> usize {
        if self.taken.is_empty() { self.from } else { 0 }
    }

    fn is_free(&self, at: usize) -> bool {
        let next = self.taken.get(self.taken.partition_point(|range| range.end <= at));
        next.is_none_or(|range| range.start >= at + self.lines.len())
    }
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

    /// The place of these lines: where the aim is, or the only one.
    pub(super) fn find(&self, wanted: &Sought<'_>, aim: Aim) -> Result<Placement, Miss> {
        let aimed = match aim {
            Aim::Stated(at) if at >= wanted.from => [Whitespace::Exact, Whitespace::LineEnds]
                .into_iter()
                .find(|whitespace| self.matches_at(&wanted.lines, at, *whitespace))
                .map(|whitespace| Placement { at, whitespace, others: 0 }),
            _ => None,
        };
        if let Some(placement) = aimed.filter(|aimed| aimed.whitespace == Whitespace::Exact) {
            return Ok(placement);
        }
        for whitespace in Whitespace::ALL {
            if whitespace > Whitespace::LineEnds && !is_telling(&wanted.lines) {
                break;
            }
            let mut places = self.everywhere(&wanted.lines, wanted.after(), whitespace);
            places.retain(|at| wanted.is_free(*at));
            match (places.as_slice(), aim) {
                ([], _) => {}
                (several, Aim::Chosen(at)) if several.contains(&at) => {
                    return Ok(Placement { at, whitespace, others: several.len() - 1 });
                }
                (_, _) if aimed.is_some_and(|aimed| aimed.whitespace == whitespace) => {
                    return aimed.ok_or(Miss::Nowhere);
                }
                ([at], _) if aimed.is_none() && *at < wanted.from => return Err(Miss::Nowhere),
                ([at], _) if aimed.is_none() => return Ok(Placement { at: *at, whitespace, others: 0 }),
                _ => {
                    places.extend(aimed.map(|aimed| aimed.at));
                    places.sort_unstable();
                    return Err(Miss::Several(places));
                }
            }
        }
        Err(Miss::Nowhere)
    }
}

/// Whether there is more in these lines than punctuation, which is everywhere.
pub(super) fn is_telling(lines: &[Key<'_>]) -> bool {
    lines.iter().any(|(text, _)| text.chars().any(char::is_alphanumeric))
}
