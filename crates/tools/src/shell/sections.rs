//! The result of `run_command`: `stdout:`, `stderr:` and `exit_code:`, each apart by an empty line, and what else there is
//! to know before the last of them.

use super::capture::{Room, show};
use super::order::{Order, code};
use super::screen;
use crate::options::CommandOptions;
use palanca_core::call::ErrorKind;
use palanca_core::ports::{Captured, Exit, Finished, Keep, Written};
use palanca_core::{Message, Output, Text, ToolError};
use std::borrow::Cow;
use std::time::Duration;

/// Bytes of room for each line that may be shown, and the least and the most in all. The most lies well below what the
/// gate lets through in one result.
const BYTES_A_LINE: usize = 320;
const LEAST: usize = 16 << 10;
const MOST: usize = 384 << 10;

/// Programs say one of these when they want a terminal and have none.
const WANTS_TERMINAL: [&[u8]; 8] = [
    b"not a tty",
    b"not a terminal",
    b"Inappropriate ioctl",
    b"inappropriate ioctl",
    b"/dev/tty",
    b"a TTY",
    b"requires a terminal",
    b"TERM environment variable not set",
];

/// The room that this many lines need.
pub(crate) fn room(lines: usize) -> Room {
    Room { lines, bytes: lines.saturating_mul(BYTES_A_LINE).clamp(LEAST, MOST) }
}

fn rooms(options: &CommandOptions) -> (Room, Room) {
    let lines = options.max_output_lines.clamp(10, 5000);
    (room(lines), room((lines / 4).max(10)))
}

/// What a door must keep so that enough can be shown.
pub(super) fn keep(options: &CommandOptions) -> Keep {
    let (usual, bytes) = (Keep::default(), rooms(options).0.bytes);
    Keep { head: usual.head.max(bytes), tail: usual.tail.max(bytes / 2) }
}

/// What the tool has arguments for, so that a result may point at them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asks {
    /// For a terminal.
    pub(crate) terminal: bool,
    /// For protected files that the command must change.
    pub(crate) writes: bool,
}

impl Asks {
    /// The result, or the failure with the same sections.
    pub(super) fn report(self, order: &Order<'_>, finished: &Finished, limit: Duration) -> Result<Output, ToolError> {
        outcome(self.sections(order, finished), finished.exit, limit)
    }

    fn sections(self, order: &Order<'_>, finished: &Finished) -> (Text, bool) {
        let (out_room, err_room) = rooms(&order.options.commands);
        let stdout =
            if order.terminal.is_some() { screen::plain(&finished.stdout) } else { Cow::Borrowed(&finished.stdout) };
        let (out, err) = (show(&stdout, out_room), show(&finished.stderr, err_room));
        let mut text = Text::new();
        for (name, shown) in [("stdout:", &out), ("stderr:", &err)] {
            if !shown.text.is_empty() {
                text = text.paragraph(Text::from(name).line(shown.text.clone()));
            }
        }
        if out.mended || err.mended {
            text = text.paragraph(Message::new("command-mended"));
        }
        if order.terminal.is_none() && finished.exit != Exit::Code(0) && wants_terminal(finished) {
            text = text.paragraph(Message::new(match self.terminal {
                true => "command-wants-terminal-option",
                false => "command-wants-terminal",
            }));
        }
        text = finished.notes.iter().cloned().fold(text, Text::paragraph);
        text = self.askable(&finished.written).into_iter().fold(text, Text::paragraph);
        if let Some(code) = code(finished.exit) {
            text = text.paragraph(format!("exit_code: {code}"));
        }
        (text, out.cut || err.cut)
    }

    /// How to ask for what was refused, where the tool has a way.
    pub(super) fn askable(self, written: &Written) -> Option<Message> {
        let files = written.could_be_asked_for();
        let list = serde_json::to_string(&files).unwrap_or_default();
        (self.writes && !files.is_empty()).then(|| Message::new("command-writes-askable").with("files", list))
    }
}

fn outcome((text, cut): (Text, bool), exit: Exit, limit: Duration) -> Result<Output, ToolError> {
    let seconds = limit.as_secs_f64().to_string();
    let (kind, message) = match exit {
        Exit::Code(0) => {
            let output = Output::text(text);
            return Ok(if cut { output.truncated() } else { output });
        }
        Exit::Code(code) => (ErrorKind::Failed, Message::new("command-failed").with("code", code)),
        Exit::Signal(signal) => (
            ErrorKind::Failed,
            Message::new("command-signal")
                .with("code", signal.saturating_add(128))
                .with("signal", screen::signal(signal).into_owned()),
        ),
        Exit::TimedOut => (ErrorKind::Timeout, Message::new("command-timeout").with("seconds", seconds)),
        Exit::Killed => (ErrorKind::Cancelled, Message::new("command-killed")),
        Exit::Limited(met) => (ErrorKind::Failed, met.message()),
        Exit::Lost => (ErrorKind::Io, Message::new("command-lost")),
    };
    Err(ToolError::new(kind, message).with_output(text))
}

fn wants_terminal(finished: &Finished) -> bool {
    let says = |stream: &Captured| {
        WANTS_TERMINAL
            .iter()
            .any(|words| [&stream.head, &stream.tail].iter().any(|part| memchr::memmem::find(part, words).is_some()))
    };
    says(&finished.stderr) || says(&finished.stdout)
}
