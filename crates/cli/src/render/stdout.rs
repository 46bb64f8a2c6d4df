//! Results. A reader that went away (`| head`) is no error.
#![allow(clippy::print_stdout, reason = "this is the one place that prints results")]

use crate::exit::Failure;
use palanca_policy::marking::shown_lines;
use serde_json::Value;
use std::io::{BufWriter, ErrorKind, IsTerminal as _, Stdout, Write};

/// Prints as it is, and a line break if the text has none at its end. On a terminal, control characters are shown and not
/// obeyed: what a program printed must not move a person's cursor.
pub fn text(text: &str) -> Result<(), Failure> {
    let shown = std::io::stdout().is_terminal().then(|| shown_lines(text));
    let text = shown.as_deref().unwrap_or(text);
    let mut out = std::io::stdout().lock();
    let ended = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    quiet_when_closed(write!(out, "{text}{ended}").and_then(|()| out.flush()))
}

/// Prints a piece of a longer text at once.
pub fn piece(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let shown = out.is_terminal().then(|| shown_lines(text));
    quiet_when_closed(write!(out, "{}", shown.as_deref().unwrap_or(text)).and_then(|()| out.flush()))
}

/// Lines of results as they come, with a buffer: for `write` of whole lines.
pub fn lines() -> Box<dyn Write + Send> {
    let out = std::io::stdout();
    if out.is_terminal() {
        Box::new(Lines { out, line: Vec::new() })
    } else {
        Box::new(BufWriter::with_capacity(1 << 16, out))
    }
}

/// A terminal, which gets each line escaped.
struct Lines {
    out: Stdout,
    line: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if self.line.ends_with(b"\n") {
            let line = std::mem::take(&mut self.line);
            self.out.write_all(shown_lines(&String::from_utf8_lossy(&line)).as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
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
