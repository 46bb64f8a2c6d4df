//! Stored sessions: append-only rows of events, and one summary row per session.
//!
//! The writer owns the meaning of an event; a store keeps events complete and in order. Nothing here depends on one
//! kind of database, so that several processes, or several machines, can share one.

use super::keeping::StoreFault;
use super::pending::Pending;
use crate::call::{BotId, CallId, ChannelId, ChatId, Scope, SessionId};
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

/// The place of an event among those of all sessions, in the order in which they were stored; from 1, with gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sequence(pub u64);

/// An event among those of all sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequencedEvent {
    /// Its place.
    pub sequence: Sequence,
    /// Where it happened.
    pub scope: Scope,
    /// The event.
    pub event: StoredEvent,
}

/// A filter on events of all sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Only those of this session.
    pub session: Option<SessionId>,
    /// Only those of this bot.
    pub bot: Option<BotId>,
    /// Only those of this chat.
    pub chat: Option<ChatId>,
    /// Only those of this channel.
    pub channel: Option<ChannelId>,
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

impl StoredSession {
    /// Where the list goes on after this one.
    #[must_use]
    pub fn cursor(&self) -> SessionCursor {
        SessionCursor { updated_ms: self.updated_ms, session: self.began.scope.session.clone() }
    }
}

/// A place in the list of sessions. It stays right while sessions are added and removed; one that changes meanwhile moves to the
/// beginning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SessionCursor {
    /// When the session last changed, in milliseconds since 1970.
    pub updated_ms: u64,
    /// Its name.
    pub session: SessionId,
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
    /// Only those of this bot.
    pub bot: Option<BotId>,
    /// Only those of this chat.
    pub chat: Option<ChatId>,
    /// Only those of this channel.
    pub channel: Option<ChannelId>,
    /// Only those whose row has this status.
    pub status: Option<SessionStatus>,
    /// Only those whose task holds this text, in any case of ASCII letters.
    pub text: Option<String>,
    /// Only those that last changed before, in milliseconds since 1970.
    pub before_ms: Option<u64>,
    /// Only those behind this place in the list.
    pub after: Option<SessionCursor>,
    /// At most this many.
    pub limit: Option<usize>,
}

/// The right to add to a session, from the claim that gave it: each claim's is higher than those before. Zero without a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fence(pub u64);

/// Held while a process works on a session. Released when dropped or when the process dies. It can be lost, where another process
/// had reason to think so: from then on, nothing can be added with its [`fence`](Self::fence).
pub trait Claim: Send + Sync {
    /// What it allows to add.
    fn fence(&self) -> Fence;
}

/// Events to be added to a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Addition {
    /// The session.
    pub session: SessionId,
    /// The claim under which they are added.
    pub fence: Fence,
    /// The last event so far.
    pub after: EventNumber,
    /// In their order.
    pub events: Vec<NewEvent>,
    /// The state of the session with them; unchanged if None.
    pub summary: Option<SessionSummary>,
}

/// Stores sessions. No method waits: what is handed in is stored in that order, and its [`Pending`] says when it is.
pub trait Sessions: Send + Sync {
    /// Claims a session for this process: only one process at a time can. The session need not exist.
    ///
    /// # Errors
    /// [`StoreFault::Held`] while another process has claimed it.
    fn claim(&self, session: &SessionId) -> Pending<Result<Box<dyn Claim>, StoreFault>>;

    /// Whether a process works on a session at this moment. Never blocks a process that begins to.
    ///
    /// # Errors
    /// Why this cannot be determined.
    fn is_held(&self, session: &SessionId) -> Pending<Result<bool, StoreFault>>;

    /// Stores a new session with its first events, all or nothing. Answers the number of the last one.
    ///
    /// # Errors
    /// [`StoreFault::Exists`] if one of that name exists.
    fn begin(
        &self,
        session: NewSession,
        fence: Fence,
        events: Vec<NewEvent>,
    ) -> Pending<Result<EventNumber, StoreFault>>;

    /// Adds events, all or none, and updates the summary if one is given. Once this is answered they survive the death of the
    /// process. The cost does not depend on the number of stored events. Answers the number of the last one.
    ///
    /// # Errors
    /// [`StoreFault::Moved`] if another event is the last one, because another writer has added some. [`StoreFault::Lost`] if
    /// the session was claimed again meanwhile. [`StoreFault::Missing`] if there is no such session.
    fn append(&self, addition: Addition) -> Pending<Result<EventNumber, StoreFault>>;

    /// At most `limit` events after `after`, in order.
    ///
    /// # Errors
    /// Why they cannot be read. A missing session has none.
    fn events(
        &self,
        session: &SessionId,
        after: EventNumber,
        limit: usize,
    ) -> Pending<Result<Vec<StoredEvent>, StoreFault>>;

    /// At most `limit` events of all sessions after `after`, in the order in which they were stored. Events of sessions that were
    /// removed are missing.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn happened(
        &self,
        after: Sequence,
        wanted: &EventFilter,
        limit: usize,
    ) -> Pending<Result<Vec<SequencedEvent>, StoreFault>>;

    /// The last event of this kind.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn last_of(&self, session: &SessionId, kind: &str) -> Pending<Result<Option<StoredEvent>, StoreFault>>;

    /// One session.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn session(&self, session: &SessionId) -> Pending<Result<Option<StoredSession>, StoreFault>>;

    /// Sessions, the most recently changed first; of those that changed at once the one with the greater name.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn sessions(&self, wanted: &SessionFilter) -> Pending<Result<Vec<StoredSession>, StoreFault>>;

    /// Removes a session with its events and its artifacts. Removing a missing one succeeds.
    ///
    /// # Errors
    /// [`StoreFault::Held`] while a process works on it.
    fn remove(&self, session: &SessionId) -> Pending<Result<(), StoreFault>>;
}
