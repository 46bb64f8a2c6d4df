//! The client of model providers, in two halves that are built when they are first needed. It sends to the origins that it
//! was built for and refuses every other before its name is resolved; it follows no redirect, keeps no cookie, uses no
//! proxy and decodes no body.
//!
//! Reading the platform's certificates costs milliseconds and megabytes, so the half for `http://` has no certificates at
//! all: it can open no encrypted connection, and never needs to, because redirects are not followed. Both halves keep
//! connections open between requests and speak HTTP/1.1.

mod origin;

pub use origin::Origin;

use crate::failure::{body_error, build_error, plain_url, send_error, timeout_error};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::{self, StreamExt as _};
use origin::{Scheme, target};
use palanca_core::ports::http::{
    Header, Http, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpTimeouts, Method, Phase,
};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use rustls::client::Resumption;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::time::timeout;

/// What is the same for every request.
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
#[derive(Debug)]
pub struct NetClient {
    allowed: Vec<Origin>,
    options: NetOptions,
    plain: OnceLock<reqwest::Client>,
    encrypted: OnceLock<reqwest::Client>,
}

impl NetClient {
    /// A client that may send to these origins and no other; none means nowhere. No connection is made and no certificate
    /// is read yet.
    #[must_use]
    pub fn new(allowed: impl IntoIterator<Item = Origin>, options: NetOptions) -> Self {
        let allowed = allowed.into_iter().collect();
        Self { allowed, options, plain: OnceLock::new(), encrypted: OnceLock::new() }
    }

    /// A client for the origin of this address alone.
    ///
    /// # Errors
    /// As [`Origin::of`].
    pub fn to(base: &str) -> Result<Self, HttpError> {
        Ok(Self::new([Origin::of(base)?], NetOptions::default()))
    }

    fn half(&self, scheme: Scheme) -> Result<&reqwest::Client, rustls::Error> {
        let cell = match scheme {
            Scheme::Plain => &self.plain,
            Scheme::Encrypted => &self.encrypted,
        };
        if let Some(client) = cell.get() {
            return Ok(client);
        }
        let built = build(scheme, self.options)?;
        Ok(cell.get_or_init(|| built))
    }

    async fn exchange(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let HttpTimeouts { first_byte, idle } = request.timeouts;
        let (origin, target) = target(&request.url)?;
        let url = plain_url(&request.url);
        if !self.allowed.contains(&origin) {
            let detail = format!("{origin} is not an address that was configured");
            return Err(HttpError::new(HttpErrorKind::NotAllowed, &url, detail));
        }
        let headers =
            header_map(&request.headers).map_err(|detail| HttpError::new(HttpErrorKind::InvalidUrl, &url, detail))?;
        let client = self.half(origin.scheme).map_err(|error| build_error(&url, &error))?;
        let mut outgoing = reqwest::Request::new(method(request.method), target);
        *outgoing.headers_mut() = headers;
        if !request.body.is_empty() {
            *outgoing.body_mut() = Some(request.body.into());
        }
        let response = match timeout(first_byte, client.execute(outgoing)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(send_error(&url, error)),
            Err(_) => return Err(timeout_error(&url, Phase::FirstByte)),
        };
        Ok(HttpResponse {
            status: response.status().as_u16(),
            headers: response.headers().iter().map(header).collect(),
            body: body(response, url, idle),
        })
    }
}

impl Http for NetClient {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        Box::pin(self.exchange(request))
    }
}

fn build(scheme: Scheme, options: NetOptions) -> Result<reqwest::Client, rustls::Error> {
    let builder = reqwest::Client::builder()
        .user_agent(concat!("palanca/", env!("CARGO_PKG_VERSION")))
        .http1_only()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .tcp_nodelay(true)
        .connect_timeout(options.connect_timeout)
        .pool_idle_timeout(options.keep_alive);
    let builder = match scheme {
        Scheme::Encrypted => {
            // The library asks for a process-wide provider when it sets up the platform's certificates. An error means
            // that the process has one already, which is as good.
            let _ = rustls::crypto::ring::default_provider().install_default();
            builder
        }
        Scheme::Plain => {
            let ring = Arc::new(rustls::crypto::ring::default_provider());
            let mut tls = rustls::ClientConfig::builder_with_provider(ring)
                .with_safe_default_protocol_versions()?
                .with_root_certificates(rustls::RootCertStore::empty())
                .with_no_client_auth();
            tls.resumption = Resumption::disabled();
            builder.tls_backend_preconfigured(tls)
        }
    };
    builder.build().map_err(|error| rustls::Error::General(crate::failure::chain(&error)))
}

fn body(
    response: reqwest::Response,
    url: String,
    idle: Duration,
) -> stream::BoxStream<'static, Result<Bytes, HttpError>> {
    let pieces = response.bytes_stream();
    let state = Some((pieces.boxed(), url));
    stream::unfold(state, move |state| async move {
        let (mut pieces, url) = state?;
        match timeout(idle, pieces.next()).await {
            Ok(None) => None,
            Ok(Some(Ok(piece))) => Some((Ok(piece), Some((pieces, url)))),
            Ok(Some(Err(error))) => Some((Err(body_error(&url, error)), None)),
            Err(_) => Some((Err(timeout_error(&url, Phase::Idle)), None)),
        }
    })
    .fuse()
    .boxed()
}

const fn method(method: Method) -> reqwest::Method {
    match method {
        Method::Head => reqwest::Method::HEAD,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Delete => reqwest::Method::DELETE,
        _ => reqwest::Method::GET,
    }
}

fn header_map(headers: &[Header]) -> Result<HeaderMap, String> {
    let mut map = HeaderMap::with_capacity(headers.len());
    for header in headers {
        let name = HeaderName::try_from(header.name()).map_err(|_| format!("'{}' is no header name", header.name()))?;
        let mut value = HeaderValue::try_from(header.value())
            .map_err(|_| format!("the value of '{name}' holds characters that no header may"))?;
        value.set_sensitive(header.is_secret());
        map.append(name, value);
    }
    Ok(map)
}

fn header((name, value): (&HeaderName, &HeaderValue)) -> Header {
    Header::new(name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()))
}

#[cfg(test)]
mod tests;
