//! Long texts, stored in full while only their ends are shown.

use super::keeping::StoreFault;
use crate::call::{ArtifactId, CallId, Cancel, Effect, Effects, Scope};
use std::sync::Arc;

/// A text to store, already redacted.
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

/// A page of a stored text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtifactPage {
    /// Whole characters.
    pub text: String,
    /// The byte at which it begins.
    pub offset: u64,
    /// Length of the whole text in bytes.
    pub bytes: u64,
    /// The source of the text, if it is foreign.
    pub foreign: Option<String>,
}

/// Stores long texts: equal texts once, each up to a maximum size and for a limited time. All methods block.
pub trait Artifacts: Send + Sync {
    /// Stores a text. Its name is made from its content.
    ///
    /// # Errors
    /// [`StoreFault::TooLarge`] and why the store cannot be used.
    fn keep(&self, artifact: &NewArtifact<'_>) -> Result<ArtifactId, StoreFault>;

    /// At most `bytes` bytes from `offset` on, moved back to a character boundary; at least one character if there is
    /// any, so that reading page by page reaches the end.
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

/// Stored texts as one call may read them: those named by the permit, of its own session.
pub struct ArtifactsHandle {
    store: Arc<dyn Artifacts>,
    effects: Arc<Effects>,
    scope: Scope,
    /// Once cancelled, the permit is void.
    cancel: Arc<Cancel>,
}

impl ArtifactsHandle {
    pub(crate) fn new(store: Arc<dyn Artifacts>, effects: Arc<Effects>, scope: Scope, cancel: Arc<Cancel>) -> Self {
        Self { store, effects, scope, cancel }
    }

    /// See [`Artifacts::page`].
    ///
    /// # Errors
    /// As there; [`StoreFault::Missing`] for any text that was not judged.
    pub fn page(&self, id: &ArtifactId, offset: u64, bytes: usize) -> Result<ArtifactPage, StoreFault> {
        let granted = |effect: &Effect| matches!(effect, Effect::ReadArtifact(granted) if granted == id);
        if self.cancel.is_cancelled() || !self.effects.iter().any(granted) {
            return Err(StoreFault::Missing { what: format!("artifact {id}") });
        }
        self.store.page(&self.scope, id, offset, bytes)
    }
}
