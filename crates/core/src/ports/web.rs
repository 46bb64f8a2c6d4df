//! Door 3 as tools and the gate see it: one request to a host outside, redirects included, its answer bounded.
//!
//! A door sends exactly the [`HttpAccess`] that was judged, to an address that it has checked itself, and judges every redirect
//! as it judged the first address. [`http`](super::http) is the same door as model providers use it: one exchange with an
//! address that the operator chose.

use super::http::Header;
use crate::call::{Cancel, HttpAccess};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use std::time::Duration;

mod error;
mod handle;

pub use error::{WebError, WebErrorKind};
pub use handle::{NoWeb, WebHandle};

/// A way to hosts outside. All methods take `&self` and may run side by side.
pub trait Web: Send + Sync {
    /// The canonical spelling, after everything that can be judged without asking anybody: scheme, credentials, port, an
    /// address written as numbers, reserved names, the operator's lists.
    ///
    /// # Errors
    /// Why it would never be sent.
    fn locate(&self, reach: &HttpAccess) -> Result<HttpAccess, WebError>;

    /// Sends the request and follows redirects. Ends when the body is complete or a limit is met; dropping the future ends
    /// the exchange.
    fn open<'a>(&'a self, reach: &'a HttpAccess, with: WebRequest<'a>) -> BoxFuture<'a, Result<WebAnswer, WebError>>;
}

/// The circumstances of one request.
#[derive(Clone, Copy)]
pub struct WebRequest<'a> {
    /// In sending order; secret ones are dropped when a redirect leads to another host. `Host`, `User-Agent`,
    /// `Accept-Encoding`, `Content-Length`, `Cookie` and `Connection` are the door's.
    pub headers: &'a [Header],
    /// What bounds it.
    pub limits: WebLimits,
    /// An answer that is not older than this may come from memory; zero: always ask. Only answers to methods that only read
    /// are ever kept.
    pub fresh: Duration,
    /// Who judges redirects, beside the door itself.
    pub hops: &'a dyn Hops,
    /// Ends it early.
    pub cancel: &'a Cancel,
}

/// Who judges where a redirect leads, beside the door itself.
pub trait Hops: Send + Sync {
    /// Says whether the next request may be sent. It is canonical, and has passed the door's own rules.
    ///
    /// # Errors
    /// The id of the rule against it.
    fn judge(&self, hop: &HttpAccess) -> Result<(), String>;
}

/// Says yes: for doors whose own rules are all that there is.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyHop;

impl Hops for AnyHop {
    fn judge(&self, _hop: &HttpAccess) -> Result<(), String> {
        Ok(())
    }
}

/// What bounds one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebLimits {
    /// Bytes of the body, decompressed; the rest is not read.
    pub bytes: usize,
    /// For all of it, redirects included; what was received until then is the answer.
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

/// How much of the body there is.
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
    /// The status code, whatever it is.
    pub status: u16,
    /// Where the answer came from in the end.
    pub url: String,
    /// The addresses that redirected, in order; empty without redirects.
    pub hops: Vec<String>,
    /// Of the last answer, in receiving order, `Set-Cookie` left out. A value that is not UTF-8 is decoded lossily.
    pub headers: Vec<Header>,
    /// The body, decompressed.
    pub body: Bytes,
    /// Whether that is all.
    pub end: BodyEnd,
    /// How old the answer is; nothing for one that was just received.
    pub age: Option<Duration>,
}

impl WebAnswer {
    /// The first header of this name, regardless of case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name().eq_ignore_ascii_case(name)).map(Header::value)
    }

    /// Whether the status says that this is what was asked for.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }
}
