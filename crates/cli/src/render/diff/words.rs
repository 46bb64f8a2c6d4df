//! The words that differ between removed lines and the added ones after them.

use crate::render::stderr::{self, GREEN, RED};
use palanca_policy::marking::shown_lines;
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// Longer runs are shown line by line: single words in them are not compared.
const LINES: usize = 40;
/// Comparing takes no longer than this.
const DEADLINE: Duration = Duration::from_millis(20);
/// Words with less than this in common are two different texts.
const ALIKE: f32 = 0.35;
const STRONG: &str = "\x1b[7m";

/// Appends both runs. With the same number of lines they are compared in pairs, otherwise as a whole line each.
pub(super) fn change(removed: &[&str], added: &[&str], text: &mut String) {
    let broken = removed.iter().chain(added).any(|row| row.starts_with(super::MORE));
    if removed.len() != added.len() || removed.len() > LINES || broken {
        removed.iter().for_each(|line| whole(line, RED, text));
        added.iter().for_each(|line| whole(line, GREEN, text));
        return;
    }
    let pairs: Vec<_> = removed.iter().zip(added).map(|(before, after)| pair(before, after)).collect();
    pairs.iter().for_each(|(before, _)| text.push_str(before));
    pairs.iter().for_each(|(_, after)| text.push_str(after));
}

fn whole(line: &str, colour: &str, text: &mut String) {
    text.push_str(&stderr::painted(colour, &shown_lines(line)));
    text.push('\n');
}

fn pair(before: &str, after: &str) -> (String, String) {
    let (mut left, mut right) = (String::new(), String::new());
    let (old, new) = (before.get(1..).unwrap_or_default(), after.get(1..).unwrap_or_default());
    let diff = TextDiff::configure().timeout(DEADLINE).diff_words(old, new);
    if diff.ratio() < ALIKE {
        whole(before, RED, &mut left);
        whole(after, GREEN, &mut right);
        return (left, right);
    }
    left.push_str(&stderr::painted(RED, "-"));
    right.push_str(&stderr::painted(GREEN, "+"));
    for change in diff.iter_all_changes() {
        let word = shown_lines(change.value());
        let strong = |colour: &str| stderr::painted(&format!("{colour}{STRONG}"), &word);
        match change.tag() {
            ChangeTag::Equal => {
                left.push_str(&stderr::painted(RED, &word));
                right.push_str(&stderr::painted(GREEN, &word));
            }
            ChangeTag::Delete => left.push_str(&strong(RED)),
            ChangeTag::Insert => right.push_str(&strong(GREEN)),
        }
    }
    left.push('\n');
    right.push('\n');
    (left, right)
}
