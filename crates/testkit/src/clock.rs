//! A clock that only tests move.

use palanca_core::ports::Clock;
use parking_lot::Mutex;
use std::time::{Duration, SystemTime};

/// Starts at 2001-09-09 01:46:40 UTC, a thousand million seconds after 1970.
#[derive(Debug, Default)]
pub struct FakeClock {
    passed: Mutex<Duration>,
}

impl FakeClock {
    /// Advances the time.
    pub fn advance(&self, by: Duration) {
        *self.passed.lock() += by;
    }
}

impl Clock for FakeClock {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000) + self.elapsed()
    }

    fn elapsed(&self) -> Duration {
        *self.passed.lock()
    }
}
