//! What a host's status code means, in our own words: the phrase that a host sends along is its own and never repeated.

use palanca_core::call::ErrorKind;
use palanca_core::ports::WebAnswer;
use palanca_core::{Message, Text};

/// The phrase of the standard (RFC 9110, RFC 6585); empty for a code that has none.
pub(super) const fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        203 => "Non-Authoritative Information",
        206 => "Partial Content",
        300 => "Multiple Choices",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        413 => "Content Too Large",
        414 => "URI Too Long",
        415 => "Unsupported Media Type",
        418 => "I'm a teapot",
        421 => "Misdirected Request",
        422 => "Unprocessable Content",
        425 => "Too Early",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "",
    }
}

/// Code and phrase, such as `404 Not Found`.
pub(super) fn named(status: u16) -> String {
    format!("{status} {}", phrase(status)).trim_end().to_owned()
}

/// What sort of failure a status is.
pub(super) const fn kind(status: u16) -> ErrorKind {
    match status {
        404 | 410 => ErrorKind::NotFound,
        408 | 504 => ErrorKind::Timeout,
        429 => ErrorKind::RateLimited,
        // Its own fault, so the same request may succeed later.
        500..=599 => ErrorKind::Unreachable,
        _ => ErrorKind::Failed,
    }
}

/// That the host at this address did not give what was asked for, and what the model may do about it.
pub(super) fn advice(answer: &WebAnswer, url: &str) -> Message {
    let status = named(answer.status);
    match answer.status {
        404 | 410 => Message::new("web-status-gone").with("url", url).with("status", status),
        401..=403 | 407 | 451 => Message::new("web-status-denied").with("url", url).with("status", status),
        429 => wait(answer, url),
        503 if retry_after(answer).is_some() => wait(answer, url),
        408 | 500..=599 => Message::new("web-status-server").with("url", url).with("status", status),
        300..=399 => Message::new("web-status-redirect").with("url", url).with("status", status),
        _ => Message::new("web-status-other").with("url", url).with("status", status),
    }
}

fn wait(answer: &WebAnswer, url: &str) -> Message {
    let status = named(answer.status);
    match retry_after(answer) {
        Some(seconds) => {
            Message::new("web-status-wait").with("url", url).with("status", status).with("seconds", seconds)
        }
        None => Message::new("web-status-limited").with("url", url).with("status", status),
    }
}

/// Seconds of the header `retry-after`. Its other form, a date, says nothing to a model without a clock.
pub(super) fn retry_after(answer: &WebAnswer) -> Option<u32> {
    answer.header("retry-after")?.trim().parse().ok()
}

/// How an answer came about that did not come directly: the addresses that redirected.
pub(super) fn way(answer: &WebAnswer) -> Option<Text> {
    let first = answer.hops.first()?;
    let way = answer.hops.iter().skip(1).chain([&answer.url]).fold(first.clone(), |way, hop| format!("{way} → {hop}"));
    Some(Message::new("web-fetch-redirected").with("way", way).into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn a_code_has_its_phrase_its_kind_and_an_advice() {
        for (status, expected, kind_of, key) in [
            (404, "404 Not Found", ErrorKind::NotFound, "web-status-gone"),
            (410, "410 Gone", ErrorKind::NotFound, "web-status-gone"),
            (403, "403 Forbidden", ErrorKind::Failed, "web-status-denied"),
            (429, "429 Too Many Requests", ErrorKind::RateLimited, "web-status-limited"),
            (500, "500 Internal Server Error", ErrorKind::Unreachable, "web-status-server"),
            (504, "504 Gateway Timeout", ErrorKind::Timeout, "web-status-server"),
            (304, "304 Not Modified", ErrorKind::Failed, "web-status-redirect"),
            (799, "799", ErrorKind::Failed, "web-status-other"),
        ] {
            let answer = palanca_testkit::web::page(status, "text/plain", "");
            assert_eq!((named(status).as_str(), kind(status), advice(&answer, "").key()), (expected, kind_of, key));
        }
    }
}
