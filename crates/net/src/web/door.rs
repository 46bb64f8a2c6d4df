//! The door itself: judges, waits for the rate limit, resolves, connects, sends, and repeats this for every redirect.

use super::body::{Bounds, Encoding, read};
use super::cache::{Cache, Key};
use super::connect::connect;
use super::options::{WebOptions, WebOptionsError};
use super::pace::{Pace, Turn};
use super::pieces::Pieces;
use super::redirect::{Carried, Step, step};
use super::resolve::{Resolve, SystemResolve, addresses};
use super::send::{Credentials, Exchange, Hop, send};
use super::socket;
use super::target::{Rules, Target};
use crate::connect::{Dial, Encryption, SystemDial, Wire};
use crate::traced;
use crate::websocket::Socket;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use hyper::header::{CONTENT_ENCODING, SET_COOKIE};
use palanca_core::call::{Cancel, Chosen, HttpAccess, Method};
use palanca_core::ports::http::Header;
use palanca_core::ports::{
    Hops, SocketLimits, Web, WebAnswer, WebError, WebErrorKind, WebRequest, WebSocket, WebStream,
};
use std::sync::Arc;
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::protocol::Role;
use tracing::Instrument as _;

/// Maximum number of redirects, whatever the caller's limit.
const MAX_REDIRECTS: u8 = 10;
/// The status with which a host agrees to a WebSocket.
const SWITCHING_PROTOCOLS: u16 = 101;

/// The network door. Cheap to create; share one, so that cache and rate limits are shared. Needs a Tokio runtime with
/// time and I/O.
pub struct WebDoor {
    rules: Rules,
    options: WebOptions,
    resolver: Arc<dyn Resolve>,
    dial: Arc<dyn Dial>,
    encryption: Encryption,
    cache: Cache,
    pace: Pace,
}

impl WebDoor {
    /// A door with this resolver and these connections. Nothing is sent and no certificate is read yet.
    ///
    /// # Errors
    /// An invalid host in a list, or an invalid provider address.
    pub fn new(options: WebOptions, resolver: Arc<dyn Resolve>, dial: Arc<dyn Dial>) -> Result<Self, WebOptionsError> {
        Ok(Self {
            rules: Rules::new(&options)?,
            resolver,
            dial,
            encryption: Encryption::new(options.roots.clone()),
            cache: Cache::new(options.cache),
            pace: Pace::new(&options),
            options,
        })
    }

    /// A door with the system's resolver and network.
    ///
    /// # Errors
    /// As [`WebDoor::new`].
    pub fn system(options: WebOptions) -> Result<Self, WebOptionsError> {
        Self::new(options, Arc::new(SystemResolve), Arc::new(SystemDial))
    }

    async fn exchange(&self, reach: &HttpAccess, with: WebRequest<'_>) -> Result<WebAnswer, WebError> {
        let until = Instant::now() + with.limits.time;
        let first = self.rules.judge(reach)?;
        let canonical = HttpAccess { url: first.url.to_string(), ..reach.clone() };
        let key = Key::of(&canonical, with.headers);
        if let Some(kept) = key.as_ref().and_then(|key| self.cache.get(key, with.fresh, with.limits)) {
            // Rules belong to the call: a target allowed for another call may be refused for this one.
            let led = kept.hops.iter().skip(1).chain([&kept.url]).take(kept.hops.len());
            for url in led {
                ruled(self.rules.judge_hop(url, &reach.chosen)?, (reach.method, &reach.chosen), with.hops)
                    .map_err(|error| error.redirected_from(&canonical.url))?;
            }
            return Ok(kept);
        }
        let (mut hop, way) = self.follow(first, reach, (&with, Encoding::Gzip, until)).await?;
        let exchange = &mut hop.exchange;
        let (body, end) = read(exchange, Bounds::new(with.limits, until)).await;
        let headers = headers(exchange, Encoding::of(exchange.headers()));
        let url = way.target.url.to_string();
        let answer = WebAnswer { status: exchange.status(), url, hops: way.hops, headers, body, end, age: None };
        if let Some(key) = key {
            self.cache.put(key, &answer);
        }
        Ok(answer)
    }

    async fn begin(&self, reach: &HttpAccess, with: WebRequest<'_>) -> Result<WebStream, WebError> {
        let until = Instant::now() + with.limits.time;
        let first = self.rules.judge(reach)?;
        let (hop, way) = self.follow(first, reach, (&with, Encoding::AsSent, until)).await?;
        let (status, headers) = (hop.exchange.status(), headers(&hop.exchange, Encoding::AsSent));
        let (url, bounds) = (way.target.url.to_string(), Bounds::new(with.limits, until));
        let pieces = Pieces { hop, bounds, url: url.clone(), cancel: with.cancel.clone() };
        Ok(WebStream { status, url, hops: way.hops, headers, body: pieces.stream() })
    }

