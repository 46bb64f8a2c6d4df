//! Why a tool failed: a kind from one fixed table, a text for the model, and detail that stays private.

use crate::message::{Message, Text};
use serde::Serialize;
use std::borrow::Cow;

/// The kind of failure. The table in [`ErrorKind::facts`] says what each means for the caller.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::ErrorKind;
///
/// let facts = ErrorKind::RateLimited.facts();
/// assert_eq!(facts.code, "rate_limited");
/// assert!(facts.retryable && !facts.refusal);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// No tool of this name is offered.
    UnknownTool,
    /// The arguments are not JSON, fail the schema, or contradict each other.
    InvalidArguments,
    /// A path outside the workspace and the other roots.
    Outside,
    /// The policy treats the path as secret.
    Secret,
    /// The policy protects the path from changes.
    Protected,
    /// The permit does not cover what the tool tried: the tool misstated its effects.
    NotGranted,
    /// Switched off by the configuration.
    Disabled,
    /// The configuration lacks what the tool needs.
    NotConfigured,
    /// Nothing is there.
    NotFound,
    /// Something already exists there.
    Exists,
    /// A directory where a file is needed, or the reverse.
    WrongType,
    /// A FIFO, a device or a socket.
    SpecialFile,
    /// Longer than the limit.
    TooLarge,
    /// The policy does not allow this host.
    ForbiddenHost,
    /// No answer from a host: unknown, silent, or without trusted encryption.
    Unreachable,
    /// More requests than allowed.
    RateLimited,
    /// Not text.
    Binary,
    /// The content to be changed is not the expected one.
    Conflict,
    /// The operating system denies it.
    PermissionDenied,
    /// No space is left.
    DiskFull,
    /// A program failed by itself: the model reads its output.
    Failed,
    /// Took longer than allowed.
    Timeout,
    /// Stopped by the caller.
    Cancelled,
    /// A rule ended the turn: continuing would only repeat the failure.
    Halted,
    /// The tool panicked.
    Panicked,
    /// Anything else that the system reported.
    Io,
}

/// The meaning of an [`ErrorKind`] for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The stable name in results and records.
    pub code: &'static str,
    /// Whether the same call may succeed later, unchanged.
    pub retryable: bool,
    /// Whether a rule refused it, rather than the system.
    pub refusal: bool,
}

impl ErrorKind {
    /// The table row of this kind.
    #[must_use]
    pub const fn facts(self) -> Facts {
        const fn row(code: &'static str, retryable: bool, refusal: bool) -> Facts {
            Facts { code, retryable, refusal }
        }
        match self {
            Self::UnknownTool => row("unknown_tool", false, false),
            Self::InvalidArguments => row("invalid_arguments", false, false),
            Self::Outside => row("outside_workspace", false, true),
            Self::Secret => row("secret_file", false, true),
            Self::Protected => row("protected_file", false, true),
            Self::NotGranted => row("not_granted", false, true),
            Self::Disabled => row("disabled", false, true),
            Self::NotConfigured => row("not_configured", false, false),
            Self::NotFound => row("not_found", false, false),
            Self::Exists => row("exists", false, false),
            Self::WrongType => row("wrong_type", false, false),
            Self::SpecialFile => row("special_file", false, true),
            Self::TooLarge => row("too_large", false, false),
            Self::ForbiddenHost => row("forbidden_host", false, true),
            Self::Unreachable => row("unreachable", true, false),
            Self::RateLimited => row("rate_limited", true, false),
            Self::Binary => row("binary", false, false),
            Self::Conflict => row("conflict", true, false),
            Self::PermissionDenied => row("permission_denied", false, false),
            Self::DiskFull => row("disk_full", true, false),
            Self::Failed => row("failed", false, false),
            Self::Timeout => row("timeout", true, false),
            Self::Cancelled => row("cancelled", true, false),
            Self::Halted => row("halted", false, true),
            Self::Panicked => row("panicked", false, false),
            Self::Io => row("io", true, false),
        }
    }
}

/// A failure that the model can read and act on.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::{ErrorKind, Message, ToolError};
///
/// // One's own words, or a sentence of the catalogue with a kind.
/// let own = ToolError::from("the printer is out of paper");
/// let known = ToolError::new(ErrorKind::NotFound, Message::new("file-not-found").with("path", "a.txt"));
/// assert_eq!(known.kind(), ErrorKind::NotFound);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}", self.kind.facts().code, self.message)]
pub struct ToolError {
    kind: ErrorKind,
    message: Box<Message>,
    output: Option<Box<Text>>,
    foreign: Option<Box<str>>,
    detail: Option<Cow<'static, str>>,
}

impl ToolError {
    /// A failure of this kind, with this sentence.
    #[must_use]
    pub fn new(kind: ErrorKind, message: Message) -> Self {
        Self { kind, message: Box::new(message), output: None, foreign: None, detail: None }
    }

    /// Adds output that exists despite the failure: the model gets the error *and* this.
    #[must_use]
    pub fn with_output(mut self, output: impl Into<Text>) -> Self {
        self.output = Some(Box::new(output.into()));
        self
    }

    /// The same for foreign text, which is marked before a model reads it. `source` names its origin.
    #[must_use]
    pub fn with_foreign_output(mut self, output: impl Into<Text>, source: impl Into<String>) -> Self {
        self.foreign = Some(source.into().into_boxed_str());
        self.with_output(output)
    }

    /// Adds detail that only the operator's log may show.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The kind of failure.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The sentence for the model.
    #[must_use]
    pub const fn message(&self) -> &Message {
        &self.message
    }

    /// Output that exists despite the failure.
    #[must_use]
    pub fn output(&self) -> Option<&Text> {
        self.output.as_deref()
    }

    /// The source of that output, if it is foreign.
    #[must_use]
    pub fn foreign(&self) -> Option<&str> {
        self.foreign.as_deref()
    }

    /// For the operator's log.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.detail.as_deref()
    }
}

/// A custom tool may fail with its own words: they reach the model unchanged.
impl From<String> for ToolError {
    fn from(words: String) -> Self {
        Self::new(ErrorKind::Io, Message::new("tool-failed").with("reason", words))
    }
}
impl From<&str> for ToolError {
    fn from(words: &str) -> Self {
        Self::from(words.to_owned())
    }
}
