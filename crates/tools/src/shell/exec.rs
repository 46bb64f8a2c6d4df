//! The results of `exec`, to the letter of the documents that have it. Those letters
//! (`Exit code:`, `(no output)`, `... (truncated, …)`) are a format that programs look for, the same in every language.
//!
//! Each stream is cut by itself, so that a long stdout cannot push out the stderr that says what went wrong.

use super::capture::{binary, is_binary, joined, whole_end, without_ends};
use super::screen;
use crate::options::ExecOptions;
use palanca_core::call::ErrorKind;
use palanca_core::ports::{Captured, Exit, Finished, Keep};
use palanca_core::{Message, Output, Text, ToolError};
use std::borrow::Cow;
use std::time::Duration;

/// What a door must keep so that as many characters as are allowed can be shown, whatever they are.
pub(super) fn keep(options: &ExecOptions) -> Keep {
    Keep { head: Keep::default().head.max(options.max_output_length.saturating_mul(4)), ..Keep::default() }
}

/// How a document writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exec {
    pub(crate) status: Status,
    /// The line above the stderr.
    pub(crate) stderr: &'static str,
    /// What is counted where something was cut.
    pub(crate) counted: Counted,
    /// Said when the time is over.
    pub(crate) timeout: &'static str,
}

/// Where the exit code stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// In the first line, with an empty one below it.
    Above,
    /// In the last line, if it is not 0.
    Below,
    /// In the first line, if it is not 0.
    OfFailure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// All that there was.
    Total,
    /// What is not shown.
    More,
}

impl Exec {
    pub(super) fn report(
        self,
        finished: &Finished,
        options: &ExecOptions,
        limit: Duration,
    ) -> Result<Output, ToolError> {
        let mut printed = Printed::of(finished, self, options.max_output_length);
        if finished.exit == Exit::Code(0) {
            let (cut, text) = (printed.cut, printed.whole());
            let output = Output::text(match self.status {
                Status::Above => Text::from("Exit code: 0").paragraph(text),
                Status::Below | Status::OfFailure => text,
            });
            return Ok(if cut { output.truncated() } else { output });
        }
        let said = |text| Message::new("exec-said").with("text", text);
        let message = match (exit_line(finished.exit), self.status) {
            (None, _) => self.unfinished(finished.exit, limit),
            (Some(line), Status::Above | Status::OfFailure) => said(line),
            (Some(line), Status::Below) => {
                if !printed.text.is_empty() {
                    printed.text.push('\n');
                }
                printed.text.push_str(&line);
                let error = ToolError::new(kind(finished.exit), said(printed.text));
                return Err(if printed.notes.is_empty() { error } else { error.with_output(printed.notes) });
            }
        };
        let text = printed.whole();
        // The first line of the content is the error, the rest its output: together they read as on success.
        let text = match self.status {
            Status::Above => Text::from("\n").then(text),
            Status::Below | Status::OfFailure => text,
        };
        Err(ToolError::new(kind(finished.exit), message).with_output(text))
    }

    fn unfinished(self, exit: Exit, limit: Duration) -> Message {
        match exit {
            Exit::TimedOut => Message::new(self.timeout).with("seconds", limit.as_secs_f64().to_string()),
            Exit::Killed => Message::new("command-killed"),
            Exit::Limited(met) => met.message(),
            Exit::Code(_) | Exit::Signal(_) | Exit::Lost => Message::new("command-lost"),
        }
    }
}

fn exit_line(exit: Exit) -> Option<String> {
    match exit {
        Exit::Code(code) => Some(format!("Exit code: {code}")),
        Exit::Signal(number) => Some(format!("Exit code: {} ({})", number.saturating_add(128), screen::signal(number))),
        Exit::TimedOut | Exit::Killed | Exit::Limited(_) | Exit::Lost => None,
    }
}

const fn kind(exit: Exit) -> ErrorKind {
    match exit {
        Exit::TimedOut => ErrorKind::Timeout,
        Exit::Killed => ErrorKind::Cancelled,
        Exit::Code(_) | Exit::Signal(_) | Exit::Limited(_) => ErrorKind::Failed,
        Exit::Lost => ErrorKind::Io,
    }
}

/// What was printed, and what there is to say of it.
struct Printed {
    text: String,
    notes: Text,
    cut: bool,
}

impl Printed {
    fn of(finished: &Finished, form: Exec, limit: usize) -> Self {
        let mut printed = Self { text: String::new(), notes: Text::new(), cut: false };
        let stderr = printed.read(&finished.stderr);
        let stdout = printed.read(&finished.stdout);
        let for_stderr = stderr.text.chars().take(limit / 4).count();
        printed.add(&stdout, form, limit.saturating_sub(for_stderr));
        if !stderr.text.is_empty() {
            let left = limit.saturating_sub(stdout.text.chars().take(limit).count()).max(for_stderr);
            if !printed.text.is_empty() {
                printed.text.push('\n');
            }
            printed.text.push_str(form.stderr);
            printed.text.push('\n');
            printed.add(&stderr, form, left);
        }
        finished.notes.iter().for_each(|note| printed.note(note.clone().into()));
        printed
    }

    /// The stream as text; of one that is none, a note.
    fn read<'a>(&mut self, stream: &'a Captured) -> Stream<'a> {
        if is_binary(stream) {
            self.note(binary(stream).text);
            self.cut = true;
            return Stream { text: Cow::Borrowed(""), source: stream };
        }
        let bytes = match stream.omitted_bytes {
            0 => joined(stream),
            _ => Cow::Borrowed(whole_end(&stream.head)),
        };
        let text = String::from_utf8_lossy(without_ends(&bytes)).into_owned();
        if std::str::from_utf8(&bytes).is_err() && self.notes.is_empty() {
            self.note(Message::new("command-mended").into());
        }
        Stream { text: Cow::Owned(text), source: stream }
    }

    fn add(&mut self, stream: &Stream<'_>, form: Exec, limit: usize) {
        let end = stream.text.char_indices().nth(limit).map_or(stream.text.len(), |(end, _)| end);
        let kept = stream.text.get(..end).unwrap_or_default();
        self.text.push_str(kept);
        let is_torn = stream.source.omitted_bytes > 0;
        if end == stream.text.len() && !is_torn {
            return;
        }
        self.cut = true;
        let (total, more, unit) = if is_torn {
            let (total, kept) = (stream.source.total_bytes(), u64::try_from(kept.len()).unwrap_or(u64::MAX));
            (total, total.saturating_sub(kept), "bytes")
        } else {
            let total = u64::try_from(stream.text.chars().count()).unwrap_or(u64::MAX);
            (total, total.saturating_sub(u64::try_from(limit).unwrap_or(u64::MAX)), "chars")
        };
        self.text.push_str(&match form.counted {
            Counted::Total => format!("\n... (truncated, {total} total {unit})"),
            Counted::More => format!("\n... (truncated, {more} more {unit})"),
        });
        if let Some(whole) = &stream.source.whole {
            self.note(Message::new("command-whole").with("place", whole).into());
        }
    }

    fn note(&mut self, note: Text) {
        self.notes = std::mem::take(&mut self.notes).line(note);
    }

    /// The text with the notes; never nothing.
    fn whole(self) -> Text {
        let text = match self.text.is_empty() {
            false => Text::from(self.text),
            true if self.notes.is_empty() => Text::from("(no output)"),
            true => Text::new(),
        };
        if self.notes.is_empty() { text } else { text.line(self.notes) }
    }
}

struct Stream<'a> {
    text: Cow<'a, str>,
    source: &'a Captured,
}

#[cfg(test)]
mod tests;
