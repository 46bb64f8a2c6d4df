//! Sessions as rows: one summary per session, and one row per event.
//!
//! The number of the last event is in the session's row, and appending begins with one compare-and-set on it. So of
//! two concurrent writers one gets an error, and appending costs the same however many events there are.

mod news;
mod reads;

use super::claims::{self, named};
use super::{Database, milliseconds};
use palanca_core::call::{BotId, CallId, ChannelId, ChatId, SessionId};
use palanca_core::ports::{
    Addition, Claim, EventFilter, EventNumber, Fence, NewEvent, NewSession, Pending, Sequence, SequencedEvent,
    SessionFilter, SessionSummary, Sessions, StoreFault, StoredEvent, StoredSession,
};
use rusqlite::{Connection, OptionalExtension as _, named_params, params};

const BEGIN: &str =
    "INSERT INTO sessions (session, bot, chat, channel, parent, workspace, task, agent, model, started_ms,
        status, stop_reason, steps, calls, tokens, dollars, last, updated_ms, fence)
    VALUES (:session, :bot, :chat, :channel, :parent, :workspace, :task, :agent, :model, :started_ms,
        :status, :stop_reason, :steps, :calls, :tokens, :dollars, 0, :started_ms, :fence)
    ON CONFLICT (session) DO NOTHING";

const MOVE: &str = "UPDATE sessions SET last = ?3, updated_ms = ?4
    WHERE session = ?1 AND last = ?2 AND fence = ?5";

const MOVE_WITH_SUMMARY: &str =
    "UPDATE sessions SET last = ?3, updated_ms = ?4, status = ?6, stop_reason = ?7, steps = ?8,
        calls = ?9, tokens = ?10, dollars = ?11
    WHERE session = ?1 AND last = ?2 AND fence = ?5";

/// A claim of a session that is there.
const FENCE: &str = "UPDATE sessions SET fence = fence + 1 WHERE session = ?1 RETURNING fence";

const ADD: &str = "INSERT INTO session_events (session, number, bot, chat, channel, at_ms, kind, call, body)
    SELECT session, ?2, bot, chat, channel, ?3, ?4, ?5, ?6 FROM sessions WHERE session = ?1";

/// The row number of an event is its place in the sequence of all. The database gives the next one after the highest, so where the
/// last event of all goes with its session, a row without content keeps its place until another one is the last.
const KEEP_THE_LAST_PLACE: [&str; 3] = [
    "INSERT INTO sessions (session, task, agent, started_ms, status, steps, calls, tokens, last, updated_ms)
        SELECT 'removed ' || hex(randomblob(16)), '', '', 0, 'removed', 0, 0, 0, 1, 0
        WHERE (SELECT session FROM session_events ORDER BY rowid DESC LIMIT 1) = ?1",
    "UPDATE session_events SET number = 1, bot = NULL, chat = NULL, channel = NULL, kind = 'removed', call = NULL, body = '{}',
            session = (SELECT session FROM sessions WHERE status = 'removed' ORDER BY rowid DESC LIMIT 1)
        WHERE session = ?1 AND rowid = (SELECT max(rowid) FROM session_events)",
    "DELETE FROM sessions WHERE status = 'removed' AND ?1 IS NOT NULL
        AND session <> (SELECT session FROM session_events ORDER BY rowid DESC LIMIT 1)",
];

/// The number of the first claim of a session.
const FIRST: u64 = 1;

/// The texts that only this session stored.
const OWN_TEXTS: &str =
    "DELETE FROM artifacts WHERE id IN (SELECT artifact FROM artifact_references WHERE session = ?1)
    AND NOT EXISTS (SELECT 1 FROM artifact_references WHERE artifact = artifacts.id AND session <> ?1)";

impl Sessions for Database {
    fn claim(&self, session: &SessionId) -> Pending<Result<Box<dyn Claim>, StoreFault>> {
        let lock = match claims::lock(self.path(), session) {
            Ok(lock) => lock,
            Err(fault) => return Pending::now(Err(fault)),
        };
        if !self.exists() {
            return Pending::now(Ok(lock.claim(Fence(FIRST))));
        }
        let session = session.clone();
        let raise = move |connection: &Connection| {
            let raised = connection.prepare_cached(FENCE)?.query_row([session.as_str()], |row| row.get(0));
            Ok(raised.optional()?.unwrap_or(FIRST))
        };
        self.hand_in("claim a session", raise, move |fence| Ok(lock.claim(Fence(fence))))
    }

    fn is_held(&self, session: &SessionId) -> Pending<Result<bool, StoreFault>> {
        Pending::now(claims::is_held(self.path(), session))
    }

    fn begin(
        &self,
        session: NewSession,
        fence: Fence,
        events: Vec<NewEvent>,
    ) -> Pending<Result<EventNumber, StoreFault>> {
        let id = session.scope.session.clone();
        let updated_ms = events.last().map_or(session.started_ms, |event| event.at_ms);
        let addition = Addition { session: id.clone(), fence, after: EventNumber(0), events, summary: None };
        let begin = move |connection: &Connection| match insert(connection, &session, fence)? {
            0 => Ok(None),
            _ => add(connection, &addition, updated_ms),
        };
        self.hand_in("begin a session", begin, move |begun| {
            begun.ok_or_else(|| StoreFault::Exists { what: named(&id) })
        })
    }

