//! Where each line of a text occurs, under four notions of "the same line".
//!
//! Built only when a hunk is not where its header says. The surprising decision: lines become numbers first, so that
//! looking for a hunk everywhere, 36 ways, is comparing slices of integers; hostile repetition costs linear time.

use std::collections::HashMap;

use serde::Serialize;

use crate::edit::lines::{LineEnd, Lines};

/// How much of a line counts when lines are compared, strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Whitespace {
    /// Every byte, line ending included.
    Exact,
    /// Everything but the line ending.
    LineEnds,
    /// White space at the end of a line does not count.
    Trailing,
    /// White space at both ends does not count: indentation may differ.
    Indentation,
}

impl Whitespace {
    /// All four, strictest first.
    pub(super) const ALL: [Self; 4] = [Self::Exact, Self::LineEnds, Self::Trailing, Self::Indentation];
}

/// A line to look for: its text and its ending.
pub(super) type Key<'a> = (&'a str, LineEnd);

/// What of a line is compared.
pub(super) fn key((text, end): Key<'_>, whitespace: Whitespace) -> Key<'_> {
    match whitespace {
        Whitespace::Exact => (text, end),
        Whitespace::LineEnds => (text, LineEnd::None),
        Whitespace::Trailing => (text.trim_ascii_end(), LineEnd::None),
        Whitespace::Indentation => (text.trim_ascii(), LineEnd::None),
    }
}

/// Number of a line that the text does not have.
const ABSENT: u32 = u32::MAX;
/// Above this many comparisons a search goes through the whole text once instead of from candidate to candidate.
const CANDIDATE_WORK: usize = 1 << 16;

/// The lines of a text as numbers.
#[derive(Debug)]
pub(super) struct Index<'a> {
    numbers: HashMap<Key<'a>, u32>,
    lines: Vec<u32>,
    /// Positions of line number `n` are `positions[starts[n]..starts[n + 1]]`.
    starts: Vec<usize>,
    positions: Vec<usize>,
    whitespace: Whitespace,
}

impl<'a> Index<'a> {
    pub(super) fn of(lines: &Lines<'a>, whitespace: Whitespace) -> Self {
        let mut numbers = HashMap::with_capacity(lines.len());
        let mut counts: Vec<usize> = Vec::new();
        let mut all = Vec::with_capacity(lines.len());
        for at in 0..lines.len() {
            let fresh = u32::try_from(numbers.len()).unwrap_or(ABSENT);
            let number = *numbers.entry(key((lines.text(at), lines.end(at)), whitespace)).or_insert(fresh);
            match counts.get_mut(number as usize) {
                Some(count) => *count += 1,
                None => counts.push(1),
            }
            all.push(number);
        }
        let mut starts = Vec::with_capacity(counts.len() + 1);
        let mut total = 0;
        for count in counts {
            starts.push(total);
            total += count;
        }
        starts.push(total);
        let mut next = starts.clone();
        let mut positions = vec![0; all.len()];
        for (at, number) in all.iter().enumerate() {
            if let Some(slot) = next.get_mut(*number as usize) {
                if let Some(position) = positions.get_mut(*slot) {
                    *position = at;
                }
                *slot += 1;
            }
        }
        Self { numbers, lines: all, starts, positions, whitespace }
    }

    /// The numbers of lines to look for.
    pub(super) fn numbers(&self, wanted: &[Key<'_>]) -> Vec<u32> {
        wanted.iter().map(|line| self.numbers.get(&key(*line, self.whitespace)).copied().unwrap_or(ABSENT)).collect()
    }

    /// Every position of one line, ascending.
    pub(super) fn positions(&self, number: u32) -> &[usize] {
        let at = |index: usize| self.starts.get(index).copied();
        match (at(number as usize), at((number as usize).saturating_add(1))) {
            (Some(start), Some(end)) => self.positions.get(start..end).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Every position at or after `from` where the numbered lines stand one after another, ascending.
    pub(super) fn find(&self, wanted: &[u32], from: usize) -> Vec<usize> {
        let rarest = wanted.iter().enumerate().min_by_key(|(_, number)| self.positions(**number).len());
        let Some((shift, number)) = rarest else { return Vec::new() };
        let candidates = self.positions(*number);
        if candidates.len().saturating_mul(wanted.len()) > CANDIDATE_WORK {
            return self.scan(wanted, from);
        }
        let starts = candidates.iter().filter_map(|at| at.checked_sub(shift)).filter(|at| *at >= from);
        starts.filter(|at| self.lines.get(*at..at + wanted.len()) == Some(wanted)).collect()
    }

    /// Knuth-Morris-Pratt: linear whatever the texts are.
    fn scan(&self, wanted: &[u32], from: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let borders = borders(wanted);
        let mut matched = 0;
        for (at, number) in self.lines.iter().enumerate().skip(from) {
            while matched > 0 && wanted.get(matched) != Some(number) {
                matched = border(&borders, matched);
            }
            if wanted.get(matched) == Some(number) {
                matched += 1;
            }
            if matched == wanted.len() {
                found.push(at + 1 - matched);
                matched = border(&borders, matched);
            }
        }
        found
    }
}

/// For each prefix, the length of its longest border.
fn borders(wanted: &[u32]) -> Vec<usize> {
    let mut borders = vec![0; wanted.len()];
    let mut matched = 0;
    for at in 1..wanted.len() {
        while matched > 0 && wanted.get(at) != wanted.get(matched) {
            matched = border(&borders, matched);
        }
        if wanted.get(at) == wanted.get(matched) {
            matched += 1;
        }
        if let Some(slot) = borders.get_mut(at) {
            *slot = matched;
        }
    }
    borders
}

fn border(borders: &[usize], matched: usize) -> usize {
    matched.checked_sub(1).and_then(|last| borders.get(last)).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn both_searches_agree() {
        let text = "a\nb\na\nb\na\na\nb\n";
        let lines = Lines::of(text);
        let index = Index::of(&lines, Whitespace::Exact);
        for wanted in [vec!["a", "b"], vec!["a", "b", "a"], vec!["a"], vec!["b", "a", "a", "b"], vec!["x"]] {
            let keys: Vec<_> = wanted.iter().map(|text| (*text, LineEnd::Lf)).collect();
            let numbers = index.numbers(&keys);
            for from in 0..8 {
                assert_eq!(index.find(&numbers, from), index.scan(&numbers, from), "{wanted:?} {from}");
            }
        }
        let ab = index.numbers(&[("a", LineEnd::Lf), ("b", LineEnd::Lf)]);
        assert_eq!(index.find(&ab, 1), [2, 5]);
    }

    #[test]
    fn sameness_grows() {
        let line = ("  a \t", LineEnd::CrLf);
        for (whitespace, expected) in [
            (Whitespace::Exact, ("  a \t", LineEnd::CrLf)),
            (Whitespace::LineEnds, ("  a \t", LineEnd::None)),
            (Whitespace::Trailing, ("  a", LineEnd::None)),
            (Whitespace::Indentation, ("a", LineEnd::None)),
        ] {
            assert_eq!(key(line, whitespace), expected);
        }
    }
}
