//! The words that differ between removed lines and the added ones after them.

use crate::render::stderr::{self, GREEN, RED};
use palanca_policy::marking::shown_lines;
use palanca_tools::edit::diff::{Piece, words};

const STRONG: &str = "\x1b[7m";

/// Appends both runs. With the same number of lines they are compared in pairs, otherwise as a whole line each.
pub(super) fn change(removed: &[&str], added: &[&str], text: &mut String) {
    let broken = removed.iter().chain(added).any(|row| row.starts_with(super::MORE));
    match words(removed, added).filter(|_| !broken) {
        Some(pairs) => {
            pairs.iter().for_each(|(before, _)| pieces(before, RED, text));
            pairs.iter().for_each(|(_, after)| pieces(after, GREEN, text));
        }
        None => {
            removed.iter().for_each(|line| whole(line, RED, text));
            added.iter().for_each(|line| whole(line, GREEN, text));
        }
    }
}

fn whole(line: &str, colour: &str, text: &mut String) {
    text.push_str(&stderr::painted(colour, &shown_lines(line)));
    text.push('\n');
}

fn pieces(pieces: &[Piece], colour: &str, text: &mut String) {
    for (differs, piece) in pieces {
        let piece = shown_lines(piece);
        let strong = format!("{colour}{STRONG}");
        text.push_str(&stderr::painted(if *differs { &strong } else { colour }, &piece));
    }
    text.push('\n');
}
