//! A channel to the operator's program: one signed POST per message.
//!
//! The body is `{"channel", "to", "content", "id", "sent_at"}`. [`SIGNATURE`] is `sha256=` and the HMAC-SHA256, in hex,
//! of the value of [`TIMESTAMP`], a dot and the body, so that neither can be changed and an old message cannot be
//! replayed later. A message that found no connection, or lost it, is sent once more, the same bytes with the same id,
//! so that the receiver recognizes it. Nothing else is retried, and redirects are not followed: a signed message goes
//! only to the operator's address.

use crate::set::Channel;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use futures_util::future::BoxFuture;
use palanca_core::call::Outgoing;
use palanca_core::ports::http::{Header, Http, HttpError, HttpErrorKind, HttpRequest, HttpTimeouts, Method, Phase};
use palanca_core::ports::{ChannelError, ChannelErrorKind, Clock, SystemClock};
use ring::hmac;
use serde_json::json;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The header with the signature.
pub const SIGNATURE: &str = "X-Palanca-Signature";
/// The header with the time of signing, in seconds since 1970.
pub const TIMESTAMP: &str = "X-Palanca-Timestamp";
/// The pause before the retry.
const PAUSE: Duration = Duration::from_millis(250);

/// The shared secret. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// None if it is blank: a signature with it would prove nothing.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Option<Self> {
        Some(text.into()).filter(|text| !text.trim().is_empty()).map(Self)
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(***)")
    }
}

/// The settings of a webhook.
#[derive(Clone)]
pub struct WebhookSettings {
    /// The full address; the client must be able to reach its origin.
    pub url: String,
    /// The key of the signature.
    pub secret: Secret,
    /// Time limit of one attempt, connecting included.
    pub timeout: Duration,
}

/// The address may itself be a secret.
impl fmt::Debug for WebhookSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookSettings").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

/// The channel.
pub struct Webhook {
    http: Arc<dyn Http>,
    clock: Arc<dyn Clock>,
    settings: WebhookSettings,
}

impl Webhook {
    /// A channel that sends through this client, with the machine's clock.
    #[must_use]
    pub fn new(http: Arc<dyn Http>, settings: WebhookSettings) -> Self {
        Self { http, clock: Arc::new(SystemClock::default()), settings }
    }

    /// The same, with another clock.
    #[must_use]
    pub fn at(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    fn request(&self, message: &Outgoing) -> HttpRequest {
        let now = self.clock.now();
        let body = json!({
            "channel": message.channel,
            "to": message.to,
            "content": message.text,
            "id": uuid::Uuid::now_v7().to_string(),
            "sent_at": humantime::format_rfc3339_seconds(now).to_string(),
        });
        let body = Bytes::from(body.to_string());
        let seconds = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs().to_string();
        let headers = vec![
            Header::new("Content-Type", "application/json"),
            Header::new(SIGNATURE, signature(&self.settings.secret, &seconds, &body)),
            Header::new(TIMESTAMP, seconds),
        ];
        let timeouts = HttpTimeouts::all(self.settings.timeout);
        HttpRequest { method: Method::Post, url: self.settings.url.clone(), headers, body, timeouts }
    }

    async fn post(&self, message: &Outgoing) -> Result<(), ChannelError> {
        let error = |kind, detail: String| Err(ChannelError::new(kind, &message.channel, detail));
        let request = self.request(message);
        let answer = match self.http.send(request.clone()).await {
            Err(lost) if found_no_way(&lost) => {
                tokio::time::sleep(PAUSE).await;
                self.http.send(request).await
            }
            answer => answer,
        };
        match answer {
            Ok(answer) => match answer.status {
                200..=299 => Ok(()),
                status @ 300..=399 => error(
                    ChannelErrorKind::Refused,
                    format!("it answered {status}, and redirects are not followed: the address must be the final one"),
                ),
                status @ (408 | 425 | 429 | 500..=599) => {
                    error(ChannelErrorKind::Unreachable, format!("it answered {status}"))
                }
                status => error(ChannelErrorKind::Refused, format!("it answered {status}")),
            },
            // The error's own text contains the address, which is the operator's.
            Err(HttpError { detail, .. }) => error(ChannelErrorKind::Unreachable, detail),
        }
    }
}

/// Whether the message may not have arrived because the connection failed or was lost.
const fn found_no_way(error: &HttpError) -> bool {
    matches!(
        error.kind,
        HttpErrorKind::Unreachable | HttpErrorKind::Interrupted | HttpErrorKind::Timeout(Phase::Connect)
    )
}

impl Channel for Webhook {
    fn send<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Result<(), ChannelError>> {
        Box::pin(self.post(message))
    }
}

/// `sha256=` and the HMAC-SHA256 of `timestamp.body` in 64 hex digits: for receivers, in tests and elsewhere.
#[must_use]
pub fn signature(secret: &Secret, timestamp: &str, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.0.as_bytes());
    let mut context = hmac::Context::with_key(&key);
    for part in [timestamp.as_bytes(), b".", body] {
        context.update(part);
    }
    format!("sha256={}", HEXLOWER.encode(context.sign().as_ref()))
}

#[cfg(test)]
mod tests;
