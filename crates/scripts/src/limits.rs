//! What one run of a script may use.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The longest source, in bytes.
pub const SOURCE_BYTES: usize = 256 << 10;

/// Limits of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// How long it may run. Time in which it only waits for answers does not count.
    pub time: Duration,
    /// Bytes of its values.
    pub memory: usize,
    /// Bytes that it may print, and bytes of its result.
    pub output: usize,
    /// How often it may ask.
    pub requests: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(30), memory: 128 << 20, output: 1 << 20, requests: 100 }
    }
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// [`Limits::time`].
    Time,
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::output`].
    Output,
    /// [`Limits::requests`].
    Requests,
}
