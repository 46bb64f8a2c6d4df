//! Arguments of calls that are written out: literals, lists of them, names of the home.

use super::tokens::Token;
use crate::catalogue::{Style, has};
use crate::command::{Piece, Word};

/// Tokens of one call that are looked at.
const MOST: usize = 1024;
/// Lists inside lists.
const DEPTH: usize = 4;

/// What an argument is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(Word),
    List(Vec<Word>),
    /// By its digits, whatever their base: modes are written in octal.
    Number(i64),
    /// Anything that would have to be computed.
    Open,
}

/// The arguments of the call whose name stands before `at`; without brackets they end with the statement.
pub(super) fn arguments(tokens: &[Token], at: usize, style: Style) -> Vec<Value> {
    let skipped = |token: &&Token| token.is_one_of(&["my", "our", "local"]) || **token == Token::Mark('!');
    let rest = tokens.get(at..).unwrap_or_default();
    let rest = rest.get(rest.iter().take_while(skipped).count()..).unwrap_or_default();
    let inside = match rest.first() {
        Some(Token::Mark('(')) => rest.get(1..).unwrap_or_default(),
        Some(Token::Name(name)) if is_neutral(bare(name)).is_none() && rest.get(1) != Some(&Token::Mark(',')) => {
            return Vec::new();
        }
        Some(Token::Mark('[' | '*' | '<' | '-') | Token::Text(_) | Token::Mixed(_) | Token::Quoted(_)) => rest,
        Some(Token::List(_) | Token::Number(_) | Token::Name(_)) => rest,
        Some(Token::Mark(_)) | None => return Vec::new(),
    };
    let mut depth = 0_usize;
    let ends = |token: &Token| {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') if depth == 0 => return true,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            Token::Mark(';' | '|') => return depth == 0,
            _ => {}
        }
        false
    };
    let inside = inside.get(..MOST).unwrap_or(inside);
    let end = inside.iter().position(ends).unwrap_or(inside.len());
    split(inside.get(..end).unwrap_or_default()).map(|one| value(one, style, DEPTH)).collect()
}

/// The parts between the commas of this level.
fn split(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    let mut depth = 0_usize;
    let parts = tokens.split(move |token| {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && *token == Token::Mark(',')
    });
    parts.map(trimmed).filter(|part| !part.is_empty())
}

fn trimmed(mut tokens: &[Token]) -> &[Token] {
    while let [Token::Mark('\n'), rest @ ..] | [rest @ .., Token::Mark('\n')] = tokens {
        tokens = rest;
    }
    tokens
}

fn value(tokens: &[Token], style: Style, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return Value::Open };
    match tokens {
        // `system "…" or die`, `do shell script "…" with …`
        [literal, after, ..] if after.is_one_of(&["or", "and", "if", "unless", "with", "while"]) => {
            value(std::slice::from_ref(literal), style, depth)
        }
        [Token::Text(text)] => Value::Text(Word::text(text)),
        [Token::Mixed(text) | Token::Quoted(text)] if !style.fills(text) => Value::Text(Word::text(text)),
        [Token::List(words)] => Value::List(words.iter().map(Word::text).collect()),
        [Token::Number(digits)] => number(digits),
        [Token::Mark('-'), Token::Number(digits)] => match number(digits) {
            Value::Number(number) => Value::Number(-number),
            other => other,
        },
        // `*list`
        [Token::Mark('*'), rest @ ..] => value(rest, style, depth),
        // `c("-rf", "/")`
        [Token::Name(name), rest @ ..] if name == "c" && rest.first() == Some(&Token::Mark('(')) => {
            value(rest, style, depth)
        }
        [Token::Mark('(' | '[' | '{'), inner @ .., Token::Mark(')' | ']' | '}')] => {
            let mut words = Vec::new();
            for part in split(inner) {
                match value(part, style, depth) {
                    Value::Text(word) => words.push(word),
                    Value::List(more) => words.extend(more),
                    Value::Number(_) | Value::Open => {}
                }
            }
            Value::List(words)
        }
        // `args: […]`, `args=[…]`; a named text is a setting, no word of a command.
        [Token::Name(_), Token::Mark(':' | '='), rest @ ..] => match value(rest, style, depth) {
            list @ Value::List(_) => list,
            _ => Value::Open,
        },
        _ => place(tokens).map_or(Value::Open, Value::Text),
    }
}

fn number(digits: &str) -> Value {
    let digits = digits.trim_start_matches("0o");
    digits.parse().map_or(Value::Open, Value::Number)
}

/// Names that say that a home is meant, in any language.
const HOME: &str = "HOME home homedir user_home getpwuid";
/// Names that may stand around them without leading elsewhere.
const NEUTRAL: &str = "ENV ENVIRON _ENV _SERVER env environ getenv get fetch process os path Path pathlib pwd pw_dir \
    dir getuid expanduser expandvars expand_path expand glob Dir File Pathname new join require userInfo Deno System \
    Sys String str f node";

fn bare(name: &str) -> &str {
    name.trim_start_matches(['$', '@', '%'])
}

/// The home or the root, when an expression names nothing else: `os.path.expanduser("~")`, `ENV["HOME"]`, `glob("/*")`. A
/// name that leads elsewhere, or any other text, makes it unknown.
fn place(tokens: &[Token]) -> Option<Word> {
    let (mut home, mut root) = (false, false);
    for token in tokens {
        match token {
            Token::Name(name) => home |= is_neutral(bare(name))?,
            Token::Text(text) | Token::Mixed(text) | Token::Quoted(text) => {
                for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()) {
                    home |= is_neutral(word)?;
                }
                home |= text.starts_with('~');
                root |= text.starts_with('/');
            }
            Token::Mark('~') => home = true,
            Token::Number(_) | Token::Mark(_) => {}
            Token::List(_) => return None,
        }
    }
    let piece = if home { Piece::Home(None) } else { Piece::Text("/".to_owned()) };
    (home || root).then(|| Word { pieces: vec![piece] })
}

/// Whether a name says that the home is meant; `None` for one that leads elsewhere.
fn is_neutral(name: &str) -> Option<bool> {
    let home = has(HOME, name);
    (home || has(NEUTRAL, name)).then_some(home)
}
