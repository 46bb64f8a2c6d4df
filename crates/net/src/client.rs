//! The client of model providers. It sends only to the origins that it was built for and refuses every other before its
//! name is resolved; it follows no redirects, stores no cookies, uses no proxy and decodes no body.
//!
//! Connections are reused between requests and speak HTTP/1.1. Certificates are read at the first `https://` request:
//! that costs milliseconds and megabytes, and a model on this machine needs none.

mod origin;
mod pool;

pub use origin::Origin;

use crate::connect::{Encryption, SystemDial, race};
use crate::failure::{broken_error, connect_error, timeout_error};
use crate::line::Line;
use crate::traced;
use crate::web::{Resolve as _, SystemResolve};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use http_body_util::Full;
use hyper::Request;
use hyper::body::{Body as _, Incoming};
use hyper::header::{ACCEPT, CONNECTION, CONTENT_LENGTH, HOST, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use origin::{Scheme, target};
use palanca_core::call::shown_origin;
use palanca_core::ports::http::{
    Header, Http, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpTimeouts, Phase,
};
use pool::Pool;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use tracing::Instrument as _;
use url::{Host, Position, Url};

/// Settings of every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetOptions {
    /// How long to wait for a connection, encryption included.
    pub connect_timeout: Duration,
    /// How long an unused connection is kept.
    pub keep_alive: Duration,
}

impl Default for NetOptions {
    fn default() -> Self {
        Self { connect_timeout: Duration::from_secs(10), keep_alive: Duration::from_secs(90) }
    }
}

/// The HTTP client. Cheap to create; share one, so that connections are used again. Needs a Tokio runtime with time and
/// I/O.
pub struct NetClient {
    allowed: Vec<Origin>,
    connect_timeout: Duration,
    encryption: Encryption,
    pool: Arc<Pool>,
}

impl NetClient {
    /// A client that may send only to these origins; none means nowhere. No connection is made and no certificate is
    /// read yet.
    #[must_use]
    pub fn new(allowed: impl IntoIterator<Item = Origin>, options: NetOptions) -> Self {
        Self {
            allowed: allowed.into_iter().collect(),
            connect_timeout: options.connect_timeout,
            encryption: Encryption::new(Vec::new()),
            pool: Arc::new(Pool::new(options.keep_alive)),
        }
    }

    /// A client for the origin of this address alone.
    ///
    /// # Errors
    /// As [`Origin::of`].
    pub fn to(base: &str) -> Result<Self, HttpError> {
        Ok(Self::new([Origin::of(base)?], NetOptions::default()))
    }

    async fn exchange(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (HttpTimeouts { first_byte, idle }, method) = (request.timeouts, request.method);
        let (origin, target) = target(&request.url)?;
        let url = shown_origin(&request.url);
        if !self.allowed.contains(&origin) {
            let detail = format!("{origin} is not an address that was configured");
            return Err(HttpError::new(HttpErrorKind::NotAllowed, &url, detail));
        }
        let outgoing =
            outgoing(request, &target).map_err(|detail| HttpError::new(HttpErrorKind::InvalidUrl, &url, detail))?;
        let span = traced::request(method, &origin.host.to_string(), origin.port);
        let sent = timeout(first_byte, self.send_to(&origin, outgoing, &url)).instrument(span.clone()).await;
        let sent = sent.unwrap_or_else(|_| Err(timeout_error(&url, Phase::FirstByte)));
        let status = sent.as_ref().map(|(_, response)| response.status().as_u16());
        traced::ended(&span, status.map_err(|error| &error.kind as _));
        let (line, response) = sent?;
        let (head, body) = response.into_parts();
        let answer = Answer { url, idle, origin, pool: Arc::clone(&self.pool), line: Some(line), body: Some(body) };
        Ok(HttpResponse {
            status: head.status.as_u16(),
            headers: head.headers.iter().map(header).collect(),
            body: answer.pieces(),
        })
    }

    /// On a reused connection, or on a new one if there is none or the server closed it before it accepted anything.
    async fn send_to(
        &self,
        origin: &Origin,
        mut request: Request<Full<Bytes>>,
        url: &str,
    ) -> Result<(Line, hyper::Response<Incoming>), HttpError> {
        loop {
            let kept = self.pool.take(origin);
            let is_new = kept.is_none();
            let mut line = match kept {
                Some(line) => line,
                None => self.connect(origin, url).await?,
            };
            match line.send(request).await {
                Ok(response) => return Ok((line, response)),
                Err(mut fault) => match fault.take_message() {
                    Some(unsent) if !is_new => request = unsent,
                    _ => return Err(broken_error(url, fault.error())),
                },
            }
        }
    }

