//! Program code as tokens, loosely: what all the languages share that start commands from one line.

use crate::unwrap::outputs::unescaped;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
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

/// What differs between languages when tokens are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `#` begins a comment.
    Hash,
    /// The same; `%w` and `qw` are lists, and a text between back quotes is run.
    Script,
    /// `//` begins a comment.
    Slashes,
    /// The same; `$x` in a text is filled in, and a text between back quotes is run.
    Dollars,
    /// `--` begins a comment.
    Dashes,
    /// `#` begins a comment and `/` a pattern where a value may stand.
    Awk,
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

/// Tokens that are read of one code.
pub(super) const MOST: usize = 16_384;

pub(super) fn tokens(code: &str, style: Style) -> Vec<Token> {
    let chars: Vec<char> = code.chars().collect();
    let mut reader = Reader { chars: &chars, at: 0, style };
    let mut out: Vec<Token> = Vec::new();
    while out.len() < MOST
        && let Some(token) = reader.next(out.last())
    {
        out.push(token);
    }
    out
}

struct Reader<'a> {
    chars: &'a [char],
    at: usize,
    style: Style,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn next(&mut self, last: Option<&Token>) -> Option<Token> {
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
        if matches!(c, '"' | '\'' | '`') {
            return Some(self.literal(c));
        }
        let value_before = matches!(
            last,
            Some(Token::Name(_) | Token::Number(_) | Token::Text(_) | Token::Mixed(_) | Token::Mark(')' | ']'))
        );
        if c == '/' && self.style == Style::Awk && !value_before {
            self.at += 1;
            let pattern = self.until('/', None);
            return Some(Token::Text(pattern));
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
            return Some(Token::Number(self.run(|c| c.is_ascii_alphanumeric() || c == '.')));
        }
        if c.is_alphabetic()
            || c == '_'
            || (matches!(c, '$' | '@') && self.peek(1).is_some_and(|next| next.is_alphanumeric() || next == '_'))
        {
            self.at += 1;
            let name = format!("{c}{}", self.run(|c| c.is_alphanumeric() || c == '_'));
            return Some(self.worded(name));
        }
        self.at += 1;
        Some(Token::Mark(c))
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
        let prefix = name.len() <= 2 && name.chars().all(|c| "rRbBuUfF".contains(c));
        if prefix && let Some(quote) = next.filter(|c| matches!(c, '"' | '\'')) {
            let raw = name.contains(['r', 'R']);
            let token = if raw { self.raw(quote) } else { self.literal(quote) };
            return match token {
                Token::Text(text) if name.contains(['f', 'F']) => Token::Mixed(text.replace('{', "${")),
                Token::Mixed(text) if name.contains(['f', 'F']) => Token::Mixed(text.replace('{', "${")),
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
                return match name.as_str() {
                    "q" => Token::Text(text),
                    "qq" => Token::Mixed(text),
                    "qx" => Token::Quoted(text),
                    _ => Token::List(text.split_whitespace().map(str::to_owned).collect()),
                };
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
        Some(match kind {
            'x' => Token::Quoted(text),
            'w' | 'W' | 'i' => Token::List(text.split_whitespace().map(str::to_owned).collect()),
            'q' => Token::Text(text),
            _ => Token::Mixed(text),
        })
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
                    break;
                }
                depth -= 1;
            }
            out.push(c);
        }
        out
    }

    fn raw(&mut self, quote: char) -> Token {
        self.at += 1;
        Token::Text(self.until(quote, None))
    }

    fn literal(&mut self, quote: char) -> Token {
        let long = quote != '`' && self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        self.at += if long { 3 } else { 1 };
        let mut out = String::new();
        while let Some(c) = self.peek(0) {
            self.at += 1;
            if c == quote {
                let ends = !long || (self.peek(0) == Some(quote) && self.peek(1) == Some(quote));
                if ends {
                    self.at += if long { 2 } else { 0 };
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
        let out = unescaped(&out);
        match quote {
            '`' => Token::Quoted(out),
            '"' => Token::Mixed(out),
            _ => Token::Text(out),
        }
    }
}
