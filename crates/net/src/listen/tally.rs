//! Who may connect, and the count of those who could not.

use super::options::ListenLimits;
use super::peer::Key;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// Why a connection or a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// Too many connections: 503.
    Full,
    /// Too many connections of this peer: 503.
    Crowded,
    /// Another user of a Unix socket, or not a trusted proxy: 403.
    Stranger,
    /// No encryption was agreed on.
    Unencrypted,
    /// For a host that is not listed: 421.
    Host,
    /// From a page whose origin is not listed: 403.
    Origin,
    /// A body that is too large: 413.
    Large,
    /// A head, a body or a reader that is too slow: 408 before an answer has begun, otherwise the end.
    Slow,
}

impl Refusal {
    const ALL: usize = 8;

    /// Status and sentence of the answer.
    pub(super) const fn answer(self) -> (u16, &'static str) {
        match self {
            Self::Full => (503, "too many connections\n"),
            Self::Crowded => (503, "too many connections from this address\n"),
            Self::Stranger => (403, "not for this peer\n"),
            Self::Unencrypted => (400, "not encrypted\n"),
            Self::Host => (421, "not for this host\n"),
            Self::Origin => (403, "not from this origin\n"),
            Self::Large => (413, "the body is too large\n"),
            Self::Slow => (408, "too slow\n"),
        }
    }
}

/// Counts of a listener, which outlive it.
#[derive(Debug)]
pub struct Tally {
    accepted: AtomicU64,
    refused: [AtomicU64; Refusal::ALL],
    open: watch::Sender<usize>,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self { accepted: AtomicU64::new(0), refused: Default::default(), open: watch::Sender::new(0) }
    }

    pub(super) fn refuse(&self, why: Refusal) {
        if let Some(count) = self.refused.get(why as usize) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Connections that got a place.
    #[must_use]
    pub fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::Relaxed)
    }

    /// Connections or requests that were refused for this reason.
    #[must_use]
    pub fn refused(&self, why: Refusal) -> u64 {
        self.refused.get(why as usize).map_or(0, |count| count.load(Ordering::Relaxed))
    }

    /// Connections now, upgraded ones included.
    #[must_use]
    pub fn open(&self) -> usize {
        *self.open.borrow()
    }

    /// Waits until at most this many connections are open.
    pub async fn at_most(&self, connections: usize) {
        // ignored: the sender is `self`.
        let _ = self.open.subscribe().wait_for(|open| *open <= connections).await;
    }
}

/// The places for connections.
pub(super) struct Seats {
    all: usize,
    per_peer: usize,
    taken: Mutex<HashMap<Key, usize>>,
    tally: Arc<Tally>,
}

/// A place for one connection; dropping it frees the place.
pub(super) struct Seat {
    seats: Arc<Seats>,
    key: Option<Key>,
}

impl Seats {
    pub(super) fn new(limits: &ListenLimits, tally: Arc<Tally>) -> Self {
        let (all, per_peer) = (limits.connections, limits.connections_per_peer);
        Self { all, per_peer, taken: Mutex::default(), tally }
    }

    /// A place; for a peer without a key, as many as there are.
    pub(super) fn take(self: &Arc<Self>, key: Option<Key>) -> Result<Seat, Refusal> {
        let mut taken = self.taken.lock();
        if self.tally.open() >= self.all {
            return Err(Refusal::Full);
        }
        if let Some(key) = key {
            let count = taken.entry(key).or_default();
            if *count >= self.per_peer {
                return Err(Refusal::Crowded);
            }
            *count += 1;
        }
        self.tally.open.send_modify(|open| *open += 1);
        self.tally.accepted.fetch_add(1, Ordering::Relaxed);
        Ok(Seat { seats: Arc::clone(self), key })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken.lock();
        if let Some(key) = self.key
            && let Some(count) = taken.get_mut(&key)
        {
            *count -= 1;
            if *count == 0 {
                taken.remove(&key);
            }
        }
        self.seats.tally.open.send_modify(|open| *open -= 1);
    }
}
