//! One SQLite file, `palanca.db` in the state directory: for many threads and several processes.
//!
//! Owns how the file is created, opened, migrated and locked; the modules that use it own the meaning of its rows.
//! The surprising decision: it is opened on first use, because most calls do not need it.

mod artifacts;
mod audit_index;
mod backup;
mod check;
mod claims;
mod fault;
mod migrate;
mod open;
mod sessions;
mod undo;

pub use artifacts::ArtifactLimits;
pub(crate) use audit_index::Span;
pub use backup::Replacement;
pub use check::{Checked, Rows, StoreProblem};

use crate::error::StoreError;
use palanca_core::ports::{Clock, SystemClock};
use parking_lot::Mutex;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// The name of the file in the state directory.
pub const FILE_NAME: &str = "palanca.db";

/// The database of one state directory. All methods block, usually for microseconds, and for up to ten seconds while
/// another process holds the file.
pub struct Database {
    path: PathBuf,
    connection: Mutex<Option<Connection>>,
    artifacts: ArtifactLimits,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Database {
    /// The database in this directory. Nothing is opened before it is needed.
    #[must_use]
    pub fn lazy(directory: &Path) -> Self {
        Self {
            path: directory.join(FILE_NAME),
            connection: Mutex::new(None),
            artifacts: ArtifactLimits::default(),
            clock: Arc::new(SystemClock::default()),
        }
    }

    /// The limits of long texts.
    #[must_use]
    pub const fn artifacts(mut self, limits: ArtifactLimits) -> Self {
        self.artifacts = limits;
        self
    }

    /// Where time comes from.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file exists: an empty database need not be created just to query it.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Whether a rule was ever stored. Marked by an empty file next to the database, because every command that runs a
    /// call needs to know, and most users never make a rule: opening the database would be the most expensive part of a
    /// small call.
    pub(crate) fn has_rules(&self) -> bool {
        self.rules_mark().exists()
    }

    /// Marks it.
    pub(crate) fn mark_rules(&self) -> Result<(), StoreError> {
        let mark = self.rules_mark();
        open::make(&mark).map_err(|error| open::unmade(&mark, &error))
    }

    fn rules_mark(&self) -> PathBuf {
        self.path.with_file_name(format!("{FILE_NAME}-rules"))
    }

    /// Reads the whole file and verifies its consistency: slow for a large file.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] with the first problem, and errors of opening the file.
    pub fn check(&self) -> Result<(), StoreError> {
        let found: String = self.with("check its pages", |connection| {
            connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        })?;
        if found == "ok" {
            return Ok(());
        }
        Err(StoreError::Corrupt { path: self.path.clone(), detail: found })
    }

    /// Runs an operation on the database, opening it first if necessary.
    pub(crate) fn with<T>(
        &self,
        what: &'static str,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut held = self.connection.lock();
        let connection = match &mut *held {
            Some(connection) => connection,
            none => none.insert(open::open(&self.path)?),
        };
        work(connection).map_err(|error| {
            if fault::is_lasting(&error) {
                *held = None;
            }
            fault::named(&error, what, &self.path)
        })
    }
}

/// Milliseconds since 1970.
fn milliseconds(clock: &dyn Clock) -> u64 {
    let since = clock.now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
