//! Unified diffs: removed lines red, added lines green, and within a changed line the words that differ, where there are
//! colours.

mod words;

use super::stderr::{self, CYAN, DIM, GREEN, RED};
use palanca_policy::marking::shown_lines;

/// How much of a diff is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The first lines; the rest is counted.
    Lines(usize),
    Whole,
}

/// Lines of a diff that are shown unless more is asked for.
pub const USUAL: Extent = Extent::Lines(120);

/// What the next line of a diff is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Heading,
    Place,
    Removed,
    Added,
    Same,
}

/// The diff as stderr shows it, and how many lines were left out.
pub fn shown(diff: &str, extent: Extent) -> (String, usize) {
    let lines: Vec<&str> = diff.lines().collect();
    let limit = match extent {
        Extent::Lines(limit) => limit.min(lines.len()),
        Extent::Whole => lines.len(),
    };
    let (kept, left) = lines.split_at(limit);
    let mut text = String::with_capacity(diff.len());
    if stderr::has_colour() {
        coloured(kept, &mut text)
    } else {
        uncoloured(kept, &mut text)
    }
    (text, left.len())
}

/// The whole diff without colours, for stdout.
pub fn plain(diff: &str) -> String {
    let mut text = String::with_capacity(diff.len());
    uncoloured(&diff.lines().collect::<Vec<_>>(), &mut text);
    text
}

/// The diff as stderr shows it, with a line that counts what was left out.
pub fn for_stderr(diff: &str) -> String {
    let (mut text, left) = shown(diff, USUAL);
    if left > 0 {
        text.push_str(&stderr::painted(DIM, &format!("… +{left}\n")));
    }
    text
}

fn uncoloured(lines: &[&str], text: &mut String) {
    for line in lines {
        text.push_str(&shown_lines(line));
        text.push('\n');
    }
}

/// A run of removed lines that a run of added lines follows is one change: their words are compared.
fn coloured(lines: &[&str], text: &mut String) {
    let kinds = kinds(lines);
    let mut at = 0;
    while let Some((kind, line)) = kinds.get(at).zip(lines.get(at)) {
        let run = |from: usize, wanted: Line| kinds.iter().skip(from).take_while(|kind| **kind == wanted).count();
        if *kind == Line::Removed {
            let removed = run(at, Line::Removed);
            let added = run(at + removed, Line::Added);
            let (before, after) = lines.get(at..).unwrap_or_default().split_at(removed);
            words::change(before, after.get(..added).unwrap_or_default(), text);
            at += removed + added;
            continue;
        }
        let line = shown_lines(line);
        let colour = match kind {
            Line::Heading => Some(DIM),
            Line::Place => Some(CYAN),
            Line::Added => Some(GREEN),
            Line::Removed => Some(RED),
            Line::Same => None,
        };
        text.push_str(&colour.map_or_else(|| line.to_string(), |colour| stderr::painted(colour, &line)));
        text.push('\n');
        at += 1;
    }
}

/// Headings look like changes: they are told apart by the counts of the hunk that they stand outside of.
fn kinds(lines: &[&str]) -> Vec<Line> {
    let (mut old, mut new) = (0_usize, 0_usize);
    let kind = |line: &&str| {
        if old == 0 && new == 0 {
            let Some((before, after)) = hunk(line) else {
                return if line.starts_with('\\') { Line::Same } else { Line::Heading };
            };
            (old, new) = (before, after);
            return Line::Place;
        }
        match line.as_bytes().first() {
            Some(b'-') => {
                old = old.saturating_sub(1);
                Line::Removed
            }
            Some(b'+') => {
                new = new.saturating_sub(1);
                Line::Added
            }
            Some(b'\\') => Line::Same,
            _ => {
                (old, new) = (old.saturating_sub(1), new.saturating_sub(1));
                Line::Same
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn a_removed_line_that_looks_like_a_heading_is_a_removed_line() {
        let diff =
            ["--- a/x", "+++ b/x", "@@ -1,2 +1 @@", "--- old", " same", "\\ No newline at end of file", "--- a/y"];
        assert_eq!(
            kinds(&diff).iter().map(|kind| *kind as usize).collect::<Vec<_>>(),
            [Line::Heading, Line::Heading, Line::Place, Line::Removed, Line::Same, Line::Same, Line::Heading]
                .map(|kind| kind as usize)
        );
    }

    #[test]
    fn what_is_left_out_is_counted() {
        assert_eq!(shown("a\nb\nc", Extent::Lines(2)), ("a\nb\n".to_owned(), 1));
        assert_eq!(shown("a\nb\u{1b}[1m", Extent::Whole), ("a\nb\\u{1b}[1m\n".to_owned(), 0));
    }
}
