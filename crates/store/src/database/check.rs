//! Verifies the database: its pages, the references between rows, and every long text against its name.
//!
//! It reads everything and repairs nothing: problems are reported.

use super::artifacts::digest_of;
use super::{Database, migrate};
use crate::error::StoreError;
use palanca_core::Message;
use rusqlite::{Connection, Transaction};
use serde::Serialize;

/// Number of page errors that are listed.
const MOST: u32 = 100;

/// The contents and the problems of the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The number of its schema.
    pub schema: u32,
    /// Rows by table; none if its pages are damaged.
    pub rows: Vec<Rows>,
    /// Bytes of the long texts.
    pub artifact_bytes: u64,
    /// Empty if there are no problems.
    pub problems: Vec<StoreProblem>,
}

/// How many rows a table has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rows {
    /// The table.
    pub table: String,
    /// Its rows.
    pub rows: u64,
}

/// A problem: something differs from what was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum StoreProblem {
    /// A page, an index or a constraint.
    Pages {
        /// What SQLite found.
        detail: String,
    },
    /// A row that refers to a missing row.
    Reference {
        /// Its table.
        table: String,
        /// The table of the missing row.
        missing: String,
    },
    /// A session with missing events.
    Events {
        /// The session.
        session: String,
        /// The number of its last event, according to its row.
        last: i64,
        /// How many events there are.
        events: i64,
        /// The highest number of an event.
        highest: i64,
    },
    /// A long text that differs from the stored one.
    Artifact {
        /// Its name.
        artifact: String,
        /// Its length, according to its row.
        bytes: i64,
        /// The actual length.
        found: i64,
    },
    /// The recorded total of long texts is wrong.
    Total {
        /// The recorded total.
        counted: i64,
        /// The actual total.
        found: i64,
    },
}

impl StoreProblem {
    /// The sentence for people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Pages { detail } => Message::new("store-problem-pages").with("detail", detail),
            Self::Reference { table, missing } => {
                Message::new("store-problem-reference").with("table", table).with("missing", missing)
            }
            Self::Events { session, last, events, highest } => Message::new("store-problem-events")
                .with("session", session)
                .with("last", *last)
                .with("events", *events)
                .with("highest", *highest),
            Self::Artifact { artifact, bytes, found } => Message::new("store-problem-artifact")
                .with("artifact", artifact)
                .with("bytes", *bytes)
                .with("found", *found),
            Self::Total { counted, found } => {
                Message::new("store-problem-total").with("counted", *counted).with("found", *found)
            }
        }
    }
}

impl Database {
    /// Reads a snapshot of everything and verifies its consistency: slow for a large file.
    ///
    /// # Errors
    /// Why it cannot be read at all. Other problems are in [`Checked::problems`].
    pub fn examine(&self) -> Result<Checked, StoreError> {
        self.with("be checked", |connection| {
            let look = connection.transaction()?;
            let mut checked =
                Checked { schema: migrate::known(), rows: Vec::new(), artifact_bytes: 0, problems: pages(&look)? };
            // Rows on damaged pages mean nothing.
            if checked.problems.is_empty() {
                checked.rows = rows(&look)?;
                checked.artifact_bytes =
                    look.query_row("SELECT coalesce(sum(bytes), 0) FROM artifacts", [], |row| row.get(0))?;
                checked.problems.extend(references(&look)?);
                checked.problems.extend(events(&look)?);
                checked.problems.extend(artifacts(&look)?);
                checked.problems.extend(total(&look)?);
            }
            Ok(checked)
        })
    }
}

fn pages(look: &Transaction<'_>) -> rusqlite::Result<Vec<StoreProblem>> {
    let mut check = look.prepare(&format!("PRAGMA integrity_check({MOST})"))?;
    let found = check.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(found.into_iter().filter(|found| found != "ok").map(|detail| StoreProblem::Pages { detail }).collect())
}

fn references(look: &Transaction<'_>) -> rusqlite::Result<Vec<StoreProblem>> {
    let mut check = look.prepare("SELECT \"table\", parent FROM pragma_foreign_key_check")?;
    check.query_map([], |row| Ok(StoreProblem::Reference { table: row.get(0)?, missing: row.get(1)? }))?.collect()
}

fn events(look: &Transaction<'_>) -> rusqlite::Result<Vec<StoreProblem>> {
    // Numbers are unique within a session, so they are complete if there are as many as the highest and none is below
    // 1.
    let mut check = look.prepare(
        "SELECT session, last, count(number), coalesce(max(number), 0) AS highest
            FROM sessions LEFT JOIN session_events USING (session) GROUP BY session
            HAVING last <> count(number) OR last <> highest OR coalesce(min(number), 1) <> 1",
    )?;
    let problem = |row: &rusqlite::Row<'_>| {
        Ok(StoreProblem::Events { session: row.get(0)?, last: row.get(1)?, events: row.get(2)?, highest: row.get(3)? })
    };
    check.query_map([], problem)?.collect()
}

fn artifacts(look: &Transaction<'_>) -> rusqlite::Result<Vec<StoreProblem>> {
    let mut check = look.prepare("SELECT id, digest, bytes, media_type FROM artifacts ORDER BY id")?;
    let mut parts = look.prepare("SELECT body FROM artifact_parts WHERE artifact = ?1 ORDER BY part")?;
    let mut rows = check.query([])?;
    let mut problems = Vec::new();
    while let Some(row) = rows.next()? {
        let (artifact, digest, bytes): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let media_type: Option<String> = row.get(3)?;
        let mut text = Vec::new();
        for part in parts.query_map([&artifact], |row| row.get::<_, Vec<u8>>(0))? {
            text.extend(part?);
        }
        let found = i64::try_from(text.len()).unwrap_or(i64::MAX);
        let named = artifact.strip_prefix("art-").is_some_and(|name| digest.starts_with(name));
        if found != bytes || !named || digest_of(media_type.as_deref(), &text) != digest {
            problems.push(StoreProblem::Artifact { artifact, bytes, found });
        }
    }
    Ok(problems)
}

fn total(look: &Connection) -> rusqlite::Result<Option<StoreProblem>> {
    let (counted, found): (i64, i64) = look.query_row(
        "SELECT (SELECT coalesce(sum(bytes), 0) FROM artifact_total), (SELECT coalesce(sum(bytes), 0) FROM artifacts)",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    Ok((counted != found).then_some(StoreProblem::Total { counted, found }))
}

/// The tables shown to people.
const TABLES: [&str; 7] =
    ["sessions", "session_events", "artifacts", "artifact_references", "questions", "rules", "undo"];

fn rows(look: &Transaction<'_>) -> rusqlite::Result<Vec<Rows>> {
    let count = |table: &&str| {
        // A row that only keeps the place of a removed event is nobody's.
        let only = match *table {
            "sessions" => "WHERE status <> 'removed'",
            "session_events" => "WHERE kind <> 'removed'",
            _ => "",
        };
        let rows = look.query_row(&format!("SELECT count(*) FROM {table} {only}"), [], |row| row.get(0))?;
        Ok(Rows { table: (*table).to_owned(), rows })
    };
    TABLES.iter().map(count).collect()
}
