//! Program code as tokens, loosely: what all the languages share that start commands from one line.

use crate::catalogue::{Style, has};
use crate::unwrap::outputs::unescaped;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name, sigil and all: `$x`, `os`, `system`.
    Name(String),
    /// A literal whose escapes are read.
    Text(String),
    /// A literal in which variables are put in.
    Mixed(String),
    /// Between back quotes, or `%x{…}`, `qx{…}`: what a shell reads in some languages.
    Quoted(String),
    /// A list of words: `qw(…)`, `%w[…]`.
    List(Vec<String>),
    Number(String),
    /// Anything else, one character each.
    Mark(char),
}

impl Style {
    /// Whether a text between back quotes is run.
    pub(super) fn runs_quotes(self) -> bool {
        matches!(self, Self::Script | Self::Dollars)
    }

    /// Whether something is filled into a text between double or back quotes.
    pub(super) fn fills(self, text: &str) -> bool {
        text.contains("${") || (self.runs_quotes() && (text.contains('$') || text.contains("#{") || text.contains('@')))
    }
}

impl Token {
    /// Whether it is one of these names.
    pub(super) fn is_one_of(&self, names: &[&str]) -> bool {
        matches!(self, Self::Name(name) if names.contains(&name.as_str()))
    }
}

/// What stands in awk for a text whose end readers disagree on: without an end, on two lines, a pattern with a bracket.
const UNCLEAR: Token = Token::Mark('`');

/// Words of awk that no value ends with, so that a slash behind them opens a pattern.
const AWK_KEYWORDS: &str =
    "print printf return in else do case exit delete if while for BEGIN END function func switch default next";

/// Tokens that are read of one code.
pub(crate) const MOST: usize = 16_384;

pub(crate) fn tokens(code: &str, style: Style) -> Vec<Token> {
    let chars: Vec<char> = code.chars().collect();
    let mut reader = Reader { chars: &chars, at: 0, style, closed: true };
    let mut out: Vec<Token> = Vec::new();
    while out.len() < MOST
        && let Some(token) = reader.next(&out)
    {
        out.push(token);
    }
    out
}

