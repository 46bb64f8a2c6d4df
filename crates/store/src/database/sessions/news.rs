//! What is new in a bot's sessions since a mark, at the cost of what is new.
//!
//! A mark is the last event of all and the number of sessions that were removed. It is known as long as that event is there and no session
//! was removed; in a database that was put back from a copy, or begun anew, it is not.

use super::super::Database;
use palanca_core::call::{BotId, SessionId};
use palanca_core::ports::{Conversation, EventNumber, Extent, News, StoreFault};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

const MARK: &str = "SELECT event.rowid || ' ' || session || ' ' || number || ' ' || at_ms || ' ' || count
    FROM session_events AS event, session_removals WHERE event.rowid = ?1";

const LAST: &str = "SELECT max(rowid) FROM session_events";

const ALL: &str = "SELECT session, last, updated_ms FROM sessions
    WHERE status <> 'removed' AND bot = ?1 AND workspace = ?2 AND ?3 IS NULL";

const CHANGED: &str = "SELECT session, last, updated_ms
    FROM (SELECT DISTINCT session FROM session_events WHERE rowid > ?3 AND bot = ?1) CROSS JOIN sessions USING (session)
    WHERE status <> 'removed' AND workspace = ?2";

impl Database {
    /// Sessions of a bot in a workspace in which something happened since a mark.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub fn session_news(&self, workspace: &str, bot: &BotId, since: Option<&str>) -> Result<News, StoreFault> {
        if !self.exists() {
            return Ok(News::default());
        }
        Ok(self.read("read sessions", |connection| {
            // Before the sessions: what happens meanwhile is new once more.
            let last: Option<i64> = connection.prepare_cached(LAST)?.query_row([], |row| row.get(0))?;
            let now = mark(connection, last)?.unwrap_or_default();
            let place = since.and_then(|mark| mark.split(' ').next()?.parse::<i64>().ok());
            let place = if mark(connection, place)?.as_deref() == since { place } else { None };
            let (extent, sql) = if place.is_some() { (Extent::Changed, CHANGED) } else { (Extent::All, ALL) };
            let mut wanted = connection.prepare_cached(sql)?;
            let found = wanted.query_map(params![bot.as_str(), workspace, place], conversation)?;
            Ok(News { conversations: found.collect::<rusqlite::Result<_>>()?, extent, mark: now })
        })?)
    }
}

/// The mark of an event, if it is there.
fn mark(connection: &Connection, place: Option<i64>) -> rusqlite::Result<Option<String>> {
    connection.prepare_cached(MARK)?.query_row([place], |row| row.get(0)).optional()
}

fn conversation(row: &Row<'_>) -> rusqlite::Result<Conversation> {
    let session = SessionId::new(row.get::<_, String>(0)?);
    Ok(Conversation { session, last: EventNumber(row.get(1)?), updated_ms: row.get(2)? })
}
