//! The form of the tables: one row a program or a subcommand, and how a row judges words.
//!
//! A row says what is allowed; whatever it does not say is refused.

use super::options::{self, Given, Kind, Listed, Order, Style};
use super::place::Place;
use super::refusal::Refusal;
use crate::shell::command::{Piece, Word};
use crate::shell::verdict::Class;

/// What the operands of a row are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    /// There are none.
    Nothing,
    /// Any text. A pattern among them still lists a folder, so it must stay inside.
    Text,
    /// Paths, or words that must not be paths to the outside; contents are not shown.
    Names,
    /// Files that are shown.
    Files,
    /// At most so many files that are shown.
    AtMost(usize),
    /// A pattern or a program text first, unless one of these options gave it; then files that are shown.
    PatternThenFiles(&'static [&'static str]),
    /// Revisions and files in them.
    Revisions,
    /// Only these words.
    Only(&'static [&'static str]),
}

/// Whether a name that a pattern finds could be taken for a harmful option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patterns {
    /// No option of the program does harm.
    Harmless,
    /// `sort *` where a file is called `-oout`: a pattern must follow `./` or `--`.
    Guarded,
}

/// What a check sees.
pub(super) struct Seen<'s> {
    /// The program, with its subcommand.
    pub(super) program: &'s str,
    /// Its words, read.
    pub(super) given: &'s Given,
    /// Where it stands.
    pub(super) place: &'s Place,
    /// How many programs run inside each other so far.
    pub(super) depth: usize,
}

/// A class, or why not.
pub(super) type Answer = Result<Class, Refusal>;

/// One program or one subcommand.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// Its names; a subcommand of two words has one blank.
    pub(super) names: &'static [&'static str],
    class: Class,
    options: &'static [&'static str],
    style: Style,
    operands: Operands,
    patterns: Patterns,
    check: Option<fn(&Seen<'_>) -> Answer>,
}

impl Row {
    const fn new(class: Class, names: &'static [&'static str], options: &'static [&'static str]) -> Self {
        Self {
            names,
            class,
            options,
            style: Style::Letters,
            operands: Operands::Names,
            patterns: Patterns::Harmless,
            check: None,
        }
    }

    /// Only reads.
    pub(super) const fn safe(names: &'static [&'static str], options: &'static [&'static str]) -> Self {
        Self::new(Class::Safe, names, options)
    }

    /// A development tool.
    pub(super) const fn dev(names: &'static [&'static str], options: &'static [&'static str]) -> Self {
        Self::new(Class::Dev, names, options)
    }

    /// What its operands are; [`Operands::Names`] unless said.
    pub(super) const fn takes(mut self, operands: Operands) -> Self {
        self.operands = operands;
        self
    }

    /// How its options are written; [`Style::Letters`] unless said.
    pub(super) const fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// A pattern could become a harmful option.
    pub(super) const fn guarded(mut self) -> Self {
        self.patterns = Patterns::Guarded;
        self
    }

    /// Judges what the options and operands alone do not tell. Its class counts instead of the row's.
    pub(super) const fn check(mut self, check: fn(&Seen<'_>) -> Answer) -> Self {
        self.check = Some(check);
        self
    }

    #[cfg(test)]
    pub(super) fn options(&self) -> (&'static [&'static str], Style) {
        (self.options, self.style)
    }

    /// Judges the words after the name.
    pub(super) fn judge(&self, program: &str, words: &[Word], place: &Place, depth: usize) -> Answer {
        let list = Listed { program, options: self.options, style: self.style, order: Order::Anywhere };
        let given = options::read(words, &list)?;
        for used in &given.used {
            if let Some(value) = &used.value {
                check_value(value, used.kind, place)?;
            }
        }
        if self.patterns == Patterns::Guarded {
            let could_be_option = |word: &&Word| matches!(word.pieces.first(), Some(Piece::Glob(_)));
            if let Some(word) = given.operands.iter().take(given.before_end).find(could_be_option) {
                return Err(Refusal::Operand(program.to_owned(), word.to_string()));
            }
        }
        self.operands(program, &given, place)?;
        match self.check {
            Some(check) => check(&Seen { program, given: &given, place, depth }),
            None => Ok(self.class),
        }
    }

    fn operands(&self, program: &str, given: &Given, place: &Place) -> Result<(), Refusal> {
        let refuse = |word: &Word| Err(Refusal::Operand(program.to_owned(), word.to_string()));
        let words = given.operands.as_slice();
        match self.operands {
            Operands::Nothing => words.first().map_or(Ok(()), refuse),
            Operands::Text => words.iter().try_for_each(|word| check_value(word, Kind::Text, place)),
            Operands::Names => words.iter().try_for_each(|word| place.names(word)),
            Operands::Files => words.iter().try_for_each(|word| place.reads(word)),
            Operands::Revisions => words.iter().try_for_each(|word| place.reads_revision(word)),
            Operands::AtMost(most) => {
                // A pattern may stand for several names, and the second one is written to.
                let many = words.iter().find(|word| most > 0 && word.has_glob());
                if let Some(extra) = many.or(words.get(most)) {
                    return refuse(extra);
                }
                words.iter().try_for_each(|word| place.reads(word))
            }
            Operands::PatternThenFiles(instead) => {
                let patterns = usize::from(!given.has(instead));
                let pattern = words.iter().take(patterns);
                pattern.into_iter().try_for_each(|word| check_value(word, Kind::Text, place))?;
                words.iter().skip(patterns).try_for_each(|word| place.reads(word))
            }
            Operands::Only(known) => {
                let other = words.iter().find(|word| !word.literal().is_some_and(|text| known.contains(&text)));
                other.map_or(Ok(()), refuse)
            }
        }
    }
}

