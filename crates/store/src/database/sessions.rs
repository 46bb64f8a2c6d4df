//! Sessions as rows: one summary per session, and one row per event.
//!
//! The number of the last event is in the session's row, and appending begins with one compare-and-set on it. So of
//! two concurrent writers one gets an error, and appending costs the same however many events there are.

use super::claims::{self, named};
use super::{Database, milliseconds};
use palanca_core::call::{BotId, CallId, ChannelId, ChatId, Scope, SessionId};
use palanca_core::ports::{
    Claim, EventNumber, Level, NewEvent, NewSession, SessionFilter, SessionStatus, SessionSummary, Sessions,
    StoreFault, StoredEvent, StoredSession,
};
use rusqlite::{Connection, OptionalExtension as _, Row, TransactionBehavior, named_params, params};

const BEGIN: &str =
    "INSERT INTO sessions (session, bot, chat, channel, parent, workspace, task, agent, model, started_ms,
        status, stop_reason, steps, calls, tokens, dollars, last, updated_ms)
    VALUES (:session, :bot, :chat, :channel, :parent, :workspace, :task, :agent, :model, :started_ms,
        :status, :stop_reason, :steps, :calls, :tokens, :dollars, 0, :started_ms)
    ON CONFLICT (session) DO NOTHING";

const MOVE: &str = "UPDATE sessions SET last = ?3, updated_ms = ?4 WHERE session = ?1 AND last = ?2";

const MOVE_WITH_SUMMARY: &str =
    "UPDATE sessions SET last = ?3, updated_ms = ?4, status = ?5, stop_reason = ?6, steps = ?7,
        calls = ?8, tokens = ?9, dollars = ?10
    WHERE session = ?1 AND last = ?2";

const ADD: &str = "INSERT INTO session_events (session, number, bot, chat, channel, at_ms, kind, call, body)
    SELECT session, ?2, bot, chat, channel, ?3, ?4, ?5, ?6 FROM sessions WHERE session = ?1";

const COLUMNS: &str = "session, bot, chat, channel, parent, workspace, task, agent, model, started_ms,
    status, stop_reason, steps, calls, tokens, dollars, last, updated_ms";

const EVENT: &str = "number, at_ms, kind, call, body";

/// The texts that only this session stored.
const OWN_TEXTS: &str =
    "DELETE FROM artifacts WHERE id IN (SELECT artifact FROM artifact_references WHERE session = ?1)
    AND NOT EXISTS (SELECT 1 FROM artifact_references WHERE artifact = artifacts.id AND session <> ?1)";

impl Sessions for Database {
    fn claim(&self, session: &SessionId) -> Result<Box<dyn Claim>, StoreFault> {
        claims::claim(self.path(), session)
    }

    fn is_held(&self, session: &SessionId) -> Result<bool, StoreFault> {
        claims::is_held(self.path(), session)
    }

    fn begin(&self, session: &NewSession, summary: &SessionSummary) -> Result<(), StoreFault> {
        let added = self.with("begin a session", |connection| insert(connection, session, summary))?;
        if added == 0 { Err(StoreFault::Exists { what: named(&session.scope.session) }) } else { Ok(()) }
    }

    fn begin_with(
        &self,
        session: &NewSession,
        summary: &SessionSummary,
        event: &NewEvent,
    ) -> Result<EventNumber, StoreFault> {
        let id = &session.scope.session;
        let addition = Addition {
            session: id,
            after: EventNumber(0),
            updated_ms: event.at_ms,
            events: std::slice::from_ref(event),
            summary: None,
        };
        let begun = self.with("begin a session", |connection| {
            whole(connection, || match insert(connection, session, summary)? {
                0 => Ok(None),
                _ => addition.within(connection),
            })
        })?;
        begun.ok_or_else(|| StoreFault::Exists { what: named(id) })
    }

