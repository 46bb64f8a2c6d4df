//! The lines that stand above a hunk in an envelope (`@@ class A`): where they are, and which place they single out.
//!
//! It refuses to choose between two lines that read like the anchor, unless only one of them has the hunk below it. The
//! surprising decision: below one anchor the first place is taken, as the format has it, for nothing says where the
//! class or function ends.

use super::place::{Ground, Whitespace};
use crate::edit::lines::LineEnd;

/// The lines that the last anchor can be, each below those before it; else the first anchor that is nowhere.
pub(super) fn homes<'h>(ground: &Ground<'_>, anchors: &[&'h str]) -> Result<Vec<usize>, &'h str> {
    let mut homes: Option<Vec<usize>> = None;
    for anchor in anchors {
        let levels = [Level::Whole, Level::Trimmed, Level::Start];
        let below = |lines: Vec<usize>| match &homes {
            None => lines,
            Some(above) => {
                let next = |home: &usize| lines.get(lines.partition_point(|line| line <= home)).copied();
                let mut next: Vec<usize> = above.iter().filter_map(next).collect();
                next.dedup();
                next
            }
        };
        let found = levels.into_iter().map(|level| below(lines(ground, anchor, level))).find(|found| !found.is_empty());
        homes = Some(found.ok_or(*anchor)?);
    }
    Ok(homes.unwrap_or_default())
}

/// The first of the places below each home; both ascending.
pub(super) fn firsts(homes: &[usize], places: &[usize]) -> Vec<usize> {
    let mut firsts: Vec<(usize, usize)> = Vec::new();
    for place in places {
        let home = homes.partition_point(|home| home <= place);
        if firsts.last().is_none_or(|(last, _)| *last != home) {
            firsts.push((home, *place));
        }
    }
    firsts.into_iter().map(|(_, place)| place).collect()
}

/// How much of a line an anchor must be.
#[derive(Clone, Copy)]
enum Level {
    Whole,
    /// All but white space at both ends.
    Trimmed,
    /// Its start, up to the end of a word: `@@ impl Config` for `impl Config {`.
    Start,
}

fn lines(ground: &Ground<'_>, anchor: &str, level: Level) -> Vec<usize> {
    let wanted = [(anchor, LineEnd::Lf)];
    match level {
        Level::Whole => ground.everywhere(&wanted, 0, Whitespace::LineEnds),
        Level::Trimmed => ground.everywhere(&wanted, 0, Whitespace::Indentation),
        Level::Start => {
            let anchor = anchor.trim_ascii();
            let starts = |line: &usize| {
                let rest = ground.lines.text(*line).trim_ascii_start().strip_prefix(anchor);
                rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            };
            (0..ground.lines.len()).filter(starts).collect()
        }
    }
}
