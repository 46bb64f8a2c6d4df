//! Maps the library's errors to those of the port.

use palanca_core::ports::http::{HttpError, HttpErrorKind, Phase};
use std::error::Error;

/// Scheme, host, port and path: what may be shown of a URL.
pub(crate) fn plain_url(url: &str) -> String {
    let Ok(mut parsed) = reqwest::Url::parse(url) else {
        return url.split(['?', '#', '@']).next().unwrap_or_default().to_owned();
    };
    // ignored: only URLs without a host refuse this, and they hold neither.
    let _ = parsed.set_username("");
    let _ = parsed.set_password(None);
    parsed.set_query(None);
    parsed.set_fragment(None);
    parsed.to_string()
}

/// An error and what caused it, outermost first.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |current| cause(*current))
}

/// An `io::Error` leaves out of `source` the very error that it carries.
fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match error.downcast_ref::<std::io::Error>() {
        Some(io) => io.get_ref().map(|inner| inner as &(dyn Error + 'static)),
        None => error.source(),
    }
}

/// The texts of an error and of what caused it, the same one only once.
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut texts: Vec<String> = Vec::new();
    for cause in causes(error) {
        let text = cause.to_string();
        if !texts.iter().any(|known| known.contains(&text)) {
            texts.push(text);
        }
    }
    texts.join(": ")
}

/// The innermost text: what the system said.
fn innermost(error: &(dyn Error + 'static)) -> String {
    causes(error).last().unwrap_or(error).to_string()
}

pub(crate) fn build_error(url: &str, error: &rustls::Error) -> HttpError {
    HttpError::new(HttpErrorKind::Tls, url, error.to_string())
}

pub(crate) fn timeout_error(url: &str, phase: Phase) -> HttpError {
    let detail = match phase {
        Phase::Connect => "no connection in time",
        Phase::FirstByte => "no answer in time",
        Phase::Idle => "silence in the middle of the answer",
    };
    HttpError::new(HttpErrorKind::Timeout(phase), url, detail)
}

/// An error before the response's head was there.
pub(crate) fn send_error(url: &str, error: reqwest::Error) -> HttpError {
    let error = error.without_url();
    if error.is_timeout() {
        // The only limit that the library itself holds is the one on connecting.
        return timeout_error(url, Phase::Connect);
    }
    let kind = if is_tls(&error) {
        HttpErrorKind::Tls
    } else if error.is_connect() {
        HttpErrorKind::Unreachable
    } else if error.is_builder() {
        HttpErrorKind::InvalidUrl
    } else {
        HttpErrorKind::Interrupted
    };
    HttpError::new(kind, url, innermost(&error))
}

/// An error in the middle of the body.
pub(crate) fn body_error(url: &str, error: reqwest::Error) -> HttpError {
    let error = error.without_url();
    HttpError::new(HttpErrorKind::Interrupted, url, innermost(&error))
}

fn is_tls(error: &(dyn Error + 'static)) -> bool {
    causes(error).any(|cause| cause.is::<rustls::Error>())
}
