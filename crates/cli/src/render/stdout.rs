//! Results. A reader that went away (`| head`) is no error.
#![allow(clippy::print_stdout, reason = "this is the one place that prints results")]

use super::terminal::{self, To};
use crate::exit::Failure;
use palanca_policy::marking::shown_lines;
use serde_json::Value;
use std::io::{BufWriter, ErrorKind, IsTerminal as _, Write};

/// Prints as it is, and a line break if the text has none at its end. On a terminal, control characters are shown and not
/// obeyed: what a program printed must not move a person's cursor.
pub fn text(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    let ended = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    if out.is_terminal() {
        return piece(&format!("{}{ended}", shown_lines(text)));
    }
    quiet_when_closed(write!(out, "{text}{ended}").and_then(|()| out.flush()))
}

/// Shows a piece of a longer text at once, on a stdout that is a terminal. It must be escaped already.
pub fn piece(text: &str) -> Result<(), Failure> {
    quiet_when_closed(terminal::show(To::Stdout, text))
}

/// Lines of results as they come, with a buffer: for `write` of whole lines.
pub fn lines() -> Box<dyn Write + Send> {
    let out = std::io::stdout();
    if out.is_terminal() { Box::new(Lines(Vec::new())) } else { Box::new(BufWriter::with_capacity(1 << 16, out)) }
}

/// A terminal, which gets each line escaped.
struct Lines(Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.extend_from_slice(bytes);
        if self.0.ends_with(b"\n") {
            let line = std::mem::take(&mut self.0);
            terminal::show(To::Stdout, &shown_lines(&String::from_utf8_lossy(&line)))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
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
