//! Values of expressions that hold nothing but constants, as far as one line of code builds them.

use super::tokens::Token;
use crate::command::Word;
use std::collections::HashMap;

mod literal;
mod made;
mod methods;
mod places;

pub(super) use places::{home, tilde};

use made::{called, formatted, joined, list, number, repeated, reversed};
use places::{asked, constant, is_home, reads_environment};

/// What an expression is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(Word),
    List(Vec<Word>),
    Number(i64),
    /// An object: only the lists and texts in it matter.
    Parts(Vec<Value>),
    Open,
}

impl Value {
    pub(super) fn word(&self) -> Option<Word> {
        match self {
            Self::Text(word) => Some(word.clone()),
            Self::Number(number) => Some(Word::text(number.to_string())),
            _ => None,
        }
    }

    fn known(&self) -> Option<String> {
        self.word().and_then(|word| word.literal().map(str::to_owned))
    }
}

/// Reads expressions from tokens.
pub(super) struct Folder<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    pub(super) variables: &'a HashMap<String, Value>,
    /// Whether values that stand side by side are joined.
    pub(super) beside: bool,
    depth: usize,
    /// Steps that are left: calls inside calls are folded again for each of them.
    fuel: usize,
}

const DEPTH: usize = 24;
const FUEL: usize = 1024;

