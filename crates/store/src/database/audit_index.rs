//! Rows with the positions of each session's lines in the audit log.

use super::Database;
use crate::error::StoreError;
use rusqlite::{TransactionBehavior, params};

/// A part of a file: the bytes from `begins` to `ends`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) file: String,
    pub(crate) begins: u64,
    pub(crate) ends: u64,
}

impl Database {
    /// The known files, each with its state when it was read.
    pub(crate) fn audit_files(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.read("read the index of the audit log", |connection| {
            connection
                .prepare_cached("SELECT file, stamp FROM audit_files")?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
    }

    /// Stores the index of a file, replacing the old one.
    pub(crate) fn keep_audit_file(
        &self,
        (file, stamp): (&str, &str),
        spans: &[(String, u64, u64)],
    ) -> Result<(), StoreError> {
        self.with("keep an index of the audit log", |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute("DELETE FROM audit_files WHERE file = ?1", [file])?;
            transaction.execute("INSERT INTO audit_files (file, stamp) VALUES (?1, ?2)", [file, stamp])?;
            let mut insert = transaction
                .prepare_cached("INSERT INTO audit_lines (session, file, begins, ends) VALUES (?1, ?2, ?3, ?4)")?;
            for (session, begins, ends) in spans {
                insert.execute(params![session, file, begins, ends])?;
            }
            drop(insert);
            transaction.commit()
        })
    }

    /// Forgets a file that is gone.
    pub(crate) fn forget_audit_file(&self, file: &str) -> Result<(), StoreError> {
        self.with("forget an index of the audit log", |connection| {
            connection.execute("DELETE FROM audit_files WHERE file = ?1", [file]).map(drop)
        })
    }

    /// The positions of lines of sessions with this prefix.
    pub(crate) fn audit_spans(&self, session: &str) -> Result<Vec<Span>, StoreError> {
        // The last Unicode character: no name continues with a greater one.
        let beyond = format!("{session}{}", char::MAX);
        self.read("read the index of the audit log", |connection| {
            connection
                .prepare_cached(
                    "SELECT file, begins, ends FROM audit_lines WHERE session >= ?1 AND session <= ?2
                        ORDER BY file, begins",
                )?
                .query_map([session, &beyond], |row| {
                    Ok(Span { file: row.get(0)?, begins: row.get(1)?, ends: row.get(2)? })
                })?
                .collect()
        })
    }
}
