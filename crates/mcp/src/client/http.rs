//! A server behind an address: the protocol's HTTP over the client of the network door, which sends to that one origin.

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use palanca_config::McpServer;
use palanca_core::ports::http::{Header, Http, HttpError, HttpRequest, HttpResponse, HttpTimeouts, Method};
use palanca_host::{Fault, Host};
use palanca_net::NetClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpError,
    StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use sse_stream::{Sse, SseStream};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// An address with its credentials.
pub(crate) struct HttpEnd {
    client: DoorClient,
    url: String,
    token: Option<String>,
    headers: HashMap<HeaderName, HeaderValue>,
}

impl HttpEnd {
    pub(crate) fn new(host: &Host, wanted: &McpServer, url: &str) -> Result<Self, Fault> {
        let client = NetClient::to(url).map_err(Fault::usage)?;
        let from_environment = wanted.token_env.as_ref().and_then(|name| std::env::var(name).ok());
        let token = wanted.token.as_ref().map(|token| token.reveal().to_owned()).or(from_environment);
        if let Some(token) = &token {
            host.learn(&format!("mcp.{}", wanted.name), token);
        }
        let mut headers = HashMap::new();
        for (name, value) in &wanted.headers {
            host.learn(name, value.reveal());
            let line = HeaderName::try_from(name.as_str()).ok().zip(HeaderValue::from_str(value.reveal()).ok());
            let no_header = || Fault::usage(format!("mcp.servers {}: {name} is no header", wanted.name));
            let (name, mut value) = line.ok_or_else(no_header)?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        let idle = Duration::from_secs(wanted.timeout.max(60));
        Ok(Self { client: DoorClient { client: Arc::new(client), idle }, url: url.to_owned(), token, headers })
    }

    pub(crate) fn transport(&self) -> StreamableHttpClientTransport<DoorClient> {
        let mut config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str());
        config.auth_header.clone_from(&self.token);
        config.custom_headers.clone_from(&self.headers);
        StreamableHttpClientTransport::with_client(self.client.clone(), config)
    }
}

/// The network door's client, as the protocol's transport uses one.
#[derive(Clone)]
pub(crate) struct DoorClient {
    client: Arc<dyn Http>,
    idle: Duration,
}

type Fails = StreamableHttpError<HttpError>;

impl DoorClient {
    async fn send(
        &self,
        (method, url, body): (Method, &str, Bytes),
        (session, token, more): (Option<&str>, Option<String>, HashMap<HeaderName, HeaderValue>),
        further: &[(&'static str, &str)],
    ) -> Result<HttpResponse, Fails> {
        let mut headers: Vec<Header> = further.iter().map(|(name, value)| Header::new(*name, *value)).collect();
        headers.extend(session.map(|session| Header::secret("Mcp-Session-Id", session)));
        headers.extend(token.map(|token| Header::secret("Authorization", format!("Bearer {token}"))));
        for (name, value) in &more {
            let value = value.to_str().map_err(|_| Fails::ReservedHeaderConflict(name.to_string()))?;
            headers.push(Header::secret(name.as_str().to_owned(), value));
        }
        let timeouts = HttpTimeouts::all(self.idle);
        let request = HttpRequest { method, url: url.to_owned(), headers, body, timeouts };
        let answer = self.client.send(request).await.map_err(Fails::Client)?;
        match (answer.status, answer.header("WWW-Authenticate")) {
            (401, Some(how)) => Err(Fails::AuthRequired(AuthRequiredError::new(how.to_owned()))),
            (404, _) if session.is_some() => Err(Fails::SessionExpired),
            _ => Ok(answer),
        }
    }
}

/// A body of at most so many bytes.
async fn whole(answer: HttpResponse, limit: usize) -> Result<Vec<u8>, Fails> {
    let mut body = answer.body;
    let mut bytes = Vec::new();
    while let Some(piece) = body.next().await {
        bytes.extend_from_slice(&piece.map_err(Fails::Client)?);
        if bytes.len() > limit {
            return Err(Fails::ResponseBodyTooLarge { max_size: limit });
        }
    }
    Ok(bytes)
}

/// The events of a body; it ends before one that is larger than this.
fn events(answer: HttpResponse, largest: usize) -> BoxStream<'static, Result<Sse, sse_stream::Error>> {
    let (mut size, mut begins_line) = (0, true);
    let fits = move |piece: &Result<Bytes, HttpError>| {
        let is_over = piece.iter().flatten().any(|byte| {
            match byte {
                b'\n' if begins_line => size = 0,
                b'\r' => {}
                byte => (size, begins_line) = (size + 1, *byte == b'\n'),
            }
            size > largest
        });
        std::future::ready(!is_over)
    };
    SseStream::from_bytes_stream(answer.body.take_while(fits)).boxed()
}

fn is(answer: &HttpResponse, media_type: &str) -> bool {
    let given = answer.header("Content-Type").and_then(|given| given.split(';').next());
    given.is_some_and(|given| given.trim().eq_ignore_ascii_case(media_type))
}

impl StreamableHttpClient for DoorClient {
    type Error = HttpError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Fails> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session_id, auth_header, custom_headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Fails> {
        let body = Bytes::from(serde_json::to_vec(&message)?);
        let known = (session_id.as_deref(), auth_header, custom_headers);
        let kinds = format!("{EVENTS}, {JSON}");
        let answer =
            self.send((Method::Post, &uri, body), known, &[("Content-Type", JSON), ("Accept", &kinds)]).await?;
        if matches!(answer.status, 202 | 204) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        let session = answer.header("Mcp-Session-Id").map(str::to_owned);
        if is(&answer, EVENTS) && answer.status == 200 {
            return Ok(StreamableHttpPostResponse::Sse(events(answer, limits.max_sse_event_size), session));
        }
        let status = answer.status;
        let is_json = is(&answer, JSON);
        let body = whole(answer, limits.max_json_response_size).await?;
        match serde_json::from_slice::<ServerJsonRpcMessage>(&body) {
            Ok(message) if is_json => Ok(StreamableHttpPostResponse::Json(message, session)),
            _ => Err(Fails::UnexpectedServerResponse(format!("HTTP status {status}").into())),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Fails> {
        let known = (Some(&*session_id), auth_header, custom_headers);
        let answer = self.send((Method::Delete, &uri, Bytes::new()), known, &[]).await?;
        if answer.status == 405 { Err(Fails::ServerDoesNotSupportDeleteSession) } else { Ok(()) }
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, sse_stream::Error>>, Fails> {
        let known = (session_id.as_deref(), auth_header, custom_headers);
        let mut further = vec![("Accept", EVENTS)];
        further.extend(last_event_id.as_deref().map(|last| ("Last-Event-ID", last)));
        let answer = self.send((Method::Get, &uri, Bytes::new()), known, &further).await?;
        match answer.status {
            200 if is(&answer, EVENTS) => {
                Ok(events(answer, StreamableHttpResponseLimits::default().max_sse_event_size))
            }
            405 => Err(Fails::ServerDoesNotSupportSse),
            status => Err(Fails::UnexpectedServerResponse(format!("HTTP status {status}").into())),
        }
    }
}
