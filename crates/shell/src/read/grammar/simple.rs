//! Simple commands and assignments.

use super::arithmetic::Until;
use super::tree::{AssignedValue, Assignment, AssignmentKind, Node, Operand, Part, Simple};
use super::word::Context;
use super::{Parser, is_meta, name_length};
use crate::read::limits::Within;

/// Builtins that take assignments as operands.
const DECLARERS: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

impl Parser<'_, '_> {
    /// A simple command, or the function that turns out to be defined.
    pub(super) fn simple(&mut self) -> Within<Node> {
        let start = self.at;
        let mut simple = Simple::default();
        let mut declares = false;
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                simple.redirects.push(redirect);
                continue;
            }
            let process = self.starts("<(") || self.starts(">(");
            if self.peek().is_none_or(is_meta) && !process {
                break;
            }
            self.budget.node(self.base)?;
            if (simple.words.is_empty() || declares)
                && let Some(assignment) = self.assignment()?
            {
                if simple.words.is_empty() {
                    simple.assignments.push(assignment);
                } else {
                    simple.words.push(Operand::Assignment(assignment));
                }
                continue;
            }
            let before = self.at;
            let word = self.word(Context::Word)?;
            if self.at == before {
                break;
            }
            if simple.words.is_empty() {
                if let Some(name) = word.bare().filter(|_| simple.assignments.is_empty())
                    && self.takes_parentheses()
                {
                    return self.function_body(name.to_owned());
                }
                declares = match word.bare() {
                    Some(name) => DECLARERS.contains(&name),
                    None => word.constant().is_some_and(|name| DECLARERS.contains(&name.as_str())),
                };
            } else if !declares && simple.words.len() < 3 {
                // `command export X=$(…)`, `builtin declare …`
                declares = word.bare().is_some_and(|name| DECLARERS.contains(&name));
            }
            simple.words.push(Operand::Word(word));
        }
        simple.source = self.excerpt(start);
        Ok(Node::Simple(Box::new(simple)))
    }

    fn takes_parentheses(&mut self) -> bool {
        let start = self.at;
        self.blanks();
        if self.take("(") {
            self.blanks();
            if self.take(")") {
                return true;
            }
        }
        self.at = start;
        false
    }

    fn assignment(&mut self) -> Within<Option<Assignment>> {
        let length = name_length(self.rest());
        if length == 0 {
            return Ok(None);
        }
        let start = self.at;
        let name = self.rest().get(..length).unwrap_or_default().to_owned();
        self.at += length;
        let mut index = None;
        if self.byte(0) == Some(b'[') {
            if !self.subscript_assigns() {
                self.at = start;
                return Ok(None);
            }
            self.at += 1;
            index = Some(self.arithmetic(Until::Bracket)?);
            self.take("]");
        }
        let kind = if self.take("+=") {
            AssignmentKind::Append
        } else if self.take("=") {
            AssignmentKind::Set
        } else {
            self.at = start;
            return Ok(None);
        };
        let value = if self.byte(0) == Some(b'(') {
            self.at += 1;
            self.nested(Self::array)?
        } else {
            AssignedValue::Word(self.word(Context::Word)?)
        };
        Ok(Some(Assignment { name, index, kind, value }))
    }

    /// Whether the subscript that starts here ends in `]=` or `]+=`.
    fn subscript_assigns(&self) -> bool {
        let mut level = 0_u32;
        let bytes = self.rest().as_bytes();
        let mut quote = None;
        for (place, byte) in bytes.iter().enumerate().take(4096) {
            match (quote, byte) {
                (Some(open), close) if open == *close => quote = None,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => quote = Some(*byte),
                (None, b'[') => level += 1,
                (None, b']') if level > 1 => level -= 1,
                (None, b']') => {
                    let after = bytes.get(place + 1..).unwrap_or_default();
                    return after.starts_with(b"=") || after.starts_with(b"+=");
                }
                _ => {}
            }
        }
        false
    }

    fn array(&mut self) -> Within<AssignedValue> {
        let mut elements: Vec<(Option<Vec<Part>>, super::tree::Word)> = Vec::new();
        loop {
            self.gap()?;
            if self.take(")") {
                break;
            }
            let process = self.starts("<(") || self.starts(">(");
            if self.peek().is_none_or(is_meta) && !process {
                self.broken();
                break;
            }
            self.budget.node(self.base)?;
            let mut index = None;
            if self.byte(0) == Some(b'[') && self.subscript_assigns() {
                self.at += 1;
                index = Some(self.arithmetic(Until::Bracket)?);
                self.take("]");
                self.take("+");
                self.take("=");
            }
            elements.push((index, self.word(Context::Word)?));
        }
        Ok(AssignedValue::Array(elements))
    }
}
