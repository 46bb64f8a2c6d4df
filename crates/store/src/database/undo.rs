//! The undo index as rows: one per commit.

use super::Database;
use palanca_core::call::{CallId, SessionId};
use palanca_core::ports::{UndoIndex, UndoLine, UndoNumber, UndoSession};
use rusqlite::{Row, params};
use std::io;

const APPEND: &str = "INSERT INTO undo (session, number, at_ms, call, body)
    SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4 FROM undo WHERE session = ?1 RETURNING number";

impl UndoIndex for Database {
    fn append(&self, session: &SessionId, line: &UndoLine) -> io::Result<UndoNumber> {
        let number = self.with("keep an undo line", |connection| {
            let row = params![session.as_str(), line.at_ms, line.call.as_str(), line.body];
            let mut statement = connection.prepare_cached(APPEND)?;
            let mut rows = statement.query(row)?;
            let number = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?.get(0)?;
            // The row precedes the commit, and only the end of the statement tells whether it succeeded.
            while rows.next()?.is_some() {}
            Ok(number)
        })?;
        Ok(UndoNumber(number))
    }

    fn withdraw(&self, session: &SessionId, number: UndoNumber) -> io::Result<()> {
        self.with("withdraw an undo line", |connection| {
            connection
                .prepare_cached("DELETE FROM undo WHERE session = ?1 AND number = ?2")?
                .execute(params![session.as_str(), number.0])
        })?;
        Ok(())
    }

    fn lines(&self, session: &SessionId) -> io::Result<Vec<(UndoNumber, UndoLine)>> {
        if !self.exists() {
            return Ok(Vec::new());
        }
        Ok(self.read("read undo lines", |connection| {
            connection
                .prepare_cached("SELECT number, at_ms, call, body FROM undo WHERE session = ?1 ORDER BY number")?
                .query_map([session.as_str()], line)?
                .collect()
        })?)
    }

    fn sessions(&self) -> io::Result<Vec<UndoSession>> {
        if !self.exists() {
            return Ok(Vec::new());
        }
        Ok(self.read("read the sessions of the undo index", |connection| {
            connection
                .prepare_cached("SELECT session, count(*), max(at_ms) FROM undo GROUP BY session ORDER BY 3 DESC, 1")?
                .query_map([], |row| {
                    let session = SessionId::new(row.get::<_, String>(0)?);
                    Ok(UndoSession { session, lines: row.get(1)?, last_ms: row.get(2)? })
                })?
                .collect()
        })?)
    }
}

fn line(row: &Row<'_>) -> rusqlite::Result<(UndoNumber, UndoLine)> {
    let call = CallId::new(row.get::<_, String>(2)?);
    Ok((UndoNumber(row.get(0)?), UndoLine { at_ms: row.get(1)?, call, body: row.get(3)? }))
}
