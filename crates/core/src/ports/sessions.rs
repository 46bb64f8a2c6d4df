//! Stored sessions: append-only rows of events, and one summary row per session.
//!
//! The writer owns the meaning of an event; a store keeps it complete and in order. Nothing here depends on one kind of
//! database, so that several processes, or several machines, can share one.

use super::keeping::StoreFault;
use crate::call::{CallId, Scope, SessionId};
use serde::{Deserialize, Serialize};

/// Names an event within its session: the first is 1, each is one more than the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventNumber(pub u64);

/// An event that is to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// What kind of event; a short stable name.
    pub kind: &'static str,
    /// The call that it is about, where it is about one.
    pub call: Option<CallId>,
    /// The event itself as JSON, opaque to all but its writer.
    pub body: String,
}

/// An event as it was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its place.
    pub number: EventNumber,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// What kind of event.
    pub kind: String,
    /// The call that it is about.
    pub call: Option<CallId>,
    /// The event itself as JSON.
    pub body: String,
}

/// A session as it begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSession {
    /// Where it belongs; the session's own id is in it.
    pub scope: Scope,
    /// The session whose agent started it.
    pub parent: Option<SessionId>,
    /// The workspace's absolute path.
    pub workspace: Option<String>,
    /// What is to be done; at most a few hundred characters.
    pub task: String,
    /// The agent.
    pub agent: String,
    /// The model, as it was named; none for single calls.
    pub model: Option<String>,
    /// Milliseconds since 1970.
    pub started_ms: u64,
}

/// How a session stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// A run of it goes on. The row of a session whose process was killed stays so: [`Sessions::is_held`] tells.
    #[default]
    Running,
    /// The model said that it was done.
    Success,
    /// A limit or a person ended it before.
    Partial,
    /// The model, or the place where the session is kept, could not be used.
    Failed,
    /// Its process was killed. Never in a row.
    Interrupted,
}

impl SessionStatus {
    const ALL: [Self; 5] = [Self::Running, Self::Success, Self::Partial, Self::Failed, Self::Interrupted];

    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Success => "success",
            Self::Partial => "partial",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// The status of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// How a session stands, beside its events. Changed together with the events that change it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionSummary {
    /// How it stands.
    pub status: SessionStatus,
    /// Why it ended, when it did.
    pub stop_reason: Option<String>,
    /// Model calls so far.
    pub steps: u32,
    /// Tool calls so far.
    pub calls: u32,
    /// Tokens in and out so far.
    pub tokens: u64,
    /// Dollars so far; none where a price was not known.
    pub dollars: Option<f64>,
}

/// One row of the list of sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSession {
    /// How it began.
    pub began: NewSession,
    /// How it stands.
    pub summary: SessionSummary,
    /// Its last event.
    pub last: EventNumber,
    /// When it last changed, in milliseconds since 1970.
    pub updated_ms: u64,
}

/// Whose sessions are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Everybody's.
    #[default]
    Any,
    /// Those that a person started, not a subagent's.
    Top,
    /// Those that this session's agents started.
    Below(SessionId),
}

/// Which sessions are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFilter {
    /// Only those of this workspace.
    pub workspace: Option<String>,
    /// Only those of this level.
    pub level: Level,
    /// Only those that last changed before, in milliseconds since 1970.
    pub before_ms: Option<u64>,
    /// At most so many.
    pub limit: Option<usize>,
}

/// Held while a process works on a session. Dropped, or when its process dies, another one may take it.
pub trait Claim: Send + Sync {}

/// Keeps sessions. All methods block.
pub trait Sessions: Send + Sync {
    /// Takes a session to work on it: only one process at a time can. Needs no session of that name.
    ///
    /// # Errors
    /// [`StoreFault::Held`] while another process has it.
    fn claim(&self, session: &SessionId) -> Result<Box<dyn Claim>, StoreFault>;

    /// Whether a process works on a session at this moment. Never gets in the way of one that begins to.
    ///
    /// # Errors
    /// Why that cannot be told.
    fn is_held(&self, session: &SessionId) -> Result<bool, StoreFault>;

    /// Keeps a new session without events.
    ///
    /// # Errors
    /// [`StoreFault::Exists`] when there is one of that name.
    fn begin(&self, session: &NewSession, summary: &SessionSummary) -> Result<(), StoreFault>;

    /// Keeps a new session with its first event, both or none: a session without one tells nobody how to go on with it.
    ///
    /// # Errors
    /// [`StoreFault::Exists`] when there is one of that name.
    fn begin_with(
        &self,
        session: &NewSession,
        summary: &SessionSummary,
        event: &NewEvent,
    ) -> Result<EventNumber, StoreFault> {
        self.begin(session, summary)?;
        self.append(&session.scope.session, EventNumber(0), std::slice::from_ref(event), None)
    }

    /// Adds events after the event `after`, all or none, and sets how the session stands if that is given. Once this
    /// returns they survive the death of the process. Costs the same however many there are already.
    ///
    /// # Errors
    /// [`StoreFault::Moved`] when `after` is not the last event: somebody else has added some. [`StoreFault::Missing`]
    /// when there is no such session.
    fn append(
        &self,
        session: &SessionId,
        after: EventNumber,
        events: &[NewEvent],
        summary: Option<&SessionSummary>,
    ) -> Result<EventNumber, StoreFault>;

    /// At most `limit` events after `after`, in order.
    ///
    /// # Errors
    /// Why they cannot be read. A session that is not there has none.
    fn events(&self, session: &SessionId, after: EventNumber, limit: usize) -> Result<Vec<StoredEvent>, StoreFault>;

    /// The last event of this kind.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn last_of(&self, session: &SessionId, kind: &str) -> Result<Option<StoredEvent>, StoreFault>;

    /// One session.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn session(&self, session: &SessionId) -> Result<Option<StoredSession>, StoreFault>;

    /// Sessions, the one that changed last first.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn sessions(&self, wanted: &SessionFilter) -> Result<Vec<StoredSession>, StoreFault>;

    /// Forgets a session with its events and its artifacts. One that is not there is forgotten already.
    ///
    /// # Errors
    /// [`StoreFault::Held`] while a process works on it.
    fn remove(&self, session: &SessionId) -> Result<(), StoreFault>;
}
