//! What the pages look like, and the script.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

pub(super) async fn style() -> Response {
    sent("text/css; charset=utf-8", include_str!("../../assets/console.css"))
}

pub(super) async fn script() -> Response {
    sent("text/javascript; charset=utf-8", include_str!("../../assets/console.js"))
}

pub(super) async fn icon() -> Response {
    sent("image/svg+xml", include_str!("../../assets/icon.svg"))
}

/// Their addresses name the version.
fn sent(kind: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "max-age=3600")], text).into_response()
}
