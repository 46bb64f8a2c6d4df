//! Simple commands and assignments.

use super::arithmetic::Until;
use super::tree::{AssignedValue, Assignment, AssignmentKind, Node, Operand, Part, Simple};
use super::word::Context;
use super::{Parser, name_length};
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
            if !self.at_word() {
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
            if let Some(name) = word.bare().filter(|_| simple.words.is_empty() && simple.assignments.is_empty())
                && self.takes_parentheses()
            {
                return self.function_body(name.to_owned());
            }
            // `command export X=$(…)`, `builtin declare …`
            declares |= simple.words.len() < 3 && word.constant().is_some_and(|name| DECLARERS.contains(&&*name));
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
        let after = self.balanced(0, b'[', b']').and_then(|end| self.rest().get(end..));
        after.is_some_and(|after| after.starts_with('=') || after.starts_with("+="))
    }

    fn array(&mut self) -> Within<AssignedValue> {
        let mut elements: Vec<(Option<Vec<Part>>, super::tree::Word)> = Vec::new();
        loop {
            self.gap()?;
            if self.take(")") {
                break;
            }
            if !self.at_word() {
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
