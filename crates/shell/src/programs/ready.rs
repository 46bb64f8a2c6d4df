//! Rows made ready to judge by: their options are looked up, not searched, because a hostile text may give thousands.

use super::options::{self, Given, Kind, Options, Order};
use super::place::Place;
use super::refusal::Refusal;
use super::row::{Answer, Called, Family, Operands, Patterns, Row, Seen};
use crate::catalogue::has;
use crate::command::Word;
use std::collections::HashMap;

/// One row.
pub(super) struct Ready {
    row: &'static Row,
    options: Options,
}

impl Ready {
    /// Makes a row ready.
    pub(super) fn new(row: &'static Row) -> Self {
        Self { row, options: Options::new(&row.options, row.style) }
    }

    /// Judges the words after the name.
    pub(super) fn judge(&self, program: &str, words: &[Word], place: &Place, depth: usize) -> Answer {
        let row = self.row;
        let given = options::read(words, program, &self.options, Order::Anywhere)?;
        for used in &given.used {
            if let Some(value) = &used.value {
                check_value(value, used.kind, place)?;
            }
        }
        if row.patterns == Patterns::Guarded {
            let could_be_option = |word: &&Word| word.prefix().is_empty() && word.has_glob();
            let values = given.used.iter().filter_map(|used| used.value.as_ref());
            let words = given.operands.iter().take(given.before_end).chain(values);
            if let Some(word) = words.into_iter().find(could_be_option) {
                return Err(Refusal::Operand(program.to_owned(), word.to_string()));
            }
        }
        check_operands(row.operands, program, &given, place)?;
        match row.check {
            Some(check) => check(&Seen { program, given: &given, place, depth }),
            None => Ok(row.class),
        }
    }
}

/// A program with subcommands.
pub(super) struct ReadyFamily {
    family: &'static Family,
    globals: Options,
    rows: Vec<Ready>,
    names: HashMap<&'static str, usize>,
}

impl ReadyFamily {
    /// Makes a family ready.
    pub(super) fn new(family: &'static Family) -> Self {
        let rows = || family.rows.iter().flat_map(|rows| rows.iter());
        let named = rows().enumerate().flat_map(|(at, row)| row.names.split('|').map(move |name| (name, at)));
        Self {
            family,
            globals: Options::new(&[family.globals], family.style),
            rows: rows().map(Ready::new).collect(),
            names: named.collect(),
        }
    }

    /// How its programs may be called.
    pub(super) const fn called(&self) -> Called {
        self.family.called
    }

    /// Judges the words after the name.
    pub(super) fn judge(&self, program: &str, words: &[Word], place: &Place, depth: usize) -> Answer {
        let skip = self.family.before.map_or(Ok(0), |before| before(words))?;
        let words = words.get(skip..).unwrap_or_default();
        let given = options::read(words, program, &self.globals, Order::First)?;
        let mut place = place.clone();
        for used in &given.used {
            let Some(value) = &used.value else { continue };
            if has(self.family.enters, &used.name) {
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

    fn row(&self, name: &str) -> Option<&Ready> {
        self.names.get(name).and_then(|at| self.rows.get(*at))
    }
}

fn check_operands(operands: Operands, program: &str, given: &Given, place: &Place) -> Result<(), Refusal> {
    let refuse = |word: &Word| Err(Refusal::Operand(program.to_owned(), word.to_string()));
    let words = given.operands.as_slice();
    match operands {
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
            let other = words.iter().find(|word| !word.literal().is_some_and(|text| has(known, text)));
            other.map_or(Ok(()), refuse)
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
