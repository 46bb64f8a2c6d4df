//! The span of one request, `http`: to which server, and how it ended. No path, query, header or body.

use palanca_core::call::Method;
use std::fmt::Debug;
use tracing::field::{Empty, debug};
use tracing::{Span, debug_span};

/// Until the head of the answer is there.
pub(crate) fn request(method: Method, host: &str, port: u16) -> Span {
    debug_span!(
        "http",
        http.request.method = method.name(),
        server.address = host,
        server.port = port,
        http.response.status_code = Empty,
        "error.type" = Empty,
    )
}

pub(crate) fn ended(span: &Span, status: Result<u16, &dyn Debug>) {
    match status {
        Ok(status) => {
            span.record("http.response.status_code", status);
        }
        Err(kind) => {
            span.record("error.type", debug(kind));
        }
    }
}
