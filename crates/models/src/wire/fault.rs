//! Error responses of servers, and their meaning.

use super::json;
use crate::error::{MAX_MESSAGE, MAX_NONSENSE, ModelErrorKind, Retry, quote};
use serde_json::Value;

/// Why an answer cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Not this wire format: what was received.
    Nonsense(String),
    /// Nothing of this wire format at all.
    Silence,
    /// An error report in place of an answer, or in the middle of one.
    Server(Report),
    /// The stream ended too early.
    Cut,
}

/// A server's error report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// `type` and `code`, one after the other.
    pub(crate) code: String,
    /// For people.
    pub(crate) message: String,
}

impl Fault {
    pub(super) fn nonsense(received: &str) -> Self {
        if received.trim().is_empty() {
            return Self::Silence;
        }
        Self::Nonsense(quote(received, MAX_NONSENSE))
    }

    /// Refuses a JSON answer that is a report.
    pub(super) fn reported(value: &Value) -> Result<(), Self> {
        json::part(value, "error").map_or(Ok(()), |error| Err(Self::Server(report(error))))
    }
}

pub(super) fn report(error: &Value) -> Report {
    let code = ["type", "code", "status"]
        .iter()
        .filter_map(|key| match error.get(*key)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
        .collect::<Vec<_>>()
        .join(" ");
    let message = match error {
        Value::String(text) => text.clone(),
        error => json::text(error, "message").map_or_else(|| error.to_string(), str::to_owned),
    };
    Report { code, message }
}

/// The message in the body of an error status, at most 500 characters.
pub(crate) fn server_message(body: &[u8]) -> Report {
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    // Some servers answer with a list of one error.
    let value = value.get(0).unwrap_or(&value);
    let mut found = match json::part(value, "error") {
        Some(error) => report(error),
        None => Report {
            code: String::new(),
            message: ["message", "detail"].iter().find_map(|key| json::part(value, key)).map_or_else(
                || String::from_utf8_lossy(body).into_owned(),
                |text| text.as_str().map_or_else(|| text.to_string(), str::to_owned),
            ),
        },
    };
    found.message = quote(&found.message, MAX_MESSAGE);
    if found.message.is_empty() {
        "no message".clone_into(&mut found.message);
    }
    found
}

const CONTEXT: [&str; 10] = [
    "context_length_exceeded",
    "context_window_exceeded",
    "maximum context length",
    "prompt is too long",
    "exceeds the available context size",
    "exceed_context_size",
    "context window",
    "input is too long",
    "too many tokens",
    "request_too_large",
];

const NOTHING_LEFT: [&str; 4] = ["insufficient_quota", "credit balance", "billing", "exceeded your current quota"];

/// The kind of failure of a status (or of a report inside a stream, which has none), and whether to ask again.
pub(crate) fn classify(status: Option<u16>, report: &Report) -> (ModelErrorKind, Retry) {
    use ModelErrorKind as Kind;
    let words = format!("{} {}", report.code, report.message).to_ascii_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
    let code = status.or_else(|| report.code.split(' ').find_map(|word| word.parse::<u16>().ok()));
    match code {
        Some(401 | 403) => (Kind::Auth, Retry::Never),
        Some(408 | 504) => (Kind::Timeout, Retry::Soon),
        Some(413) => (Kind::ContextTooLong, Retry::Never),
        Some(429) if says(&NOTHING_LEFT) => (Kind::RateLimited, Retry::Never),
        Some(429) => (Kind::RateLimited, Retry::Soon),
        Some(400..=499) if says(&CONTEXT) => (Kind::ContextTooLong, Retry::Never),
        Some(300..=499) => (Kind::BadRequest, Retry::Never),
        Some(501) => (Kind::ServerError, Retry::Never),
        Some(_) => (Kind::ServerError, Retry::Soon),
        None if says(&CONTEXT) => (Kind::ContextTooLong, Retry::Never),
        None if says(&NOTHING_LEFT) => (Kind::RateLimited, Retry::Never),
        None if says(&["rate_limit"]) => (Kind::RateLimited, Retry::Soon),
        None if says(&["authentication_error", "permission_error", "invalid_api_key"]) => (Kind::Auth, Retry::Never),
        None if says(&["invalid_request", "not_found_error"]) => (Kind::BadRequest, Retry::Never),
        None => (Kind::ServerError, Retry::Soon),
    }
}

/// Whether the server refuses a request because tools are offered in it.
pub(crate) fn refuses_tools(report: &Report) -> bool {
    let words = report.message.to_ascii_lowercase();
    [
        "does not support tools",
        "doesn't support tools",
        "not support tool",
        "tools are not supported",
        "tools param requires",
        "does not support function",
        "tool choice requires",
        "tool use is not supported",
    ]
    .iter()
    .any(|phrase| words.contains(phrase))
}
