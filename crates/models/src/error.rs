//! Errors of model requests: a kind, the place, the server's message, and what to do.
//!
//! No text here ever contains a key: the place names variables, not values, and the key is removed from the server's
//! message first.

use palanca_core::Message as Sentence;
use palanca_core::ports::{Exit, ProcessError};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Longest quotation of a server's message, in characters.
pub(crate) const MAX_MESSAGE: usize = 500;
/// Longest quotation of an invalid answer, in characters.
pub(crate) const MAX_NONSENSE: usize = 200;

/// The kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// No connection could be made.
    Unreachable,
    /// The key is missing, wrong, or not valid for this model (401, 403).
    Auth,
    /// Too many requests, or no credit left (429).
    RateLimited,
    /// The server took too long.
    Timeout,
    /// The server does not accept the request (4xx).
    BadRequest,
    /// The server failed (5xx) or is overloaded.
    ServerError,
    /// The answer is not in this wire format.
    Malformed,
    /// The conversation is longer than the model allows.
    ContextTooLong,
    /// The connection broke before the answer was complete.
    Interrupted,
    /// A recorded session has no further answer.
    ReplayEnded,
    /// The request offers tools, and the model calls none.
    NoTools,
}

/// Where it happened, in names that are safe to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Scheme, host and port of the base URL, or the replay file.
    pub endpoint: String,
    /// As `--model` names it.
    pub model: String,
    /// The variable that sets the endpoint.
    pub base_variable: &'static str,
    /// The variable that holds the key.
    pub key_variable: String,
    /// The setting that limits the wait.
    pub timeout_setting: &'static str,
}

/// What is known about a failure: a foreign message, or a fact with our own sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The server's or the system's message, truncated and without the key.
    Words(String),
    NoConnection,
    NoAnswer {
        within: Duration,
    },
    Silence {
        of: Duration,
    },
    Unclosed,
    Nothing,
    UsedUp {
        answers: usize,
    },
    NoTools,
    /// Of a program, as the rest.
    NotStarted(ProcessError),
    NotDone {
        within: Duration,
    },
    TooLong {
        limit: u64,
    },
    /// With code 0 it printed no answer.
    Ended {
        exit: Exit,
        said: String,
    },
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The sentence around it has a full stop of its own.
            Self::Words(words) => f.write_str(words.trim_end_matches('.')),
            Self::NoConnection => f.write_str("no connection came about"),
            Self::NoAnswer { within } => write!(f, "no answer within {} seconds", within.as_secs_f64()),
            Self::Silence { of } => write!(f, "silence of {} seconds in the middle of the answer", of.as_secs_f64()),
            Self::Unclosed => f.write_str("the stream ended without its closing event"),
            Self::Nothing => f.write_str("nothing at all"),
            Self::UsedUp { answers } => write!(f, "all {answers} answers of the recording are used up"),
            Self::NoTools => f.write_str("it calls no tools, and the request offers some"),
            Self::NotStarted(error) => error.fmt(f),
            Self::NotDone { within } => write!(f, "it was not done within {} seconds", within.as_secs_f64()),
            Self::TooLong { limit } => write!(f, "its answer is longer than {limit} bytes"),
            Self::Ended { exit: Exit::Code(code), said } => write!(f, "exit code {code}; it said: {said}"),
            Self::Ended { exit, said } => write!(f, "it ended early ({exit:?}); it said: {said}"),
        }
    }
}

/// A failed request.
#[derive(Clone, Debug)]
pub struct ModelError {
    kind: ModelErrorKind,
    place: Arc<Place>,
    cause: Cause,
    status: Option<u16>,
    attempts: u32,
    retry: Retry,
}

/// Whether a retry may help, and when, if the server says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    Never,
    Soon,
    After(Duration),
}

impl ModelError {
    /// A failure of this kind there; `detail` is the server's or the system's message, and must not contain a key.
    pub fn new(kind: ModelErrorKind, place: &Arc<Place>, detail: impl Into<String>) -> Self {
        Self::because(kind, place, Cause::Words(detail.into()))
    }

    pub(crate) fn because(kind: ModelErrorKind, place: &Arc<Place>, cause: Cause) -> Self {
        let retry = match kind {
            ModelErrorKind::Unreachable
            | ModelErrorKind::RateLimited
            | ModelErrorKind::Timeout
            | ModelErrorKind::ServerError
            | ModelErrorKind::Interrupted => Retry::Soon,
            _ => Retry::Never,
        };
        Self { kind, place: Arc::clone(place), cause, status: None, attempts: 1, retry }
    }

    pub(crate) const fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    pub(crate) const fn with_retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    pub(crate) const fn after_attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    pub(crate) const fn retry(&self) -> Retry {
        self.retry
    }

    /// The kind of failure.
    #[must_use]
    pub const fn kind(&self) -> ModelErrorKind {
        self.kind
    }

    /// Where it happened.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// What happened, in plain English: the server's or the system's message, truncated; what was received instead of
    /// an answer.
    #[must_use]
    pub fn detail(&self) -> String {
        self.cause.to_string()
    }

    /// The HTTP status, if there was one.
    #[must_use]
    pub const fn status(&self) -> Option<u16> {
        self.status
    }

