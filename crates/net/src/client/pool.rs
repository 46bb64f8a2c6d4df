//! Connections reused between requests, each for its own origin.

use super::Origin;
use crate::line::Line;
use parking_lot::{Mutex, MutexGuard};
use std::time::Duration;
use tokio::time::Instant;

/// At most this many are kept; beyond that the oldest is closed.
const MAX_IDLE: usize = 64;

pub(super) struct Pool {
    keep_alive: Duration,
    idle: Mutex<Vec<Idle>>,
}

struct Idle {
    origin: Origin,
    line: Line,
    since: Instant,
}

impl Pool {
    pub(super) const fn new(keep_alive: Duration) -> Self {
        Self { keep_alive, idle: Mutex::new(Vec::new()) }
    }

    /// The most recently used open connection to this origin.
    pub(super) fn take(&self, origin: &Origin) -> Option<Line> {
        let mut idle = self.fresh();
        while let Some(at) = idle.iter().rposition(|kept| kept.origin == *origin) {
            let mut line = idle.remove(at).line;
            if line.is_idle() {
                return Some(line);
            }
        }
        None
    }

    /// Keeps a connection whose body has been dropped, unless its answer was cut off.
    pub(super) fn put(&self, origin: Origin, mut line: Line) {
        if line.is_idle() {
            let mut idle = self.fresh();
            if idle.len() == MAX_IDLE {
                idle.remove(0);
            }
            idle.push(Idle { origin, line, since: Instant::now() });
        }
    }

    fn fresh(&self) -> MutexGuard<'_, Vec<Idle>> {
        let mut idle = self.idle.lock();
        idle.retain(|kept| kept.since.elapsed() < self.keep_alive);
        idle
    }
}