    /// Sends the request and follows redirects, up to the head of the last answer.
    async fn follow(
        &self,
        first: Target,
        reach: &HttpAccess,
        (with, encoding, until): (&WebRequest<'_>, Encoding, Instant),
    ) -> Result<(Open, Way), WebError> {
        let mut way = Way::new(first, reach, encoding);
        loop {
            let hop = in_span(&way, self.hop(&way, with, until), |open| open.exchange.status()).await;
            let hop = hop.map_err(|error| way.blame(error))?;
            match step(hop.exchange.status(), hop.exchange.headers(), (way.method, &way.target.url)) {
                Step::Stay => return Ok((hop, way)),
                Step::Go { url, method, body } => {
                    drop(hop);
                    let limit = with.limits.redirects.min(MAX_REDIRECTS);
                    let next = self.rules.judge_hop(&url, &reach.chosen);
                    let next = next.and_then(|next| ruled(next, (method, &reach.chosen), with.hops));
                    let next = next.map_err(|error| error.redirected_from(way.target.url.as_str()))?;
                    way.go(next, (method, body), limit)?;
                }
            }
        }
    }

    /// One request, up to the head of its answer.
    async fn hop(&self, way: &Way, with: &WebRequest<'_>, until: Instant) -> Result<Open, WebError> {
        let target = &way.target;
        let request = self.request(way, with).request()?;
        let (wire, turn) = self.reach(target, until).await?;
        let until = until.min(Instant::now() + with.limits.idle);
        let head = timeout_at(until, send(target, wire, request)).await;
        let exchange = head.unwrap_or_else(|_| Err(late(target, "no answer")))?;
        Ok(Open { exchange, _turn: turn })
    }

    async fn upgrade(
        &self,
        reach: &HttpAccess,
        with: WebRequest<'_>,
        limits: SocketLimits,
    ) -> Result<Box<dyn WebSocket>, WebError> {
        let until = Instant::now() + with.limits.time;
        let way = Way::new(self.rules.judge(reach)?, reach, Encoding::AsSent);
        let open = async {
            let (wire, turn) = self.reach(&way.target, until).await?;
            let until = until.min(Instant::now() + with.limits.idle);
            let opened = timeout_at(until, socket::open(wire, self.request(&way, &with))).await;
            Ok((opened.unwrap_or_else(|_| Err(late(&way.target, "no answer")))?, turn))
        };
        let (upgraded, turn) = in_span(&way, open, |_| SWITCHING_PROTOCOLS).await?;
        Ok(Box::new(Socket::new(upgraded, Role::Client, limits, turn).await))
    }

    fn request<'a>(&'a self, way: &'a Way, with: &WebRequest<'a>) -> Hop<'a> {
        Hop {
            target: &way.target,
            method: way.method,
            body: way.body.clone(),
            headers: with.headers,
            credentials: way.credentials(),
            encoding: way.encoding,
            user_agent: &self.options.user_agent,
        }
    }

    /// A connection to an address that has been judged, when the rate limit permits it.
    async fn reach(&self, target: &Target, until: Instant) -> Result<(Box<dyn Wire>, Turn), WebError> {
        let turn = timeout_at(until, self.pace.turn(target))
            .await
            .unwrap_or_else(|_| Err(late(target, "timed out in the rate-limit queue")))?;
        let open = async {
            let to = addresses(target, self.rules.lists(), &*self.resolver, self.options.resolve_timeout).await?;
            connect(target, &to, (&*self.dial, &self.encryption), self.options.connect_timeout).await
        };
        let wire = timeout_at(until, open).await.unwrap_or_else(|_| Err(late(target, "no connection")))?;
        Ok((wire, turn))
    }
}

fn late(target: &Target, what: &str) -> WebError {
    WebError::new(WebErrorKind::Timeout, target.url.as_str()).detail(what)
}

/// Asks the operator's rules about the next hop.
fn ruled(next: Target, (method, chosen): (Method, &Chosen), hops: &dyn Hops) -> Result<Target, WebError> {
    let hop = HttpAccess { method, url: next.url.to_string(), body: String::new(), chosen: chosen.clone() };
    match hops.judge(&hop) {
        Ok(()) => Ok(next),
        Err(rule) => Err(WebError::new(WebErrorKind::Rule, next.url.as_str()).detail(rule)),
    }
}

/// An answer being received.
pub struct Open {
    pub exchange: Exchange,
    /// Held as long as the connection.
    _turn: Turn,
}

