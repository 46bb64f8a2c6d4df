//! The shell's grammar, as bash reads it: text → tree.
//!
//! It refuses nothing but what passes a limit: where the text breaks the grammar, it notes a problem and reads on, so
//! that what can be seen stays visible. It is our own because a judgement hangs on every detail of a word (quotes,
//! braces, redirections between words), which grammars made for editors treat loosely.

mod arithmetic;
mod compound;
mod dollar;
mod here;
mod quote;
mod redirect;
mod simple;
mod statement;
pub(super) mod tree;
mod word;

use super::limits::{Budget, Problem, Within, deeper};
pub(super) use quote::{hole, with_holes};
use std::sync::Arc;
use tree::{Body, Part};

/// The first character that stands for a hole: something unknown that a text was made with. From a private plane, so
/// that no text of people holds one; a text from outside that does is a problem.
pub(super) const HOLE: char = '\u{F0000}';
/// How many holes one text may have.
pub(super) const HOLES: u32 = 0x1000;

/// The longest text between brackets that is looked through for its end, in bytes.
const BALANCED: usize = 4096;

/// Reads a whole text.
pub(super) fn parse(text: &str, depth: u32, budget: &mut Budget) -> Within<Body> {
    let mut parser = Parser::new(text, depth, budget);
    let body = parser.body(&[])?;
    parser.finish_documents()?;
    Ok(body)
}

/// Reads a text as if it stood between double quotes, where quotes mean nothing: here-documents, prompts, the values that
/// arithmetic evaluates.
pub(super) fn parse_quoted(text: &str, depth: u32, budget: &mut Budget) -> Within<Vec<Part>> {
    Parser::new(text, depth, budget).parts(word::Context::Document)
}

/// A place in a text.
struct Parser<'t, 'b> {
    text: &'t str,
    at: usize,
    /// How deep this text stands, and how deep the parser is by now.
    base: u32,
    depth: u32,
    budget: &'b mut Budget,
    /// What the constructs around wait for, innermost last.
    waiting: Vec<&'static [&'static str]>,
    documents: Vec<here::Pending>,
}

impl<'t, 'b> Parser<'t, 'b> {
    fn new(text: &'t str, depth: u32, budget: &'b mut Budget) -> Self {
        Self { text, at: 0, base: depth, depth, budget, waiting: Vec::new(), documents: Vec::new() }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        match self.text.as_bytes().get(self.at) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            Some(_) => self.rest().chars().next(),
            None => None,
        }
    }

    /// The byte after so many others.
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn starts(&self, token: &str) -> bool {
        self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(token.as_bytes()))
    }

    /// Whether a word stands here.
    fn at_word(&self) -> bool {
        self.peek().is_some_and(|next| !is_meta(next)) || self.starts("<(") || self.starts(">(")
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.starts(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// Takes what closes something, or notes that it is missing.
    fn close(&mut self, token: &str) {
        if !self.take(token) {
            self.broken();
        }
    }

    fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    fn slice(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The excerpt from `start` to here that is shown in reasons.
    fn excerpt(&self, start: usize) -> Arc<str> {
        let text = self.slice(start).trim();
        let end = if text.len() <= 200 { None } else { text.char_indices().nth(200).map(|(end, _)| end) };
        end.and_then(|end| text.get(..end)).unwrap_or(text).into()
    }

    /// Notes that the grammar does not allow what comes next.
    fn broken(&mut self) {
        if self.budget.has_enough_problems() {
            return;
        }
        let near = self
            .rest()
            .chars()
            .take(20)
            .map(|character| if hole(character).is_some() { '…' } else { character })
            .collect();
        self.budget.problem(Problem::Syntax(near));
    }

    /// Where the bracket that stands so many bytes ahead is closed: the bytes from here to after it. Quotes and escapes hide
    /// brackets.
    fn balanced(&self, ahead: usize, open: u8, close: u8) -> Option<usize> {
        let mut level = 0_u32;
        let mut quote = None;
        let mut escaped = false;
        for (place, byte) in self.rest().bytes().enumerate().skip(ahead).take(BALANCED) {
            match (quote, byte) {
                _ if escaped => escaped = false,
                (_, b'\\') => escaped = true,
                (Some(open), close) if open == close => quote = None,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => quote = Some(byte),
                (None, byte) if byte == open => level += 1,
                (None, byte) if byte == close && level <= 1 => return Some(place + 1),
                (None, byte) if byte == close => level -= 1,
                _ => {}
            }
        }
        None
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Within<T>) -> Within<T> {
        let outer = self.depth;
        self.depth = deeper(outer)?;
        let result = inner(self);
        self.depth = outer;
        result
    }

    /// Spaces, tabs, continued lines and a comment, but no end of line.
    fn blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | 0x0B | 0x0C => self.at += 1,
                b'\\' if self.byte(1) == Some(b'\n') => self.at += 2,
                b'\\' if self.starts("\\\r\n") => self.at += 3,
                b'#' if self.at == 0 || bytes.get(self.at - 1).is_some_and(|before| is_meta(char::from(*before))) => {
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                }
                _ => return,
            }
        }
    }

    /// Blanks and ends of lines; here-documents start there.
    fn gap(&mut self) -> Within<()> {
        loop {
            self.blanks();
            if self.byte(0) != Some(b'\n') {
                return Ok(());
            }
            self.at += 1;
            self.finish_documents()?;
        }
    }
}

/// Whether an unquoted character ends a word. Control characters that look like blanks do, too: what they do to a word
/// differs between shells, and they are a problem anyway.
const fn is_meta(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0B' | '\x0C' | ';' | '&' | '|' | '<' | '>' | '(' | ')')
}

fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// The length of the name at the start, which no digit begins.
fn name_length(text: &str) -> usize {
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        return 0;
    }
    text.find(|character| !is_name(character)).unwrap_or(text.len())
}
