//! Maps a status or a failed exchange to an error.

use palanca_core::ports::http::{HttpError, HttpErrorKind, HttpResponse};
use palanca_core::ports::{FileError, FileErrorKind, RemoteFault};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What went wrong with a request, not yet tied to a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: RemoteFault,
    pub(super) detail: String,
    /// When it may be retried, if the server says so.
    pub(super) until: Option<SystemTime>,
}

impl Fault {
    pub(super) fn new(kind: RemoteFault, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), until: None }
    }

    pub(super) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(RemoteFault::Malformed, detail)
    }

    pub(super) fn too_large(what: &str, size: u64, limit: u64) -> Self {
        Self::new(RemoteFault::TooLarge, format!("{what}: {size} > {limit}"))
    }

    /// The error on this path or repository.
    pub(super) fn on(self, path: impl ToString) -> FileError {
        FileError::new(FileErrorKind::Remote(self.kind), path.to_string()).detail(self.detail)
    }
}

/// Maximum length of a quoted server message.
const WORDS: usize = 200;

/// The error of an answer that is neither a success, nor a redirect, nor "not modified".
pub(super) fn of_status(response: &HttpResponse, body: &[u8]) -> Fault {
    let status = response.status;
    let words = words(body);
    let limited = response.header("x-ratelimit-remaining").is_some_and(|left| left.trim() == "0")
        || response.header("retry-after").is_some()
        || ["rate limit", "abuse detection"].iter().any(|said| words.to_ascii_lowercase().contains(said));
    match status {
        429 => rate_limited(response),
        403 if limited => rate_limited(response),
        401 => Fault::new(RemoteFault::Expired, words),
        403 | 451 => Fault::new(RemoteFault::Forbidden, or_status(words, status)),
        404 | 410 => Fault::new(RemoteFault::Missing, words),
        409 => Fault::new(RemoteFault::Empty, words),
        422 => Fault::new(RemoteFault::NoSuchRef, words),
        _ => Fault::new(RemoteFault::Unavailable, format!("HTTP {status}")),
    }
}

fn or_status(words: String, status: u16) -> String {
    if words.is_empty() { format!("HTTP {status}") } else { words }
}

/// GitHub's windows are an hour long; a reset further ahead means a wrong clock.
const WINDOW: Duration = Duration::from_secs(60 * 60);
const DAY: u64 = 24 * 60 * 60;

/// `x-ratelimit-reset` is in every answer. It counts only if no requests are left: a secondary limit ends at another
/// time.
fn rate_limited(response: &HttpResponse) -> Fault {
    let number = |name: &str| response.header(name).and_then(|value| value.trim().parse::<u64>().ok());
    let now = SystemTime::now();
    let after = number("retry-after").map(|seconds| now + Duration::from_secs(seconds.min(DAY)));
    let used_up = number("x-ratelimit-remaining") == Some(0);
    let reset = number("x-ratelimit-reset").filter(|_| used_up);
    let reset = reset.and_then(|at| UNIX_EPOCH.checked_add(Duration::from_secs(at)));
    let reset = reset.map(|at| at.min(now + WINDOW)).filter(|at| *at > now);
    Fault { kind: RemoteFault::RateLimited, detail: String::new(), until: after.or(reset) }
}

/// `18:30:05 UTC (12 min)`.
pub(super) fn until_said(until: SystemTime, now: SystemTime) -> String {
    let of_day = until.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % 86_400;
    let (hours, minutes, seconds) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    let left = until.duration_since(now).unwrap_or_default().as_secs().div_ceil(60);
    format!("{hours:02}:{minutes:02}:{seconds:02} UTC ({left} min)")
}

/// The error of a broken exchange.
pub(super) fn of_error(error: &HttpError) -> Fault {
    let kind = match error.kind {
        HttpErrorKind::NotAllowed | HttpErrorKind::InvalidUrl => RemoteFault::Elsewhere,
        _ => RemoteFault::Unavailable,
    };
    let detail = match kind {
        RemoteFault::Elsewhere => error.origin.clone(),
        _ => error.detail.clone(),
    };
    Fault::new(kind, detail)
}

/// The server's `message`, on one line.
fn words(body: &[u8]) -> String {
    let answer: Option<serde_json::Value> = serde_json::from_slice(body).ok();
    let message = answer.as_ref().and_then(|answer| answer.get("message")).and_then(serde_json::Value::as_str);
    message.unwrap_or_default().chars().filter(|c| !c.is_control()).take(WORDS).collect()
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs)]
    use super::*;

    #[test]
    fn the_time_of_a_limit_is_said() {
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        assert_eq!(until_said(at(86_400 + 3_661), at(86_400)), "01:01:01 UTC (62 min)");
        assert_eq!(until_said(at(60), at(120)), "00:01:00 UTC (0 min)");
    }
}
