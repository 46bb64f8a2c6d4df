//! Unified diffs: removed lines red, added lines green, where there are colours.

use super::stderr::{self, CYAN, DIM, GREEN, RED};

/// Lines of a diff that are shown; the rest is counted.
const SHOWN_LINES: usize = 120;

/// The diff as stderr shows it.
pub fn for_stderr(diff: &str) -> String {
    let mut shown = String::with_capacity(diff.len());
    let mut lines = diff.lines();
    for line in lines.by_ref().take(SHOWN_LINES) {
        let colour = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => Some(DIM),
            [b'+', ..] => Some(GREEN),
            [b'-', ..] => Some(RED),
            [b'@', ..] => Some(CYAN),
            _ => None,
        };
        let text = stderr::printable(line);
        shown.push_str(&colour.map_or_else(|| text.clone(), |colour| stderr::painted(colour, &text)));
        shown.push('\n');
    }
    let left = lines.count();
    if left > 0 {
        shown.push_str(&stderr::painted(DIM, &format!("… {left} more lines\n")));
    }
    shown
}
