//! Rate limits: requests per second for each host, and connections for each host and in total. An early request waits up to a
//! limit; one that would wait longer is refused with the waiting time, and nothing is sent.

use super::options::WebOptions;
use super::target::{Target, shown};
use palanca_core::ports::{WebError, WebErrorKind};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

/// Hosts are remembered until there are this many; then those that could not be told from new ones are forgotten.
const REMEMBERED: usize = 512;

/// The turns of all hosts.
pub struct Pace {
    hosts: Mutex<HashMap<String, Host>>,
    overall: Arc<Semaphore>,
    /// Between two requests to one host.
    every: Duration,
    /// How far ahead of its rate a host may be asked.
    ahead: Duration,
    patience: Duration,
    per_host: usize,
}

struct Host {
    /// When a host that is asked at its rate would be due. In the past for one that was left alone.
    due: Instant,
    connections: Arc<Semaphore>,
}

/// A turn; the connection is given back when it is dropped.
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

    /// Waits for a turn with this host. How long connections are waited for is the caller's limit.
    pub async fn turn(&self, target: &Target) -> Result<Turn, WebError> {
        let (start, connections) = self.claim(&target.host.to_string()).map_err(|wait| {
            let detail = format!("try again in {} s", wait.as_secs() + 1);
            WebError::new(WebErrorKind::RateLimited, shown(&target.url)).detail(detail)
        })?;
        sleep_until(start).await;
        // The host's turn first: whoever waits for a busy host holds nothing that others need.
        let turn = async { Ok(Turn { _host: connections.acquire_owned().await?, _overall: self.overall().await? }) };
        turn.await.map_err(|_: AcquireError| WebError::new(WebErrorKind::Cancelled, shown(&target.url)))
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