    fn append(
        &self,
        session: &SessionId,
        after: EventNumber,
        events: &[NewEvent],
        summary: Option<&SessionSummary>,
    ) -> Result<EventNumber, StoreFault> {
        let updated_ms = events.last().map_or_else(|| milliseconds(&*self.clock), |event| event.at_ms);
        let addition = Addition { session, after, updated_ms, events, summary };
        let added = self.with("add to a session", |connection| whole(connection, || addition.within(connection)))?;
        added.ok_or_else(|| match self.session(session) {
            Ok(None) => StoreFault::Missing { what: named(session) },
            _ => StoreFault::Moved { what: named(session) },
        })
    }

    fn events(&self, session: &SessionId, after: EventNumber, limit: usize) -> Result<Vec<StoredEvent>, StoreFault> {
        if !self.exists() {
            return Ok(Vec::new());
        }
        let sql =
            format!("SELECT {EVENT} FROM session_events WHERE session = ?1 AND number > ?2 ORDER BY number LIMIT ?3");
        let after = i64::try_from(after.0).unwrap_or(i64::MAX);
        Ok(self.with("read events", |connection| {
            let wanted = params![session.as_str(), after, rows(Some(limit))];
            connection.prepare_cached(&sql)?.query_map(wanted, event)?.collect()
        })?)
    }

    fn last_of(&self, session: &SessionId, kind: &str) -> Result<Option<StoredEvent>, StoreFault> {
        if !self.exists() {
            return Ok(None);
        }
        let sql =
            format!("SELECT {EVENT} FROM session_events WHERE session = ?1 AND kind = ?2 ORDER BY number DESC LIMIT 1");
        Ok(self.with("read an event", |connection| {
            connection.prepare_cached(&sql)?.query_row([session.as_str(), kind], event).optional()
        })?)
    }

    fn session(&self, session: &SessionId) -> Result<Option<StoredSession>, StoreFault> {
        if !self.exists() {
            return Ok(None);
        }
        let sql = format!("SELECT {COLUMNS} FROM sessions WHERE session = ?1");
        Ok(self.with("read a session", |connection| {
            connection.prepare_cached(&sql)?.query_row([session.as_str()], kept).optional()
        })?)
    }

    fn sessions(&self, wanted: &SessionFilter) -> Result<Vec<StoredSession>, StoreFault> {
        if !self.exists() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT {COLUMNS} FROM sessions WHERE (?1 IS NULL OR workspace = ?1) AND (?2 IS NULL OR coalesce(parent, '') = ?2)
             AND (?3 IS NULL OR updated_ms < ?3) ORDER BY updated_ms DESC, rowid DESC LIMIT ?4"
        );
        let before = wanted.before_ms.map(|before| i64::try_from(before).unwrap_or(i64::MAX));
        let parent = match &wanted.level {
            Level::Any => None,
            Level::Top => Some(""),
            Level::Below(parent) => Some(parent.as_str()),
        };
        Ok(self.with("read sessions", |connection| {
            let wanted = params![wanted.workspace, parent, before, rows(wanted.limit)];
            connection.prepare_cached(&sql)?.query_map(wanted, kept)?.collect()
        })?)
    }

    fn remove(&self, session: &SessionId) -> Result<(), StoreFault> {
        if !self.exists() {
            return Ok(());
        }
        let _held = self.claim(session)?;
        Ok(self.with("forget a session", |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for forget in [
                OWN_TEXTS,
                "DELETE FROM artifact_references WHERE session = ?1",
                "DELETE FROM sessions WHERE session = ?1",
            ] {
                transaction.execute(forget, [session.as_str()])?;
            }
            transaction.commit()
        })?)
    }
}

/// Adds the row of a session; 0 if one of that name exists.
fn insert(connection: &Connection, session: &NewSession, summary: &SessionSummary) -> rusqlite::Result<usize> {
    let scope = &session.scope;
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
    })
}

