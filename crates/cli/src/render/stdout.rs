//! Results. A reader that went away (`| head`) is no error.
#![allow(clippy::print_stdout, reason = "this is the one place that prints results")]

use crate::exit::Failure;
use crate::render::stderr;
use serde_json::Value;
use std::io::{ErrorKind, IsTerminal as _, Write as _};

/// Prints as it is, and a line break if the text has none at its end. On a terminal, control characters are shown and not
/// obeyed: what a program printed must not move a person's cursor.
pub fn text(text: &str) -> Result<(), Failure> {
    let shown = std::io::stdout().is_terminal().then(|| stderr::printable(text));
    let text = shown.as_deref().unwrap_or(text);
    let mut out = std::io::stdout().lock();
    let ended = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    quiet_when_closed(write!(out, "{text}{ended}").and_then(|()| out.flush()))
}

/// Prints a piece of a longer text at once.
pub fn piece(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    quiet_when_closed(write!(out, "{text}").and_then(|()| out.flush()))
}

/// Prints JSON, indented.
pub fn json(value: &Value) -> Result<(), Failure> {
    text(&serde_json::to_string_pretty(value)?)
}

pub fn quiet_when_closed(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
