//! What is remembered of a text to know pieces of it again: hashes of its windows, never the text itself. Of every run of
//! windows the smallest hash is kept, so that any piece of [`PIECE`] characters leaves a hash that is kept (winnowing).

use std::collections::HashSet;
use std::hash::{Hash as _, Hasher as _};

/// A shared piece of this many letters and digits is found.
pub(super) const PIECE: usize = 12;
/// Characters in one hash.
const WINDOW: usize = 8;
/// Hashes of one session: 1 MiB. When they are used up, later text is only remembered by its addresses.
const MOST: usize = 1 << 17;

/// The traces of all text so far.
#[derive(Debug, Default)]
pub(super) struct Traces {
    windows: HashSet<u64>,
    addresses: HashSet<u64>,
}

impl Traces {
    pub(super) fn learn(&mut self, text: &str) {
        let letters = letters(text);
        let hashes = hashes(&letters);
        for run in hashes.windows(PIECE - WINDOW + 1) {
            if self.windows.len() >= MOST {
                break;
            }
            self.windows.extend(run.iter().min());
        }
        if hashes.len() < PIECE - WINDOW + 1 {
            self.windows.extend(hashes.iter().min());
        }
        if self.addresses.len() < MOST {
            self.addresses.extend(super::outward::addresses(text).iter().map(|address| hash(address.chars())));
        }
    }

    /// Whether an address was among the text's.
    pub(super) fn holds(&self, address: &str) -> bool {
        self.addresses.contains(&hash(address.chars()))
    }

    /// A piece of the text that was learnt here and not there.
    pub(super) fn shared(&self, text: &str, but_not: &Self) -> Option<String> {
        let letters = letters(text);
        let hashes = hashes(&letters);
        let known = |hash: &u64| self.windows.contains(hash) && !but_not.windows.contains(hash);
        // Two kept hashes close to each other: one alone may be a word that everybody uses.
        let mut last: Option<usize> = None;
        for (at, _) in hashes.iter().enumerate().filter(|(_, hash)| known(hash)) {
            match last {
                Some(before) if at - before <= PIECE => {
                    return letters.get(before..(at + WINDOW).min(letters.len())).map(|piece| piece.iter().collect());
                }
                _ => last = Some(at),
            }
        }
        None
    }
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
