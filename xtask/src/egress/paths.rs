//! The paths that Rust code names, with groups of imports taken apart. Comments and the insides of strings are no code;
//! beyond that nothing is understood: a path is names with `::` between them.

/// Every path with its line, `use a::{b, c as d}` as `a::b` and `a::c as d`, and `use a::*` as `a::*`.
pub fn paths(text: &str) -> Vec<(usize, String)> {
    let tokens = tokens(text);
    let mut reader = Reader { tokens: &tokens, at: 0, found: Vec::new() };
    while reader.at < tokens.len() {
        reader.path("");
    }
    reader.found
}

/// Words that a path may follow without being part of it.
const KEYWORDS: &[&str] = &[
    "as", "break", "const", "dyn", "else", "for", "if", "impl", "in", "match", "mut", "return", "use", "where", "while",
];

#[derive(Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Colons,
    Open,
    Close,
    Star,
    Other,
}

struct Reader<'t> {
    tokens: &'t [(usize, Token)],
    at: usize,
    found: Vec<(usize, String)>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    /// Takes at least one token.
    fn path(&mut self, prefix: &str) {
        let line = self.tokens[self.at].0;
        let mut path = prefix.to_owned();
        let mut names = 0;
        loop {
            match self.peek() {
                Some(Token::Name(name)) if path.is_empty() || path.ends_with("::") => {
                    path.push_str(name);
                    names += 1;
                }
                // `use ::a` and `&mut ::a` are `::a`.
                Some(Token::Colons) if KEYWORDS.contains(&&*path) => break,
                Some(Token::Colons) if !path.ends_with("::") => path.push_str("::"),
                Some(Token::Star) if path.ends_with("::") => {
                    path.push('*');
                    names += 1;
                }
                Some(Token::Open) if path.ends_with("::") => return self.group(&path),
                _ => break,
            }
            self.at += 1;
        }
        if names == 0 {
            self.at += 1;
            return;
        }
        // `a::{self}` is `a`.
        let path = path.strip_suffix("::self").map_or(path.clone(), str::to_owned);
        let renamed = match self.tokens.get(self.at..self.at + 2) {
            Some([(_, Token::Name(word)), (_, Token::Name(name))]) if word == "as" => Some(name),
            _ => None,
        };
        if let Some(name) = renamed {
            self.found.push((line, format!("{path} as {name}")));
            self.at += 2;
        } else {
            self.found.push((line, path));
        }
    }

    fn group(&mut self, prefix: &str) {
        self.at += 1;
        while let Some(token) = self.peek() {
            match token {
                Token::Close => {
                    self.at += 1;
                    return;
                }
                Token::Name(_) | Token::Star | Token::Open => self.path(prefix),
                _ => self.at += 1,
            }
        }
    }
}

fn tokens(text: &str) -> Vec<(usize, Token)> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let (length, token) = if letter.is_alphabetic() || letter == '_' {
            match string_after_prefix(rest) {
                Some(length) => (length, Some(Token::Other)),
                None => {
                    let name = rest.strip_prefix("r#").unwrap_or(rest);
                    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
                    (rest.len() - name.len() + end, Some(Token::Name(name[..end].to_owned())))
                }
            }
        } else if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if rest.starts_with("/*") {
            (comment(rest), None)
        } else if rest.starts_with("::") {
            (2, Some(Token::Colons))
        } else if letter == '"' {
            (string(rest), Some(Token::Other))
        } else if letter == '\'' {
            (character(rest), Some(Token::Other))
        } else if letter.is_whitespace() {
            (letter.len_utf8(), None)
        } else {
            let token = match letter {
                '{' => Token::Open,
                '}' => Token::Close,
                '*' => Token::Star,
                _ => Token::Other,
            };
            (letter.len_utf8(), Some(token))
        };
        if let Some(token) = token {
            tokens.push((line, token));
        }
        let (taken, left) = rest.split_at(length);
        line += taken.matches('\n').count();
        rest = left;
    }
    tokens
}

/// The length of a string with letters before it: `b"…"`, `r#"…"#`, `c"…"`.
fn string_after_prefix(text: &str) -> Option<usize> {
    let prefix = text.find(|c: char| !matches!(c, 'b' | 'r' | 'c'))?;
    let after = &text[prefix..];
    let raw = text[..prefix].contains('r');
    let marks = after.len() - after.trim_start_matches('#').len();
    if prefix > 2 || !after[marks..].starts_with('"') || (marks > 0 && !raw) {
        return None;
    }
    if !raw {
        return Some(prefix + string(after));
    }
    let end = format!("\"{}", "#".repeat(marks));
    let body = prefix + marks + 1;
    Some(text[body..].find(&end).map_or(text.len(), |at| body + at + end.len()))
}

fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A character, or the mark of a lifetime.
fn character(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    match (letters.next(), letters.next()) {
        (Some((_, '\\')), Some((at, _))) => text[at + 1..].find('\'').map_or(text.len(), |end| at + end + 2),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

/// Comments nest.
fn comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}
