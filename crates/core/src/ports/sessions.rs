//! Stored sessions: append-only rows of events, and one summary row per session.
//!
//! The writer owns the meaning of an event; a store keeps events complete and in order. Nothing here depends on one
//! kind of database, so that several processes, or several machines, can share one.

use super::keeping::StoreFault;
use crate::call::{CallId, Scope, SessionId};
use serde::{Deserialize, Serialize};

/// The number of an event within its session, from 1, without gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventNumber(pub u64);

/// An event to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// What kind of event; a short stable name.
    pub kind: &'static str,
    /// The call that it concerns, if any.
    pub call: Option<CallId>,
    /// The event itself as JSON; only its writer interprets it.
    pub body: String,
}

/// A stored event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its number.
    pub number: EventNumber,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// What kind of event.
    pub kind: String,
    /// The call that it concerns.
    pub call: Option<CallId>,
    /// The event itself as JSON.
    pub body: String,
}

/// A new session.
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

/// The status of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// A run is in progress. The row of a session whose process was killed keeps this status; [`Sessions::is_held`]
    /// tells the difference.
    #[default]
    Running,
    /// The model finished.
    Success,
    /// A limit or a person ended it early.
    Partial,
    /// The model or the session store could not be used.
    Failed,
    /// Its process was killed. Never stored in a row.
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

/// The current state of a session, stored next to its events and updated together with them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionSummary {
    /// Its current state.
    pub status: SessionStatus,
    /// Why it ended, if it has.
    pub stop_reason: Option<String>,
    /// Model calls so far.
    pub steps: u32,
    /// Tool calls so far.
    pub calls: u32,
    /// Tokens in and out so far.
    pub tokens: u64,
    /// Dollars so far; none if a price was unknown.
    pub dollars: Option<f64>,
}

/// One row of the list of sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSession {
    /// Its beginning.
    pub began: NewSession,
    /// Its current state.
    pub summary: SessionSummary,
    /// Its last event.
    pub last: EventNumber,
    /// When it last changed, in milliseconds since 1970.
    pub updated_ms: u64,
}

/// Which sessions by parentage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// All.
    #[default]
    Any,
    /// Those started by a person, not by a subagent.
    Top,
    /// Those started by this session's agents.
    Below(SessionId),
}

/// A filter on sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFilter {
    /// Only those of this workspace.
    pub workspace: Option<String>,
    /// Only those of this level.
    pub level: Level,
    /// Only those that last changed before, in milliseconds since 1970.
    pub before_ms: Option<u64>,
    /// At most this many.
    pub limit: Option<usize>,
}

/// Held while a process works on a session. Released when dropped or when the process dies.
pub trait Claim: Send + Sync {}

/// Stores sessions. All methods block.
pub trait Sessions: Send + Sync {
    /// Claims a session for this process: only one process at a time can. The session need not exist.
    ///
    /// # Errors
    /// [`StoreFault::Held`] while another process has claimed it.
    fn claim(&self, session: &SessionId) -> Result<Box<dyn Claim>, StoreFault>;

    /// Whether a process works on a session at this moment. Never blocks a process that begins to.
    ///
    /// # Errors
    /// Why this cannot be determined.
    fn is_held(&self, session: &SessionId) -> Result<bool, StoreFault>;

    /// Stores a new session without events.
    ///
    /// # Errors
    /// [`StoreFault::Exists`] if one of that name exists.
    fn begin(&self, session: &NewSession, summary: &SessionSummary) -> Result<(), StoreFault>;

    /// Stores a new session with its first event, both or neither: a session without events could not be resumed.
    ///
    /// # Errors
    /// [`StoreFault::Exists`] if one of that name exists.
    fn begin_with(
        &self,
        session: &NewSession,
        summary: &SessionSummary,
        event: &NewEvent,
    ) -> Result<EventNumber, StoreFault> {
        self.begin(session, summary)?;
        self.append(&session.scope.session, EventNumber(0), std::slice::from_ref(event), None)
    }

    /// Adds events after the event `after`, all or none, and updates the summary if one is given. Once this returns
    /// they survive the death of the process. The cost does not depend on the number of stored events.
    ///
    /// # Errors
    /// [`StoreFault::Moved`] if `after` is not the last event, because another writer has added some.
    /// [`StoreFault::Missing`] if there is no such session.
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
    /// Why they cannot be read. A missing session has none.
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

    /// Sessions, the most recently changed first.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn sessions(&self, wanted: &SessionFilter) -> Result<Vec<StoredSession>, StoreFault>;

    /// Removes a session with its events and its artifacts. Removing a missing one succeeds.
    ///
    /// # Errors
    /// [`StoreFault::Held`] while a process works on it.
    fn remove(&self, session: &SessionId) -> Result<(), StoreFault>;
}
