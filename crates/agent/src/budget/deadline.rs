//! The deadline of a run.
//!
//! One deadline applies to everything in the run, so a tool or a model that hangs cannot go past it. A tenth of the time
//! (at most fifteen seconds) is withheld from tools: after a tool has used up its share, the model can still say what
//! was done.

use std::time::Duration;
use tokio::time::Instant;

/// The most that is kept back for the last words.
const RESERVE: Duration = Duration::from_secs(15);

/// The times of one run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    start: Instant,
    limit: Option<Duration>,
}

impl Deadline {
    /// Starts now. No limit: never over.
    pub(crate) fn start(limit: Option<Duration>) -> Self {
        Self { start: Instant::now(), limit }
    }

    /// Since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether no more work should begin.
    pub(crate) fn work_is_over(&self) -> bool {
        self.work_limit().is_some_and(|limit| self.elapsed() >= limit)
    }

    /// Returns when tools must end; never, without a limit.
    pub(crate) async fn end_of_work(&self) {
        self.wait(self.work_limit()).await;
    }

    /// Returns when everything must end; never, without a limit.
    pub(crate) async fn end(&self) {
        self.wait(self.limit).await;
    }

    /// What is left of the whole time; none without a limit.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub(self.elapsed()))
    }

    fn work_limit(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub((limit / 10).min(RESERVE)))
    }

    async fn wait(&self, limit: Option<Duration>) {
        match limit.and_then(|limit| self.start.checked_add(limit)) {
            Some(moment) => tokio::time::sleep_until(moment).await,
            None => std::future::pending().await,
        }
    }
}
