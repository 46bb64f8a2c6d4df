//! A model that turns texts into vectors, so that those of like meaning lie near each other.

use super::doors::{Grant, Handle};
use crate::call::Effect;
use crate::message::Message;
use futures_util::future::BoxFuture;
use std::sync::Arc;

/// The model.
pub trait Embedder: Send + Sync {
    /// What its vectors can be compared with: those of the same name, if they have as many dimensions.
    fn name(&self) -> &str;

    /// One vector for each text, in their order, all of one dimension, of finite numbers. Secrets are taken out of the texts before
    /// they are sent.
    fn embed<'a>(&'a self, texts: &'a [&'a str]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, NoVectors>>;
}

/// Why there are no vectors now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoVectors {
    /// It failed: to be said.
    Failed(Message),
    /// It has failed before, which was said, and is not asked again yet.
    Resting,
    /// These texts are not accepted; others may be.
    Refused(Message),
}

/// The model as one call may use it: a call that may search what a bot remembers.
pub struct EmbedderHandle {
    embedder: Option<Arc<dyn Embedder>>,
    grant: Grant,
}

impl Handle for EmbedderHandle {
    type Port = dyn Embedder;

    fn new(embedder: Option<Arc<dyn Embedder>>, grant: Grant) -> Self {
        Self { embedder, grant }
    }
}

impl EmbedderHandle {
    /// The model; none where none is configured, or the call reads no folder.
    #[must_use]
    pub fn granted(&self) -> Option<&dyn Embedder> {
        let may_search = self.grant.holds(|effect| matches!(effect, Effect::ReadTree(_)));
        self.embedder.as_deref().filter(|_| may_search)
    }
}