fn check_value(value: &Word, kind: Kind, place: &Place) -> Result<(), Refusal> {
    match kind {
        // A variable here is one that prints nothing secret: others were refused before any row was asked.
        Kind::Text if value.has_glob() => place.names(value),
        Kind::Text => Ok(()),
        Kind::Read => place.reads(value),
        Kind::Name => place.names(value),
        Kind::Revision => place.reads_revision(value),
    }
}

/// A program with subcommands.
#[derive(Clone, Copy)]
pub(super) struct Family {
    /// Its names.
    pub(super) names: &'static [&'static str],
    /// Options before the subcommand.
    globals: &'static [&'static str],
    style: Style,
    /// The subcommands; one named `""` stands for none.
    pub(super) rows: &'static [&'static [Row]],
    /// An option before the subcommand that changes the directory.
    enters: &'static [&'static str],
    /// A check of all its words first.
    before: Option<fn(&[Word]) -> Result<usize, Refusal>>,
}

impl Family {
    /// A family without options before the subcommand.
    pub(super) const fn new(names: &'static [&'static str], rows: &'static [&'static [Row]]) -> Self {
        Self { names, globals: &[], style: Style::Letters, rows, enters: &[], before: None }
    }

    /// Options before the subcommand.
    pub(super) const fn globals(mut self, globals: &'static [&'static str]) -> Self {
        self.globals = globals;
        self
    }

    /// How those are written.
    pub(super) const fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Options among those that change the directory.
    pub(super) const fn enters(mut self, enters: &'static [&'static str]) -> Self {
        self.enters = enters;
        self
    }

    /// Looks at the words first and says how many to skip.
    pub(super) const fn before(mut self, before: fn(&[Word]) -> Result<usize, Refusal>) -> Self {
        self.before = Some(before);
        self
    }

    /// Judges the words after the name.
    pub(super) fn judge(&self, program: &str, words: &[Word], place: &Place, depth: usize) -> Answer {
        let skip = self.before.map_or(Ok(0), |before| before(words))?;
        let words = words.get(skip..).unwrap_or_default();
        let list = Listed { program, options: self.globals, style: self.style, order: Order::First };
        let given = options::read(words, &list)?;
        let mut place = place.clone();
        for used in &given.used {
            let Some(value) = &used.value else { continue };
            if self.enters.contains(&used.name.as_str()) {
                place = place.enter(value)?;
            } else {
                check_value(value, used.kind, &place)?;
            }
        }
        let rest = words.get(given.words..).unwrap_or_default();
        let unknown = |name: &Word| Refusal::UnknownSubcommand(program.to_owned(), name.to_string());
        let Some(first) = rest.first() else {
            let row = self.row("").ok_or_else(|| unknown(&Word::default()))?;
            return row.judge(program, &[], &place, depth);
        };
        let name = first.literal().filter(|name| !name.is_empty()).ok_or_else(|| unknown(first))?;
        let second = rest.get(1).and_then(Word::literal).map(|second| format!("{name} {second}"));
        if let Some((row, both)) = second.and_then(|both| self.row(&both).map(|row| (row, both))) {
            return row.judge(&format!("{program} {both}"), rest.get(2..).unwrap_or_default(), &place, depth);
        }
        let row = self.row(name).ok_or_else(|| unknown(first))?;
        row.judge(&format!("{program} {name}"), rest.get(1..).unwrap_or_default(), &place, depth)
    }

    fn row(&self, name: &str) -> Option<&'static Row> {
        self.rows.iter().flat_map(|rows| rows.iter()).find(|row| row.names.contains(&name))
    }
}
