//! A unified diff taken apart for people: what each line is, and the words that differ in a changed line.

use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// Longer runs of changed lines are compared line by line: single words in them are not.
const LINES: usize = 40;
/// Comparing two lines takes no longer than this.
const DEADLINE: Duration = Duration::from_millis(20);
/// Lines with less than this in common are two different texts.
const ALIKE: f32 = 0.35;

/// What a line of a diff is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffLine {
    /// Before a hunk: the names of the files.
    Heading,
    /// `@@ -1,2 +3,4 @@`
    Place,
    /// Only the old version has it.
    Removed,
    /// Only the new version has it.
    Added,
    /// Both have it.
    Same,
}

/// What each line of a diff is. Headings look like changes: they are told apart by the counts of the hunk that they stand outside of.
#[must_use]
pub fn kinds(lines: &[&str]) -> Vec<DiffLine> {
    let (mut old, mut new) = (0_usize, 0_usize);
    let kind = |line: &&str| {
        if old == 0 && new == 0 {
            let Some((before, after)) = hunk(line) else {
                return if line.starts_with('\\') { DiffLine::Same } else { DiffLine::Heading };
            };
            (old, new) = (before, after);
            return DiffLine::Place;
        }
        match line.as_bytes().first() {
            Some(b'-') => {
                old = old.saturating_sub(1);
                DiffLine::Removed
            }
            Some(b'+') => {
                new = new.saturating_sub(1);
                DiffLine::Added
            }
            Some(b'\\') => DiffLine::Same,
            _ => {
                (old, new) = (old.saturating_sub(1), new.saturating_sub(1));
                DiffLine::Same
            }
        }
    };
    lines.iter().map(kind).collect()
}

/// The two counts of `@@ -1,2 +3,4 @@`.
fn hunk(line: &str) -> Option<(usize, usize)> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |range: &str| match range.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    Some((count(old)?, count(new)?))
}

/// A piece of a line, and whether the other version lacks it.
pub type Piece = (bool, String);

/// A removed line and the added one in its place, in pieces.
pub type Pair = (Vec<Piece>, Vec<Piece>);

/// A run of removed lines and the run of added lines after it, compared line by line by their words; with the marks at their beginnings.
/// None where the runs are no versions of the same lines. A pair that has little in common is two pieces, which do not differ.
#[must_use]
pub fn words(removed: &[&str], added: &[&str]) -> Option<Vec<Pair>> {
    let comparable = removed.len() == added.len() && removed.len() <= LINES;
    comparable.then(|| removed.iter().zip(added).map(|(before, after)| pair(before, after)).collect())
}

fn pair(before: &str, after: &str) -> Pair {
    let (old, new) = (before.get(1..).unwrap_or_default(), after.get(1..).unwrap_or_default());
    let diff = TextDiff::configure().timeout(DEADLINE).diff_words(old, new);
    if diff.ratio() < ALIKE {
        return (vec![(false, before.to_owned())], vec![(false, after.to_owned())]);
    }
    let (mut left, mut right) = (vec![(false, "-".to_owned())], vec![(false, "+".to_owned())]);
    for change in diff.iter_all_changes() {
        let word = change.value();
        match change.tag() {
            ChangeTag::Equal => {
                push(&mut left, (false, word));
                push(&mut right, (false, word));
            }
            ChangeTag::Delete => push(&mut left, (true, word)),
            ChangeTag::Insert => push(&mut right, (true, word)),
        }
    }
    (left, right)
}

fn push(pieces: &mut Vec<Piece>, (differs, word): (bool, &str)) {
    match pieces.last_mut().filter(|(last, _)| *last == differs) {
        Some((_, text)) => text.push_str(word),
        None => pieces.push((differs, word.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn a_removed_line_that_looks_like_a_heading_is_a_removed_line() {
        use DiffLine::{Heading, Place, Removed, Same};
        let diff =
            ["--- a/x", "+++ b/x", "@@ -1,2 +1 @@", "--- old", " same", "\\ No newline at end of file", "--- a/y"];
        assert_eq!(kinds(&diff), [Heading, Heading, Place, Removed, Same, Same, Heading]);
    }

    #[test]
    fn the_words_that_differ_are_told() {
        let pieces = |pieces: &[(bool, &str)]| pieces.iter().map(|(is, text)| (*is, (*text).to_owned())).collect();
        let pair: Pair = (
            pieces(&[(false, "-a "), (true, "red"), (false, " fox")]),
            pieces(&[(false, "+a "), (true, "grey"), (false, " fox")]),
        );
        assert_eq!(words(&["-a red fox"], &["+a grey fox"]).unwrap(), [pair]);
        let apart: Pair = (pieces(&[(false, "-one")]), pieces(&[(false, "+other words")]));
        assert_eq!(words(&["-one"], &["+other words"]).unwrap(), [apart]);
        assert_eq!(words(&["-one"], &[]), None);
    }
}
