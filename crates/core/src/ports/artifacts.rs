//! Long texts, stored in full while only their ends are shown, and images and audio that were shown.

use super::doors::{Grant, Handle};
use super::keeping::StoreFault;
use super::pending::Pending;
use crate::call::{ArtifactId, CallId, Effect, Media, Scope};
use std::sync::Arc;

/// A text, already redacted, or media to store.
#[derive(Clone, Copy, Debug)]
pub struct NewArtifact<'a> {
    /// Where it belongs: only calls of the same session may read it.
    pub scope: &'a Scope,
    /// The call whose output it is.
    pub call: &'a CallId,
    /// What is stored.
    pub content: NewContent<'a>,
    /// Its source, if it is foreign.
    pub foreign: Option<&'a str>,
}

/// What an artifact holds.
#[derive(Clone, Copy, Debug)]
pub enum NewContent<'a> {
    /// A text, without marks.
    Text(&'a str),
    /// Bytes with their media type: an image, audio, an embedded resource.
    Media(&'a Media),
}

impl<'a> NewContent<'a> {
    /// The bytes.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Media(media) => media.bytes(),
        }
    }

    /// The media type; none for a text.
    #[must_use]
    pub fn media_type(self) -> Option<&'a str> {
        match self {
            Self::Text(_) => None,
            Self::Media(media) => Some(media.media_type()),
        }
    }
}

/// Stored bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMedia {
    /// The bytes with their media type.
    pub media: Media,
    /// Their source, if they are foreign.
    pub foreign: Option<String>,
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

/// Stores long texts and media: equal ones once, each up to a maximum size and for a limited time.
pub trait Artifacts: Send + Sync {
    /// Stores a text or media. Its name is made from its content, and from the media type, if it has one: no text has the name of
    /// media.
    ///
    /// # Errors
    /// [`StoreFault::TooLarge`] and why the store cannot be used.
    fn keep(&self, artifact: &NewArtifact<'_>) -> Pending<Result<ArtifactId, StoreFault>>;

    /// At most `bytes` bytes from `offset` on, moved back to a character boundary; at least one character if there is
    /// any, so that reading page by page reaches the end.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when this session has none of that name, or no longer; [`StoreFault::NotText`] for media.
    fn page(
        &self,
        scope: &Scope,
        id: &ArtifactId,
        offset: u64,
        bytes: usize,
    ) -> Pending<Result<ArtifactPage, StoreFault>>;

    /// All bytes of stored media.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when this session has no media of that name, or no longer.
    fn media(&self, scope: &Scope, id: &ArtifactId) -> Pending<Result<StoredMedia, StoreFault>>;
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoArtifacts;

impl Artifacts for NoArtifacts {
    fn keep(&self, _artifact: &NewArtifact<'_>) -> Pending<Result<ArtifactId, StoreFault>> {
        Pending::now(Err(StoreFault::Missing { what: "a place for artifacts".to_owned() }))
    }

    fn page(
        &self,
        _scope: &Scope,
        id: &ArtifactId,
        _offset: u64,
        _bytes: usize,
    ) -> Pending<Result<ArtifactPage, StoreFault>> {
        Pending::now(Err(StoreFault::Missing { what: format!("artifact {id}") }))
    }

    fn media(&self, _scope: &Scope, id: &ArtifactId) -> Pending<Result<StoredMedia, StoreFault>> {
        Pending::now(Err(StoreFault::Missing { what: format!("artifact {id}") }))
    }
}

/// Stored texts as one call may read them: those named by the permit, of its own session.
pub struct ArtifactsHandle {
    store: Arc<dyn Artifacts>,
    grant: Grant,
}

impl Handle for ArtifactsHandle {
    type Port = dyn Artifacts;

    fn new(store: Option<Arc<dyn Artifacts>>, grant: Grant) -> Self {
        Self { store: store.unwrap_or_else(|| Arc::new(NoArtifacts)), grant }
    }
}

impl ArtifactsHandle {
    /// See [`Artifacts::page`].
    ///
    /// # Errors
    /// As there; [`StoreFault::Missing`] for any text that was not judged.
    pub async fn page(&self, id: &ArtifactId, offset: u64, bytes: usize) -> Result<ArtifactPage, StoreFault> {
        self.judged(id)?;
        self.store.page(self.grant.scope(), id, offset, bytes).await
    }

    /// See [`Artifacts::media`].
    ///
    /// # Errors
    /// As there; [`StoreFault::Missing`] for any that were not judged.
    pub async fn media(&self, id: &ArtifactId) -> Result<StoredMedia, StoreFault> {
        self.judged(id)?;
        self.store.media(self.grant.scope(), id).await
    }

    fn judged(&self, id: &ArtifactId) -> Result<(), StoreFault> {
        if self.grant.holds(|effect| matches!(effect, Effect::ReadArtifact(granted) if granted == id)) {
            return Ok(());
        }
        Err(StoreFault::Missing { what: format!("artifact {id}") })
    }
}
