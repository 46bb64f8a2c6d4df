//! Brings a file to the newest schema, forwards only: each step in one transaction, by the first process.

use super::open::Fault;
use crate::error::StoreError;
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// Each step migrates from its index in this list to the next. Steps are never changed, only added.
const STEPS: &[&str] = &[
    include_str!("migrations/1.sql"),
    include_str!("migrations/2.sql"),
    include_str!("migrations/3.sql"),
    include_str!("migrations/4.sql"),
    include_str!("migrations/5.sql"),
    include_str!("migrations/6.sql"),
    include_str!("migrations/7.sql"),
    include_str!("migrations/8.sql"),
];

/// `PLNC`, so that no other program's file is mistaken for ours.
const APPLICATION: i32 = 0x504c_4e43;

/// The schema that this program reads and writes.
pub(super) fn known() -> u32 {
    u32::try_from(STEPS.len()).unwrap_or(u32::MAX)
}

pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), Fault> {
    // One query: between two, another process may create the schema, and a half-made file would look foreign.
    let looking = connection.transaction()?;
    let found = version(&looking, path)?;
    drop(looking);
    let journal = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, String>(0));
    // A copy has no log: it is included.
    let logs = journal("PRAGMA journal_mode")? == "wal";
    if found == known() && logs {
        return Ok(());
    }
    if !logs && journal("PRAGMA journal_mode = WAL")? != "wal" {
        let detail = "this file system cannot hold its write-ahead log".to_owned();
        return Err(Fault::Found(StoreError::Closed { path: path.to_owned(), detail }));
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let from = version(&transaction, path)?;
    for step in STEPS.iter().skip(usize::try_from(from).unwrap_or(usize::MAX)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", known())?;
    Ok(transaction.commit()?)
}

/// The schema of the file; zero for an empty one.
pub(super) fn version(connection: &Connection, path: &Path) -> Result<u32, Fault> {
    let number = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    let (application, found) = (number("application_id")?, number("user_version")?);
    let ours = application == APPLICATION || (application == 0 && found == 0 && is_empty(connection)?);
    let found = u32::try_from(found).unwrap_or(u32::MAX);
    match found {
        _ if !ours => Err(Fault::Found(StoreError::Foreign { path: path.to_owned() })),
        found if found > known() => {
            Err(Fault::Found(StoreError::Newer { path: path.to_owned(), found, known: known() }))
        }
        found => Ok(found),
    }
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0)).map(|count| count == 0)
}
