//! What is remembered of a text to know pieces of it again: hashes of all pieces of [`PIECE`] letters and digits, never the
//! text itself.

use std::collections::HashSet;
use std::hash::{Hash as _, Hasher as _};

/// A shared piece of this many letters and digits is found.
pub(super) const PIECE: usize = 12;
/// Characters of a piece that are shown.
const SHOWN: usize = 40;
/// More long words in common are no chance.
const MOST_WORDS: usize = 16;
/// Hashes of pieces in one session, for as many letters, and of addresses in the same number: sets of that size take
/// 2.25 MiB each. When those of pieces are used up, later text is only remembered by its addresses.
const MOST: usize = 1 << 17;

/// The traces of all text so far.
#[derive(Debug, Default)]
pub(super) struct Traces {
    pieces: HashSet<u64>,
    addresses: HashSet<u64>,
}

impl Traces {
    pub(super) fn learn(&mut self, text: &str) {
        self.learn_but(text, &[]);
    }

    /// Learns the addresses of a text, and its pieces but for those that stand in one of these: an echo is no source.
    pub(super) fn learn_but(&mut self, text: &str, said: &[String]) {
        let said: HashSet<u64> = said.iter().flat_map(|said| hashes(&letters(said))).collect();
        let left = MOST.saturating_sub(self.pieces.len());
        self.pieces.extend(hashes(&letters(text)).into_iter().filter(|hash| !said.contains(hash)).take(left));
        self.learn_addresses(text);
    }

    fn learn_addresses(&mut self, text: &str) {
        let left = MOST.saturating_sub(self.addresses.len());
        if left > 0 {
            let addresses = super::outward::addresses(text);
            self.addresses.extend(addresses.iter().take(left).map(|address| hash(address.chars())));
        }
    }

    /// Whether an address was among the text's.
    pub(super) fn holds(&self, address: &str) -> bool {
        self.addresses.contains(&hash(address.chars()))
    }

    /// Whether every piece of a text was learnt here; of one that is too short nothing is known.
    pub(super) fn knows_all(&self, text: &str) -> bool {
        let hashes = hashes(&letters(text));
        !hashes.is_empty() && hashes.iter().all(|hash| self.pieces.contains(hash))
    }

    /// A piece of the text that was learnt here and not there: its words alone, since they are shown outside the marks.
    pub(super) fn shared(&self, text: &str, but_not: &Self) -> Option<String> {
        let hashes = hashes(&letters(text));
        let known = |hash: &u64| self.pieces.contains(hash) && !but_not.pieces.contains(hash);
        let (mut at, mut single) = (0, 0);
        while let Some(from) = hashes.iter().skip(at).position(known).map(|more| at + more) {
            at = from + hashes.iter().skip(from).take_while(|hash| known(hash)).count();
            let piece = words(text, from, at - 1 + PIECE);
            single += 1;
            if single > MOST_WORDS || !is_one_word(&piece) {
                return Some(piece);
            }
        }
        None
    }
}

/// A long word of a language, with what stood beside it by chance: everybody uses it.
fn is_one_word(piece: &str) -> bool {
    let longest = piece.split(' ').max_by_key(|word| word.len()).unwrap_or_default();
    piece.len() - longest.len() <= 4
        && longest.chars().all(char::is_alphabetic)
        && longest.chars().skip(1).all(char::is_lowercase)
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
pub(super) fn letters(text: &str) -> Vec<char> {
    let mut letters = Vec::with_capacity(text.len());
    // Most text is nothing else, and the tables of Unicode are slow.
    if text.is_ascii() {
        for one in text.bytes() {
            if one.is_ascii_alphanumeric() {
                letters.push(char::from(one.to_ascii_lowercase()));
            }
        }
    } else {
        letters.extend(text.chars().filter(|one| one.is_alphanumeric()).flat_map(char::to_lowercase));
    }
    letters
}

fn hashes(letters: &[char]) -> Vec<u64> {
    letters.windows(PIECE).map(|window| hash(window.iter().copied())).collect()
}

fn hash(characters: impl Iterator<Item = char>) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    characters.for_each(|character| character.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    /// One byte of the table for each place beside the hash; seven of eight places are used.
    #[test]
    fn a_session_takes_the_memory_that_is_documented() {
        let mut traces = Traces::default();
        for text in 0..40 {
            let text: String = (0..2000).map(|word| format!("https://h{text}x{word}.example/{word} ")).collect();
            traces.learn(&text);
        }
        assert_eq!((traces.pieces.len(), traces.addresses.len() > MOST / 2), (MOST, true));
        for set in [&traces.pieces, &traces.addresses] {
            let bytes = set.capacity() * 8 / 7 * (size_of::<u64>() + 1);
            assert!(bytes <= 9 << 18, "{bytes}");
        }
    }
}
