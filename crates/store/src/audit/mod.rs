//! The audit log: what every stage said of every call and how each call ended, as lines that only ever grow.
//!
//! Each line carries the SHA-256 of the one before it, so a changed, removed or inserted line is found. Lines are one write
//! each into the page cache: they survive the death of the process, not a power failure. Several processes share one log; a
//! lock on its head keeps their lines in one chain. The surprising decision: nothing is ever repaired in place. A line that a
//! full disk tore stays where it is, followed by one that says so.

mod entry;
mod head;
mod line;
mod orphans;
mod verify;
mod writer;

pub use entry::{Entry, Kind, entries};
pub use verify::{Problem, Verified, verify};

use line::{Body, Opens};
use palanca_core::ports::{Record, Recorder, StageRecord};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use writer::Writer;

/// The file that grows.
pub(crate) const CURRENT: &str = "audit.jsonl";

/// What bounds the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditSettings {
    /// A file that would grow beyond this is put aside under the number of its first line. 16 MiB unless set.
    pub file_bytes: u64,
    /// Files put aside that are kept; zero keeps all.
    pub files: usize,
}

impl Default for AuditSettings {
    fn default() -> Self {
        Self { file_bytes: 16 << 20, files: 0 }
    }
}

/// A failed look at the log.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what} {}: {source}", path.display())]
pub struct AuditError {
    what: &'static str,
    path: PathBuf,
    source: std::io::Error,
}

impl AuditError {
    pub(crate) fn new(what: &'static str, path: impl Into<PathBuf>, source: impl Into<std::io::Error>) -> Self {
        Self { what, path: path.into(), source: source.into() }
    }
}

/// The log of one state directory, opened when the first line is written.
#[derive(Debug)]
pub struct Audit {
    directory: PathBuf,
    settings: AuditSettings,
    writer: Mutex<Option<Writer>>,
    /// Runs of this process that have begun and not ended.
    running: Mutex<HashSet<(String, String)>>,
    healthy: AtomicBool,
}

impl Audit {
    /// The log in this directory, which must be there and the owner's alone.
    #[must_use]
    pub fn new(directory: &Path, settings: AuditSettings) -> Self {
        Self {
            directory: directory.to_owned(),
            settings,
            writer: Mutex::default(),
            running: Mutex::default(),
            healthy: AtomicBool::new(true),
        }
    }

    fn running(&self) -> MutexGuard<'_, HashSet<(String, String)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append(&self, bodies: &[Body]) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let written = match &mut *writer {
            Some(writer) => writer.append(bodies),
            None => {
                Writer::open(&self.directory, self.settings).and_then(|opened| writer.insert(opened).append(bodies))
            }
        };
        if written.is_err() {
            // The next call starts from what is really there.
            *writer = None;
            self.healthy.store(false, Ordering::Relaxed);
        }
    }
}

impl Recorder for Audit {
    fn stages(&self, records: &[StageRecord<'_>]) {
        let bodies: Vec<Body> = records.iter().map(Body::stage).collect();
        for record in records.iter().filter(|record| record.verdict == "begin") {
            self.running().insert((record.session.to_owned(), record.call.to_owned()));
        }
        self.append(&bodies);
    }

    fn record(&self, record: &Record<'_>) {
        let run = (record.scope.session.to_string(), record.call.to_owned());
        let opens = if self.running().remove(&run) { Opens::Closes } else { Opens::None };
        self.append(&[Body::outcome(record, opens)]);
    }

    fn healthy(&self) -> bool {
        self.healthy.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests;
