//! Request errors, and the sentence for each.

use crate::call::{ErrorKind, ToolError, shown_origin};
use crate::message::Message;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WebErrorKind {
    /// The permit does not cover it.
    NotGranted,
    /// There is no way to the network.
    Disabled,
    /// Not an absolute address with a host.
    InvalidUrl,
    /// Neither `http` nor `https`.
    Scheme,
    /// User or password in the address.
    Credentials,
    /// A port that belongs to another service.
    Port,
    /// An address that is not public, or a name that resolves to one.
    Private,
    /// On the operator's list of denied hosts.
    Denied,
    /// Not on the operator's list of allowed hosts.
    NotAllowed,
    /// An operator's rule on effects refuses a redirect.
    Rule,
    /// No provider of this name, or an address that is not below the provider's.
    Provider,
    /// The name has no address.
    Unresolved,
    /// No connection.
    Unreachable,
    /// A connection, but no trusted encryption on it.
    Tls,
    /// Nothing came for too long.
    Timeout,
    /// The connection broke before the answer was complete.
    Interrupted,
    /// The host answered, but opened no WebSocket.
    NotUpgraded,
    /// An answer in pieces is longer than its limit.
    TooLarge,
    /// Too many redirects, or a loop.
    Redirects,
    /// The rate limit of this host is reached.
    RateLimited,
    /// Stopped by the caller.
    Cancelled,
}

impl WebErrorKind {
    /// As refusals, records and `check urls` name it: `private`, `not-allowed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.sentence().1.trim_start_matches("web-")
    }

    /// The kind of failure, and the catalogue's key.
    const fn sentence(self) -> (ErrorKind, &'static str) {
        match self {
            Self::NotGranted => (ErrorKind::NotGranted, "web-not-granted"),
            Self::Disabled => (ErrorKind::Disabled, "web-disabled"),
            Self::InvalidUrl => (ErrorKind::InvalidArguments, "web-invalid-url"),
            Self::Scheme => (ErrorKind::ForbiddenHost, "web-scheme"),
            Self::Credentials => (ErrorKind::ForbiddenHost, "web-credentials"),
            Self::Port => (ErrorKind::ForbiddenHost, "web-port"),
            Self::Private => (ErrorKind::ForbiddenHost, "web-private"),
            Self::Denied => (ErrorKind::ForbiddenHost, "web-denied"),
            Self::NotAllowed => (ErrorKind::ForbiddenHost, "web-not-allowed"),
            Self::Rule => (ErrorKind::ForbiddenHost, "web-rule"),
            Self::Provider => (ErrorKind::ForbiddenHost, "web-provider"),
            Self::Unresolved => (ErrorKind::Unreachable, "web-unresolved"),
            Self::Unreachable => (ErrorKind::Unreachable, "web-unreachable"),
            Self::Tls => (ErrorKind::Unreachable, "web-tls"),
            Self::Timeout => (ErrorKind::Timeout, "web-timeout"),
            Self::Interrupted => (ErrorKind::Unreachable, "web-interrupted"),
            Self::NotUpgraded => (ErrorKind::Failed, "web-not-upgraded"),
            Self::TooLarge => (ErrorKind::Failed, "web-too-large"),
            Self::Redirects => (ErrorKind::Failed, "web-redirects"),
            Self::RateLimited => (ErrorKind::RateLimited, "web-rate-limited"),
            Self::Cancelled => (ErrorKind::Cancelled, "web-cancelled"),
        }
    }
}

/// A request without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: {kind:?} {detail}")]
#[non_exhaustive]
pub struct WebError {
    /// What went wrong.
    pub kind: WebErrorKind,
    /// Scheme, host and port of the address, as [`shown_origin`] gives them. After a redirect, its target's.
    pub origin: String,
    /// The rule, the limit, or the system's message; may be empty. Never text from the host.
    pub detail: String,
    /// The origin that redirected there.
    pub redirected_from: Option<String>,
}

impl WebError {
    /// An error on this address, of which only the origin is kept.
    #[must_use]
    pub fn new(kind: WebErrorKind, url: &str) -> Self {
        Self { kind, origin: shown_origin(url), detail: String::new(), redirected_from: None }
    }

    /// Adds the rule, the limit, or the system's message.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Records that another address redirected here.
    #[must_use]
    pub fn redirected_from(mut self, url: &str) -> Self {
        self.redirected_from = Some(shown_origin(url));
        self
    }

    /// The sentence for the model.
    #[must_use]
    pub fn into_tool_error(self) -> ToolError {
        let (kind, key) = self.kind.sentence();
        let Some(from) = self.redirected_from else {
            return ToolError::new(kind, Message::new(key).with("url", self.origin).with("detail", self.detail));
        };
        // A redirect's target is the host's own text, like its page.
        let refused = kind == ErrorKind::ForbiddenHost;
        let message = Message::new(if refused { "web-redirect-refused" } else { "web-redirect-failed" })
            .with("rule", self.kind.name());
        let way = format!("{from} -> {}\n{}", self.origin, self.detail);
        ToolError::new(kind, message).with_foreign_output(way.trim_end().to_owned(), "redirect")
    }
}
