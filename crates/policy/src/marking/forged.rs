//! Finds the marks' name in whatever disguise, and splits it.
//!
//! One pass follows every way in which the text may be read at the same time: each place holds a set of how many letters of
//! the name have been read on some way to it. What is no letter is passed over; an escape is read as it stands and as what it
//! stands for; a tag is read and passed over. So ways of disguise need not be tried one after another, and mixing them
//! changes nothing.

use super::{escapes, letters};
use std::borrow::Cow;

/// The letters of the name in both marks.
const LETTERS: &[u8; 24] = b"externaluntrustedcontent";
/// Where the letters begin in a set: the name, and the name from its end, as text that runs the other way shows it.
const FORWARD: u32 = 0;
const BACKWARD: u32 = 32;
const START: u64 = 1 << FORWARD | 1 << BACKWARD;
const END: u64 = 1 << (FORWARD + 23) | 1 << (BACKWARD + 23);
/// `EXTERNAL` has been read, or as much of the name from its end.
const MIDDLE: u64 = 1 << (FORWARD + 7) | 1 << (BACKWARD + 7);
/// A longer tag is text.
const LONGEST_TAG: usize = 256;
/// More than any reading takes; a power of two.
const RING: usize = 512;
/// Put into a forged mark.
const SPLITTER: &str = "(quoted)";
const ROUNDS: usize = 8;

/// For each byte, the places of its letter in the name and in the name from its end.
static PLACES: [u64; 256] = places();

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn places() -> [u64; 256] {
    let mut table = [0; 256];
    let mut place = 0;
    while place < LETTERS.len() {
        let sets = 1 << (FORWARD + place as u32) | 1 << (BACKWARD + 23 - place as u32);
        table[LETTERS[place] as usize] |= sets;
        table[LETTERS[place].to_ascii_uppercase() as usize] |= sets;
        place += 1;
    }
    table
}

/// The text with everything split that imitates a mark; none where it imitates one whatever is put into it.
pub(super) fn split(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    let mut current = text;
    for round in 0..ROUNDS {
        let mut places = find(&current, if round == 0 { Cut::InTheMiddle } else { Cut::BeforeTheEnd });
        if places.is_empty() {
            return Some(current);
        }
        places.sort_unstable();
        places.dedup();
        let mut next = String::with_capacity(current.len() + places.len() * SPLITTER.len());
        let mut done = 0;
        for place in places {
            next.push_str(current.get(done..place).unwrap_or_default());
            next.push_str(SPLITTER);
            done = place;
        }
        next.push_str(current.get(done..).unwrap_or_default());
        current = Cow::Owned(next);
    }
    (!imitates_mark(&current)).then_some(current)
}

/// Whether the name of the marks can be read anywhere in the text, in whatever disguise.
#[must_use]
pub fn imitates_mark(text: &str) -> bool {
    !find(text, Cut::InTheMiddle).is_empty()
}

/// Where a forged name is cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// After `EXTERNAL`, where it reads best.
    InTheMiddle,
    /// Before the last letter, which every way of reading passes.
    BeforeTheEnd,
}

/// The places to cut at, one for each end of a name.
fn find(text: &str, cut: Cut) -> Vec<usize> {
    let mut ring = [0_u64; RING];
    let mut cuts = Vec::new();
    let mut closers = Closers { bytes: text.as_bytes(), next: 0, looked: 0, last: None };
    let (mut middle, mut was_middle) = (0, false);
    for (at, character) in text.char_indices() {
        let Some(slot) = ring.get_mut(at % RING) else { continue };
        let read = std::mem::take(slot);
        let is_middle = read & MIDDLE != 0;
        if is_middle && !was_middle {
            middle = at;
        }
        was_middle = is_middle;
        let mut reach = |to: usize, sets: u64| {
            if sets & END != 0 {
                let known = cut == Cut::InTheMiddle && middle > 0;
                cuts.push(if known { middle } else { at });
            }
            if let Some(slot) = ring.get_mut(to % RING) {
                *slot |= sets & !END;
            }
        };
        let byte = match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() => byte,
            _ => {
                read_as(read, character, &mut |sets| reach(at + character.len_utf8(), sets));
                continue;
            }
        };
        if byte.is_ascii_alphabetic() {
            let places = PLACES.get(usize::from(byte)).copied().unwrap_or_default();
            reach(at + 1, (read << 1 | START) & places);
            continue;
        }
        read_as(read, character, &mut |sets| reach(at + 1, sets));
        if byte == b'<' && read != 0 {
            // Also to the last one: comments and quoted values have such characters within.
            let ends = closers.around(at);
            ends.into_iter().flatten().for_each(|end| reach(end + 1, read));
        } else if escapes::begins(byte) {
            let rest = text.get(at..).unwrap_or_default();
            escapes::readings(rest, &mut |meant, taken| {
                if taken < RING {
                    read_as(read, meant, &mut |sets| reach(at + taken, sets));
                }
            });
        }
    }
    cuts
}

/// Where tags end. It goes through the text once beside the search, so that text full of `<` costs no more than other text.
struct Closers<'t> {
    bytes: &'t [u8],
    /// No `>` lies between the last place that was asked for and this.
    next: usize,
    /// Up to here it was looked for the last.
    looked: usize,
    last: Option<usize>,
}

impl Closers<'_> {
    /// The first and the last `>` behind `at`, within a tag's length. Places must be asked for in order.
    fn around(&mut self, at: usize) -> [Option<usize>; 2] {
        let closes = |place: &usize| self.bytes.get(*place) == Some(&b'>');
        let until = (at + 1 + LONGEST_TAG).min(self.bytes.len());
        self.next = (self.next.max(at + 1)..until).find(closes).unwrap_or(until);
        self.last = (self.looked.max(at + 1)..until).rfind(closes).or(self.last);
        self.looked = until;
        [Some(self.next).filter(closes), self.last.filter(|last| *last > at)]
    }
}

/// What has been read after one more character, in each way of reading it.
fn read_as(read: u64, character: char, reach: &mut impl FnMut(u64)) {
    let letter = |read: u64, byte: u8| (read << 1 | START) & PLACES.get(usize::from(byte)).copied().unwrap_or_default();
    if character.is_ascii_alphabetic() {
        reach(letter(read, u8::try_from(character).unwrap_or_default()));
        return;
    }
    reach(read);
    let letters = match character {
        '0' => "o",
        '1' | '!' | '|' => "l",
        '3' => "e",
        '4' | '@' => "a",
        '5' | '$' => "s",
        '7' => "t",
        _ if character.is_ascii() => "",
        _ => letters::reads_as(character),
    };
    if !letters.is_empty() {
        reach(letters.bytes().fold(read, letter));
    }
}
