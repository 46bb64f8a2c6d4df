//! `find` as rules look at it: where it starts, what it chooses by, what it does with what it finds.
//!
//! A home is tidied by name or by age every day; what chooses by name does not mean the whole, so a person decides.

use crate::catalogue::has;
use crate::command::{Command, Piece, Surroundings, Word};
use crate::unwrap::{Inner, places_and_tests, unwrap};

/// A reading of `find`'s operands.
#[derive(Debug)]
pub(super) struct Found<'a> {
    /// Where it starts; empty for the current directory.
    pub(super) roots: &'a [Word],
    /// Tests and actions.
    pub(super) tests: &'a [Word],
}

/// What decides which of all files are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Nothing that matters.
    All,
    /// Their names.
    ByName,
    /// Their age or size.
    ByAge,
}

const BY_NAME: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -inum -samefile";
const BY_AGE: &str = "-empty -size -mtime -mmin -atime -amin -ctime -cmin -anewer -cnewer -used";

impl<'a> Found<'a> {
    pub(super) fn read(words: &'a [Word]) -> Self {
        let (roots, tests) = places_and_tests(words);
        Self { roots, tests }
    }

    fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.tests.iter().map(|word| word.literal().unwrap_or_default())
    }

    /// Whether this word stands among the tests and actions.
    pub(super) fn has(&self, word: &str) -> bool {
        self.texts().any(|text| text == word)
    }

    /// What it chooses by. Alternatives and negations choose nothing that can be relied on.
    pub(super) fn choice(&self) -> Choice {
        if ["-o", "-or", "!", "-not", ","].iter().any(|mixes| self.has(mixes)) {
            return Choice::All;
        }
        let mut pairs = self.texts().zip(self.texts().skip(1));
        if pairs.any(|(test, value)| has(BY_NAME, test) && !is_everything(value)) {
            return Choice::ByName;
        }
        let by_age = self.texts().any(|text| has(BY_AGE, text) || text.starts_with("-newer"));
        if by_age { Choice::ByAge } else { Choice::All }
    }
}

/// Whether a pattern stands for every name.
fn is_everything(pattern: &str) -> bool {
    pattern.chars().all(|character| matches!(character, '*' | '?' | '.' | '/')) && pattern.contains('*')
}

/// Wrappers inside wrappers that are looked through; more count as what is looked for.
const LEVELS: usize = 8;

/// Whether a command starts such a thing, through wrappers and shells.
pub(super) fn starts(command: &Command, surroundings: &Surroundings, such: &dyn Fn(&Inner) -> bool) -> bool {
    within(command, surroundings, such, LEVELS)
}

fn within(command: &Command, surroundings: &Surroundings, such: &dyn Fn(&Inner) -> bool, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return true };
    let Some(found) = unwrap(command, surroundings) else { return false };
    found
        .inner
        .iter()
        .any(|inner| such(inner) || matches!(inner, Inner::Command(inner) if within(inner, surroundings, such, levels)))
}

/// Whether a shell text names one of these programs.
pub(super) fn names_any(text: &Word, programs: &str) -> bool {
    const BETWEEN: [char; 11] = [' ', ';', '\n', '&', '|', '\'', '"', '(', ')', '`', '/'];
    text.pieces.iter().any(|piece| match piece {
        Piece::Text(text) => text.split(BETWEEN).any(|word| has(programs, word)),
        _ => false,
    })
}
