//! The door itself: judges, waits for the rate limit, resolves, connects, sends, and repeats this for every redirect.

use super::body::{Bounds, Encoding, read};
use super::cache::{Cache, Key};
use super::connect::connect;
use super::options::{WebOptions, WebOptionsError};
use super::pace::{Pace, Turn};
use super::redirect::{Carried, Step, step};
use super::resolve::{Resolve, SystemResolve, addresses};
use super::send::{Credentials, Exchange, Hop, send};
use super::target::{Rules, Target, shown, shown_text};
use crate::connect::{Dial, Encryption, SystemDial};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use hyper::header::{CONTENT_ENCODING, SET_COOKIE};
use palanca_core::call::{Chosen, HttpAccess, Method};
use palanca_core::ports::http::Header;
use palanca_core::ports::{Hops, Web, WebAnswer, WebError, WebErrorKind, WebRequest};
use std::sync::Arc;
use tokio::time::{Instant, timeout_at};

/// Maximum number of redirects, whatever the caller's limit.
const MAX_REDIRECTS: u8 = 10;

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
                    .map_err(|error| error.redirected_from(shown_text(&canonical.url)))?;
            }
            return Ok(kept);
        }
        let body = (!reach.method.only_reads()).then(|| Bytes::copy_from_slice(reach.body.as_bytes()));
        let mut way = Way { origin: first.url.origin(), target: first, method: reach.method, body, hops: Vec::new() };
        let answer = loop {
            let mut hop = self.hop(&way, &with, until).await.map_err(|error| way.blame(error))?;
            let exchange = &mut hop.exchange;
            match step(exchange.status(), exchange.headers(), (way.method, &way.target.url)) {
                Step::Stay => {
                    let bounds = Bounds { bytes: with.limits.bytes, until, idle: self.options.idle_timeout };
                    let (body, end) = read(exchange, bounds).await;
                    let headers = headers(exchange);
                    let url = way.target.url.to_string();
                    break WebAnswer { status: exchange.status(), url, hops: way.hops, headers, body, end, age: None };
                }
                Step::Go { url, method, body } => {
                    drop(hop);
                    let limit = with.limits.redirects.min(MAX_REDIRECTS);
                    let next = self.rules.judge_hop(&url, &reach.chosen);
                    let next = next.and_then(|next| ruled(next, (method, &reach.chosen), with.hops));
                    let next = next.map_err(|error| error.redirected_from(shown(&way.target.url)))?;
                    way.go(next, (method, body), limit)?;
                }
            }
        };
        if let Some(key) = key {
            self.cache.put(key, &answer);
        }
        Ok(answer)
    }

    /// One request, up to the head of its answer.
    async fn hop(&self, way: &Way, with: &WebRequest<'_>, until: Instant) -> Result<Open, WebError> {
        let target = &way.target;
        let late = |what: &str| WebError::new(WebErrorKind::Timeout, shown(&target.url)).detail(what);
        let request = Hop {
            target,
            method: way.method,
            body: way.body.clone(),
            headers: with.headers,
            credentials: way.credentials(),
            user_agent: &self.options.user_agent,
        }
        .request()?;
        let turn = timeout_at(until, self.pace.turn(target))
            .await
            .unwrap_or_else(|_| Err(late("timed out in the rate-limit queue")))?;
        let open = async {
            let to = addresses(target, self.rules.lists(), &*self.resolver, self.options.resolve_timeout).await?;
            connect(target, &to, (&*self.dial, &self.encryption), self.options.connect_timeout).await
        };
        let wire = timeout_at(until, open).await.unwrap_or_else(|_| Err(late("no connection")))?;
        let until = until.min(Instant::now() + self.options.idle_timeout);
        let head = timeout_at(until, send(target, wire, request)).await;
        let exchange = head.unwrap_or_else(|_| Err(late("no answer")))?;
        Ok(Open { exchange, _turn: turn })
    }
}

/// Asks the operator's rules about the next hop.
fn ruled(next: Target, (method, chosen): (Method, &Chosen), hops: &dyn Hops) -> Result<Target, WebError> {
    let hop = HttpAccess { method, url: next.url.to_string(), body: String::new(), chosen: chosen.clone() };
    match hops.judge(&hop) {
        Ok(()) => Ok(next),
        Err(rule) => Err(WebError::new(WebErrorKind::Rule, shown(&next.url)).detail(rule)),
    }
}

/// An answer being received.
struct Open {
    exchange: Exchange,
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
}

impl Way {
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
            Some(from) => error.redirected_from(shown_text(from)),
            None => error,
        }
    }

    fn go(&mut self, next: Target, (method, body): (Method, Carried), limit: u8) -> Result<(), WebError> {
        let here = self.target.url.to_string();
        let error = |detail: String| WebError::new(WebErrorKind::Redirects, shown(&self.target.url)).detail(detail);
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

fn headers(exchange: &Exchange) -> Vec<Header> {
    let unpacked = Encoding::of(exchange.headers()) == Encoding::Gzip;
    exchange
        .headers()
        .iter()
        .filter(|(name, _)| *name != SET_COOKIE && *name != "set-cookie2" && !(unpacked && *name == CONTENT_ENCODING))
        .map(|(name, value)| Header::new(name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes())))
        .collect()
}

impl Web for WebDoor {
    fn locate(&self, reach: &HttpAccess) -> Result<HttpAccess, WebError> {
        let target = self.rules.judge(reach)?;
        let body = if reach.method.only_reads() { String::new() } else { reach.body.clone() };
        Ok(HttpAccess { method: reach.method, url: target.url.into(), body, chosen: reach.chosen.clone() })
    }

    fn open<'a>(&'a self, reach: &'a HttpAccess, with: WebRequest<'a>) -> BoxFuture<'a, Result<WebAnswer, WebError>> {
        Box::pin(async move {
            tokio::select! {
                biased;
                () = with.cancel.cancelled() => Err(WebError::new(WebErrorKind::Cancelled, shown_text(&reach.url))),
                answer = self.exchange(reach, with) => answer,
            }
        })
    }
}

#[cfg(test)]
mod tests;
