//! Failures of a hook itself, and the sentence for each.

use palanca_core::message::Message;
use palanca_core::ports::{Exit, LimitMet, ProcessError};
use std::time::Duration;

/// The shell's exit code where it finds no program of a name.
pub(crate) const NOT_FOUND: i32 = 127;

/// A hook's own failure: it neither allowed nor refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// An exit code other than 0 and 2, with the end of its output.
    Exit(i32, String),
    /// The program of this command is not there.
    NotThere(String),
    /// A signal ended it.
    Signal(i32),
    /// It reached its time limit.
    Timeout(Duration),
    /// It reached this limit.
    Limit(LimitMet),
    /// The run ended, or the door closed, first.
    Cancelled,
    /// It did not start.
    Start(ProcessError),
    /// Its answer begins like a JSON object but is invalid.
    Malformed(String),
    /// Its answer is JSON of another shape.
    Shape(String),
    /// Its answer is too long.
    TooLong(u64),
    /// The file's name cannot be inserted into its command safely.
    Placeholder(String),
    /// Too many hooks are running in the background.
    Crowded,
    /// The long-lived program ended, or broke the protocol.
    Dialogue(String),
}

impl Failure {
    pub(crate) fn message(&self) -> Message {
        match self {
            Self::Exit(code, said) if said.is_empty() => Message::new("hook-failure-exit").with("code", *code),
            Self::Exit(code, said) => Message::new("hook-failure-exit-said").with("code", *code).with("said", said),
            Self::NotThere(command) => Message::new("hook-failure-not-there").with("command", command),
            Self::Signal(signal) => Message::new("hook-failure-signal").with("signal", *signal),
            Self::Timeout(limit) => {
                Message::new("hook-failure-timeout").with("seconds", format!("{}", limit.as_secs_f64()))
            }
            Self::Limit(met) => met.message(),
            Self::Cancelled => Message::new("hook-failure-cancelled"),
            Self::Start(error) => Message::new("hook-failure-start").with("detail", error.to_string()),
            Self::Malformed(detail) => Message::new("hook-failure-malformed").with("detail", detail),
            Self::Shape(detail) => Message::new("hook-failure-shape").with("detail", detail),
            Self::TooLong(bytes) => Message::new("hook-failure-too-long").with("bytes", *bytes),
            Self::Placeholder(file) => Message::new("hook-failure-placeholder").with("file", file),
            Self::Crowded => Message::new("hook-failure-crowded"),
            Self::Dialogue(detail) => Message::new("hook-failure-dialogue").with("detail", detail),
        }
    }

    /// The meaning of an exit code that is neither 0 nor 2.
    pub(crate) fn of_exit(exit: Exit, limit: Duration, said: String) -> Self {
        match exit {
            Exit::Code(code) => Self::Exit(code, said),
            Exit::Signal(signal) => Self::Signal(signal),
            Exit::TimedOut => Self::Timeout(limit),
            Exit::Limited(met) => Self::Limit(met),
            Exit::Killed | Exit::Lost => Self::Cancelled,
        }
    }
}
