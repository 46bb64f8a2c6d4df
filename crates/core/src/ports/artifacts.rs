//! Long texts, stored in full while only their ends are shown.

use super::keeping::StoreFault;
use crate::call::{ArtifactId, CallId, Cancel, Effect, Effects, Scope};
use std::sync::Arc;

/// A text to keep. Secrets are out of it already.
#[derive(Clone, Copy, Debug)]
pub struct NewArtifact<'a> {
    /// Where it belongs: only calls of the same session may read it.
    pub scope: &'a Scope,
    /// The call whose output it is.
    pub call: &'a CallId,
    /// The text, without marks.
    pub text: &'a str,
    /// The source of the text, if it is foreign.
    pub foreign: Option<&'a str>,
}

/// Some of a kept text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtifactPage {
    /// Whole characters.
    pub text: String,
    /// The byte that it begins with.
    pub offset: u64,
    /// Bytes of the whole.
    pub bytes: u64,
    /// The source of the text, if it is foreign.
    pub foreign: Option<String>,
}

/// Keeps long texts: the same text twice is kept once, each only up to a size and for a time. All methods block.
pub trait Artifacts: Send + Sync {
    /// Keeps a text. The name is made from its content.
    ///
    /// # Errors
    /// [`StoreFault::TooLarge`] and why the store cannot be used.
    fn keep(&self, artifact: &NewArtifact<'_>) -> Result<ArtifactId, StoreFault>;

    /// At most `bytes` bytes from `offset` on, moved back to where a character begins; one character at least where there is
    /// any, so that whoever reads on gets to the end.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when this session has none of that name, or no longer.
    fn page(&self, scope: &Scope, id: &ArtifactId, offset: u64, bytes: usize) -> Result<ArtifactPage, StoreFault>;
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoArtifacts;

impl Artifacts for NoArtifacts {
    fn keep(&self, _artifact: &NewArtifact<'_>) -> Result<ArtifactId, StoreFault> {
        Err(StoreFault::Missing { what: "a place for artifacts".to_owned() })
    }

    fn page(&self, _scope: &Scope, id: &ArtifactId, _offset: u64, _bytes: usize) -> Result<ArtifactPage, StoreFault> {
        Err(StoreFault::Missing { what: format!("artifact {id}") })
    }
}

/// Kept texts as one call may read them: those that the permit names, of its own session.
pub struct ArtifactsHandle {
    store: Arc<dyn Artifacts>,
    effects: Arc<Effects>,
    scope: Scope,
    /// Once cancelled, the permit is void.
    cancel: Cancel,
}

impl ArtifactsHandle {
    pub(crate) fn new(store: Arc<dyn Artifacts>, effects: Arc<Effects>, scope: Scope, cancel: Cancel) -> Self {
        Self { store, effects, scope, cancel }
    }

    /// See [`Artifacts::page`].
    ///
    /// # Errors
    /// As there; [`StoreFault::Missing`] for any that was not judged.
    pub fn page(&self, id: &ArtifactId, offset: u64, bytes: usize) -> Result<ArtifactPage, StoreFault> {
        let granted = |effect: &Effect| matches!(effect, Effect::ReadArtifact(granted) if granted == id);
        if self.cancel.is_cancelled() || !self.effects.iter().any(granted) {
            return Err(StoreFault::Missing { what: format!("artifact {id}") });
        }
        self.store.page(&self.scope, id, offset, bytes)
    }
}
