//! Maps the library's errors to those of the port.

use palanca_core::ports::http::{HttpError, HttpErrorKind, Phase};
use std::error::Error;
use std::io;

/// An error and its causes, outermost first.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |current| cause(*current))
}

/// An `io::Error` omits from `source` the error that it wraps.
fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match error.downcast_ref::<io::Error>() {
        Some(io) => io.get_ref().map(|inner| inner as &(dyn Error + 'static)),
        None => error.source(),
    }
}

/// The texts of an error and its causes, without repetitions.
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

/// The innermost text: the system's message.
fn innermost(error: &(dyn Error + 'static)) -> String {
    causes(error).last().unwrap_or(error).to_string()
}

pub(crate) fn timeout_error(url: &str, phase: Phase) -> HttpError {
    let detail = match phase {
        Phase::Connect => "no connection in time",
        Phase::FirstByte => "no answer in time",
        Phase::Idle => "silence in the middle of the answer",
    };
    HttpError::new(HttpErrorKind::Timeout(phase), url, detail)
}

/// No connection was made.
pub(crate) fn connect_error(url: &str, error: &io::Error) -> HttpError {
    let tls = causes(error).any(|cause| cause.is::<rustls::Error>());
    let kind = if tls { HttpErrorKind::Tls } else { HttpErrorKind::Unreachable };
    HttpError::new(kind, url, innermost(error))
}

/// The connection broke.
pub(crate) fn broken_error(url: &str, error: &hyper::Error) -> HttpError {
    HttpError::new(HttpErrorKind::Interrupted, url, innermost(error))
}
