//! Reads sessions and their events back.

use super::super::Database;
use palanca_core::call::{BotId, CallId, ChannelId, ChatId, Scope, SessionId};
use palanca_core::ports::{
    EventFilter, EventNumber, Level, NewSession, Sequence, SequencedEvent, SessionFilter, SessionStatus,
    SessionSummary, StoreFault, StoredEvent, StoredSession,
};
use rusqlite::{OptionalExtension as _, Row, params};

const COLUMNS: &str = "session, bot, chat, channel, parent, workspace, task, agent, model, started_ms,
    status, stop_reason, steps, calls, tokens, dollars, last, updated_ms";

const EVENT: &str = "number, at_ms, kind, call, body";

impl Database {
    pub(super) fn read_events(
        &self,
        session: &SessionId,
        after: EventNumber,
        limit: usize,
    ) -> Result<Vec<StoredEvent>, StoreFault> {
        if !self.exists() {
            return Ok(Vec::new());
        }
        let sql =
            format!("SELECT {EVENT} FROM session_events WHERE session = ?1 AND number > ?2 ORDER BY number LIMIT ?3");
        let after = i64::try_from(after.0).unwrap_or(i64::MAX);
        Ok(self.read("read events", |connection| {
            let wanted = params![session.as_str(), after, rows(Some(limit))];
            connection.prepare_cached(&sql)?.query_map(wanted, event)?.collect()
        })?)
    }

    /// The place of the last event of all; zero where there is none.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn last_sequence(&self) -> Result<Sequence, StoreFault> {
        if !self.exists() {
            return Ok(Sequence::default());
        }
        Ok(self.read("read events", |connection| {
            let last = "SELECT coalesce(max(rowid), 0) FROM session_events";
            Ok(Sequence(connection.prepare_cached(last)?.query_row([], |row| row.get(0))?))
        })?)
    }

    pub(super) fn read_happened(
        &self,
        after: Sequence,
        wanted: &EventFilter,
        limit: usize,
    ) -> Result<Vec<SequencedEvent>, StoreFault> {
        if !self.exists() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT {EVENT}, rowid, session, bot, chat, channel FROM session_events WHERE rowid > ?1 AND kind <> 'removed'
             AND (?2 IS NULL OR session = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR chat = ?4)
             AND (?5 IS NULL OR channel = ?5) ORDER BY rowid LIMIT ?6"
        );
        let EventFilter { session, bot, chat, channel } = wanted;
        Ok(self.read("read events", |connection| {
            let wanted = params![
                i64::try_from(after.0).unwrap_or(i64::MAX),
                session.as_ref().map(SessionId::as_str),
                bot.as_ref().map(BotId::as_str),
                chat.as_ref().map(ChatId::as_str),
                channel.as_ref().map(ChannelId::as_str),
                rows(Some(limit)),
            ];
            connection.prepare_cached(&sql)?.query_map(wanted, sequenced)?.collect()
        })?)
    }

    pub(super) fn read_last_of(&self, session: &SessionId, kind: &str) -> Result<Option<StoredEvent>, StoreFault> {
        if !self.exists() {
            return Ok(None);
        }
        let sql =
            format!("SELECT {EVENT} FROM session_events WHERE session = ?1 AND kind = ?2 ORDER BY number DESC LIMIT 1");
        Ok(self.read("read an event", |connection| {
            connection.prepare_cached(&sql)?.query_row([session.as_str(), kind], event).optional()
        })?)
    }

    pub(super) fn read_session(&self, session: &SessionId) -> Result<Option<StoredSession>, StoreFault> {
        if !self.exists() {
            return Ok(None);
        }
        let sql = format!("SELECT {COLUMNS} FROM sessions WHERE session = ?1 AND status <> 'removed'");
        Ok(self.read("read a session", |connection| {
            connection.prepare_cached(&sql)?.query_row([session.as_str()], kept).optional()
        })?)
    }

    pub(super) fn read_sessions(&self, wanted: &SessionFilter) -> Result<Vec<StoredSession>, StoreFault> {
        if !self.exists() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT {COLUMNS} FROM sessions WHERE status <> 'removed' AND (?1 IS NULL OR workspace = ?1) AND (?2 IS NULL OR coalesce(parent, '') = ?2)
             AND (?3 IS NULL OR updated_ms < ?3) AND (?5 IS NULL OR bot = ?5) AND (?6 IS NULL OR chat = ?6)
             AND (?7 IS NULL OR channel = ?7) AND (?8 IS NULL OR status = ?8)
             AND (?9 IS NULL OR instr(lower(task), ?9) > 0) AND (?10 IS NULL OR (updated_ms, session) < (?10, ?11))
             ORDER BY updated_ms DESC, session DESC LIMIT ?4"
        );
        let time = |ms: u64| i64::try_from(ms).unwrap_or(i64::MAX);
        let before = wanted.before_ms.map(time);
        let (bot, chat, channel) = (wanted.bot.as_ref(), wanted.chat.as_ref(), wanted.channel.as_ref());
        let text = wanted.text.as_ref().map(|text| text.to_ascii_lowercase());
        let after = wanted.after.as_ref();
        let parent = match &wanted.level {
            Level::Any => None,
            Level::Top => Some(""),
            Level::Below(parent) => Some(parent.as_str()),
        };
        Ok(self.read("read sessions", |connection| {
            let wanted = params![
                wanted.workspace,
                parent,
                before,
                rows(wanted.limit),
                bot.map(BotId::as_str),
                chat.map(ChatId::as_str),
                channel.map(ChannelId::as_str),
                wanted.status.map(SessionStatus::name),
                text,
                after.map(|after| time(after.updated_ms)),
                after.map(|after| after.session.as_str()),
            ];
            connection.prepare_cached(&sql)?.query_map(wanted, kept)?.collect()
        })?)
    }
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

fn sequenced(row: &Row<'_>) -> rusqlite::Result<SequencedEvent> {
    Ok(SequencedEvent { sequence: Sequence(row.get("rowid")?), scope: scope(row)?, event: event(row)? })
}

fn scope(row: &Row<'_>) -> rusqlite::Result<Scope> {
    let text = |name: &str| row.get::<_, Option<String>>(name);
    Ok(Scope {
        session: SessionId::new(row.get::<_, String>("session")?),
        bot: text("bot")?.map(BotId::new),
        chat: text("chat")?.map(ChatId::new),
        channel: text("channel")?.map(ChannelId::new),
    })
}

fn kept(row: &Row<'_>) -> rusqlite::Result<StoredSession> {
    let text = |name: &str| row.get::<_, Option<String>>(name);
    Ok(StoredSession {
        began: NewSession {
            scope: scope(row)?,
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
