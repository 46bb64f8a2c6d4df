//! Door 3 as tools and the gate see it: one request to an outside host, redirects included, with a bounded answer, whole
//! or in pieces.
//!
//! A door sends exactly the [`HttpAccess`] that was judged, to an address that it has checked itself, and judges every
//! redirect as it judged the first address. [`http`](super::http) is the door as model providers use it: one exchange
//! with an address chosen by the operator.

use super::http::Header;
use crate::call::{Cancel, HttpAccess};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use std::fmt;
use std::time::Duration;

mod error;
mod handle;
mod socket;

pub use error::{WebError, WebErrorKind};
pub use handle::{NoWeb, WebHandle};
pub use socket::{SocketError, SocketLimits, SocketMessage, WebSocket};

/// Reaches outside hosts. All methods take `&self` and may run concurrently.
pub trait Web: Send + Sync {
    /// The canonical spelling, after every check that needs no name resolution: scheme, credentials, port, numeric
    /// addresses, reserved names, the operator's lists.
    ///
    /// # Errors
    /// Why it would be refused.
    fn locate(&self, reach: &HttpAccess) -> Result<HttpAccess, WebError>;

    /// Sends the request and follows redirects. Returns when the body is complete or a limit is reached; dropping the
    /// future ends the exchange.
    fn open<'a>(&'a self, reach: &'a HttpAccess, with: WebRequest<'a>) -> BoxFuture<'a, Result<WebAnswer, WebError>>;

    /// The same, but returns at the head of the answer. Nothing is cached and no compression is asked for. A door that
    /// has no streams refuses.
    fn stream<'a>(
        &'a self,
        reach: &'a HttpAccess,
        _with: WebRequest<'a>,
    ) -> BoxFuture<'a, Result<WebStream, WebError>> {
        Box::pin(async { Err(WebError::new(WebErrorKind::Disabled, &reach.url)) })
    }

    /// Opens a WebSocket: the request is judged as any, asks to change the protocol, and follows no redirect. The address
    /// is written with `https` for `wss`. Of the request's limits, `time` and `idle` hold until it is open. A door that
    /// has no WebSockets refuses.
    ///
    /// No call has a handle for this, because what is sent later is in no effect.
    fn socket<'a>(
        &'a self,
        reach: &'a HttpAccess,
        _with: WebRequest<'a>,
        _limits: SocketLimits,
    ) -> BoxFuture<'a, Result<Box<dyn WebSocket>, WebError>> {
        Box::pin(async { Err(WebError::new(WebErrorKind::Disabled, &reach.url)) })
    }
}

/// The circumstances of one request.
#[derive(Clone, Copy)]
pub struct WebRequest<'a> {
    /// In sending order; secret ones are dropped when a redirect leads to another host. `Host`, `User-Agent`,
    /// `Accept-Encoding`, `Content-Length`, `Cookie` and `Connection` are the door's.
    pub headers: &'a [Header],
    /// Its limits.
    pub limits: WebLimits,
    /// A cached answer may be up to this old; zero disables the cache. Only answers to reading methods are cached.
    pub fresh: Duration,
    /// Judges redirects in addition to the door.
    pub hops: &'a dyn Hops,
    /// Ends it early.
    pub cancel: &'a Cancel,
}

/// Judges redirects in addition to the door.
pub trait Hops: Send + Sync {
    /// Whether the next request may be sent. It is canonical and has passed the door's own rules.
    ///
    /// # Errors
    /// The id of the refusing rule.
    fn judge(&self, hop: &HttpAccess) -> Result<(), String>;
}

/// Allows every hop: only the door's own rules apply.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyHop;

impl Hops for AnyHop {
    fn judge(&self, _hop: &HttpAccess) -> Result<(), String> {
        Ok(())
    }
}

/// Limits of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebLimits {
    /// Bytes of the body, decompressed; the rest is not read.
    pub bytes: usize,
    /// Total time, redirects included; the part received by then is the answer.
    pub time: Duration,
    /// The longest silence before the answer and inside it.
    pub idle: Duration,
    /// Redirects that are followed, at most 10.
    pub redirects: u8,
}

impl Default for WebLimits {
    /// 2 MiB, 30 s, 15 s of silence, 10 redirects.
    fn default() -> Self {
        Self { bytes: 2 << 20, time: Duration::from_secs(30), idle: Duration::from_secs(15), redirects: 10 }
    }
}

/// How the body ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyEnd {
    /// All of it.
    Complete,
    /// Only its beginning: it is longer than the limit.
    Bytes,
    /// Only its beginning: it took longer than the limit.
    Time,
    /// Only its beginning: the connection broke, or the compression is broken.
    Broken,
}

/// What a host answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAnswer {
    /// The status code, successful or not.
    pub status: u16,
    /// The final address, after redirects.
    pub url: String,
    /// The addresses that redirected, in order; empty without redirects.
    pub hops: Vec<String>,
    /// The last answer's headers, in receiving order, without `Set-Cookie`. A value that is not UTF-8 is decoded
    /// lossily.
    pub headers: Vec<Header>,
    /// The body, decompressed.
    pub body: Bytes,
    /// Whether the body is complete.
    pub end: BodyEnd,
    /// The age of a cached answer; none for a fresh one.
    pub age: Option<Duration>,
}

/// What a host answers, as it arrives.
pub struct WebStream {
    /// The status code, successful or not.
    pub status: u16,
    /// The final address, after redirects.
    pub url: String,
    /// The addresses that redirected, in order; empty without redirects.
    pub hops: Vec<String>,
    /// As of a [`WebAnswer`].
    pub headers: Vec<Header>,
    /// The body as it was sent, in pieces of the network's size. A piece that is not asked for is not received, so a slow
    /// reader makes the host wait. It ends after the first error: [`WebErrorKind::TooLarge`], [`WebErrorKind::Timeout`],
    /// [`WebErrorKind::Interrupted`], [`WebErrorKind::Cancelled`]. Dropping it ends the exchange.
    pub body: BoxStream<'static, Result<Bytes, WebError>>,
}

impl WebStream {
    /// The first header of this name, regardless of case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        first(&self.headers, name)
    }
}

impl fmt::Debug for WebStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebStream")
            .field("status", &self.status)
            .field("url", &self.url)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

fn first<'a>(headers: &'a [Header], name: &str) -> Option<&'a str> {
    headers.iter().find(|header| header.name().eq_ignore_ascii_case(name)).map(Header::value)
}

impl WebAnswer {
    /// The first header of this name, regardless of case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        first(&self.headers, name)
    }

    /// Whether the status means success.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }
}