impl<'a> Folder<'a> {
    pub(super) fn new(tokens: &'a [Token], at: usize, variables: &'a HashMap<String, Value>) -> Self {
        Self { tokens, at, variables, beside: false, depth: 0, fuel: FUEL }
    }

    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, mark: char) -> bool {
        self.peek() == Some(&Token::Mark(mark))
    }

    fn take(&mut self, mark: char) -> bool {
        let hit = self.is(mark);
        self.at += usize::from(hit);
        hit
    }

    fn lines(&mut self) {
        while self.is('\n') {
            self.at += 1;
        }
    }

    /// Values up to the closing mark, which is taken; named ones count by their value.
    pub(super) fn arguments(&mut self, close: char) -> Vec<Value> {
        let mut out = Vec::new();
        while out.len() < 256 {
            self.lines();
            if self.peek().is_none() || self.take(close) {
                return out;
            }
            let before = self.at;
            let value = self.expression();
            // `name=value`, `name: value`, `name => value`
            if self.is('=') || self.is(':') {
                while self.is('=') || self.is(':') || self.is('>') {
                    self.at += 1;
                }
                out.push(match self.expression() {
                    list @ Value::List(_) => Value::Parts(vec![list]),
                    _ => Value::Open,
                });
            } else {
                out.push(value);
            }
            self.lines();
            if !self.take(',') && !self.is(close) {
                self.skip(close);
            }
            if self.at == before {
                self.at += 1;
            }
        }
        out
    }

    /// To the next comma or the closing mark on this level.
    fn skip(&mut self, close: char) {
        let mut depth = 0usize;
        while let Some(token) = self.peek() {
            self.step();
            match token {
                Token::Mark('(' | '[' | '{') => depth += 1,
                Token::Mark(mark) if depth == 0 && *mark == close => return,
                Token::Mark(')' | ']' | '}') => {
                    if depth == 0 {
                        return;
                    }
                    depth -= 1;
                }
                Token::Mark(',') if depth == 0 => {
                    self.at += 1;
                    return;
                }
                Token::Mark(';') if depth == 0 && close == ';' => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// One value, its parts joined by `+`, `.`, `..`, `~`, or by standing side by side.
    pub(super) fn expression(&mut self) -> Value {
        if self.depth > DEPTH {
            self.at += 1;
            return Value::Open;
        }
        self.depth += 1;
        let mut value = self.primary();
        loop {
            let next = self.tokens.get(self.at + 1);
            value = match self.peek() {
                Some(Token::Mark('+' | '~')) | Some(Token::Mark('&'))
                    if !matches!(next, Some(Token::Mark('+' | '&' | '='))) =>
                {
                    self.at += 1;
                    let more = self.primary();
                    joined(&value, &more)
                }
                Some(Token::Mark('.')) if next == Some(&Token::Mark('.')) => {
                    self.at += 2;
                    let more = self.primary();
                    joined(&value, &more)
                }
                Some(Token::Mark('.')) => {
                    self.at += 1;
                    match next {
                        Some(Token::Name(name)) if !name.starts_with(['$', '@']) => {
                            self.at += 1;
                            self.method(value, name)
                        }
                        _ => {
                            let more = self.primary();
                            joined(&value, &more)
                        }
                    }
                }
                Some(Token::Mark('*')) => {
                    self.at += 1;
                    let times = self.primary();
                    repeated(&value, &times)
                }
                Some(Token::Mark('%')) => {
                    self.at += 1;
                    let values = match self.primary() {
                        Value::List(words) => words,
                        other => other.word().into_iter().collect(),
                    };
                    formatted(&value, &values)
                }
                Some(Token::Mark('[')) if value != Value::Open => {
                    self.at += 1;
                    let begin = self.at;
                    self.skip(']');
                    let backwards = self.tokens.get(begin..self.at).unwrap_or_default()
                        == [Token::Mark(':'), Token::Mark(':'), Token::Mark('-'), Token::Number("1".to_owned())];
                    self.take(']');
                    match backwards {
                        true => reversed(&value),
                        // The one place among the entries of a user.
                        false if is_home(&value) => value,
                        false => Value::Open,
                    }
                }
                // A path of python's `pathlib`.
                Some(Token::Mark('/')) if matches!(value, Value::Text(_)) => {
                    self.at += 1;
                    let more = self.primary();
                    joined(&joined(&value, &Value::Text(Word::text("/"))), &more)
                }
                Some(Token::Text(_) | Token::Mixed(_)) => {
                    let more = self.primary();
                    joined(&value, &more)
                }
                Some(Token::Name(name))
                    if self.beside && !matches!(name.as_str(), "getline" | "in" | "else" | "while" | "if") =>
                {
                    let more = self.primary();
                    joined(&value, &more)
                }
                _ => break,
            };
        }
        self.depth -= 1;
        value
    }

    /// Counts a step; after the last one nothing is left to read.
    fn step(&mut self) {
        match self.fuel.checked_sub(1) {
            Some(left) => self.fuel = left,
            None => self.at = self.tokens.len(),
        }
    }

    fn primary(&mut self) -> Value {
        self.step();
        self.lines();
        let Some(token) = self.peek() else { return Value::Open };
        self.at += 1;
        match token {
            Token::Text(text) => Value::Text(Word::text(text.clone())),
            Token::Mixed(text) | Token::Quoted(text) => Value::Text(self.mixed(text)),
            Token::List(words) => Value::List(words.iter().map(Word::text).collect()),
            Token::Number(digits) => number(digits).map_or(Value::Open, Value::Number),
            Token::Mark('-') => match self.primary() {
                Value::Number(number) => Value::Number(-number),
                other => other,
            },
            Token::Mark('(') => {
                let mut all = self.arguments(')');
                if all.len() == 1 { all.pop().unwrap_or(Value::Open) } else { list(all) }
            }
            Token::Mark('[') => list(self.arguments(']')),
            Token::Mark('{') => Value::Parts(self.arguments('}')),
            Token::Name(name) => self.named(name),
            // Words of a list one by one.
            Token::Mark('*') => self.primary(),
            // perl's `<~>`
            Token::Mark('<') if self.is('~') && self.tokens.get(self.at + 1) == Some(&Token::Mark('>')) => {
                self.at += 2;
                home()
            }
            Token::Mark(_) => {
                // Nothing that begins a value: whoever asked looks at it.
                self.at -= 1;
                Value::Open
            }
        }
    }

    /// A name and everything that is called on it.
    fn named(&mut self, name: &str) -> Value {
        let mut path = name.to_owned();
        if let Some(value) = self.variables.get(name) {
            return value.clone();
        }
        if name == "scalar" {
            return self.primary();
        }
        while let (Some(Token::Mark(mark @ ('.' | ':' | '-'))), Some(next)) =
            (self.peek(), self.tokens.get(self.at + 1))
        {
            let Token::Name(part) = next else {
                if matches!((mark, next), (':', Token::Mark(':')) | ('-', Token::Mark('>'))) {
                    self.at += 1;
                    if let Some(Token::Name(part)) = self.tokens.get(self.at + 1) {
                        path = format!("{path}.{part}");
                        self.at += 2;
                        continue;
                    }
                }
                break;
            };
            if *mark == '-' || (*mark == ':' && self.beside) {
                break;
            }
            path = format!("{path}.{part}");
            self.at += 2;
        }
        let last = path.rsplit('.').next().unwrap_or_default().to_owned();
        if let Some(place) = constant(&path) {
            return place;
        }
        let reads = reads_environment(&last);
        let arguments = if self.take('(') {
            self.arguments(')')
        } else if self.is('[') || (self.is('{') && reads) {
            let close = if self.is('[') { ']' } else { '}' };
            self.at += 1;
            let inside = self.key(close);
            match last.as_str() {
                "Dir" => return asked("glob", &inside).unwrap_or(Value::Open),
                _ if !reads => return Value::Open,
                _ => inside,
            }
        } else if matches!(
            last.as_str(),
            "chr" | "reverse" | "decode_base64" | "strrev" | "pack" | "lc" | "uc" | "getenv" | "glob"
        ) {
            vec![self.primary()]
        } else {
            return Value::Open;
        };
        called(&last, &arguments)
    }

    /// What stands between the brackets of an index; a name alone is a key in perl.
    fn key(&mut self, close: char) -> Vec<Value> {
        if let (Some(Token::Name(key)), Some(Token::Mark(end))) = (self.peek(), self.tokens.get(self.at + 1))
            && *end == close
        {
            self.at += 2;
            return vec![Value::Text(Word::text(key))];
        }
        self.arguments(close)
    }
}
