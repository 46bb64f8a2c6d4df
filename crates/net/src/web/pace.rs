//! Rate limits: requests per second for each host, and connections for each host and in total. An early request waits up to a
//! limit; one that would wait longer is refused with the waiting time, and nothing is sent.

use super::options::WebOptions;
use super::target::Target;
use palanca_core::ports::{WebError, WebErrorKind};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

/// Up to this many hosts are remembered; then those in the same state as new ones are forgotten.
const REMEMBERED: usize = 512;

/// The rate limits of all hosts.
pub struct Pace {
    hosts: Mutex<HashMap<String, Host>>,
    overall: Arc<Semaphore>,
    /// Between two requests to one host.
    every: Duration,
    /// How far requests to a host may run ahead of its rate.
    ahead: Duration,
    patience: Duration,
    per_host: usize,
}

struct Host {
    /// When the next request would be due at the host's rate. In the past for an idle host.
    due: Instant,
    connections: Arc<Semaphore>,
}

/// A permitted request; dropping it releases the connection slot.
pub struct Turn {
    _host: OwnedSemaphorePermit,
    _overall: OwnedSemaphorePermit,
}

impl Pace {
    pub fn new(options: &WebOptions) -> Self {
        let every = Duration::from_secs(1) / options.requests_per_second.max(1);
        Self {
            hosts: Mutex::default(),
            overall: Arc::new(Semaphore::new(options.connections.max(1))),
            every,
            ahead: every * options.burst.max(1).saturating_sub(1),
            patience: options.patience,
            per_host: options.connections_per_host.max(1),
        }
    }

    /// Waits until a request to this host is permitted. The caller limits how long to wait for a connection slot.
    pub async fn turn(&self, target: &Target) -> Result<Turn, WebError> {
        let (start, connections) = self.claim(&target.host.to_string()).map_err(|wait| {
            let detail = format!("try again in {} s", wait.as_secs() + 1);
            WebError::new(WebErrorKind::RateLimited, target.url.as_str()).detail(detail)
        })?;
        sleep_until(start).await;
        // The host's rate first, so that a request waiting for a busy host holds no slot that others need.
        let turn = async { Ok(Turn { _host: connections.acquire_owned().await?, _overall: self.overall().await? }) };
        turn.await.map_err(|_: AcquireError| WebError::new(WebErrorKind::Cancelled, target.url.as_str()))
    }

    fn overall(&self) -> impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>> {
        Arc::clone(&self.overall).acquire_owned()
    }

    /// When a request to this host may start, or how long it would have to wait.
    fn claim(&self, host: &str) -> Result<(Instant, Arc<Semaphore>), Duration> {
        let now = Instant::now();
        let mut hosts = self.hosts.lock();
        if hosts.len() >= REMEMBERED && !hosts.contains_key(host) {
            hosts.retain(|_, known| known.due > now || Arc::strong_count(&known.connections) > 1);
        }
        let known = hosts
            .entry(host.to_owned())
            .or_insert_with(|| Host { due: now, connections: Arc::new(Semaphore::new(self.per_host)) });
        let due = known.due.max(now);
        let start = due.checked_sub(self.ahead).unwrap_or(now).max(now);
        let wait = start - now;
        if wait > self.patience {
            return Err(wait - self.patience);
        }
        known.due = due + self.every;
        Ok((start, Arc::clone(&known.connections)))
    }
}

#[cfg(test)]
mod tests;
