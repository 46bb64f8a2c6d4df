//! Many words sought in one text. Most places begin none of them, and a look at four bytes tells that without a chain of
//! states from byte to byte; only what is left is put to an automaton, which then says exactly which word it is.

use aho_corasick::{AhoCorasick, AhoCorasickKind, Anchored, Input, MatchKind, StartKind};

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
    words: AhoCorasick,
}

impl Sieve {
    /// None without words, and with more than an automaton can hold, which no real configuration has. A word of less than three
    /// bytes is not found.
    pub(super) fn new(words: &[String], case: Case) -> Option<Self> {
        let shortest = words.iter().map(String::len).filter(|length| *length >= LEAST).min()?;
        let mask = if shortest > LEAST { u32::MAX } else { u32::MAX >> 8 };
        let mut begins = Box::new([0; 1 << (BITS - 6)]);
        for word in words {
            let place = place(four(word.as_bytes(), 0), mask);
            if let Some(bits) = begins.get_mut(place >> 6) {
                *bits |= 1_u64 << (place & 63);
            }
        }
        let words = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .start_kind(StartKind::Anchored)
            .match_kind(MatchKind::LeftmostLongest)
            .ascii_case_insensitive(case == Case::Ignored)
            .build(words)
            .ok()?;
        Some(Self { begins, mask, words })
    }

    /// Calls `take` with the number and the place of each word, from the left, the longest at each place. The search goes on
    /// behind a word that was taken, and within one that was left.
    pub(super) fn each(&self, text: &str, mut take: impl FnMut(usize, (usize, usize)) -> Took) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(candidate) = self.next(bytes, at) {
            let here = Input::new(text).span(candidate..bytes.len()).anchored(Anchored::Yes);
            at = match self.words.find(here) {
                Some(word) if take(word.pattern().as_usize(), (word.start(), word.end())) == Took::It => word.end(),
                _ => candidate + 1,
            };
        }
    }

    /// The first place from `at` where a word may begin.
    fn next(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let may = |four: u32| {
            let place = place(four, self.mask);
            self.begins.get(place >> 6).is_some_and(|bits| bits >> (place & 63) & 1 == 1)
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

fn place(four: u32, mask: u32) -> usize {
    // A multiplicative hash: the high bits of a product with 2^32 divided by the golden ratio.
    (((four | FOLD) & mask).wrapping_mul(0x9e37_79b9) >> (32 - BITS)) as usize
}
