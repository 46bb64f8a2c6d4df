//! Progress, questions, warnings, errors. Whatever is printed here is escaped, but for [`drawn`]: text that holds colours is
//! put together from escaped pieces.

use super::terminal::{self, To};
use crate::exit::Failure;
use crate::say::say;
use palanca_core::Message;
use palanca_policy::marking::{self, shown_lines};
use serde_json::Value;
use std::io::{IsTerminal as _, Write};
use std::sync::LazyLock;

pub const RED: &str = "\x1b[31m";
pub const GREEN: &str = "\x1b[32m";
pub const YELLOW: &str = "\x1b[33m";
pub const CYAN: &str = "\x1b[36m";
pub const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

/// Whether stderr shows colours.
pub fn has_colour() -> bool {
    static HAS: LazyLock<bool> = LazyLock::new(|| {
        std::io::stderr().is_terminal()
            && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    });
    *HAS
}

pub fn painted(colour: &str, text: &str) -> String {
    if has_colour() { format!("{colour}{text}{RESET}") } else { text.to_owned() }
}

pub fn error(failure: &Failure) {
    problem(&failure.to_string());
}

pub fn warning(text: &str) {
    drawn(&format!("{} {}", painted(YELLOW, &say(&Message::new("cli-warning"))), hanging(text)));
}

/// An error that is no failure of the command.
pub fn problem(text: &str) {
    drawn(&format!("{} {}", painted(RED, &say(&Message::new("cli-error"))), hanging(text)));
}

/// No line of a problem begins where a line of ours would.
fn hanging(text: &str) -> String {
    shown_lines(text.trim_end()).replace('\n', "\n  ")
}

/// A value on one line.
pub fn shown_line(text: &str) -> String {
    marking::shown_line(text).into_owned()
}

/// A warning in a sentence of the catalogue.
pub fn warn(message: &Message) {
    warning(&say(message));
}

/// A line in a sentence of the catalogue.
pub fn note(message: &Message) {
    line(&say(message));
}

/// Text of one line or several.
pub fn line(text: &str) {
    drawn(&shown_lines(text));
}

/// The same in the colour of what is beside the point.
pub fn dim(text: &str) {
    drawn(&painted(DIM, &shown_lines(text)));
}

/// Text with colours, made of pieces that are escaped already.
pub fn drawn(text: &str) {
    // ignored: `show` fails for stdout alone.
    let _ = terminal::show(To::Stderr, &format!("{text}\n"));
}

/// A line that waits for an answer, where nothing runs beside it.
pub fn prompt(text: &str) {
    // ignored: as above.
    let _ = terminal::show(To::Stderr, &format!("{} ", shown_line(text)));
}

/// What a channel writes on: escaped by the channel, one message a write.
pub struct Writer;

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        terminal::show(To::Stderr, &String::from_utf8_lossy(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Arguments on one line: `path="a.txt", content="first\nsec… (12 more characters)"`, each value, as JSON, cut at
/// as many characters as `most` says.
pub fn one_line(arguments: &Value, most: impl Fn(&str) -> usize) -> String {
    let Some(object) = arguments.as_object() else { return shown_line(&arguments.to_string()) };
    let shown = object.iter().map(|(name, value)| {
        let text = value.to_string();
        let chars = most(&text);
        let cut: String = text.chars().take(chars).collect();
        let missing = text.chars().count().saturating_sub(chars);
        let mark = match missing {
            0 => String::new(),
            count => say(&Message::new("cli-cut").with("count", count)),
        };
        format!("{}={}{mark}", shown_line(name), shown_line(&cut))
    });
    shown.collect::<Vec<_>>().join(", ")
}
