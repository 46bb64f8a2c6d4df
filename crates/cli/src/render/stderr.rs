//! Progress, questions, warnings, errors. Control characters of foreign text are shown, never sent.
#![allow(clippy::print_stderr, reason = "this is the one place that prints to stderr")]

use crate::exit::Failure;
use crate::say::say;
use palanca_core::Message;
use serde_json::Value;
use std::io::IsTerminal as _;

pub const RED: &str = "\x1b[31m";
pub const GREEN: &str = "\x1b[32m";
pub const YELLOW: &str = "\x1b[33m";
pub const CYAN: &str = "\x1b[36m";
pub const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

/// Whether stderr shows colours.
pub fn has_colour() -> bool {
    std::io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

pub fn painted(colour: &str, text: &str) -> String {
    if has_colour() { format!("{colour}{text}{RESET}") } else { text.to_owned() }
}

pub fn error(failure: &Failure) {
    eprintln!("{} {}", error_label(), printable(&failure.to_string()));
}

pub fn warning(text: &str) {
    eprintln!("{} {}", painted(YELLOW, &say(&Message::new("cli-warning"))), printable(text));
}

/// What stands before an error.
pub fn error_label() -> String {
    painted(RED, &say(&Message::new("cli-error")))
}

/// A warning in a sentence of the catalogue.
pub fn warn(message: &Message) {
    warning(&say(message));
}

/// A line in a sentence of the catalogue.
pub fn note(message: &Message) {
    line(&printable(&say(message)));
}

pub fn line(text: &str) {
    eprintln!("{text}");
}

pub fn prompt(text: &str) {
    eprint!("{text} ");
}

/// The text with every control and direction-changing character escaped; line breaks and tabs stay.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        let hidden = (character.is_control() && !matches!(character, '\n' | '\t'))
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
        if hidden { shown.extend(character.escape_default()) } else { shown.push(character) }
    }
    shown
}

/// Arguments on one line: `path="a.txt", content="first\nsecond…"`, each value cut at `chars`.
pub fn one_line(arguments: &Value, chars: usize) -> String {
    let Some(object) = arguments.as_object() else { return printable(&arguments.to_string()) };
    let shown = object.iter().map(|(name, value)| {
        let text = value.to_string();
        let cut: String = text.chars().take(chars).collect();
        let mark = if cut.len() < text.len() { "…" } else { "" };
        format!("{name}={}{mark}", printable(&cut))
    });
    shown.collect::<Vec<_>>().join(", ")
}