    /// The total number of attempts.
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The catalogue's sentence; its arguments are `model`, `endpoint`, `detail`, `attempts`, `base` and `key` (names of
    /// variables), `seconds`, `timeout` (a setting) and `answers`;
    /// of a program also `reason`, `limit`, `how`, `number` and `said`.
    #[must_use]
    pub fn message(&self) -> Sentence {
        let sentence = Sentence::new(self.key())
            .with("model", &self.place.model)
            .with("endpoint", &self.place.endpoint)
            .with("attempts", self.attempts)
            .with("base", self.place.base_variable)
            .with("key", &self.place.key_variable);
        match &self.cause {
            Cause::Words(_) => sentence.with("detail", self.detail()),
            Cause::NoAnswer { within: time } | Cause::Silence { of: time } => {
                sentence.with("seconds", time.as_secs_f64().to_string()).with("timeout", self.place.timeout_setting)
            }
            Cause::UsedUp { answers } => sentence.with("answers", *answers),
            Cause::NotStarted(error) => sentence.with("reason", error.clone().into_tool_error().message().clone()),
            Cause::NotDone { within } => sentence.with("seconds", within.as_secs_f64().to_string()),
            Cause::TooLong { limit } => sentence.with("limit", *limit),
            Cause::Ended { exit, said } => {
                let (how, number) = match exit {
                    Exit::Code(0) => ("silent", 0),
                    Exit::Code(code) => ("code", *code),
                    Exit::Signal(signal) => ("signal", *signal),
                    Exit::TimedOut | Exit::Killed | Exit::Limited(_) | Exit::Lost => ("stopped", 0),
                };
                sentence.with("how", how).with("number", number.to_string()).with("said", said)
            }
            Cause::NoConnection | Cause::Unclosed | Cause::Nothing | Cause::NoTools => sentence,
        }
    }

    const fn key(&self) -> &'static str {
        match (self.kind, &self.cause) {
            (_, Cause::NoConnection) => "model-no-connection",
            (_, Cause::NoAnswer { .. }) => "model-no-answer",
            (_, Cause::Silence { .. }) => "model-silence",
            (_, Cause::Unclosed) => "model-unclosed",
            (_, Cause::Nothing) => "model-nothing",
            (_, Cause::NotStarted(_)) => "model-program-not-started",
            (_, Cause::NotDone { .. }) => "model-program-late",
            (_, Cause::TooLong { .. }) => "model-program-too-long",
            (_, Cause::Ended { .. }) => "model-program-failed",
            (ModelErrorKind::Unreachable, _) => "model-unreachable",
            (ModelErrorKind::Auth, _) => "model-auth",
            (ModelErrorKind::RateLimited, _) => "model-rate-limited",
            (ModelErrorKind::Timeout, _) => "model-timeout",
            (ModelErrorKind::BadRequest, _) => "model-bad-request",
            (ModelErrorKind::ServerError, _) => "model-server-error",
            (ModelErrorKind::Malformed, _) => "model-malformed",
            (ModelErrorKind::ContextTooLong, _) => "model-context-too-long",
            (ModelErrorKind::Interrupted, _) => "model-interrupted",
            (ModelErrorKind::ReplayEnded, _) => "model-replay-ended",
            (ModelErrorKind::NoTools, _) => "model-no-tools",
        }
    }
}

impl std::error::Error for ModelError {}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { endpoint, model, base_variable, key_variable, .. } = &*self.place;
        let detail = &self.cause;
        match self.kind {
            ModelErrorKind::Unreachable => write!(
                f,
                "{model} cannot be reached at {endpoint}: {detail}. Check that the server is running and that {base_variable} points at it"
            ),
            ModelErrorKind::Auth => write!(
                f,
                "{endpoint} rejected the key for {model}: {detail}. Set {key_variable} to a key that is valid there"
            ),
            ModelErrorKind::RateLimited => {
                write!(
                    f,
                    "{endpoint} is rate-limiting requests to {model}: {detail}. Wait, or check the account's limits"
                )
            }
            ModelErrorKind::Timeout => {
                write!(f, "{model} at {endpoint} took too long: {detail}. Raise the timeout, or try a faster model")
            }
            ModelErrorKind::BadRequest => write!(
                f,
                "{endpoint} rejected the request to {model}: {detail}. Check the model's name and {base_variable}"
            ),
            ModelErrorKind::ServerError => {
                write!(f, "{endpoint} failed on {model}: {detail}. Try again later")
            }
            ModelErrorKind::Malformed => write!(
                f,
                "{endpoint} sent an invalid response for {model}: {detail}. Check that {base_variable} points at an endpoint of this kind"
            ),
            ModelErrorKind::ContextTooLong => write!(
                f,
                "The conversation is too long for {model} at {endpoint}: {detail}. Lower context.max_context_tokens, or use a model with a longer context"
            ),
            ModelErrorKind::Interrupted => write!(
                f,
                "The connection to {model} at {endpoint} was lost before the answer was complete: {detail}. Run it again"
            ),
            ModelErrorKind::ReplayEnded => {
                write!(f, "{model} has no more answers: {detail}. Record a longer session, or use a live model")
            }
            ModelErrorKind::NoTools => {
                write!(f, "{model} cannot answer: {detail}. Name a model that calls tools beside it")
            }
        }?;
        if self.attempts > 1 {
            write!(f, " (tried {} times)", self.attempts)?;
        }
        Ok(())
    }
}

/// The first `limit` characters, on one line, with a mark if it was truncated.
pub(crate) fn quote(text: &str, limit: usize) -> String {
    let text = text.trim();
    let mut quoted: String = text.chars().take(limit).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(limit).is_some() {
        quoted.push('…');
    }
    quoted
}
