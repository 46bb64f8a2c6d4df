//! What a dollar sign or a back quote starts.

use super::arithmetic::Until;
use super::tree::{Change, Edit, Form, Index, Parameter, Part, Reach, WhenEmpty, Word};
use super::word::{Context, Quoting};
use super::{Parser, is_name, name_length};
use crate::read::limits::{Problem, Within};
use std::rc::Rc;

/// Parameters of one character that is no letter.
const SPECIAL: [char; 8] = ['@', '*', '#', '?', '-', '$', '!', '0'];

impl Parser<'_, '_> {
    /// From a dollar sign: an expansion, or nothing and the sign in `run`.
    pub(super) fn dollar(&mut self, context: Context, run: &mut String) -> Within<Option<Part>> {
        let outside = matches!(context.quoting(), Quoting::Outside);
        self.at += 1;
        let Some(next) = self.peek() else {
            run.push('$');
            return Ok(None);
        };
        match next {
            '\'' if outside => return Ok(Some(self.ansi())),
            '"' if outside => return self.double().map(Some),
            '(' => return self.nested(Self::parentheses).map(Some),
            '[' => {
                self.at += 1;
                let parts = self.nested(|parser| parser.arithmetic(Until::Bracket))?;
                self.close("]");
                return Ok(Some(Part::Arithmetic(Rc::new(parts))));
            }
            '{' => return self.nested(|parser| parser.braces(context.quoting())).map(Some),
            _ => {}
        }
        let length = if next.is_ascii_digit() || SPECIAL.contains(&next) { 1 } else { name_length(self.rest()) };
        if length == 0 {
            run.push('$');
            return Ok(None);
        }
        let name = self.rest().get(..length).unwrap_or_default().to_owned();
        self.at += length;
        let plain = Parameter { name, index: None, form: Form::Bare, change: Change::None };
        Ok(Some(Part::Parameter(Rc::new(plain))))
    }

    /// `$(…)` or `$((…))`, from the parenthesis.
    fn parentheses(&mut self) -> Within<Part> {
        if let Some(parts) = self.double_parentheses()? {
            return Ok(Part::Arithmetic(Rc::new(parts)));
        }
        self.budget.problem(Problem::Substitution);
        self.at += 1;
        Ok(Part::Command(Rc::new(self.closed(&[")"])?)))
    }

    /// Back quotes: the text between them is read on its own, after its backslashes.
    pub(super) fn back_quotes(&mut self, context: Context) -> Within<Part> {
        self.budget.problem(Problem::Substitution);
        self.at += 1;
        let mut inner = String::new();
        while let Some(character) = self.peek().filter(|character| *character != '`') {
            self.bump();
            let next = self.peek().filter(|_| character == '\\');
            let escaped =
                next.filter(|next| matches!(next, '`' | '\\' | '$') || (*next == '"' && context == Context::Double));
            if escaped.is_some() {
                self.bump();
            }
            inner.push(escaped.unwrap_or(character));
        }
        self.close("`");
        let body = self.nested(|parser| super::parse(&inner, parser.depth, parser.budget))?;
        Ok(Part::Command(Rc::new(body)))
    }

    /// `${…}`, from the brace.
    fn braces(&mut self, quoting: Quoting) -> Within<Part> {
        self.at += 1;
        if matches!(self.peek(), Some(' ' | '\t' | '\n' | '|')) {
            self.budget.problem(Problem::Substitution);
            self.take("|");
            let body = self.body(&["}"])?;
            self.close("}");
            return Ok(Part::Command(Rc::new(body)));
        }
        let form = self.form();
        let name = self.parameter_name();
        let index = self.index()?;
        let mut parameter = Parameter { name, index, form, change: Change::None };
        let listed = matches!(parameter.index, Some(Index::Each | Index::Joined));
        if form == Form::Indirect && (listed || self.starts("@}") || self.starts("*}")) {
            parameter.form = if listed { Form::Places } else { Form::Names };
            self.at += usize::from(!listed);
        }
        parameter.change = self.change(quoting)?;
        if !self.take("}") {
            self.broken();
            // What follows is no part of the name, but may hold substitutions.
            let rest = self.word(Context::Parameter(quoting))?;
            self.take("}");
            parameter.change = Change::Default { operator: '-', empty: WhenEmpty::Unset, word: rest };
        }
        Ok(Part::Parameter(Rc::new(parameter)))
    }

