//! `find` as rules look at it: where it starts, what it chooses by, what it does with what it finds.
//!
//! A home is tidied by name or by age every day; what chooses by name does not mean the whole, so a person decides.

use crate::shell::command::Word;

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

const BY_NAME: [&str; 11] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-lname",
    "-inum",
    "-samefile",
];
const BY_AGE: [&str; 11] =
    ["-empty", "-size", "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin", "-anewer", "-cnewer", "-used"];

impl<'a> Found<'a> {
    pub(super) fn read(words: &'a [Word]) -> Self {
        let mut at = 0;
        while let Some(text) = words.get(at).and_then(Word::literal) {
            match text {
                "-H" | "-L" | "-P" => at += 1,
                "-D" => at += 2,
                _ if text.starts_with("-O") => at += 1,
                _ => break,
            }
        }
        let rest = words.get(at..).unwrap_or_default();
        let expression = |word: &Word| word.prefix().starts_with(['-', '(', '!', ',']);
        let split = rest.iter().position(expression).unwrap_or(rest.len());
        let (roots, tests) = rest.split_at_checked(split).unwrap_or_default();
        Self { roots, tests }
    }

    fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.tests.iter().map(|word| word.literal().unwrap_or_default())
    }

    /// Whether this word stands among the tests and actions.
    pub(super) fn has(&self, word: &str) -> bool {
        self.texts().any(|text| text == word)
    }

    /// The base names of the programs that it starts.
    pub(super) fn programs(&self) -> impl Iterator<Item = &'a str> {
        let starts = |text: &str| matches!(text, "-exec" | "-execdir" | "-ok" | "-okdir");
        let after = self.texts().zip(self.texts().skip(1)).filter(move |(text, _)| starts(text));
        after.map(|(_, program)| program.rsplit('/').next().unwrap_or(program))
    }

    /// Texts that shells started by it would read.
    pub(super) fn shell_texts(&self) -> impl Iterator<Item = &'a str> {
        let shells = self.programs().any(|program| program.ends_with("sh"));
        self.texts().filter(move |text| shells && text.contains(' '))
    }

    /// What it chooses by. Alternatives and negations choose nothing that can be relied on.
    pub(super) fn choice(&self) -> Choice {
        if ["-o", "-or", "!", "-not", ","].iter().any(|mixes| self.has(mixes)) {
            return Choice::All;
        }
        let mut pairs = self.texts().zip(self.texts().skip(1));
        if pairs.any(|(test, value)| BY_NAME.contains(&test) && !is_everything(value)) {
            return Choice::ByName;
        }
        let by_age = self.texts().any(|text| BY_AGE.contains(&text) || text.starts_with("-newer"));
        if by_age { Choice::ByAge } else { Choice::All }
    }
}

/// Whether a pattern stands for every name.
fn is_everything(pattern: &str) -> bool {
    pattern.chars().all(|character| matches!(character, '*' | '?' | '.' | '/')) && pattern.contains('*')
}
