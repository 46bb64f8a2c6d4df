//! Stores whose answers are waited for, so that a test reads like a table.

use palanca_core::Message;
use palanca_core::Scope;
use palanca_core::call::{ArtifactId, SessionId};
use palanca_core::ports::{
    Addition, Answer, ArtifactPage, Artifacts, Claim, EventFilter, EventNumber, Fence, NewArtifact, NewEvent,
    NewSession, Question, Questions, RuleDraft, Ruling, Sequence, SequencedEvent, SessionFilter, SessionSummary,
    Sessions, StoreFault, StoredEvent, StoredMedia, StoredSession, wait,
};

/// A store, and the claim under which a test adds to its sessions. Every method waits for the answer.
#[derive(Debug)]
pub struct Now<'a, S: ?Sized> {
    store: &'a S,
    fence: Fence,
}

/// The store, without a claim.
pub const fn now<S: ?Sized>(store: &S) -> Now<'_, S> {
    Now { store, fence: Fence(0) }
}

impl<'a, S: ?Sized> Now<'a, S> {
    /// The store itself.
    #[must_use]
    pub const fn store(&self) -> &'a S {
        self.store
    }

    /// The same under this claim.
    #[must_use]
    pub fn under(&self, claim: &dyn Claim) -> Self {
        Self { store: self.store, fence: claim.fence() }
    }
}

#[allow(clippy::missing_errors_doc, missing_docs, reason = "as in the port")]
impl<S: Sessions + ?Sized> Now<'_, S> {
    pub fn claim(&self, session: &SessionId) -> Result<Box<dyn Claim>, StoreFault> {
        wait(self.store.claim(session))
    }

    pub fn is_held(&self, session: &SessionId) -> Result<bool, StoreFault> {
        wait(self.store.is_held(session))
    }

    pub fn begin(&self, session: &NewSession) -> Result<EventNumber, StoreFault> {
        wait(self.store.begin(session.clone(), self.fence, Vec::new()))
    }

    pub fn append(
        &self,
        session: &SessionId,
        after: EventNumber,
        events: &[NewEvent],
        summary: Option<&SessionSummary>,
    ) -> Result<EventNumber, StoreFault> {
        wait(self.store.append(Addition {
            session: session.clone(),
            fence: self.fence,
            after,
            events: events.to_vec(),
            summary: summary.cloned(),
        }))
    }

    pub fn events(
        &self,
        session: &SessionId,
        after: EventNumber,
        limit: usize,
    ) -> Result<Vec<StoredEvent>, StoreFault> {
        wait(self.store.events(session, after, limit))
    }

    pub fn happened(
        &self,
        after: Sequence,
        wanted: &EventFilter,
        limit: usize,
    ) -> Result<Vec<SequencedEvent>, StoreFault> {
        wait(self.store.happened(after, wanted, limit))
    }

    pub fn last_of(&self, session: &SessionId, kind: &str) -> Result<Option<StoredEvent>, StoreFault> {
        wait(self.store.last_of(session, kind))
    }

    pub fn session(&self, session: &SessionId) -> Result<Option<StoredSession>, StoreFault> {
        wait(self.store.session(session))
    }

    pub fn sessions(&self, wanted: &SessionFilter) -> Result<Vec<StoredSession>, StoreFault> {
        wait(self.store.sessions(wanted))
    }

    pub fn remove(&self, session: &SessionId) -> Result<(), StoreFault> {
        wait(self.store.remove(session))
    }
}

#[allow(clippy::missing_errors_doc, missing_docs, reason = "as in the port")]
impl<S: Questions + ?Sized> Now<'_, S> {
    pub fn open(&self, question: &mut Question) -> Result<(), Message> {
        wait(self.store.open(question))
    }

    pub fn ruled(&self, question: &Question) -> Result<Option<Ruling>, Message> {
        wait(self.store.ruled(question))
    }

    pub async fn ruling(&self, question: &Question) -> Ruling {
        self.store.ruling(question).await
    }

    pub fn settle(&self, question: &Question, answer: Answer) -> Result<Ruling, Message> {
        wait(self.store.settle(question, answer))
    }

    pub fn spend(&self, question: &Question) -> Result<(), Message> {
        wait(self.store.spend(question))
    }

    pub fn remember(&self, draft: &RuleDraft, question: &Question) -> Result<(), Message> {
        wait(self.store.remember(draft, question))
    }
}

#[allow(clippy::missing_errors_doc, missing_docs, reason = "as in the port")]
impl<S: Artifacts + ?Sized> Now<'_, S> {
    pub fn keep(&self, artifact: &NewArtifact<'_>) -> Result<ArtifactId, StoreFault> {
        wait(self.store.keep(artifact))
    }

    pub fn media(&self, scope: &Scope, id: &ArtifactId) -> Result<StoredMedia, StoreFault> {
        wait(self.store.media(scope, id))
    }

    pub fn page(&self, scope: &Scope, id: &ArtifactId, offset: u64, bytes: usize) -> Result<ArtifactPage, StoreFault> {
        wait(self.store.page(scope, id, offset, bytes))
    }
}
