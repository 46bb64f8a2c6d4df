//! Program code in operands, or on stdin, that starts commands.
//!
//! Nothing here evaluates a language. Calls that start processes or remove trees are looked for among tokens, and an
//! argument counts when it is written out: a literal, a list of literals, the home. What code computes is not known; the
//! program that runs it is never safe for that reason.

use super::build::{Start, script, started, too_much};
use super::{Inner, Outer, Unwrapped};
use crate::command::{Command, Via, Word};

mod calls;
mod literal;
pub(super) mod sed;
pub(super) mod source;
pub(super) mod tokens;

use std::collections::HashSet;

/// What one command's code may start; more is a problem.
const MOST: usize = 512;

/// Something that code starts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Found {
    /// A text for a shell.
    Text(Word),
    /// A program and its arguments.
    Words(Vec<Word>),
}

impl Found {
    fn text(text: impl Into<String>) -> Self {
        Self::Text(Word::text(text))
    }

    fn words(words: impl IntoIterator<Item = Word>) -> Self {
        Self::Words(words.into_iter().collect())
    }
}

/// What a command's code starts.
pub(super) fn unwrap(command: &Command) -> Option<Unwrapped> {
    let name = command.program()?;
    let mut found = Vec::new();
    let mut read_in_full = true;
    if matches!(name, "sed" | "gsed" | "ssed") {
        sed::find(command, &mut found);
    } else {
        let (language, codes) = source::codes(command)?;
        let style = language.reads().style;
        for code in &codes {
            let text = code.to_string();
            let tokens = tokens::tokens(&text, style);
            read_in_full &= tokens.len() < tokens::MOST;
            calls::find(&calls::Code { style, program: name, text: &text }, &tokens, &mut found);
        }
    }
    let start = Start::new(command, Via::Code(name.to_owned())).without_input();
    let mut seen = HashSet::new();
    found.retain(|one| seen.insert(one.clone()));
    let more = found.len() > MOST || !read_in_full;
    let mut inner: Vec<Inner> = found.into_iter().take(MOST).filter_map(|one| one.inner(&start)).collect();
    if more {
        inner.push(too_much(&start));
    }
    Unwrapped::of(Outer::Judged, inner)
}

/// The code that a program is given in its words.
pub(super) fn text(command: &Command) -> Option<Word> {
    let (_, codes) = source::codes(command)?;
    codes.into_iter().next()
}

/// What code prints that does nothing but print one literal.
pub(super) fn says(command: &Command) -> Option<String> {
    const PRINT: &[&str] =
        &["print", "puts", "log", "echo", "write", "say", "writeln", "cat", "println", "printf", "p", "info"];
    let (language, codes) = source::codes(command)?;
    let [code] = codes.as_slice() else { return None };
    let style = language.reads().style;
    let tokens = tokens::tokens(code.literal()?, style);
    let mut calls = tokens.iter().enumerate().filter(|(_, token)| token.is_one_of(PRINT));
    let ((at, _), None) = (calls.next()?, calls.next()) else { return None };
    let arguments = literal::arguments(&tokens, at + 1, style);
    let [literal::Value::Text(text)] = arguments.as_slice() else { return None };
    Some(format!("{}\n", text.literal()?))
}

impl Found {
    fn inner(self, start: &Start<'_>) -> Option<Inner> {
        match self {
            Self::Text(text) if text.literal() == Some("") => None,
            Self::Text(text) => Some(script(start, text, Vec::new())),
            Self::Words(words) => started(start, words),
        }
    }
}
