//! Why a script gave no result.

use crate::limits::{Limit, Limits, SOURCE_BYTES};
use palanca_core::Message;
use palanca_core::ports::ProcessError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in the source that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyntaxError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
    /// The line, or the part of it around the place.
    pub excerpt: String,
    /// In characters of the excerpt, from 0.
    pub caret: usize,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, message, excerpt, caret } = self;
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        writeln!(to, "{line}:{column}: {message}")?;
        writeln!(to, "{number} | {excerpt}")?;
        write!(to, "{gutter} | {}^", " ".repeat(*caret))
    }
}

/// Why a script gave no result.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// This build has no engine.
    #[error("this build has no engine for scripts")]
    NotBuilt,
    /// The source is longer than [`SOURCE_BYTES`].
    #[error("the source has {0} bytes, more than {SOURCE_BYTES}")]
    TooLong(usize),
    /// The source cannot be read.
    #[error("{0}")]
    Syntax(SyntaxError),
    /// The source nests deeper than can be read.
    #[error("the source nests too deeply")]
    Nested,
    /// It ended with an error that it did not catch.
    #[error("{error}")]
    Threw {
        /// The error and where it was thrown.
        error: String,
        /// What it had printed.
        log: String,
    },
    /// It ended itself with `process.exit`, with another code than 0 or without a result.
    #[error("it ended with code {code}")]
    Exited {
        /// The code.
        code: i32,
        /// What it had printed.
        log: String,
    },
    /// It waits for a promise that nothing can settle.
    #[error("it waits for a promise that nothing settles")]
    Stuck,
    /// It reached a limit and was ended.
    #[error("it reached a limit: {limit:?}")]
    Limited {
        /// Which.
        limit: Limit,
        /// The limits that it had.
        limits: Limits,
    },
    /// Its caller ended it.
    #[error("it was cancelled")]
    Cancelled,
    /// Its process could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// Its process ended in a way that scripts cannot cause, or spoke another language.
    #[error("its process failed: {0}")]
    Broken(String),
}

impl ScriptError {
    /// A sentence for models and people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::NotBuilt => Message::new("script-not-built"),
            Self::TooLong(bytes) => {
                Message::new("script-too-long").with("kibibytes", kib(*bytes)).with("most", kib(SOURCE_BYTES))
            }
            Self::Syntax(error) => Message::new("script-syntax").with("error", error.to_string()),
            Self::Nested => Message::new("script-nested"),
            Self::Threw { error, log } => said("script-threw", log).with("error", error.as_str()),
            Self::Exited { code: 0, log } => said("script-exited-early", log),
            Self::Exited { code, log } => said("script-exited", log).with("code", i64::from(*code)),
            Self::Stuck => Message::new("script-stuck"),
            Self::Limited { limit, limits } => limited(*limit, limits),
            Self::Cancelled => Message::new("script-cancelled"),
            Self::Process(error) => {
                Message::new("script-not-started").with("error", error.clone().into_tool_error().message().clone())
            }
            Self::Broken(error) => Message::new("script-broken").with("error", error.as_str()),
        }
    }
}

fn said(key: &'static str, log: &str) -> Message {
    let log = log.trim();
    Message::new(key).with("log", if log.is_empty() { String::new() } else { format!("\n{log}") })
}

fn kib(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(1 << 10)
}

fn limited(limit: Limit, limits: &Limits) -> Message {
    match limit {
        Limit::Time => Message::new("script-limit-time").with("seconds", limits.time.as_secs()),
        Limit::Memory => Message::new("script-limit-memory").with("mebibytes", (limits.memory >> 20) as u64),
        Limit::Output => Message::new("script-limit-output").with("kibibytes", kib(limits.output)),
        Limit::Requests => Message::new("script-limit-requests").with("most", limits.requests as u64),
    }
}
