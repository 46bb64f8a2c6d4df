//! What is remembered of a text to know pieces of it again: hashes of its windows, never the text itself. Of every run of
//! windows the smallest hash is kept, so that any piece of [`PIECE`] characters leaves a hash that is kept (winnowing).

use std::collections::HashSet;
use std::hash::{Hash as _, Hasher as _};

/// A shared piece of this many letters and digits is found.
pub(super) const PIECE: usize = 12;
/// Characters in one hash.
const WINDOW: usize = 8;
/// Characters of a piece that are shown.
const SHOWN: usize = 40;
/// Hashes of one session: 1 MiB. When they are used up, later text is only remembered by its addresses.
const MOST: usize = 1 << 17;

/// The traces of all text so far.
#[derive(Debug, Default)]
pub(super) struct Traces {
    windows: HashSet<u64>,
    addresses: HashSet<u64>,
}

impl Traces {
    /// Foreign text.
    pub(super) fn learn(&mut self, text: &str) {
        let hashes = hashes(&letters(text));
        for run in hashes.windows(PIECE - WINDOW + 1) {
            if self.windows.len() >= MOST {
                break;
            }
            self.windows.extend(run.iter().min());
        }
        if hashes.len() < PIECE - WINDOW + 1 {
            self.windows.extend(hashes.iter().min());
        }
        self.learn_addresses(text);
    }

    /// Text that speaks against a trace: every window is kept, because which of them are kept of the same words elsewhere
    /// depends on what stands around them there.
    pub(super) fn learn_whole(&mut self, text: &str) {
        let left = MOST.saturating_sub(self.windows.len());
        self.windows.extend(hashes(&letters(text)).into_iter().take(left));
        self.learn_addresses(text);
    }

    fn learn_addresses(&mut self, text: &str) {
        if self.addresses.len() < MOST {
            self.addresses.extend(super::outward::addresses(text).iter().map(|address| hash(address.chars())));
        }
    }

    /// Whether an address was among the text's.
    pub(super) fn holds(&self, address: &str) -> bool {
        self.addresses.contains(&hash(address.chars()))
    }

    /// A piece of the text that was learnt here and not there: its words alone, since they are shown outside the marks.
    pub(super) fn shared(&self, text: &str, but_not: &Self) -> Option<String> {
        let hashes = hashes(&letters(text));
        let known = |hash: &u64| self.windows.contains(hash) && !but_not.windows.contains(hash);
        // Two kept hashes close to each other: one alone may be a word that everybody uses.
        let mut piece: Option<(usize, usize)> = None;
        for (at, _) in hashes.iter().enumerate().filter(|(_, hash)| known(hash)) {
            match piece {
                Some((from, to)) if at - to <= PIECE => piece = Some((from, at)),
                Some((from, to)) if from < to => break,
                _ => piece = Some((at, at)),
            }
        }
        piece.filter(|(from, to)| from < to).map(|(from, to)| words(text, from, to + WINDOW))
    }
}

/// The letters from one place to another, with one blank for whatever stands between them.
fn words(text: &str, from: usize, to: usize) -> String {
    let mut words = String::new();
    let mut at = 0;
    for character in text.chars() {
        let letter = character.is_alphanumeric();
        if at >= from && at < to && words.chars().count() < SHOWN {
            match letter {
                true => words.push(character),
                false if !words.is_empty() && !words.ends_with(' ') => words.push(' '),
                false => {}
            }
        }
        at += if letter { character.to_lowercase().count() } else { 0 };
    }
    words.truncate(words.trim_end().len());
    words
}

/// Letters and digits in lower case: spacing and punctuation are easily changed.
fn letters(text: &str) -> Vec<char> {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn hashes(letters: &[char]) -> Vec<u64> {
    letters.windows(WINDOW).map(|window| hash(window.iter().copied())).collect()
}

fn hash(characters: impl Iterator<Item = char>) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    characters.for_each(|character| character.hash(&mut hasher));
    hasher.finish()
}
