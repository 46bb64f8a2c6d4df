//! What the session has read here: enough of it to know a long piece again.
//!
//! Most sessions never send anything, so what is read waits as text, and becomes hashes when a call is compared with it.
//! Of every run of letters and digits some pieces are kept, chosen by what they are and not by where they stand, so that any
//! [`RUN`] in common share at least one. What was read last is remembered; what was read long before makes room.

use std::cell::{RefCell, RefMut};
use std::collections::HashSet;

/// A run of this many letters and digits that was copied is always found.
pub(super) const RUN: usize = 40;
/// A run this short may be.
const PIECE: usize = 28;
/// A word of this many letters and digits, mixed, is a key of some kind.
const KEY: usize = 16;
/// Hashes of half of what is remembered: some 230 KB of text.
const HALF: usize = 1 << 15;
/// Bytes at the end of a text that are learnt: what stands before them would make room for them at once.
const LEARNT: usize = 2 << 20;

/// Bytes of text that wait.
const WAITING: usize = 256 << 10;
/// Stands behind each of them: letters and digits of two texts make no piece.
const END: char = '\0';

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Private {
    waiting: RefCell<String>,
    pieces: RefCell<Pieces>,
}

impl Private {
    pub(super) fn learn(&mut self, text: &str) {
        let text = text.get(text.ceil_char_boundary(text.len().saturating_sub(LEARNT))..).unwrap_or(text);
        let waiting = self.waiting.get_mut();
        waiting.push_str(&text.replace(END, " "));
        waiting.push(END);
        if waiting.len() > WAITING {
            self.pieces();
        }
    }

    /// All of it as hashes.
    fn pieces(&self) -> RefMut<'_, Pieces> {
        let mut pieces = self.pieces.borrow_mut();
        self.waiting.take().split_terminator(END).for_each(|text| pieces.learn(text));
        pieces
    }

    /// The first piece of the text that was read here, in letters and digits; `public` says which pieces others know, too.
    pub(super) fn copied(&self, text: &str, public: &dyn Fn(&str) -> bool) -> Option<String> {
        self.pieces().copied(text, public)
    }
}

/// Pieces of private text, as hashes.
#[derive(Debug, Default)]
struct Pieces {
    newer: HashSet<u64>,
    older: HashSet<u64>,
}

impl Pieces {
    fn learn(&mut self, text: &str) {
        let letters = super::traces::letters(text);
        for hash in chosen(&hashes(&letters)) {
            self.keep(hash);
        }
        for key in keys(text) {
            self.keep(key.1);
        }
    }

    fn keep(&mut self, hash: u64) {
        if self.newer.len() >= HALF {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(hash);
    }

    fn holds(&self, hash: u64) -> bool {
        self.newer.contains(&hash) || self.older.contains(&hash)
    }

    fn copied(&self, text: &str, public: &dyn Fn(&str) -> bool) -> Option<String> {
        if self.newer.is_empty() && self.older.is_empty() {
            return None;
        }
        let letters = super::traces::letters(text);
        let piece = |at: usize| letters.iter().skip(at).take(PIECE).collect::<String>();
        let runs = hashes(&letters).into_iter().enumerate();
        let run = runs.filter(|(_, hash)| self.holds(*hash)).map(|(at, _)| piece(at)).find(|piece| !public(piece));
        run.or_else(|| {
            keys(text).into_iter().filter(|(_, hash)| self.holds(*hash)).map(|(key, _)| key).find(|key| !public(key))
        })
    }
}

/// The hash of each piece, each from the one before it.
fn hashes(letters: &[char]) -> Vec<u64> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let Some((first, rest)) = letters.split_at_checked(PIECE) else { return Vec::new() };
    let value = |letter: &char| u64::from(u32::from(*letter));
    let add = |rolling: u64, letter: &char| rolling.wrapping_mul(BASE).wrapping_add(value(letter));
    let leaving = (1..PIECE).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut rolling = first.iter().fold(0, add);
    let begun = mixed(rolling);
    let next = letters.iter().zip(rest).map(|(gone, letter)| {
        rolling = add(rolling.wrapping_sub(value(gone).wrapping_mul(leaving)), letter);
        mixed(rolling)
    });
    std::iter::once(begun).chain(next).collect()
}

const fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    value ^ (value >> 29)
}

/// The smallest of every `RUN - PIECE + 1` neighbours, the first of equals: two texts with a whole run in common have one in
/// common. The neighbours are looked through again only when the smallest has left them.
fn chosen(hashes: &[u64]) -> Vec<u64> {
    const WINDOW: usize = RUN - PIECE + 1;
    let mut all = Vec::with_capacity(hashes.len() / 4);
    let (mut place, mut smallest) = (0, u64::MAX);
    for (at, hash) in hashes.iter().enumerate() {
        let from = (at + 1).saturating_sub(WINDOW);
        if *hash < smallest {
            (place, smallest) = (at, *hash);
        } else if place < from {
            let window = (from..).zip(hashes.iter().skip(from).take(WINDOW));
            (place, smallest) = window.min_by_key(|(_, hash)| **hash).map_or((at, *hash), |(at, hash)| (at, *hash));
        } else if at + 1 != WINDOW {
            continue;
        }
        if at + 1 >= WINDOW {
            all.push(smallest);
        }
    }
    all
}

/// Words that look like keys, in lower case.
fn keys(text: &str) -> Vec<(String, u64)> {
    let words = text.as_bytes().split(|one| !one.is_ascii_alphanumeric()).filter(|word| word.len() >= KEY);
    let is_key = |word: &&[u8]| {
        let digits = word.iter().filter(|one| one.is_ascii_digit()).count();
        digits >= 3 && word.len() - digits >= 3
    };
    words
        .filter(is_key)
        .map(|word| {
            let word = String::from_utf8_lossy(word).to_ascii_lowercase();
            let hash = super::words::hash(&word);
            (word, hash)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    const FILE: &str =
        "The merger with Northwind closes on the ninth of March; nobody outside the board knows of it yet.";

    fn copied(read: &str, said: &str) -> bool {
        let mut private = Private::default();
        private.learn(read);
        private.copied(said, &|_| false).is_some()
    }

    #[test]
    fn long_runs_and_keys_are_known_again_wherever_they_stand() {
        let letters: Vec<char> = FILE.chars().collect();
        for from in 0..letters.len() - 55 {
            let run: String = letters[from..from + 55].iter().collect();
            assert!(copied(FILE, &format!("x {run} y")), "{run}");
        }
        assert!(copied(FILE, "THEMERGERWITHNORTHWINDCLOSESONTHENINTHOFMARCH"));
        assert!(copied("key: AbC123def456GHi789", "find abc123DEF456ghi789"));
        assert!(!copied("key: AbC123def456GHi789", "find abc123DEF456ghi780"));
        assert!(!copied(FILE, "merger closes on the ninth"));
        assert!(!copied("fn internationalization() {}", "internationalization of a program"));
        let mut private = Private::default();
        private.learn(FILE);
        assert_eq!(private.copied(FILE, &|_| true), None);
    }

    #[test]
    fn what_is_kept_is_the_smallest_of_its_neighbours() {
        let letters = super::super::traces::letters(&FILE.repeat(9));
        let hashes = hashes(&letters);
        let mut all: Vec<(usize, u64)> = Vec::new();
        for (from, window) in hashes.windows(RUN - PIECE + 1).enumerate() {
            let (at, hash) = window.iter().enumerate().min_by_key(|(_, hash)| **hash).unwrap();
            all.push((from + at, *hash));
        }
        all.dedup();
        assert!(all.len() > 50);
        assert_eq!(chosen(&hashes), all.into_iter().map(|(_, hash)| hash).collect::<Vec<_>>());
    }

    #[test]
    fn memory_is_bounded_and_the_latest_stays() {
        let mut private = Private::default();
        for number in 0..60_000_u64 {
            private.learn(&format!("{:x} {FILE}", mixed(number)).repeat(1));
        }
        let text: String = (0..200_000_u64).map(|number| format!("{:x} ", mixed(number))).collect();
        private.learn(&text);
        private.learn(FILE);
        assert!(private.waiting.borrow().len() <= WAITING);
        let kept = |pieces: &Pieces| pieces.newer.len() + pieces.older.len();
        assert!(kept(&private.pieces()) <= 2 * HALF);
        assert!(private.copied(FILE, &|_| false).is_some());
    }
}
