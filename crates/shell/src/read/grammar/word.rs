//! Words: runs of characters, quotes and expansions, up to what ends them.

use super::tree::{Direction, Part, Word};
use super::{Parser, hole, is_meta};
use crate::read::limits::{Problem, Within};
use std::rc::Rc;

/// Where a word stands: what ends it, and what quotes mean there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// A word of a command.
    Word,
    /// A pattern of `case` or `[[`: extended patterns are on.
    Pattern,
    /// The right side of `=~`.
    Regex,
    /// Inside `${x…}`, up to its brace.
    Parameter(Quoting),
    /// The pattern of `${x/…/…}`, up to a slash or the brace.
    Replaced(Quoting),
    /// Between double quotes.
    Double,
    /// A here-document: to the end of the text.
    Document,
}

/// Whether `${…}` stands between double quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    Outside,
    Inside,
}

impl Context {
    const fn quoted(self) -> bool {
        matches!(self, Self::Double | Self::Document)
    }

    /// The quoting of a `${…}` that starts here.
    pub(super) const fn quoting(self) -> Quoting {
        match self {
            Self::Double | Self::Document | Self::Parameter(Quoting::Inside) | Self::Replaced(Quoting::Inside) => {
                Quoting::Inside
            }
            _ => Quoting::Outside,
        }
    }

    const fn single_quotes(self) -> bool {
        !matches!(self, Self::Double | Self::Document | Self::Parameter(Quoting::Inside))
    }

    /// Whether a backslash takes this character's meaning away.
    const fn escapes(self, character: char) -> bool {
        match self {
            Self::Double => matches!(character, '$' | '`' | '"' | '\\'),
            Self::Document => matches!(character, '$' | '`' | '\\'),
            Self::Parameter(Quoting::Inside) => matches!(character, '$' | '`' | '"' | '\\' | '}'),
            _ => true,
        }
    }
}

impl Parser<'_, '_> {
    pub(super) fn word(&mut self, context: Context) -> Within<Word> {
        Ok(Word { parts: self.parts(context)? })
    }

    fn ends(&self, context: Context, character: char, parentheses: u32) -> bool {
        match context {
            Context::Word | Context::Pattern => {
                is_meta(character) && !(matches!(character, '<' | '>') && self.byte(1) == Some(b'('))
            }
            Context::Regex => {
                matches!(character, ' ' | '\t' | '\n') || (parentheses == 0 && matches!(character, ')' | ';' | '&'))
            }
            Context::Parameter(_) => character == '}',
            Context::Replaced(_) => matches!(character, '}' | '/'),
            Context::Double => character == '"',
            Context::Document => false,
        }
    }

    /// The parts of a word; what ends it is left.
    pub(super) fn parts(&mut self, context: Context) -> Within<Vec<Part>> {
        let mut parts = Vec::new();
        let mut run = String::new();
        let mut parentheses = 0_u32;
        while let Some(character) = self.peek() {
            if self.ends(context, character, parentheses) {
                break;
            }
            let part = match character {
                '\'' if context.single_quotes() => Some(self.single()),
                '"' if !context.quoted() => Some(self.double()?),
                '\\' => self.escape(context, &mut run),
                '$' => self.dollar(context, &mut run)?,
                '`' => Some(self.back_quotes(context)?),
                '<' | '>' if context == Context::Word && self.byte(1) == Some(b'(') => Some(self.process()?),
                '?' | '*' | '+' | '@' | '!' if !context.quoted() && self.byte(1) == Some(b'(') => {
                    self.extended(context)
                }
                _ => {
                    if context == Context::Regex {
                        parentheses += u32::from(character == '(');
                        parentheses = parentheses.saturating_sub(u32::from(character == ')'));
                    }
                    self.bump();
                    match hole(character) {
                        Some(number) => Some(Part::Hole(number)),
                        None => {
                            run.push(character);
                            None
                        }
                    }
                }
            };
            if let Some(part) = part {
                self.budget.node(self.base)?;
                flush(&mut run, context, &mut parts);
                parts.push(part);
            }
        }
        flush(&mut run, context, &mut parts);
        Ok(parts)
    }

    fn escape(&mut self, context: Context, run: &mut String) -> Option<Part> {
        self.at += 1;
        let Some(next) = self.peek() else {
            run.push('\\');
            return None;
        };
        if next == '\n' {
            self.at += 1;
            return None;
        }
        if !context.escapes(next) {
            run.push('\\');
            return None;
        }
        self.bump();
        if let Some(number) = hole(next) {
            return Some(Part::Hole(number));
        }
        if context.quoted() {
            run.push(next);
            return None;
        }
        Some(Part::Quoted(next.to_string()))
    }

    /// An extended pattern such as `@(a|b)`. Outside tests bash knows them only when told to, and a text that says `!(`
    /// there may mean something else.
    fn extended(&mut self, context: Context) -> Option<Part> {
        let start = self.at;
        let end = self.balanced(1, b'(', b')').filter(|end| {
            let inner = self.rest().get(..*end).unwrap_or_default();
            !inner.contains(['\'', '"', '$', '`', '\\', '\n', ';', '&'])
        });
        if !matches!(context, Context::Pattern | Context::Regex) {
            self.budget.problem(Problem::Construct("extglob"));
        }
        // Without an end it is read as its characters; outside patterns the parenthesis is met next.
        self.at += end.unwrap_or(if context == Context::Pattern { 2 } else { 1 });
        Some(Part::Pattern(self.slice(start).to_owned()))
    }

    fn process(&mut self) -> Within<Part> {
        let direction = if self.byte(0) == Some(b'<') { Direction::From } else { Direction::Into };
        self.budget.problem(Problem::Substitution);
        self.at += 2;
        let body = self.nested(|parser| parser.closed(&[")"]))?;
        Ok(Part::Process(direction, Rc::new(body)))
    }
}

fn flush(run: &mut String, context: Context, parts: &mut Vec<Part>) {
    if !run.is_empty() {
        let text = std::mem::take(run);
        parts.push(if context.quoted() { Part::Quoted(text) } else { Part::Raw(text) });
    }
}
