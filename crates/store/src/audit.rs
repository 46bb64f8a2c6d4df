//! The audit log: what every stage said of every call and how it ended, as append-only lines.
//!
//! A call is one line, unless a hook, a person or a tool's effect comes in between: what was said until then is written
//! first. The hash of each line covers the hash of the one before it, so a changed, removed or inserted line is found. Lines are
//! one write each into the page cache: they survive the death of the process, not a power failure. Several processes share one
//! log; a lock on its head keeps their lines in one chain. Concurrent threads of one process share one write: the lock holder
//! writes the lines of the others, too. The surprising decision: nothing is repaired in place. A line truncated by a full disk
//! stays, followed by one that records it.

mod entry;
mod head;
mod index;
mod line;
mod orphans;
mod verify;
mod writer;

pub use entry::{Entry, Kind, entries};
pub use index::entries_of;
pub use verify::{Problem, Verified, verify};

use crate::database::Cleaning;
use line::{Bodies, Note, Opens, begun};
use palanca_core::ports::{Record, Recorder, StageRecord};
use parking_lot::Mutex;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;
use writer::Writer;

/// The current file.
pub(crate) const CURRENT: &str = "audit.jsonl";

/// Limits of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditSettings {
    /// A file that would exceed this size is rotated, named by the number of its first line. 16 MiB unless set.
    pub file_bytes: u64,
    /// Number of rotated files to keep; zero keeps all.
    pub files: usize,
}

impl Default for AuditSettings {
    fn default() -> Self {
        Self { file_bytes: 16 << 20, files: 0 }
    }
}

/// A failed read of the log.
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

/// Lines that threads queued for writing.
#[derive(Debug, Default)]
struct Waiting {
    bodies: Bodies,
    /// Counts queued batches.
    left: u64,
}

/// Who writes it.
#[derive(Debug, Default)]
struct Log {
    writer: Option<Writer>,
    /// The batch being written; swapped with the queue, so that both keep their capacity.
    bodies: Bodies,
    /// Counts written batches.
    written: u64,
}

/// The log of one state directory, opened when the first line is written. Clones write to the same log, each for its own
/// workspace.
#[derive(Clone, Debug)]
pub struct Audit {
    shared: Arc<Shared>,
    workspace: Option<String>,
}

#[derive(Debug)]
struct Shared {
    directory: PathBuf,
    settings: AuditSettings,
    waiting: Mutex<Waiting>,
    log: Mutex<Log>,
    /// Unfinished runs of this process.
    running: Mutex<HashSet<(String, String)>>,
    healthy: AtomicBool,
}

impl Audit {
    /// The log in this directory, which must exist and be accessible only to its owner.
    #[must_use]
    pub fn new(directory: &Path, settings: AuditSettings) -> Self {
        let shared = Shared {
            directory: directory.to_owned(),
            settings,
            waiting: Mutex::default(),
            log: Mutex::default(),
            running: Mutex::default(),
            healthy: AtomicBool::new(true),
        };
        Self { shared: Arc::new(shared), workspace: None }
    }

    /// Adds this workspace to outcomes.
    #[must_use]
    pub fn workspace(mut self, workspace: Option<String>) -> Self {
        self.workspace = workspace;
        self
    }

    /// Removes the closed files whose last line is older than this, oldest first, and returns their names. The log says so first,
    /// and stays one verifiable chain: each file begins with the hash of the line before it.    ///
    /// # Errors
    /// A file that cannot be looked at or removed; a log that cannot be written, and then nothing was removed.
    pub fn remove_before(&self, before: SystemTime, cleaning: Cleaning) -> Result<Vec<String>, AuditError> {
        let mut old = entry::put_aside_if_any(&self.shared.directory)?;
        let mut count = 0;
        for file in &old {
            let written = std::fs::metadata(file).and_then(|found| found.modified());
            // A file in the middle of the chain is never removed.
            if written.map_err(|source| AuditError::new("read", file, source))? >= before {
                break;
            }
            count += 1;
        }
        old.truncate(count);
        let names: Vec<String> = old.iter().map(|file| entry::name(file)).collect();
        if let (Some(file), Cleaning::Removes) = (names.last(), cleaning) {
            self.shared.append(|bodies| bodies.note(&Note::Removed { file }));
            if !self.healthy() {
                let why = std::io::Error::other("the log could not be written, so nothing is removed from it");
                return Err(AuditError::new("clean", &self.shared.directory, why));
            }
            for file in &old {
                std::fs::remove_file(file).map_err(|source| AuditError::new("remove", file, source))?;
            }
        }
        Ok(names)
    }
}

impl Shared {
    /// Returns when the lines are in the log, written by any thread.
    fn append(&self, leave: impl FnOnce(&mut Bodies)) {
        let mine = {
            let mut waiting = self.waiting.lock();
            leave(&mut waiting.bodies);
            waiting.left += 1;
            waiting.left
        };
        let mut log = self.log.lock();
        if log.written >= mine {
            return;
        }
        let Log { writer, bodies, written } = &mut *log;
        {
            let mut waiting = self.waiting.lock();
            std::mem::swap(&mut waiting.bodies, bodies);
            *written = waiting.left;
        }
        let appended = match writer {
            Some(writer) => writer.append(bodies),
            None => {
                Writer::open(&self.directory, self.settings).and_then(|opened| writer.insert(opened).append(bodies))
            }
        };
        bodies.clear();
        if appended.is_err() {
            // The next call starts from the real state of the file.
            *writer = None;
            self.healthy.store(false, Ordering::Relaxed);
        }
    }

    /// Whether a run of this process began in an earlier write; clears it.
    fn closes(&self, record: &Record<'_>) -> Opens {
        let mut running = self.running.lock();
        // Most calls only read, and begin and end in one write.
        let run = (!running.is_empty()).then(|| (record.scope.session.to_string(), record.call.to_owned()));
        if run.is_some_and(|run| running.remove(&run)) { Opens::Closes } else { Opens::None }
    }
}

impl Recorder for Audit {
    fn stages(&self, records: &[StageRecord<'_>]) {
        if let Some(begun) = begun(records) {
            self.shared.running.lock().insert((begun.session.to_owned(), begun.call.to_owned()));
        }
        self.shared.append(|bodies| bodies.open(records));
    }

    fn record(&self, record: &Record<'_>) {
        self.ended(&[], record);
    }

    fn ended(&self, stages: &[StageRecord<'_>], record: &Record<'_>) {
        // A run that begins and ends in one write was never visible as open.
        let opens = if begun(stages).is_some() { Opens::None } else { self.shared.closes(record) };
        self.shared.append(|bodies| bodies.ended(stages, record, self.workspace.as_deref(), opens));
    }

    fn healthy(&self) -> bool {
        self.shared.healthy.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests;
