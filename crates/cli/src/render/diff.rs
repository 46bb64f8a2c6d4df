//! Unified diffs: removed lines red, added lines green, and within a changed line the words that differ, where there are
//! colours.

mod words;

use super::layout;
use super::stderr::{self, CYAN, DIM, GREEN, RED};
use palanca_policy::marking::shown_lines;
use palanca_tools::edit::diff::{DiffLine, kinds};

/// Lines of a diff that are shown after a call; the rest is counted.
const USUAL: usize = 120;

const GUTTER: &str = "  │ ";
/// Begins what did not fit in the row above.
pub(super) const MORE: &str = "┆ ";

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
    let (kinds, rows): (Vec<DiffLine>, Vec<String>) = broken.unzip();
    let mut text = String::with_capacity(diff.len());
    drawn(&kinds, &rows.iter().map(String::as_str).collect::<Vec<_>>(), &mut text);
    text.lines().map(|row| format!("{}{row}", stderr::painted(DIM, GUTTER))).collect()
}

fn drawn(kinds: &[DiffLine], lines: &[&str], text: &mut String) {
    if stderr::has_colour() { coloured(kinds, lines, text) } else { uncoloured(lines, text) }
}

fn uncoloured(lines: &[&str], text: &mut String) {
    for line in lines {
        text.push_str(&shown_lines(line));
        text.push('\n');
    }
}

/// A run of removed lines that a run of added lines follows is one change: their words are compared.
fn coloured(kinds: &[DiffLine], lines: &[&str], text: &mut String) {
    let mut at = 0;
    while let Some((kind, line)) = kinds.get(at).zip(lines.get(at)) {
        let run = |from: usize, wanted: DiffLine| kinds.iter().skip(from).take_while(|kind| **kind == wanted).count();
        if *kind == DiffLine::Removed {
            let removed = run(at, DiffLine::Removed);
            let added = run(at + removed, DiffLine::Added);
            let (before, after) = lines.get(at..).unwrap_or_default().split_at(removed);
            words::change(before, after.get(..added).unwrap_or_default(), text);
            at += removed + added;
            continue;
        }
        let line = shown_lines(line);
        let colour = match kind {
            DiffLine::Heading => Some(DIM),
            DiffLine::Place => Some(CYAN),
            DiffLine::Added => Some(GREEN),
            DiffLine::Removed => Some(RED),
            DiffLine::Same => None,
        };
        text.push_str(&colour.map_or_else(|| line.to_string(), |colour| stderr::painted(colour, &line)));
        text.push('\n');
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

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
