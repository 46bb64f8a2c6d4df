//! The vectors of an index: one for each different text, so that a text that moves or stands twice is measured once. They are of one space;
//! when another is wanted, all of them go.

use super::{PASSAGE, count, passage};
use palanca_core::call::Digest;
use palanca_core::ports::{FoundPassage, UnmeasuredText};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

pub(super) fn measure(connection: &mut Connection, space: &str) -> rusqlite::Result<()> {
    let now: Option<String> = connection.query_row("SELECT name FROM space", [], |row| row.get(0)).optional()?;
    if now.as_deref() == Some(space) {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(
        "UPDATE passage SET vector = NULL WHERE vector IS NOT NULL; DELETE FROM vector; DELETE FROM space;",
    )?;
    transaction.execute("INSERT INTO space (name) VALUES (?1)", [space])?;
    transaction.commit()
}

pub(super) fn unmeasured(connection: &Connection, most: usize) -> rusqlite::Result<(Vec<UnmeasuredText>, u64)> {
    let mut all = connection.prepare_cached(
        "SELECT passage.hash, word.text FROM (
            SELECT min(id) AS id FROM passage WHERE vector IS NULL GROUP BY hash LIMIT ?1
         ) AS one JOIN passage ON passage.id = one.id JOIN word ON word.rowid = one.id",
    )?;
    let text =
        |row: &rusqlite::Row<'_>| Ok(UnmeasuredText { hash: Digest::from_bytes(row.get(0)?), text: row.get(1)? });
    let texts: Vec<_> = all.query_map([count(most)], text)?.collect::<rusqlite::Result<_>>()?;
    if texts.is_empty() {
        return Ok((texts, 0));
    }
    let waiting = "SELECT count(DISTINCT hash) FROM passage WHERE vector IS NULL";
    Ok((texts, connection.query_row(waiting, [], |row| row.get(0))?))
}

pub(super) fn keep(connection: &mut Connection, space: &str, vectors: &[(Digest, Vec<u8>)]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let now: Option<String> = transaction.query_row("SELECT name FROM space", [], |row| row.get(0)).optional()?;
    // Another process may want another model, and was later.
    if now.as_deref() == Some(space) {
        let mut new = transaction.prepare_cached("INSERT OR IGNORE INTO vector (hash, packed) VALUES (?1, ?2)")?;
        let mut of = transaction.prepare_cached(
            "UPDATE passage SET vector = (SELECT id FROM vector WHERE hash = ?1) WHERE vector IS NULL AND hash = ?1",
        )?;
        for (hash, packed) in vectors {
            new.execute(params![hash.as_bytes(), packed])?;
            of.execute([hash.as_bytes()])?;
        }
    }
    transaction.commit()
}

pub(super) fn all(connection: &Connection, each: &mut dyn FnMut(i64, &[u8])) -> rusqlite::Result<()> {
    let mut all = connection.prepare_cached("SELECT id, packed FROM vector")?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        each(row.get(0)?, row.get_ref(1)?.as_blob().unwrap_or_default());
    }
    Ok(())
}

pub(super) fn measured(connection: &Connection, vectors: &[i64]) -> rusqlite::Result<Vec<(i64, FoundPassage)>> {
    let mut with = connection.prepare_cached(&format!(
        "SELECT {PASSAGE} FROM passage JOIN word ON word.rowid = passage.id JOIN source ON source.id = passage.source
         WHERE passage.vector = ?1"
    ))?;
    let mut found = Vec::new();
    for vector in vectors {
        for passage in with.query_map([vector], passage)? {
            found.push((*vector, passage?));
        }
    }
    Ok(found)
}

/// Forgets those of these that no passage has any more.
pub(super) fn forget(connection: &Connection, vectors: &[i64]) -> rusqlite::Result<()> {
    let mut one = connection.prepare_cached(
        "DELETE FROM vector WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM passage WHERE passage.vector = ?1)",
    )?;
    for vector in vectors {
        one.execute([vector])?;
    }
    Ok(())
}
