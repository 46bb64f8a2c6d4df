//! Many words sought in one text. Most places begin none of them, and a look at four bytes tells that without a chain of
//! states from byte to byte; what is left is compared with the few words that begin so.
//!
//! The surprising decision: no automaton, although the words are hundreds. Building one took longer than all the searches
//! of most commands, and hardly any place gets past the first look.

use std::borrow::Cow;
use std::cmp::Reverse;

/// Bits of a hash: a table of 8 KiB.
const BITS: u32 = 16;
/// The fewest bytes that a hash is made of, and that a word must have to be found.
const LEAST: usize = 3;
/// Large and small letters and a few signs become the same: what differs in letter case only has one hash.
const FOLD: u32 = 0x2020_2020;

/// Whether letter case matters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Exact,
    Ignored,
}

/// What became of a word that was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Took {
    It,
    Nothing,
}

/// The words.
pub(super) struct Sieve {
    /// Which hashes words begin with.
    begins: Box<[u64; 1 << (BITS - 6)]>,
    /// Which bytes of the four at a place are looked at.
    mask: u32,
    case: Case,
    /// By hash; of one hash the longest first, of equal words the one that was given first.
    words: Vec<Word>,
}

struct Word {
    hash: usize,
    text: Cow<'static, str>,
    /// Its place in the list that was given.
    number: usize,
}

impl Sieve {
    /// None without words. A word of less than three bytes is not found.
    pub(super) fn new(words: Vec<Cow<'static, str>>, case: Case) -> Option<Self> {
        let shortest = words.iter().map(|word| word.len()).filter(|length| *length >= LEAST).min()?;
        let mask = if shortest > LEAST { u32::MAX } else { u32::MAX >> 8 };
        let long = words.into_iter().enumerate().filter(|(_, text)| text.len() >= LEAST);
        let mut words: Vec<Word> =
            long.map(|(number, text)| Word { hash: hash(four(text.as_bytes(), 0), mask), text, number }).collect();
        words.sort_unstable_by_key(|word| (word.hash, Reverse(word.text.len()), word.number));
        let mut begins = Box::new([0; 1 << (BITS - 6)]);
        for word in &words {
            if let Some(bits) = begins.get_mut(word.hash >> 6) {
                *bits |= 1_u64 << (word.hash & 63);
            }
        }
        Some(Self { begins, mask, case, words })
    }

    /// Calls `take` with the number and the place of each word, from the left, the longest at each place. The search goes on
    /// behind a word that was taken, and within one that was left.
    pub(super) fn each(&self, text: &str, mut take: impl FnMut(usize, (usize, usize)) -> Took) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(candidate) = self.next(bytes, at) {
            at = match self.word(bytes, candidate) {
                Some((number, end)) if take(number, (candidate, end)) == Took::It => end,
                _ => candidate + 1,
            };
        }
    }

    /// The longest word at a place: its number, and where it ends.
    fn word(&self, bytes: &[u8], at: usize) -> Option<(usize, usize)> {
        let hash = hash(four(bytes, at), self.mask);
        let first = self.words.partition_point(|word| word.hash < hash);
        let mut near = self.words.get(first..)?.iter().take_while(|word| word.hash == hash);
        near.find_map(|word| {
            let (sought, end) = (word.text.as_bytes(), at + word.text.len());
            let there = bytes.get(at..end)?;
            let same = match self.case {
                Case::Exact => there == sought,
                Case::Ignored => there.eq_ignore_ascii_case(sought),
            };
            same.then_some((word.number, end))
        })
    }

    /// The first place from `at` where a word may begin.
    fn next(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let may = |four: u32| {
            let hash = hash(four, self.mask);
            self.begins.get(hash >> 6).is_some_and(|bits| bits >> (hash & 63) & 1 == 1)
        };
        let whole = bytes.get(at..)?.windows(4).position(|window| match window {
            [a, b, c, d] => may(u32::from_le_bytes([*a, *b, *c, *d])),
            _ => false,
        });
        if let Some(found) = whole {
            return Some(at + found);
        }
        let tail = bytes.len().saturating_sub(LEAST).max(at);
        (tail..bytes.len()).find(|at| may(four(bytes, *at)))
    }
}

/// The four bytes at a place; zeros behind the end.
fn four(bytes: &[u8], at: usize) -> u32 {
    let byte = |more: usize| bytes.get(at + more).copied().unwrap_or_default();
    u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
}

fn hash(four: u32, mask: u32) -> usize {
    // A multiplicative hash: the high bits of a product with 2^32 divided by the golden ratio.
    (((four | FOLD) & mask).wrapping_mul(0x9e37_79b9) >> (32 - BITS)) as usize
}
