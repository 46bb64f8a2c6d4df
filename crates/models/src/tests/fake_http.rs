//! An HTTP port that returns prepared answers and records requests.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use crate::endpoint::{ApiKey, Endpoint, Overrides};
use crate::live::{HttpModel, ModelOptions};
use crate::retry::Pacer;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream;
use palanca_core::ports::http::{Header, Http, HttpError, HttpErrorKind, HttpRequest, HttpResponse};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One prepared answer.
pub(crate) enum Play {
    /// Status, headers, body.
    Answer(u16, Vec<Header>, Vec<u8>),
    /// The body, followed by this.
    Breaks(Vec<u8>, HttpErrorKind),
    /// Only this error.
    Fails(HttpErrorKind),
}

impl Play {
    pub(crate) fn events(body: &str) -> Self {
        let kind = Header::new("Content-Type", "text/event-stream");
        Self::Answer(200, vec![kind], body.as_bytes().to_vec())
    }

    pub(crate) fn json(status: u16, body: &str) -> Self {
        let kind = Header::new("content-type", "application/json; charset=utf-8");
        Self::Answer(status, vec![kind], body.as_bytes().to_vec())
    }
}

#[derive(Default)]
pub(crate) struct FakeHttp {
    plays: Mutex<VecDeque<Play>>,
    pub(crate) asked: Mutex<Vec<Value>>,
    chunk: usize,
}

impl FakeHttp {
    pub(crate) fn new(plays: impl IntoIterator<Item = Play>, chunk: usize) -> Arc<Self> {
        Arc::new(Self { plays: Mutex::new(plays.into_iter().collect()), asked: Mutex::default(), chunk })
    }

    pub(crate) fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

fn error(kind: HttpErrorKind) -> HttpError {
    HttpError::new(kind, "http://fake/", "the fake says so")
}

impl Http for FakeHttp {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        let body = serde_json::from_slice(&request.body).unwrap_or_default();
        self.asked.lock().unwrap().push(body);
        let play = self.plays.lock().unwrap().pop_front().expect("one more answer");
        let (status, headers, body, end) = match play {
            Play::Answer(status, headers, body) => (status, headers, body, None),
            Play::Breaks(body, kind) => (200, Vec::new(), body, Some(kind)),
            Play::Fails(kind) => return Box::pin(std::future::ready(Err(error(kind)))),
        };
        let mut pieces: Vec<Result<Bytes, HttpError>> =
            body.chunks(self.chunk).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
        pieces.extend(end.map(|kind| Err(error(kind))));
        Box::pin(std::future::ready(Ok(HttpResponse { status, headers, body: Box::pin(stream::iter(pieces)) })))
    }
}

/// Records the pauses instead of waiting.
#[derive(Default)]
pub(crate) struct FakePacer {
    pub(crate) pauses: Mutex<Vec<Duration>>,
}

impl Pacer for FakePacer {
    fn sleep(&self, pause: Duration) -> BoxFuture<'static, ()> {
        self.pauses.lock().unwrap().push(pause);
        Box::pin(std::future::ready(()))
    }

    fn jitter(&self) -> f64 {
        0.0
    }
}

/// A model on the fake port.
pub(crate) fn model(spec: &str, http: &Arc<FakeHttp>, pacer: &Arc<FakePacer>) -> HttpModel {
    let overrides = Overrides {
        api_base: Some("http://fake".to_owned()),
        key: Some(ApiKey::new("sk-Secret1")),
        ..Overrides::default()
    };
    let endpoint = Endpoint::resolve(&spec.parse().unwrap(), &overrides, &|_| None).unwrap();
    let options = ModelOptions { pacer: Arc::clone(pacer) as Arc<dyn Pacer>, ..ModelOptions::default() };
    HttpModel::new(endpoint, Arc::clone(http) as Arc<dyn Http>, options)
}
