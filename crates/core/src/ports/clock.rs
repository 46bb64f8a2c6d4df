//! Time, so that tests can set it.

use std::time::{Duration, Instant, SystemTime};

/// The source of time.
pub trait Clock: Send + Sync {
    /// The date and time of day.
    fn now(&self) -> SystemTime;

    /// Time since some fixed moment; never goes back.
    fn elapsed(&self) -> Duration;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self { start: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
