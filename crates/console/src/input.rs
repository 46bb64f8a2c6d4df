//! What a request brings, read strictly: an unknown field is an error that names the nearest one.

use crate::problem::Problem;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use palanca_config::closest;
use palanca_core::Message;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Bytes of a body; the listener has a limit of its own.
const BODY: usize = 1 << 20;

/// Rows of a page, and the most that may be asked for.
const ROWS: usize = 50;
const MOST: usize = 200;

/// The JSON object of a request, which has no other fields than these.
pub(crate) async fn object(request: Request, fields: &[&'static str]) -> Result<Map<String, Value>, Problem> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        let message = Message::new("console-not-json").with("type", kind);
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", message));
    }
    let body = to_bytes(request.into_body(), BODY).await.map_err(|_| {
        let message = Message::new("console-body").with("limit", BODY);
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body", message)
    })?;
    let unread = |reason: String| Problem::wrong(Message::new("console-bad-json").with("reason", reason));
    let value: Value = serde_json::from_slice(&body).map_err(|error| unread(error.to_string()))?;
    let Value::Object(object) = value else {
        return Err(Problem::wrong(Message::new("console-no-object")));
    };
    known(object.keys().map(String::as_str), fields)?;
    Ok(object)
}

/// Whether all of these are fields.
pub(crate) fn known<'k>(mut given: impl Iterator<Item = &'k str>, fields: &[&'static str]) -> Result<(), Problem> {
    let Some(unknown) = given.find(|name| !fields.contains(name)) else { return Ok(()) };
    let near = closest(unknown, fields.iter().copied()).map_or_else(|| fields.join(", "), str::to_owned);
    let message = Message::new("console-unknown-field").with("field", unknown).with("near", near);
    Err(Problem::wrong(message).with("field", unknown))
}

/// A text that must be there.
pub(crate) fn text<'o>(object: &'o Map<String, Value>, field: &'static str) -> Result<&'o str, Problem> {
    match object.get(field) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(Problem::wrong(Message::new("console-no-text").with("field", field))),
        None => Err(Problem::wrong(Message::new("console-field-missing").with("field", field))),
    }
}

/// The same where it need not.
pub(crate) fn perhaps<'o>(object: &'o Map<String, Value>, field: &'static str) -> Result<Option<&'o str>, Problem> {
    match object.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(_) => text(object, field).map(Some),
    }
}

/// The parameters of an address.
pub(crate) type Parameters = BTreeMap<String, String>;

/// How many rows of a list are wanted.
pub(crate) fn rows(parameters: &Parameters) -> Result<usize, Problem> {
    let Some(limit) = parameters.get("limit") else { return Ok(ROWS) };
    let wrong = || Problem::wrong(Message::new("console-bad-limit").with("most", MOST));
    limit.parse().ok().filter(|rows| (1..=MOST).contains(rows)).ok_or_else(wrong)
}

/// A cursor that is none.
pub(crate) fn bad_cursor() -> Problem {
    Problem::wrong(Message::new("console-bad-cursor"))
}