    fn append(&self, addition: Addition) -> Pending<Result<EventNumber, StoreFault>> {
        let what = named(&addition.session);
        let updated_ms = addition.events.last().map_or_else(|| milliseconds(&*self.clock), |event| event.at_ms);
        let append = move |connection: &Connection| match add(connection, &addition, updated_ms)? {
            Some(last) => Ok(Ok(last)),
            None => why_not(connection, &addition).map(Err),
        };
        self.hand_in("add to a session", append, move |added| match added {
            Ok(last) => Ok(last),
            Err(Obstacle::Lost) => Err(StoreFault::Lost { what }),
            Err(Obstacle::Moved) => Err(StoreFault::Moved { what }),
            Err(Obstacle::Missing) => Err(StoreFault::Missing { what }),
        })
    }

    fn events(
        &self,
        session: &SessionId,
        after: EventNumber,
        limit: usize,
    ) -> Pending<Result<Vec<StoredEvent>, StoreFault>> {
        Pending::now(self.read_events(session, after, limit))
    }

    fn happened(
        &self,
        after: Sequence,
        wanted: &EventFilter,
        limit: usize,
    ) -> Pending<Result<Vec<SequencedEvent>, StoreFault>> {
        Pending::now(self.read_happened(after, wanted, limit))
    }

    fn last_of(&self, session: &SessionId, kind: &str) -> Pending<Result<Option<StoredEvent>, StoreFault>> {
        Pending::now(self.read_last_of(session, kind))
    }

    fn session(&self, session: &SessionId) -> Pending<Result<Option<StoredSession>, StoreFault>> {
        Pending::now(self.read_session(session))
    }

    fn sessions(&self, wanted: &SessionFilter) -> Pending<Result<Vec<StoredSession>, StoreFault>> {
        Pending::now(self.read_sessions(wanted))
    }

    fn remove(&self, session: &SessionId) -> Pending<Result<(), StoreFault>> {
        if !self.exists() {
            return Pending::now(Ok(()));
        }
        let lock = match claims::lock(self.path(), session) {
            Ok(lock) => lock,
            Err(fault) => return Pending::now(Err(fault)),
        };
        let session = session.clone();
        let remove = move |connection: &Connection| {
            let own = [OWN_TEXTS, "DELETE FROM artifact_references WHERE session = ?1"];
            let itself = ["DELETE FROM sessions WHERE session = ?1"];
            for forget in own.into_iter().chain(KEEP_THE_LAST_PLACE).chain(itself) {
                connection.execute(forget, [session.as_str()])?;
            }
            Ok(())
        };
        self.hand_in("forget a session", remove, move |()| {
            drop(lock);
            Ok(())
        })
    }
}

/// Adds the row of a session; 0 if one of that name exists.
fn insert(connection: &Connection, session: &NewSession, fence: Fence) -> rusqlite::Result<usize> {
    let (scope, summary) = (&session.scope, SessionSummary::default());
    connection.prepare_cached(BEGIN)?.execute(named_params! {
        ":session": scope.session.as_str(),
        ":bot": scope.bot.as_ref().map(BotId::as_str),
        ":chat": scope.chat.as_ref().map(ChatId::as_str),
        ":channel": scope.channel.as_ref().map(ChannelId::as_str),
        ":parent": session.parent.as_ref().map(SessionId::as_str),
        ":workspace": session.workspace,
        ":task": session.task,
        ":agent": session.agent,
        ":model": session.model,
        ":started_ms": session.started_ms,
        ":status": summary.status.name(),
        ":stop_reason": summary.stop_reason,
        ":steps": summary.steps,
        ":calls": summary.calls,
        ":tokens": summary.tokens,
        ":dollars": summary.dollars,
        ":fence": fence.0,
    })
}

/// Why nothing was added.
enum Obstacle {
    Missing,
    Lost,
    Moved,
}

/// None if the session is missing, was claimed by another, or its last event differs; nothing has changed then.
fn add(connection: &Connection, addition: &Addition, updated_ms: u64) -> rusqlite::Result<Option<EventNumber>> {
    let (session, fence) = (addition.session.as_str(), addition.fence.0);
    let after = i64::try_from(addition.after.0).unwrap_or(i64::MAX);
    let last = after.saturating_add(i64::try_from(addition.events.len()).unwrap_or(i64::MAX));
    let moved = match &addition.summary {
        None => connection.prepare_cached(MOVE)?.execute(params![session, after, last, updated_ms, fence]),
        Some(SessionSummary { status, stop_reason, steps, calls, tokens, dollars }) => {
            let status = status.name();
            connection.prepare_cached(MOVE_WITH_SUMMARY)?.execute(params![
                session,
                after,
                last,
                updated_ms,
                fence,
                status,
                stop_reason,
                steps,
                calls,
                tokens,
                dollars
            ])
        }
    }?;
    if moved == 0 {
        return Ok(None);
    }
    let mut number = addition.after;
    let mut add = connection.prepare_cached(ADD)?;
    for event in &addition.events {
        number.0 += 1;
        let call = event.call.as_ref().map(CallId::as_str);
        add.execute(params![session, number.0, event.at_ms, event.kind, call, event.body])?;
    }
    Ok(Some(number))
}

fn why_not(connection: &Connection, addition: &Addition) -> rusqlite::Result<Obstacle> {
    let fence: Option<u64> = connection
        .prepare_cached("SELECT fence FROM sessions WHERE session = ?1")?
        .query_row([addition.session.as_str()], |row| row.get(0))
        .optional()?;
    Ok(match fence {
        None => Obstacle::Missing,
        Some(fence) if fence != addition.fence.0 => Obstacle::Lost,
        Some(_) => Obstacle::Moved,
    })
}
