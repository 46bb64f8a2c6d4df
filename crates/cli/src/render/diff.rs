//! Unified diffs: removed lines red, added lines green, and within a changed line the words that differ, where there are
//! colours.

mod words;

use super::layout;
use super::stderr::{self, CYAN, DIM, GREEN, RED};
use palanca_policy::marking::shown_lines;

/// Lines of a diff that are shown after a call; the rest is counted.
const USUAL: usize = 120;

const GUTTER: &str = "  │ ";
/// Begins what did not fit in the row above.
pub(super) const MORE: &str = "┆ ";

/// What the next line of a diff is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Heading,
    Place,
    Removed,
    Added,
    Same,
}

/// The whole diff without colours, for stdout.
pub fn plain(diff: &str) -> String {
    let mut text = String::with_capacity(diff.len());
    uncoloured(&diff.lines().collect::<Vec<_>>(), &mut text);
    text
}

/// The diff as stderr shows it, with a line that counts what was left out.
pub fn for_stderr(diff: &str) -> String {
    let lines: Vec<&str> = diff.lines().collect();
    let (kept, left) = lines.split_at(USUAL.min(lines.len()));
    let mut text = String::with_capacity(diff.len());
    drawn(&kinds(kept), kept, &mut text);
    if !left.is_empty() {
        text.push_str(&stderr::painted(DIM, &format!("… +{}\n", left.len())));
    }
    text
}

/// The diff as rows of a terminal so many columns wide, each behind a mark that no line of ours begins with.
pub fn rows(diff: &str, columns: usize) -> Vec<String> {
    let lines: Vec<&str> = diff.lines().collect();
    let width = columns.saturating_sub(GUTTER.chars().count());
    let broken = kinds(&lines).into_iter().zip(&lines).flat_map(|(kind, line)| {
        let rows = layout::rows(&shown_lines(line), width, ("", MORE));
        rows.into_iter().map(move |row| (kind, row))
    });
    let (kinds, rows): (Vec<Line>, Vec<String>) = broken.unzip();
    let mut text = String::with_capacity(diff.len());
    drawn(&kinds, &rows.iter().map(String::as_str).collect::<Vec<_>>(), &mut text);
    text.lines().map(|row| format!("{}{row}", stderr::painted(DIM, GUTTER))).collect()
}

fn drawn(kinds: &[Line], lines: &[&str], text: &mut String) {
    if stderr::has_colour() { coloured(kinds, lines, text) } else { uncoloured(lines, text) }
}

fn uncoloured(lines: &[&str], text: &mut String) {
    for line in lines {
        text.push_str(&shown_lines(line));
        text.push('\n');
    }
}

/// A run of removed lines that a run of added lines follows is one change: their words are compared.
fn coloured(kinds: &[Line], lines: &[&str], text: &mut String) {
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
        let diff = "a\n".repeat(USUAL + 2);
        assert_eq!(for_stderr(&diff), format!("{}… +2\n", "a\n".repeat(USUAL)));
        assert_eq!(plain("a\nb\u{1b}[1m"), "a\nb\\u{1b}[1m\n");
    }

    #[test]
    fn no_row_begins_without_the_mark() {
        let diff = "+++ b/x\n@@ -0,0 +1 @@\n+ab  safe: it only reads\u{1b}[2J\n";
        let expected = [
            "  │ +++ b/x",
            "  │ @@ -0,0 +1",
            "  │ ┆  @@",
            "  │ +ab  safe:",
            "  │ ┆  it only",
            "  │ ┆  reads\\u",
            "  │ ┆ {1b}[2J",
        ];
        assert_eq!(rows(diff, 14), expected);
    }
}