    async fn connect(&self, origin: &Origin, url: &str) -> Result<Line, HttpError> {
        let wire = async {
            let to: Vec<_> = match &origin.host {
                Host::Domain(name) => SystemResolve.resolve(name).await?,
                Host::Ipv4(address) => vec![(*address).into()],
                Host::Ipv6(address) => vec![(*address).into()],
            };
            let to: Vec<_> = to.into_iter().map(|address| SocketAddr::new(address, origin.port)).collect();
            let wire = race(&to, &SystemDial).await?;
            match origin.scheme {
                Scheme::Plain => Ok(wire),
                Scheme::Encrypted => self.encryption.wrap(wire, &origin.host.to_string()).await,
            }
        };
        let wire = timeout(self.connect_timeout, wire)
            .await
            .map_err(|_| timeout_error(url, Phase::Connect))?
            .map_err(|fault: io::Error| connect_error(url, &fault))?;
        Line::open(wire).await.map_err(|fault| broken_error(url, &fault))
    }
}

impl fmt::Debug for NetClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetClient").field("allowed", &self.allowed).finish_non_exhaustive()
    }
}

impl Http for NetClient {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        Box::pin(self.exchange(request))
    }
}

/// An answer being read. Dropping it keeps the connection if the answer has ended, otherwise closes it.
struct Answer {
    url: String,
    idle: Duration,
    origin: Origin,
    pool: Arc<Pool>,
    line: Option<Line>,
    body: Option<Incoming>,
}

impl Answer {
    fn pieces(self) -> BoxStream<'static, Result<Bytes, HttpError>> {
        if self.body.as_ref().is_none_or(Incoming::is_end_stream) {
            return stream::empty().boxed();
        }
        stream::unfold(self, |mut answer| async move { Some((answer.piece().await?, answer)) }).fuse().boxed()
    }

    /// None at the end and after the first error.
    async fn piece(&mut self) -> Option<Result<Bytes, HttpError>> {
        let error = match timeout(self.idle, self.line.as_mut()?.piece(self.body.as_mut()?)).await {
            Ok(Some(Err(error))) => broken_error(&self.url, &error),
            Ok(piece) => return piece.and_then(Result::ok).map(Ok),
            Err(_) => timeout_error(&self.url, Phase::Idle),
        };
        self.line = None;
        Some(Err(error))
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.body = None;
        if let Some(line) = self.line.take() {
            self.pool.put(self.origin.clone(), line);
        }
    }
}

fn outgoing(request: HttpRequest, target: &Url) -> Result<Request<Full<Bytes>>, String> {
    let headers = header_map(&request.headers, target)?;
    let mut outgoing = Request::builder()
        .method(request.method.name())
        .uri(&target[Position::BeforePath..Position::AfterQuery])
        .body(Full::new(request.body))
        .map_err(|fault| fault.to_string())?;
    *outgoing.headers_mut() = headers;
    Ok(outgoing)
}

fn header_map(headers: &[Header], target: &Url) -> Result<HeaderMap, String> {
    let mut map = HeaderMap::with_capacity(headers.len() + 3);
    for header in headers {
        let name = HeaderName::try_from(header.name()).map_err(|_| format!("'{}' is no header name", header.name()))?;
        let mut value = HeaderValue::try_from(header.value())
            .map_err(|_| format!("the value of '{name}' holds characters that no header may"))?;
        value.set_sensitive(header.is_secret());
        map.append(name, value);
    }
    for own in [CONTENT_LENGTH, CONNECTION] {
        map.remove(own);
    }
    let host = HeaderValue::from_str(&target[Position::BeforeHost..Position::AfterPort]);
    map.insert(HOST, host.map_err(|fault| fault.to_string())?);
    map.entry(USER_AGENT).or_insert(const { HeaderValue::from_static(concat!("palanca/", env!("CARGO_PKG_VERSION"))) });
    map.entry(ACCEPT).or_insert(const { HeaderValue::from_static("*/*") });
    Ok(map)
}

fn header((name, value): (&HeaderName, &HeaderValue)) -> Header {
    Header::new(name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()))
}

#[cfg(test)]
mod tests;