    fn form(&mut self) -> Form {
        let after = self.byte(1).map_or('}', char::from);
        let named = is_name(after) || matches!(after, '@' | '*' | '?' | '$' | '!' | '-');
        match self.byte(0) {
            Some(b'#') if named => {
                self.at += 1;
                Form::Length
            }
            Some(b'!') if is_name(after) || matches!(after, '@' | '*' | '#') => {
                self.at += 1;
                Form::Indirect
            }
            _ => Form::Plain,
        }
    }

    fn parameter_name(&mut self) -> String {
        let rest = self.rest();
        let length = match rest.chars().next() {
            Some(first) if first.is_ascii_digit() => rest.bytes().take_while(u8::is_ascii_digit).count(),
            Some(first) if SPECIAL.contains(&first) => 1,
            _ => name_length(rest),
        };
        self.at += length;
        rest.get(..length).unwrap_or_default().to_owned()
    }

    fn index(&mut self) -> Within<Option<Index>> {
        if self.byte(0) != Some(b'[') {
            return Ok(None);
        }
        self.at += 1;
        let index = if self.starts("@]") {
            self.at += 1;
            Index::Each
        } else if self.starts("*]") {
            self.at += 1;
            Index::Joined
        } else {
            Index::At(self.arithmetic(Until::Bracket)?)
        };
        self.close("]");
        Ok(Some(index))
    }

    fn change(&mut self, quoting: Quoting) -> Within<Change> {
        let Some(operator) = self.peek() else { return Ok(Change::None) };
        let after = self.byte(1).map_or('\0', char::from);
        let defaults = |mark| matches!(mark, '-' | '=' | '+' | '?');
        Ok(match operator {
            ':' if !defaults(after) => {
                self.at += 1;
                let offset = self.arithmetic(Until::Slice)?;
                let length = if self.take(":") { Some(self.arithmetic(Until::Slice)?) } else { None };
                Change::Slice { offset, length }
            }
            ':' | '-' | '=' | '+' | '?' => {
                let colon = self.take(":");
                self.at += 1;
                let word = self.word(Context::Parameter(quoting))?;
                let empty = if colon { WhenEmpty::Unset } else { WhenEmpty::Set };
                Change::Default { operator: if colon { after } else { operator }, empty, word }
            }
            '#' | '%' | '^' | ',' | '~' => {
                let reach = self.reach(operator);
                // Quotes keep their meaning in patterns, between double quotes, too.
                let pattern = self.word(Context::Parameter(Quoting::Outside))?;
                Change::Edit(Edit { operator, reach, pattern, ..Edit::default() })
            }
            '/' => self.replacement(quoting)?,
            '@' => {
                self.at += 2;
                let edit = |operator, reach| Change::Edit(Edit { operator, reach, ..Edit::default() });
                match after {
                    'U' => edit('^', Reach::Long),
                    'L' => edit(',', Reach::Long),
                    'u' => edit('^', Reach::Short),
                    letter => Change::Transform(letter),
                }
            }
            _ => Change::None,
        })
    }

    fn reach(&mut self, operator: char) -> Reach {
        self.bump();
        if self.peek() == Some(operator) {
            self.bump();
            Reach::Long
        } else {
            Reach::Short
        }
    }

    fn replacement(&mut self, quoting: Quoting) -> Within<Change> {
        let reach = self.reach('/');
        let anchor = self.peek().filter(|mark| reach == Reach::Short && matches!(mark, '#' | '%'));
        self.at += usize::from(anchor.is_some());
        let mut pattern = self.word(Context::Replaced(Quoting::Outside))?;
        // `${x////_}`: a slash is a pattern when nothing stands before it.
        if pattern.parts.is_empty() && self.starts("//") {
            self.at += 1;
            pattern = Word { parts: vec![Part::Raw("/".to_owned())] };
        }
        let with = if self.take("/") { self.word(Context::Parameter(quoting))? } else { Word::default() };
        Ok(Change::Edit(Edit { operator: '/', reach, pattern, with, anchor }))
    }
}
