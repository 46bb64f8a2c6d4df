//! A model behind HTTP: one endpoint, one wire format, retries, and the fallback for servers that ignore tools.
//!
//! Whether the server supports or ignores tools is remembered for the life of the [`HttpModel`], so a run detects it
//! once.

mod embeddings;
mod failure;
mod probe;
mod reading;
mod turn;

#[cfg(test)]
mod tests;

pub use embeddings::EmbeddingModel;

use crate::embedded::Fences;
use crate::endpoint::Endpoint;
use crate::model::{EventStream, Model};
use crate::request::{ModelRequest, PromptCaching};
use crate::retry::{Pacer, RetryPolicy, TokioPacer};
use crate::senses::{Takes, Vision};
use crate::wire::Dialect;
use bytes::Bytes;
use futures_util::stream;
use palanca_core::ports::http::{Http, HttpRequest, HttpTimeouts, Method};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use turn::Turn;

/// What to assume about a server's tool support.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ToolSupport {
    /// They work, unless the server refuses them.
    #[default]
    Detect,
    /// They work; nothing is checked.
    Native,
    /// They are ignored: the constrained form is used from the first request on.
    Constrained,
}

/// Options of model requests.
#[derive(Clone)]
pub struct ModelOptions {
    /// How long to wait for the answer's first byte, and then between pieces of it.
    pub timeout: Duration,
    /// When to retry.
    pub retry: RetryPolicy,
    /// Whether the prompt is marked for caching.
    pub caching: PromptCaching,
    /// What to assume about the server's tool support.
    pub tools: ToolSupport,
    /// Whether the model is shown images.
    pub vision: Vision,
    /// Time for retries.
    pub pacer: Arc<dyn Pacer>,
}

impl Default for ModelOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(60),
            retry: RetryPolicy::default(),
            caching: PromptCaching::default(),
            tools: ToolSupport::Detect,
            vision: Vision::Auto,
            pacer: Arc::new(TokioPacer),
        }
    }
}

impl fmt::Debug for ModelOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelOptions")
            .field("timeout", &self.timeout)
            .field("retry", &self.retry)
            .field("caching", &self.caching)
            .field("tools", &self.tools)
            .field("vision", &self.vision)
            .finish_non_exhaustive()
    }
}

/// A model behind HTTP.
pub struct HttpModel {
    endpoint: Endpoint,
    url: String,
    http: Arc<dyn Http>,
    options: ModelOptions,
    takes: Takes,
    learnt: AtomicU8,
}

/// The detected tool support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Learnt {
    Nothing,
    /// The server seems to ignore them, and the user was told.
    Doubtful,
    Works,
    Ignores,
    /// As [`Learnt::Ignores`], and the user was told.
    IgnoresAndSaid,
}

impl HttpModel {
    /// A model at this endpoint. Nothing is sent yet.
    #[must_use]
    pub fn new(endpoint: Endpoint, http: Arc<dyn Http>, options: ModelOptions) -> Self {
        let learnt = match options.tools {
            ToolSupport::Detect => Learnt::Nothing,
            ToolSupport::Native => Learnt::Works,
            ToolSupport::Constrained => Learnt::Ignores,
        };
        let model = Self {
            url: format!("{}{}", endpoint.base, endpoint.wire.path()),
            takes: Takes::of(&endpoint, options.vision),
            endpoint,
            http,
            options,
            learnt: AtomicU8::new(0),
        };
        model.learn(learnt);
        model
    }

    /// Its endpoint.
    #[must_use]
    pub const fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    fn learnt(&self) -> Learnt {
        match self.learnt.load(Ordering::Relaxed) {
            0 => Learnt::Nothing,
            1 => Learnt::Works,
            2 => Learnt::Ignores,
            4 => Learnt::Doubtful,
            _ => Learnt::IgnoresAndSaid,
        }
    }

    fn learn(&self, learnt: Learnt) {
        let code = match learnt {
            Learnt::Nothing => 0,
            Learnt::Works => 1,
            Learnt::Ignores => 2,
            Learnt::IgnoresAndSaid => 3,
            Learnt::Doubtful => 4,
        };
        self.learnt.store(code, Ordering::Relaxed);
    }

    /// A server that supports tools returns native calls; fenced calls there are examples.
    fn fences(&self) -> Fences {
        if self.learnt() == Learnt::Works { Fences::Quote } else { Fences::Count }
    }

    fn dialect(&self) -> Dialect {
        if self.endpoint.is_official() { Dialect::Official } else { Dialect::Compatible }
    }

    fn http_request(&self, body: Bytes) -> HttpRequest {
        HttpRequest {
            method: Method::Post,
            url: self.url.clone(),
            headers: self.endpoint.wire.headers(self.endpoint.key.as_ref()),
            body,
            timeouts: HttpTimeouts::all(self.options.timeout),
        }
    }
}

impl fmt::Debug for HttpModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpModel")
            .field("endpoint", &self.endpoint)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Model for HttpModel {
    fn name(&self) -> &str {
        &self.endpoint.place.model
    }

    fn stream<'a>(&'a self, request: ModelRequest<'a>) -> EventStream<'a> {
        let turn = Turn::new(self, request);
        Box::pin(stream::unfold(turn, |mut turn| async move { turn.next().await.map(|event| (event, turn)) }))
    }
}
