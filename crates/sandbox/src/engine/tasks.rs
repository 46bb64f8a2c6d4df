//! What one door has the engine do.

use crate::spawn::io_error;
use palanca_core::ports::ProcessError;
use std::io;
use std::sync::mpsc;
use std::thread::ThreadId;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

/// The longest that closing a door may take: helpers have 2 seconds to clean up before they are killed.
const LAST: Duration = Duration::from_secs(3);

/// The tasks of one door. They do not keep the engine's thread alive.
#[derive(Clone)]
pub(crate) struct Tasks {
    runtime: Handle,
    thread: ThreadId,
    stop: CancellationToken,
    tracker: TaskTracker,
}

impl Tasks {
    /// None yet, on this thread with its runtime.
    pub(super) fn on(runtime: Handle, thread: ThreadId) -> Self {
        Self { runtime, thread, stop: CancellationToken::new(), tracker: TaskTracker::new() }
    }

    /// For what is waited for when the door closes, and does not end before.
    pub(crate) const fn tracker(&self) -> &TaskTracker {
        &self.tracker
    }

    /// Serves a task to its end; it ends earlier when the returned future is dropped or the door closes.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T, ProcessError>> + Send + 'static,
    ) -> Result<T, ProcessError> {
        let stop = self.stop.clone();
        let task = async move { stop.run_until_cancelled(task).await.unwrap_or_else(|| Err(closed())) };
        AbortOnDropHandle::new(self.tracker.spawn_on(task, &self.runtime)).await.unwrap_or_else(|_| Err(closed()))
    }

    /// Serves a detached task until it ends or the door closes.
    pub(crate) fn leave(&self, task: impl Future<Output = ()> + Send + 'static) {
        let stop = self.stop.clone();
        let task = async move { _ = stop.run_until_cancelled(task).await };
        self.tracker.spawn_on(task, &self.runtime);
    }

    /// Ends all tasks, does this where helpers can be let go, and returns when all of them are gone.
    pub(crate) fn end(&self, last: impl FnOnce() + Send + 'static) {
        self.stop.cancel();
        let (tracker, (done, over)) = (self.tracker.clone(), mpsc::channel::<()>());
        self.runtime.spawn(async move {
            last();
            tracker.close();
            // ignored: what is not gone by now cannot be waited for.
            let _ = tokio::time::timeout(LAST, tracker.wait()).await;
            drop(done);
        });
        // The thread cannot wait for itself.
        if std::thread::current().id() != self.thread {
            // ignored: it says nothing, it only ends.
            let _ = over.recv();
        }
    }
}

/// The error of a call whose door is gone.
fn closed() -> ProcessError {
    io_error("", &io::Error::other("the door for programs is closed"))
}
