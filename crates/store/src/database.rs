//! One SQLite file, `palanca.db` in the state directory: for many threads and several processes.
//!
//! Owns how the file is created, opened, migrated and locked; the modules that use it own the meaning of its rows.
//! The surprising decision: it is opened on first use, because most calls do not need it.

mod artifacts;
mod audit_index;
mod backup;
mod check;
mod claims;
mod clear;
pub(crate) mod fault;
mod heard;
mod jobs;
mod migrate;
pub(crate) mod open;
mod servers;
mod sessions;
mod undo;
mod waiting;
mod writer;

pub use artifacts::ArtifactLimits;
pub(crate) use audit_index::Span;
pub use backup::Replacement;
pub use check::{Checked, Rows, StoreProblem};
pub use clear::{Cleaning, Cleared};
pub use heard::Writes;
pub use jobs::{JobClaim, JobEnd, JobInbox, JobKey, JobMark, JobMessage, JobOwner, JobRun, JobState, JobWords};
pub use servers::Server;

use crate::error::StoreError;
use palanca_core::ports::{Clock, Pending, SystemClock};
use parking_lot::{Mutex, MutexGuard};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use writer::Writer;

/// The name of the file in the state directory.
pub const FILE_NAME: &str = "palanca.db";

/// The database of one state directory. What is handed in through the ports of `core` is written by a thread of its own, in order, and
/// its [`Pending`] says when it is stored. The other methods block, usually for microseconds. Writes wait for up to ten seconds while
/// another process holds the file; reads never wait for them. On a runtime of several threads whoever blocks for long hands its
/// thread's other tasks on, which a `LocalSet` does not allow: there it must not be used.
pub struct Database {
    // First, because it ends when it is dropped.
    writer: Writer,
    connections: Arc<Connections>,
    told: heard::Told,
    artifacts: ArtifactLimits,
    clock: Arc<dyn Clock>,
}

/// The file and who has it open.
struct Connections {
    path: PathBuf,
    writer: Mutex<Option<Connection>>,
    /// For reads while the other one is busy.
    reader: Mutex<Option<Connection>>,
}

impl Connections {
    /// The connection, opened if it is not yet.
    fn open<'c>(&self, held: &'c mut Option<Connection>) -> Result<&'c mut Connection, StoreError> {
        match held {
            Some(connection) => Ok(connection),
            none => Ok(none.insert(open::open(&self.path)?)),
        }
    }

    /// What went wrong on it, which may be the end of it.
    fn failed(&self, held: &mut Option<Connection>, error: &rusqlite::Error, what: &'static str) -> StoreError {
        if fault::is_lasting(error) {
            *held = None;
        }
        fault::named(error, what, &self.path)
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("path", &self.connections.path).finish_non_exhaustive()
    }
}

impl Database {
    /// The database in this directory. Nothing is opened before it is needed.
    #[must_use]
    pub fn lazy(directory: &Path) -> Self {
        let path = directory.join(FILE_NAME);
        Self {
            writer: Writer::default(),
            connections: Arc::new(Connections { path, writer: Mutex::default(), reader: Mutex::default() }),
            told: heard::Told::default(),
            artifacts: ArtifactLimits::default(),
            clock: Arc::new(SystemClock::default()),
        }
    }

    /// The limits of long texts.
    #[must_use]
    pub fn artifacts(mut self, limits: ArtifactLimits) -> Self {
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
        &self.connections.path
    }

    /// Whether the file exists: an empty database need not be created just to query it.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.path().exists()
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
        self.path().with_file_name(format!("{FILE_NAME}-rules"))
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
        Err(StoreError::Corrupt { path: self.path().to_owned(), detail: found })
    }

    /// Hands in a write: `work` runs in a transaction, and may run again if that is not committed.
    pub(crate) fn hand_in<T, R, F>(
        &self,
        what: &'static str,
        work: impl Fn(&Connection) -> rusqlite::Result<T> + Send + 'static,
        answer: impl FnOnce(T) -> Result<R, F> + Send + 'static,
    ) -> Pending<Result<R, F>>
    where
        T: Send + 'static,
        R: Send + 'static,
        F: From<StoreError> + Send + 'static,
    {
        self.writer.hand_in(&self.connections, writer::Write { what, work }, answer)
    }

    /// Runs an operation on the database, opening it first if necessary.
    pub(crate) fn with<T>(
        &self,
        what: &'static str,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.on(waiting::lock(&self.connections.writer), what, work)
    }

    /// The same for an operation that only reads, which waits for no write.
    pub(crate) fn read<T>(
        &self,
        what: &'static str,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        // One connection is enough for most processes.
        self.on(waiting::either(&self.connections.writer, &self.connections.reader), what, work)
    }

    fn on<T>(
        &self,
        held: Option<MutexGuard<'_, Option<Connection>>>,
        what: &'static str,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut held = held.ok_or_else(|| StoreError::Busy { path: self.path().to_owned() })?;
        work(self.connections.open(&mut held)?).map_err(|error| self.connections.failed(&mut held, &error, what))
    }
}

/// Milliseconds since 1970.
pub(crate) fn milliseconds(clock: &dyn Clock) -> u64 {
    let since = clock.now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
