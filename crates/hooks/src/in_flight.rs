//! Background hooks: a bounded number at once, a bounded queue, all ended with the run.

use crate::failure::Failure;
use palanca_core::tool::Cancel;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

/// Maximum number running at once.
const RUNNING: usize = 8;
/// Maximum number running or queued.
const ACCEPTED: usize = 64;

/// Those running or queued.
#[derive(Clone, Debug)]
pub(crate) struct InFlight {
    running: Arc<Semaphore>,
    tracker: TaskTracker,
    cancel: Cancel,
}

impl Default for InFlight {
    fn default() -> Self {
        Self { running: Arc::new(Semaphore::new(RUNNING)), tracker: TaskTracker::new(), cancel: Cancel::new() }
    }
}

impl InFlight {
    /// Runs it in the background, with a token that ends it.
    pub(crate) fn start<F>(&self, work: impl FnOnce(Cancel) -> F) -> Result<(), Failure>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        if self.tracker.len() >= ACCEPTED {
            return Err(Failure::Crowded);
        }
        let (running, cancel) = (Arc::clone(&self.running), self.cancel.clone());
        let work = work(self.cancel.clone());
        self.tracker.spawn(async move {
            tokio::select! {
                biased;
                () = cancel.cancelled() => {}
                turn = running.acquire_owned() => {
                    let _turn = turn;
                    work.await;
                }
            }
        });
        Ok(())
    }

    /// Waits this long for unfinished hooks, then ends them.
    pub(crate) async fn finish(&self, patience: Duration) {
        self.tracker.close();
        // ignored: unfinished hooks are ended below.
        let _ = tokio::time::timeout(patience, self.tracker.wait()).await;
        self.cancel.cancel();
        // ignored: the door ends the rest when it closes.
        let _ = tokio::time::timeout(Duration::from_secs(2), self.tracker.wait()).await;
    }
}
