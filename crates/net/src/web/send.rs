//! One request on one connection, and its answer as it arrives. The connection ends with the value.
//!
//! Interim answers (1xx) are bounded in total; the reader limits the body.

use super::body::Encoding;
use super::target::Target;
use crate::connect::Wire;
use crate::failure::chain;
use crate::line::Line;
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Request, Response};
use palanca_core::call::Method;
use palanca_core::ports::http::Header;
use palanca_core::ports::{WebError, WebErrorKind};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use url::Position;

/// Bytes of all interim answers.
const MAX_ANNOUNCED: usize = 64 << 10;
/// At least: `HTTP/1.1 103`, and the ends of the line and of the head.
const STATUS_LINE: usize = 16;

/// An answer whose head is there.
pub struct Exchange {
    line: Line,
    response: Response<Incoming>,
}

/// Sends the request and waits for the head of the answer.
pub async fn send(
    target: &Target,
    wire: Box<dyn Wire>,
    mut request: Request<Full<Bytes>>,
) -> Result<Exchange, WebError> {
    let interrupted = |detail: &str| WebError::new(WebErrorKind::Interrupted, target.url.as_str()).detail(detail);
    let error = |fault: hyper::Error| interrupted(&chain(&fault));
    let announced = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&announced);
    hyper::ext::on_informational(&mut request, move |answer| {
        let lines = answer.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4);
        counted.fetch_add(STATUS_LINE + lines.sum::<usize>(), Ordering::Relaxed);
    });
    let mut line = Line::open(wire).await.map_err(error)?;
    let response = {
        let mut answer = pin!(line.send(request));
        poll_fn(|cx| {
            let answer = answer.as_mut().poll(cx);
            if announced.load(Ordering::Relaxed) > MAX_ANNOUNCED {
                return Poll::Ready(Err(interrupted("more than 64 KiB before the answer itself")));
            }
            answer.map_err(|fault| error(fault.into_error()))
        })
        .await?
    };
    Ok(Exchange { line, response })
}

impl Exchange {
    pub fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// The next piece of the body, as sent; none at its end.
    pub async fn piece(&mut self) -> Option<Result<Bytes, hyper::Error>> {
        self.line.piece(self.response.body_mut()).await
    }
}

/// Headers that only the door sets, and those that concern a connection.
const OWN: &[&str] = &[
    "host",
    "user-agent",
    "accept-encoding",
    "content-length",
    "connection",
    "cookie",
    "cookie2",
    "expect",
    "forwarded",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "referer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
];

/// Headers that describe a body: they are dropped with it.
const OF_BODY: &[&str] = &["content-type", "content-encoding", "content-language", "content-location"];

/// What is sent to one hop.
pub struct Hop<'a> {
    pub target: &'a Target,
    pub method: Method,
    /// None if a redirect has turned the request into a `GET`.
    pub body: Option<Bytes>,
    pub headers: &'a [Header],
    /// Whether this is still the origin that the credentials are meant for.
    pub credentials: Credentials,
    /// What the answer may be compressed with.
    pub encoding: Encoding,
    pub user_agent: &'a str,
}

/// Whether credentials are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credentials {
    Sent,
    Dropped,
}

impl Hop<'_> {
    pub fn request(self) -> Result<Request<Full<Bytes>>, WebError> {
        let url = &self.target.url;
        let invalid = |fault: String| WebError::new(WebErrorKind::InvalidUrl, url.as_str()).detail(fault);
        let mut request = Request::builder()
            .method(self.method.name())
            .uri(&url[Position::BeforePath..Position::AfterQuery])
            .body(Full::new(self.body.clone().unwrap_or_default()))
            .map_err(|fault| invalid(fault.to_string()))?;
        let mut headers = HeaderMap::with_capacity(self.headers.len() + 6);
        let mut own = |name: HeaderName, value: &str| -> Result<(), WebError> {
            let value = HeaderValue::from_str(value).map_err(|fault| invalid(fault.to_string()))?;
            headers.insert(name, value);
            Ok(())
        };
        own(hyper::header::HOST, &url[Position::BeforeHost..Position::AfterPort])?;
        own(hyper::header::USER_AGENT, self.user_agent)?;
        own(hyper::header::ACCEPT_ENCODING, self.encoding.name())?;
        own(hyper::header::CONNECTION, "close")?;
        if !self.headers.iter().any(|header| header.name().eq_ignore_ascii_case("accept")) {
            own(hyper::header::ACCEPT, "*/*")?;
        }
        for header in self.headers {
            let name = header.name().to_ascii_lowercase();
            if OWN.contains(&&*name)
                || (self.body.is_none() && OF_BODY.contains(&&*name))
                || (self.credentials == Credentials::Dropped && (header.is_secret() || name == "authorization"))
            {
                continue;
            }
            let name = HeaderName::try_from(name).map_err(|_| invalid("a header has no valid name".to_owned()))?;
            let mut value = HeaderValue::try_from(header.value())
                .map_err(|_| invalid(format!("the value of '{name}' holds characters that no header may")))?;
            value.set_sensitive(header.is_secret());
            headers.append(name, value);
        }
        *request.headers_mut() = headers;
        Ok(request)
    }
}
