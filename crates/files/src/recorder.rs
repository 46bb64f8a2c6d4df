//! One JSON line for every call, appended to a file in the state directory.
//!
//! The surprising decision: lines are not synced. A record costs a write into the page cache, so it survives the death of
//! the process but not a power failure; calls would otherwise wait for the disk.

use crate::state::{Log, StateDirectory, StateError};
use palanca_core::ports::{Record, Recorder};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Keeps records as JSON lines. Each is one write to a file opened for appending, so threads and processes that share the
/// file never mix their lines.
#[derive(Debug)]
pub struct JsonLines {
    log: Log,
    healthy: AtomicBool,
}

impl JsonLines {
    /// Appends to `name` in the state directory; the file is made for its owner alone.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(state: &StateDirectory, name: &str) -> Result<Self, StateError> {
        Ok(Self { log: state.log(name)?, healthy: AtomicBool::new(true) })
    }
}

impl Recorder for JsonLines {
    fn record(&self, record: &Record<'_>) {
        thread_local! {
            static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        let written = LINE.with_borrow_mut(|line| {
            line.clear();
            serde_json::to_writer(&mut *line, record)?;
            line.push(b'\n');
            self.log.append(line)
        });
        if written.is_err() {
            self.healthy.store(false, Ordering::Relaxed);
        }
    }

    fn healthy(&self) -> bool {
        self.healthy.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests;
