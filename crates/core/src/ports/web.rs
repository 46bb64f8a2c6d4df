//! Door 3 as tools and the gate see it: one request to an outside host, redirects included, with a bounded answer.
//!
//! A door sends exactly the [`HttpAccess`] that was judged, to an address that it has checked itself, and judges every
//! redirect as it judged the first address. [`http`](super::http) is the door as model providers use it: one exchange
//! with an address chosen by the operator.

use super::http::Header;
use crate::call::{Cancel, HttpAccess};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use std::time::Duration;

mod error;
mod handle;

pub use error::{WebError, WebErrorKind};
pub use handle::{NoWeb, WebHandle};

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
    /// Redirects that are followed, at most 10.
    pub redirects: u8,
}

impl Default for WebLimits {
    /// 2 MiB, 30 s, 10 redirects.
    fn default() -> Self {
        Self { bytes: 2 << 20, time: Duration::from_secs(30), redirects: 10 }
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

impl WebAnswer {
    /// The first header of this name, regardless of case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name().eq_ignore_ascii_case(name)).map(Header::value)
    }

    /// Whether the status means success.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }
}