/// The current state of a request.
struct Way {
    /// The origin that the credentials are meant for.
    origin: url::Origin,
    target: Target,
    method: Method,
    body: Option<Bytes>,
    hops: Vec<String>,
    /// What is asked for.
    encoding: Encoding,
}

impl Way {
    fn new(first: Target, reach: &HttpAccess, encoding: Encoding) -> Self {
        let body = (!reach.method.only_reads()).then(|| Bytes::copy_from_slice(reach.body.as_bytes()));
        let origin = first.url.origin();
        Self { origin, target: first, method: reach.method, body, hops: Vec::new(), encoding }
    }

    /// Credentials that were dropped once never come back.
    fn credentials(&self) -> Credentials {
        let same = |url: &str| url::Url::parse(url).is_ok_and(|url| url.origin() == self.origin);
        if self.target.url.origin() == self.origin && self.hops.iter().all(|hop| same(hop)) {
            Credentials::Sent
        } else {
            Credentials::Dropped
        }
    }

    fn blame(&self, error: WebError) -> WebError {
        match self.hops.last() {
            Some(from) => error.redirected_from(from),
            None => error,
        }
    }

    fn go(&mut self, next: Target, (method, body): (Method, Carried), limit: u8) -> Result<(), WebError> {
        let here = self.target.url.to_string();
        let error = |detail: String| WebError::new(WebErrorKind::Redirects, self.target.url.as_str()).detail(detail);
        if self.hops.len() >= usize::from(limit) {
            return Err(error(format!("more than {limit}")));
        }
        let seen = next.url == self.target.url || self.hops.iter().any(|hop| *hop == next.url.as_str());
        if seen && method == self.method {
            return Err(error("in a circle".to_owned()));
        }
        self.hops.push(here);
        self.target = next;
        self.method = method;
        if body == Carried::Dropped {
            self.body = None;
        }
        Ok(())
    }
}

/// Without those that no longer hold once the body is decompressed.
fn headers(exchange: &Exchange, undone: Encoding) -> Vec<Header> {
    let unpacked = undone == Encoding::Gzip;
    exchange
        .headers()
        .iter()
        .filter(|(name, _)| *name != SET_COOKIE && *name != "set-cookie2" && !(unpacked && *name == CONTENT_ENCODING))
        .map(|(name, value)| Header::new(name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes())))
        .collect()
}

/// Until the head of the answer is there.
async fn in_span<T>(
    way: &Way,
    exchange: impl Future<Output = Result<T, WebError>>,
    status: impl FnOnce(&T) -> u16,
) -> Result<T, WebError> {
    let url = &way.target.url;
    let port = url.port_or_known_default().unwrap_or_default();
    let span = traced::request(way.method, url.host_str().unwrap_or_default(), port);
    let answered = exchange.instrument(span.clone()).await;
    traced::ended(&span, answered.as_ref().map(status).map_err(|error| &error.kind as _));
    answered
}

/// Ends early when the caller gives up.
async fn unless_cancelled<T>(
    reach: &HttpAccess,
    cancel: &Cancel,
    work: impl Future<Output = Result<T, WebError>>,
) -> Result<T, WebError> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(WebError::new(WebErrorKind::Cancelled, &reach.url)),
        done = work => done,
    }
}

impl Web for WebDoor {
    fn locate(&self, reach: &HttpAccess) -> Result<HttpAccess, WebError> {
        let target = self.rules.judge(reach)?;
        let body = if reach.method.only_reads() { String::new() } else { reach.body.clone() };
        Ok(HttpAccess { method: reach.method, url: target.url.into(), body, chosen: reach.chosen.clone() })
    }

    fn open<'a>(&'a self, reach: &'a HttpAccess, with: WebRequest<'a>) -> BoxFuture<'a, Result<WebAnswer, WebError>> {
        Box::pin(unless_cancelled(reach, with.cancel, self.exchange(reach, with)))
    }

    fn stream<'a>(&'a self, reach: &'a HttpAccess, with: WebRequest<'a>) -> BoxFuture<'a, Result<WebStream, WebError>> {
        Box::pin(unless_cancelled(reach, with.cancel, self.begin(reach, with)))
    }

    fn socket<'a>(
        &'a self,
        reach: &'a HttpAccess,
        with: WebRequest<'a>,
        limits: SocketLimits,
    ) -> BoxFuture<'a, Result<Box<dyn WebSocket>, WebError>> {
        Box::pin(unless_cancelled(reach, with.cancel, self.upgrade(reach, with, limits)))
    }
}

#[cfg(test)]
mod tests;
