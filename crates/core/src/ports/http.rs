//! HTTP for providers and web tools: one request, one response with a streamed body.
//!
//! The port knows nothing of TLS, proxies or redirects: an implementation follows no redirects and returns every status
//! as an ordinary response. Errors say how far the exchange got, because that decides whether it may be repeated.

pub use crate::call::Method;
use crate::call::shown_origin;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// An HTTP client.
pub trait Http: Send + Sync {
    /// Sends the request and returns as soon as the response's head is there. Dropping the future, or later the body,
    /// ends the exchange.
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>>;
}

/// One header line. `Debug` never shows the value of a secret one.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    name: Cow<'static, str>,
    value: String,
    secret: bool,
}

impl Header {
    /// A header that may be logged.
    pub fn new(name: impl Into<Cow<'static, str>>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into(), secret: false }
    }

    /// A header whose value is a credential.
    pub fn secret(name: impl Into<Cow<'static, str>>, value: impl Into<String>) -> Self {
        Self { secret: true, ..Self::new(name, value) }
    }

    /// The name as given; compare ignoring case.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value, secret or not.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Whether the value is a credential.
    #[must_use]
    pub const fn is_secret(&self) -> bool {
        self.secret
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.secret { "(hidden)" } else { &self.value };
        write!(f, "{}: {value}", self.name)
    }
}

/// How long to wait in each phase; there is no total limit, because an answer may stream for minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpTimeouts {
    /// From the start to the response's head, connecting included.
    pub first_byte: Duration,
    /// Between two pieces of the body.
    pub idle: Duration,
}

impl HttpTimeouts {
    /// The same limit for every phase.
    #[must_use]
    pub const fn all(limit: Duration) -> Self {
        Self { first_byte: limit, idle: limit }
    }
}

/// What to send. `Debug` shows no more of the address than its origin.
#[derive(Clone)]
pub struct HttpRequest {
    /// The method.
    pub method: Method,
    /// An absolute `http` or `https` URL.
    pub url: String,
    /// In sending order. `Host`, `Content-Length` and `Connection` are the implementation's.
    pub headers: Vec<Header>,
    /// The body; empty means none. Cloning is cheap, so a request can be repeated.
    pub body: Bytes,
    /// How long to wait.
    pub timeouts: HttpTimeouts,
}

impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("origin", &shown_origin(&self.url))
            .field("headers", &self.headers)
            .field("body", &self.body.len())
            .field("timeouts", &self.timeouts)
            .finish()
    }
}

/// The answer: its head now, its body as it arrives.
pub struct HttpResponse {
    /// The status code, successful or not.
    pub status: u16,
    /// In receiving order. A value that is not UTF-8 is decoded lossily.
    pub headers: Vec<Header>,
    /// The body in pieces of the network's size; ends after the first error.
    pub body: BoxStream<'static, Result<Bytes, HttpError>>,
}

impl HttpResponse {
    /// The first header of this name, regardless of case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name)).map(Header::value)
    }
}

impl fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpResponse")
            .field("status", &self.status)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

/// The phase that was waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// A connection.
    Connect,
    /// The response's head.
    FirstByte,
    /// The next piece of the body.
    Idle,
}

/// How an exchange failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HttpErrorKind {
    /// Not an absolute `http` or `https` URL, or a header that HTTP does not allow. Nothing was sent.
    InvalidUrl,
    /// An address that this client may not reach. Nothing was resolved, nothing was sent.
    NotAllowed,
    /// No connection: the name is unknown, nothing listens, no route. Nothing was sent.
    Unreachable,
    /// A connection, but no trusted encryption on it. Nothing was sent.
    Tls,
    /// Nothing came for too long.
    Timeout(Phase),
    /// The connection broke after the request was sent.
    Interrupted,
}

/// A failed exchange. The text names no header value, no body and no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: {detail}")]
#[non_exhaustive]
pub struct HttpError {
    /// How.
    pub kind: HttpErrorKind,
    /// Scheme, host and port of the address, as [`shown_origin`] gives them.
    pub origin: String,
    /// The system's message.
    pub detail: String,
}

impl HttpError {
    /// An error of this kind on this address, of which only the origin is kept.
    pub fn new(kind: HttpErrorKind, url: &str, detail: impl Into<String>) -> Self {
        Self { kind, origin: shown_origin(url), detail: detail.into() }
    }
}
