//! Arithmetic: kept as text and expansions; `expand` evaluates it.

use super::tree::Part;
use super::word::Context;
use super::{Parser, hole};
use crate::read::limits::Within;

/// What ends an arithmetic text, outside its own parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// `))`
    Parentheses,
    /// `]`
    Bracket,
    /// `:` or `}` of `${x:…:…}`
    Slice,
    /// `;` or `))` of `for ((…))`
    Clause,
}

impl Parser<'_, '_> {
    /// `((…))`, when its end is the double one: otherwise it is a subshell in a subshell.
    pub(super) fn double_parentheses(&mut self) -> Within<Option<Vec<Part>>> {
        let inner = self.starts("((").then(|| self.balanced(1, b'(', b')')).flatten();
        if inner.is_none_or(|end| self.byte(end) != Some(b')')) {
            return Ok(None);
        }
        let start = self.at;
        self.at += 2;
        let parts = self.nested(|parser| parser.arithmetic(Until::Parentheses))?;
        if !self.take("))") {
            self.at = start;
            return Ok(None);
        }
        Ok(Some(parts))
    }

    /// An arithmetic text; what ends it is left.
    pub(super) fn arithmetic(&mut self, until: Until) -> Within<Vec<Part>> {
        let mut parts = Vec::new();
        let mut run = String::new();
        let mut round = 0_u32;
        let mut square = 0_u32;
        while let Some(character) = self.peek() {
            let ends = match until {
                Until::Parentheses => round == 0 && self.starts("))"),
                Until::Bracket => square == 0 && character == ']',
                Until::Slice => (round == 0 && character == ':') || character == '}',
                Until::Clause => round == 0 && (character == ';' || self.starts("))")),
            };
            if ends {
                break;
            }
            let part = match character {
                '$' => self.dollar(Context::Double, &mut run)?,
                '`' => Some(self.back_quotes(Context::Double)?),
                '"' => Some(self.double()?),
                '\'' => Some(self.single()),
                '\\' => {
                    self.at += 1;
                    if let Some(next) = self.peek().filter(|next| *next != '\n') {
                        run.push(next);
                    }
                    self.bump();
                    None
                }
                _ => {
                    match character {
                        '(' => round += 1,
                        ')' => round = round.saturating_sub(1),
                        '[' => square += 1,
                        ']' => square = square.saturating_sub(1),
                        _ => {}
                    }
                    self.bump();
                    hole(character).map(Part::Hole).or_else(|| {
                        run.push(character);
                        None
                    })
                }
            };
            if let Some(part) = part {
                self.budget.node(self.base)?;
                if !run.is_empty() {
                    parts.push(Part::Quoted(std::mem::take(&mut run)));
                }
                parts.push(part);
            }
        }
        if !run.is_empty() {
            parts.push(Part::Quoted(run));
        }
        Ok(parts)
    }
}
