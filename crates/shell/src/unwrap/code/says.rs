//! Code that does nothing but print constants.

use super::fold::{Folder, Value};
use super::tokens::{Token, tokens};
use super::{Language, awk, which};
use crate::command::{Command, Word};
use std::collections::HashMap;

const PRINT: &[&str] = &["print", "puts", "log", "echo", "write", "say", "writeln", "cat", "println", "p", "info"];

/// What the code prints, when it is one call of a printing function with constants.
pub(in crate::unwrap) fn says(command: &Command) -> Option<String> {
    if awk::is_awk(command.program()?) {
        return awk::says(command);
    }
    let (language, codes) = which::codes(command)?;
    let [code] = codes.as_slice() else { return None };
    let tokens = tokens(code.literal()?, language.style());
    let variables = HashMap::new();
    let prints = |token: &Token| matches!(token, Token::Name(name) if PRINT.contains(&name.as_str()));
    let places: Vec<usize> = (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(prints)).collect();
    let [at] = places.as_slice() else { return None };
    let Token::Name(name) = tokens.get(*at)? else { return None };
    let values = match tokens.get(at + 1)? {
        Token::Mark('(') => Folder::new(&tokens, at + 2, &variables).arguments(')'),
        _ => Folder::new(&tokens, at + 1, &variables).arguments(';'),
    };
    let texts: Option<Vec<String>> = values
        .iter()
        .filter(|value| !matches!(value, Value::Open))
        .map(|value| value.word().as_ref().and_then(Word::literal).map(str::to_owned))
        .collect();
    let texts = texts?;
    if texts.is_empty() || values.first() == Some(&Value::Open) {
        return None;
    }
    let newline = if matches!(name.as_str(), "write" | "echo") { "" } else { "\n" };
    let between = match language {
        Language::Perl | Language::Raku | Language::Ruby | Language::Php => "",
        _ => " ",
    };
    Some(texts.join(between) + newline)
}