struct Reader<'a> {
    chars: &'a [char],
    at: usize,
    style: Style,
    /// Whether the last literal had its end.
    closed: bool,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn next(&mut self, before: &[Token]) -> Option<Token> {
        let last = before.last();
        let awk = self.style == Style::Awk;
        loop {
            let c = self.peek(0)?;
            match c {
                '\n' => break,
                c if c.is_whitespace() => self.at += 1,
                '#' if matches!(self.style, Style::Hash | Style::Script | Style::Awk)
                    && !matches!(last, Some(Token::Mark('$' | '@'))) =>
                {
                    self.line()
                }
                '/' if matches!(self.style, Style::Slashes | Style::Dollars) && self.peek(1) == Some('/') => {
                    self.line()
                }
                '-' if self.style == Style::Dashes && self.peek(1) == Some('-') => self.line(),
                '\\' if self.peek(1) == Some('\n') => self.at += 2,
                _ => break,
            }
        }
        let c = self.peek(0)?;
        if c == '"' || (!awk && matches!(c, '\'' | '`')) {
            return Some(self.literal(c));
        }
        let value_before = match last {
            Some(Token::Name(name)) => !(awk && has(AWK_KEYWORDS, name)),
            Some(Token::Number(_) | Token::Text(_) | Token::Mixed(_) | Token::Mark(')' | ']')) => true,
            // `x++ / 2`
            Some(Token::Mark('+' | '-')) => before.len().checked_sub(2).and_then(|at| before.get(at)) == last,
            _ => false,
        };
        if c == '/' && awk && !value_before {
            self.at += 1;
            let pattern = self.until('/', None);
            let plain = self.closed && !pattern.contains(['[', '\n']);
            return Some(if plain { Token::Text(pattern) } else { UNCLEAR });
        }
        let called = matches!(last, Some(Token::Name(_)))
            && matches!(self.peek(1), Some('x' | 'w' | 'q' | 'Q' | 'W'))
            && matches!(self.peek(2), Some('[' | '(' | '{' | '<'));
        if c == '%'
            && self.style == Style::Script
            && (!value_before || called)
            && let Some(token) = self.percent()
        {
            return Some(token);
        }
        if c == '[' && self.style == Style::Dashes && self.peek(1) == Some('[') {
            self.at += 2;
            let mut text = String::new();
            while let Some(c) = self.peek(0) {
                self.at += 1;
                if c == ']' && self.peek(0) == Some(']') {
                    self.at += 1;
                    break;
                }
                text.push(c);
            }
            return Some(Token::Text(text));
        }
        if c.is_ascii_digit() {
            return Some(Token::Number(
                self.run(|c| c.is_ascii_digit() || c == '.' || (!awk && c.is_ascii_alphabetic())),
            ));
        }
        if c.is_alphabetic()
            || c == '_'
            || (!awk
                && matches!(c, '$' | '@')
                && self.peek(1).is_some_and(|next| next.is_alphanumeric() || next == '_'))
        {
            self.at += 1;
            let name = format!("{c}{}", self.run(|c| c.is_alphanumeric() || c == '_'));
            return Some(self.worded(name));
        }
        // `=>` parts what stands around it.
        let arrow = c == '=' && self.style == Style::Script && self.peek(1) == Some('>');
        self.at += if arrow { 2 } else { 1 };
        Some(Token::Mark(if arrow { ',' } else { c }))
    }

    fn line(&mut self) {
        while self.peek(0).is_some_and(|c| c != '\n') {
            self.at += 1;
        }
    }

    fn run(&mut self, fits: impl Fn(char) -> bool) -> String {
        let mut out = String::new();
        while let Some(c) = self.peek(0).filter(|c| fits(*c)) {
            out.push(c);
            self.at += 1;
        }
        out
    }

    /// A name, or a literal that begins with letters: `r'…'`, `q(…)`, `qw(…)`, `qx(…)`.
    fn worded(&mut self, name: String) -> Token {
        let next = self.peek(0);
        let prefix = self.style == Style::Hash && name.len() <= 2 && name.chars().all(|c| "rRbBuUfF".contains(c));
        if prefix && let Some(quote) = next.filter(|c| matches!(c, '"' | '\'')) {
            let raw = name.contains(['r', 'R']);
            let token = if raw {
                self.at += 1;
                Token::Text(self.until(quote, None))
            } else {
                self.literal(quote)
            };
            return match token {
                Token::Text(text) | Token::Mixed(text) if name.contains(['f', 'F']) => {
                    Token::Mixed(text.replace('{', "${"))
                }
                other => other,
            };
        }
        if self.style == Style::Script && matches!(name.as_str(), "q" | "qq" | "qx" | "qw") {
            let mark = self.at;
            self.run(|c| c == ' ');
            if let Some(open) = self
                .peek(0)
                .filter(|c| !c.is_alphanumeric() && !c.is_whitespace() && !matches!(c, '=' | ',' | ';' | ')'))
            {
                self.at += 1;
                let text = self.bracketed(open);
                return made(&name, text);
            }
            self.at = mark;
        }
        Token::Name(name)
    }

    fn percent(&mut self) -> Option<Token> {
        let kind = self.peek(1)?;
        let (kind, open, used) = match (kind, self.peek(2)) {
            ('x' | 'w' | 'q' | 'Q' | 'i' | 'W', Some(open)) if !open.is_alphanumeric() && !open.is_whitespace() => {
                (kind, open, 3)
            }
            ('(' | '[' | '{', _) => ('Q', kind, 2),
            _ => return None,
        };
        self.at += used;
        let text = self.bracketed(open);
        Some(made(&kind.to_string(), text))
    }

    fn bracketed(&mut self, open: char) -> String {
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '<' => '>',
            other => other,
        };
        self.until(close, (close != open).then_some(open))
    }

    fn until(&mut self, close: char, open: Option<char>) -> String {
        let mut depth = 0usize;
        let mut out = String::new();
        while let Some(c) = self.peek(0) {
            self.at += 1;
            if c == '\\' && self.peek(0) == Some(close) {
                out.push(close);
                self.at += 1;
                continue;
            }
            if Some(c) == open {
                depth += 1;
            } else if c == close {
                if depth == 0 {
                    self.closed = true;
                    return out;
                }
                depth -= 1;
            }
            out.push(c);
        }
        self.closed = false;
        out
    }

    fn literal(&mut self, quote: char) -> Token {
        let long =
            quote != '`' && self.style != Style::Awk && self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        self.at += if long { 3 } else { 1 };
        let mut out = String::new();
        self.closed = false;
        while let Some(c) = self.peek(0) {
            self.at += 1;
            if c == quote {
                let ends = !long || (self.peek(0) == Some(quote) && self.peek(1) == Some(quote));
                if ends {
                    self.at += if long { 2 } else { 0 };
                    self.closed = true;
                    break;
                }
            }
            if c == '#' && self.style == Style::Script && quote != '\'' && self.peek(0) == Some('{') {
                // ruby's `#{…}`, in which quotes are its own.
                self.at += 1;
                out.push_str("#{");
                out += &self.until('}', Some('{'));
                out.push('}');
            } else if c == '\\'
                && let Some(escaped) = self.peek(0)
            {
                self.at += 1;
                out.extend([c, escaped]);
            } else {
                out.push(c);
            }
        }
        if self.style == Style::Awk && (!self.closed || out.contains('\n')) {
            return UNCLEAR;
        }
        let out = unescaped(&out);
        match quote {
            '`' => Token::Quoted(out),
            '"' => Token::Mixed(out),
            _ => Token::Text(out),
        }
    }
}

/// The literal that begins with these letters: `q(…)`, `qw(…)`, `%x(…)`.
fn made(letters: &str, text: String) -> Token {
    match letters {
        "q" => Token::Text(text),
        "qx" | "x" => Token::Quoted(text),
        "qw" | "w" | "W" | "i" => Token::List(text.split_whitespace().map(str::to_owned).collect()),
        _ => Token::Mixed(text),
    }
}
