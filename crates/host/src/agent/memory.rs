//! Where search in memory keeps its indexes: beside the store; nowhere in a dry run, whose notes may be imagined. And the model by which it
//! searches for meaning: one address, asked for nothing but vectors, and left alone for a while after it failed.

use super::{bots, model};
use crate::fault::{Fault, FaultKind};
use crate::workspace::Workspace;
use futures_util::future::BoxFuture;
use palanca_config::{Config, EmbeddingSettings};
use palanca_core::Message;
use palanca_core::gate::GateBuilder;
use palanca_core::ports::{Embedder, MemoryIndexes, NoVectors, Redactor};
use palanca_models::{
    ApiKey, EmbeddingModel, Endpoint, EndpointError, ModelErrorKind, ModelOptions, ModelSpec, Overrides, Provider,
};
use palanca_store::MemoryFiles;
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long a model that failed is left alone.
const REST: Duration = Duration::from_secs(60);

pub(crate) fn indexes(place: &Workspace) -> Arc<dyn MemoryIndexes> {
    let state = place.host.places().state.as_ref();
    Arc::new(state.map_or_else(MemoryFiles::nowhere, |state| MemoryFiles::new(state, place.disk.workspace())))
}

/// The gate of a dry run: an index that is gone afterwards, for which nothing is sent.
pub(crate) fn nowhere(gate: GateBuilder) -> GateBuilder {
    gate.door::<dyn MemoryIndexes>(Arc::new(MemoryFiles::nowhere())).door::<dyn Embedder>(Arc::new(Asleep))
}

/// The gate with its model, where one is configured and what it says can be kept.
///
/// # Errors
/// A name that is none, or one of a provider that makes no vectors; an address that is none; a key that is missing.
pub(super) fn add(
    gate: GateBuilder,
    config: &Config,
    place: &Workspace,
    redactor: &Arc<dyn Redactor>,
) -> Result<GateBuilder, Fault> {
    let (soul, state) = (&config.soul, &place.host.places().state);
    let is_on = soul.enabled && soul.search.enabled && state.is_some() && bots::id(config).is_some();
    let Some(name) = soul.search.embeddings.model.as_deref().filter(|_| is_on) else { return Ok(gate) };
    let spec = name.parse().unwrap_or_else(|_| ModelSpec { provider: Provider::Ollama, name: name.to_owned() });
    let embeddings = Embeddings {
        name: spec.to_string(),
        model: reached(config, &spec)?,
        redactor: Arc::clone(redactor),
        rest: Mutex::new(None),
    };
    Ok(gate.door::<dyn Embedder>(Arc::new(embeddings)))
}

fn reached(config: &Config, spec: &ModelSpec) -> Result<EmbeddingModel, Fault> {
    let EmbeddingSettings { base_url, api_key, timeout, .. } = &config.soul.search.embeddings;
    let own = base_url.clone().or_else(|| model::of_provider(config, spec).api_base);
    let key = api_key.as_ref().map(|key| ApiKey::new(key.reveal()));
    let overrides = Overrides { api_base: own, key, ..Overrides::default() };
    let endpoint = Endpoint::resolve(spec, &overrides, &model::variable).map_err(|error| {
        let kind = match error {
            EndpointError::MissingKey { .. } => FaultKind::Authentication,
            _ => FaultKind::Usage,
        };
        Fault { kind, message: Message::new("embeddings-address").with("reason", error.message()) }
    })?;
    let endpoint = match base_url {
        Some(_) => endpoint.set_by("soul.search.embeddings.baseUrl", "soul.search.embeddings.apiKey"),
        None => endpoint,
    }
    .timed_by("soul.search.embeddings.timeout");
    let http = Arc::new(model::only_to(endpoint.base()));
    let options = ModelOptions { timeout: Duration::from_millis(*timeout), ..ModelOptions::default() };
    let unable = || Fault::said(Message::new("embeddings-provider").with("model", spec.to_string()));
    EmbeddingModel::new(spec.provider, endpoint, http, options).ok_or_else(unable)
}

struct Embeddings {
    name: String,
    model: EmbeddingModel,
    redactor: Arc<dyn Redactor>,
    /// Until when, since it failed.
    rest: Mutex<Option<Instant>>,
}

impl Embedder for Embeddings {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed<'a>(&'a self, texts: &'a [&'a str]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, NoVectors>> {
        Box::pin(async move {
            let before = *self.rest.lock();
            if before.is_some_and(|until| Instant::now() < until) {
                return Err(NoVectors::Resting);
            }
            let texts: Vec<_> = texts.iter().map(|text| self.redactor.redact(text)).collect();
            let error = match self.model.embed(&texts).await {
                Ok(vectors) => {
                    *self.rest.lock() = None;
                    return Ok(vectors);
                }
                Err(error) => error,
            };
            let is_refused = matches!(error.status(), Some(400 | 413 | 422));
            if is_refused || error.kind() == ModelErrorKind::ContextTooLong {
                return Err(NoVectors::Refused(error.message()));
            }
            *self.rest.lock() = Some(Instant::now() + REST);
            Err(if before.is_some() { NoVectors::Resting } else { NoVectors::Failed(error.message()) })
        })
    }
}

/// Asks nobody.
struct Asleep;

impl Embedder for Asleep {
    fn name(&self) -> &str {
        ""
    }

    fn embed<'a>(&'a self, _: &'a [&'a str]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, NoVectors>> {
        Box::pin(std::future::ready(Err(NoVectors::Resting)))
    }
}
