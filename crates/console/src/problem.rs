//! What a request is told when it cannot be done: a sentence in its language, as JSON (RFC 9457) or as a page.

use axum::http::header::{CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use palanca_core::Message;
use palanca_core::ports::StoreFault;
use palanca_host::{Fault, FaultKind};
use palanca_store::StoreError;
use serde_json::{Map, Value};
use std::ops::Deref;

use crate::language::Tongue;

/// What a request is told. In a box, because most requests are told nothing.
#[derive(Clone, Debug)]
pub(crate) struct Problem(Box<Told>);

#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) status: StatusCode,
    /// A stable name.
    pub(crate) code: &'static str,
    pub(crate) message: Message,
    /// More for programs.
    more: Map<String, Value>,
}

impl Deref for Problem {
    type Target = Told;

    fn deref(&self) -> &Told {
        &self.0
    }
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: Message) -> Self {
        Self(Box::new(Told { status, code, message, more: Map::new() }))
    }

    /// The request itself is wrong.
    pub(crate) fn wrong(message: Message) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    pub(crate) fn missing(message: Message) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(crate) fn stranger() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", Message::new("console-stranger"))
    }

    pub(crate) fn no_method(method: &Method) -> Self {
        let message = Message::new("console-no-method").with("method", method.as_str());
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
    }

    /// Work that was cut off.
    pub(crate) fn stopping() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", Message::new("console-stopping"))
    }

    /// What was asked for cannot be; not because of a fault of the machine.
    pub(crate) fn refused(fault: Fault) -> Self {
        if fault.kind == FaultKind::Usage { Self::wrong(fault.message) } else { fault.into() }
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.more.insert(name.to_owned(), value.into());
        self
    }

    /// For programs.
    pub(crate) fn json(&self, tongue: Tongue) -> Response {
        let mut body = Map::new();
        body.insert("type".into(), format!("urn:palanca:problem:{}", self.code).into());
        body.insert("title".into(), self.status.canonical_reason().unwrap_or_default().into());
        body.insert("status".into(), self.status.as_u16().into());
        body.insert("detail".into(), tongue.say(&self.message).into());
        body.extend(self.more.clone());
        let mut answer = (self.status, Value::Object(body).to_string()).into_response();
        answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        answer
    }
}

/// Without words: they are put in where the request's language is known.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut answer = self.status.into_response();
        answer.extensions_mut().insert(self);
        answer
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "store", error.message())
    }
}

impl From<StoreFault> for Problem {
    fn from(fault: StoreFault) -> Self {
        let (status, code) = match fault {
            StoreFault::Missing { .. } => (StatusCode::NOT_FOUND, "not_found"),
            StoreFault::Held { .. } | StoreFault::Moved { .. } => (StatusCode::CONFLICT, "busy"),
            _ => (StatusCode::SERVICE_UNAVAILABLE, "store"),
        };
        Self::new(status, code, fault.message())
    }
}

/// What is wrong with a bot or the machine is not the request's fault.
impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let code = match fault.kind {
            FaultKind::Usage => "configuration",
            FaultKind::Authentication => "model_authentication",
            FaultKind::Machine => "machine",
        };
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, code, fault.message)
    }
}
