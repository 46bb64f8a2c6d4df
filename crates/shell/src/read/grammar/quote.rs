//! Quotes: single, double, `$'…'`.

use super::tree::Part;
use super::word::Context;
use super::{HOLE, HOLES, Parser};
use crate::read::limits::{Problem, Within};
use crate::unwrap::ansi;

/// The number of the hole that a character stands for.
pub(in crate::read) fn hole(character: char) -> Option<usize> {
    let number = u32::from(character).checked_sub(u32::from(HOLE))?;
    (number < HOLES).then_some(number as usize)
}

/// Quoted characters, with the holes among them apart.
pub(in crate::read) fn with_holes(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut quoted = String::new();
    for character in text.chars() {
        match hole(character) {
            None => quoted.push(character),
            Some(number) => {
                parts.push(Part::Quoted(std::mem::take(&mut quoted)));
                parts.push(Part::Hole(number));
            }
        }
    }
    if !quoted.is_empty() || parts.is_empty() {
        parts.push(Part::Quoted(quoted));
    }
    parts
}

/// Quoted characters as one part.
fn part(text: String) -> Part {
    if text.chars().any(|character| hole(character).is_some()) {
        return Part::Double(with_holes(&text));
    }
    Part::Quoted(text)
}

impl Parser<'_, '_> {
    /// `'…'`
    pub(super) fn single(&mut self) -> Part {
        self.at += 1;
        let rest = self.rest();
        let end = rest.find('\'');
        if end.is_none() {
            self.broken();
        }
        let inner = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += inner.len() + usize::from(end.is_some());
        part(inner.to_owned())
    }

    /// `"…"`
    pub(super) fn double(&mut self) -> Within<Part> {
        self.at += 1;
        let parts = self.nested(|parser| parser.parts(Context::Double))?;
        if !self.take("\"") {
            self.broken();
        }
        Ok(Part::Double(parts))
    }

    /// `$'…'`, from the quote.
    pub(super) fn ansi(&mut self) -> Part {
        self.at += 1;
        let start = self.at;
        while self.peek().is_some_and(|character| character != '\'') {
            let escapes = self.take("\\");
            if escapes && self.peek() == Some('c') {
                self.budget.problem(Problem::Construct("control character"));
            }
            self.bump();
        }
        let text = ansi(self.slice(start));
        self.close("'");
        // As in C, a zero byte ends the string.
        part(text.split('\0').next().unwrap_or_default().to_owned())
    }
}