/// An addition to a session.
struct Addition<'a> {
    session: &'a SessionId,
    after: EventNumber,
    updated_ms: u64,
    events: &'a [NewEvent],
    summary: Option<&'a SessionSummary>,
}

impl Addition<'_> {
    /// None if the session is missing or its last event differs; nothing has changed then.
    fn within(&self, connection: &Connection) -> rusqlite::Result<Option<EventNumber>> {
        let (session, after) = (self.session.as_str(), i64::try_from(self.after.0).unwrap_or(i64::MAX));
        let last = after.saturating_add(i64::try_from(self.events.len()).unwrap_or(i64::MAX));
        let moved = match self.summary {
            None => connection.prepare_cached(MOVE)?.execute(params![session, after, last, self.updated_ms]),
            Some(SessionSummary { status, stop_reason, steps, calls, tokens, dollars }) => {
                let status = status.name();
                connection.prepare_cached(MOVE_WITH_SUMMARY)?.execute(params![
                    session,
                    after,
                    last,
                    self.updated_ms,
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
        let mut number = self.after;
        let mut add = connection.prepare_cached(ADD)?;
        for event in self.events {
            number.0 += 1;
            let call = event.call.as_ref().map(CallId::as_str);
            add.execute(params![session, number.0, event.at_ms, event.kind, call, event.body])?;
        }
        Ok(Some(number))
    }
}

/// All of it or nothing: also nothing if there is nothing to return. Unlike the library's transactions, its statements are
/// parsed once.
fn whole<T>(
    connection: &Connection,
    work: impl FnOnce() -> rusqlite::Result<Option<T>>,
) -> rusqlite::Result<Option<T>> {
    let run = |statement| connection.prepare_cached(statement)?.execute([]).map(drop);
    run("BEGIN IMMEDIATE")?;
    let done = work().and_then(|done| match done {
        Some(_) => run("COMMIT").map(|()| done),
        None => Ok(None),
    });
    if !connection.is_autocommit() {
        // ignored: the reason why nothing was committed is more telling.
        let _ = run("ROLLBACK");
    }
    done
}

/// The maximum number of rows for SQL.
fn rows(limit: Option<usize>) -> i64 {
    limit.map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX))
}

fn event(row: &Row<'_>) -> rusqlite::Result<StoredEvent> {
    Ok(StoredEvent {
        number: EventNumber(row.get(0)?),
        at_ms: row.get(1)?,
        kind: row.get(2)?,
        call: row.get::<_, Option<String>>(3)?.map(CallId::new),
        body: row.get(4)?,
    })
}

fn kept(row: &Row<'_>) -> rusqlite::Result<StoredSession> {
    let text = |name: &str| row.get::<_, Option<String>>(name);
    Ok(StoredSession {
        began: NewSession {
            scope: Scope {
                session: SessionId::new(row.get::<_, String>("session")?),
                bot: text("bot")?.map(BotId::new),
                chat: text("chat")?.map(ChatId::new),
                channel: text("channel")?.map(ChannelId::new),
            },
            parent: text("parent")?.map(SessionId::new),
            workspace: text("workspace")?,
            task: row.get("task")?,
            agent: row.get("agent")?,
            model: text("model")?,
            started_ms: row.get("started_ms")?,
        },
        summary: SessionSummary {
            status: status(row)?,
            stop_reason: text("stop_reason")?,
            steps: row.get("steps")?,
            calls: row.get("calls")?,
            tokens: row.get("tokens")?,
            dollars: row.get("dollars")?,
        },
        last: EventNumber(row.get("last")?),
        updated_ms: row.get("updated_ms")?,
    })
}

fn status(row: &Row<'_>) -> rusqlite::Result<SessionStatus> {
    let name: String = row.get("status")?;
    SessionStatus::named(&name).ok_or_else(|| {
        let why = format!("{name:?} is no status of a session").into();
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, why)
    })
}
