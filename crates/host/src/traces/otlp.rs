//! The export to an OpenTelemetry collector: OTLP over HTTP as JSON, sent by this project's own client.
//!
//! A thread of its own sends what waits in a queue. A collector that is slow or down costs no call anything: its spans wait, up
//! to [`queue::MOST`], and what comes then is lost and counted.

mod body;
mod queue;

use super::{Span, Traced};
use crate::fault::Fault;
use bytes::Bytes;
use futures_util::StreamExt as _;
use palanca_config::{TelemetryExporter, TelemetrySettings};
use palanca_core::Message;
use palanca_core::call::Method;
use palanca_core::ports::http::{Header, Http, HttpError, HttpRequest, HttpTimeouts};
use palanca_net::{NetClient, Origin};
use percent_encoding::percent_decode_str;
use queue::Queue;
use std::sync::Arc;
use std::time::Duration;
use tracing::subscriber::NoSubscriber;

/// Spans of one request.
const BATCH: usize = 512;
/// The address without any other word.
const USUAL: &str = "http://localhost:4318";
/// How long a collector may take, unless told otherwise.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Between two attempts: the first wait, doubled each time up to the last.
const WAITS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// Where spans are sent, and as whose.
#[derive(Debug)]
pub(super) struct Target {
    url: String,
    headers: Vec<Header>,
    service: String,
    timeout: Duration,
}

impl Target {
    /// By the variables of the OpenTelemetry specification, or else by the configuration. None where neither names a collector.
    pub(super) fn of(
        wanted: &TelemetrySettings,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, Fault> {
        let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let of_traces = |name: &str| {
            set(&format!("OTEL_EXPORTER_OTLP_TRACES_{name}")).or_else(|| set(&format!("OTEL_EXPORTER_OTLP_{name}")))
        };
        let is_wanted = wanted.enabled && wanted.exporter == TelemetryExporter::Otlp;
        let configured = is_wanted.then(|| wanted.endpoint.clone().unwrap_or_else(|| USUAL.to_owned()));
        let below = |base: String| format!("{}/v1/traces", base.trim_end_matches('/'));
        let url = set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
            .or_else(|| set("OTEL_EXPORTER_OTLP_ENDPOINT").map(below))
            .or_else(|| configured.map(below));
        let says = |name: &str, word: &str| set(name).is_some_and(|value| value.eq_ignore_ascii_case(word));
        let is_off = says("OTEL_SDK_DISABLED", "true") || says("OTEL_TRACES_EXPORTER", "none");
        let Some(url) = url.filter(|_| !is_off) else { return Ok(None) };
        let milliseconds = of_traces("TIMEOUT").and_then(|value| value.trim().parse().ok());
        Ok(Some(Self {
            url,
            headers: of_traces("HEADERS").map(|pairs| headers(&pairs)).unwrap_or_default(),
            service: set("OTEL_SERVICE_NAME").unwrap_or_else(|| "palanca".to_owned()),
            timeout: milliseconds.map_or(TIMEOUT, Duration::from_millis),
        }))
    }

    /// Scheme, host and port.
    pub(super) fn address(&self) -> String {
        Origin::of(&self.url).map_or_else(|_| "?".to_owned(), |origin| origin.to_string())
    }
}

/// `name=value,…`, percent-encoded.
fn headers(pairs: &str) -> Vec<Header> {
    let one = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let value = percent_decode_str(value.trim()).decode_utf8().ok()?;
        Some(Header::secret(name.trim().to_owned(), value))
    };
    pairs.split(',').filter_map(one).collect()
}

/// Sends spans to a collector, until it is dropped.
pub(super) struct Exporter {
    queue: Arc<Queue>,
    address: String,
}

impl Exporter {
    /// # Errors
    /// An address that is none, and a thread that cannot be had.
    pub(super) fn start(target: Target) -> Result<Self, Fault> {
        let failed = |key, reason: String| Fault::said(Message::new(key).with("reason", reason));
        let http = NetClient::to(&target.url).map_err(|error| failed("traces-address-invalid", error.to_string()))?;
        let (queue, address) = (Arc::new(Queue::default()), target.address());
        let sender = Sender { http, target, queue: Arc::clone(&queue) };
        let thread = std::thread::Builder::new().name("palanca-traces".to_owned());
        // Its own requests are not traced.
        let work = move || tracing::subscriber::with_default(NoSubscriber::default(), || sender.work());
        thread.spawn(work).map_err(|error| failed("traces-not-started", error.to_string()))?;
        Ok(Self { queue, address })
    }

    pub(super) fn take(&self, traced: &Traced<'_>) {
        if let Traced::Span(span) = traced {
            self.queue.add((*span).clone());
        }
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Sends what waits, and returns how many spans have not reached the collector so far.
    pub(super) async fn flush(&self, patience: Duration) -> usize {
        let flushed = self.queue.flush();
        // ignored: what was not sent in time is counted.
        let _ = tokio::time::timeout(patience, flushed).await;
        self.queue.lost_or_waiting()
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        self.queue.close();
    }
}

/// The thread's part.
struct Sender {
    http: NetClient,
    target: Target,
    queue: Arc<Queue>,
}

/// What became of a request.
enum Answer {
    Taken,
    /// Another attempt would end the same.
    Refused,
    /// It may be taken later.
    NotNow,
}

impl Sender {
    fn work(&self) {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        while let Some(batch) = self.queue.next(BATCH) {
            let mut wait = WAITS.0;
            loop {
                match runtime.block_on(self.send(&batch)) {
                    Answer::Taken => self.queue.answered(0),
                    Answer::Refused => self.queue.answered(batch.len()),
                    Answer::NotNow if self.queue.wait(wait) => {
                        wait = (wait * 2).min(WAITS.1);
                        continue;
                    }
                    Answer::NotNow => return,
                }
                break;
            }
        }
    }

    async fn send(&self, batch: &[Span]) -> Answer {
        let mut headers = vec![Header::new("content-type", "application/json")];
        headers.extend(self.target.headers.iter().cloned());
        let request = HttpRequest {
            method: Method::Post,
            url: self.target.url.clone(),
            headers,
            body: Bytes::from(body::of(batch, &self.target.service).to_string()),
            timeouts: HttpTimeouts::all(self.target.timeout),
        };
        let sent = tokio::time::timeout(self.target.timeout, async {
            let mut response = self.http.send(request).await?;
            // Read to its end, so that the connection can be used again.
            while let Some(piece) = response.body.next().await {
                piece?;
            }
            Ok::<u16, HttpError>(response.status)
        });
        match sent.await {
            Ok(Ok(200..=299)) => Answer::Taken,
            // The codes that the specification calls retryable.
            Ok(Ok(429 | 502 | 503 | 504) | Err(_)) | Err(_) => Answer::NotNow,
            Ok(Ok(_)) => Answer::Refused,
        }
    }
}

#[cfg(test)]
mod tests;
