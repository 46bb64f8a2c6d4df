//! The one thread that serves programs, whatever runtime the callers have, or none.

use super::closed;
use palanca_core::ports::ProcessError;
use std::io;
use std::thread::{JoinHandle, ThreadId};
use std::time::Duration;
use tokio::runtime::{Builder, EnterGuard, Handle};
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

/// The longest that dropping the door may take: helpers have 2 seconds to clean up before they are killed.
const LAST: Duration = Duration::from_secs(3);

/// A runtime with its thread. Tasks end when it stops.
pub(crate) struct Engine {
    handle: Handle,
    stop: CancellationToken,
    tracker: TaskTracker,
    thread: Option<JoinHandle<()>>,
}

impl Engine {
    pub(crate) fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (stop, tracker) = (CancellationToken::new(), TaskTracker::new());
        let handle = runtime.handle().clone();
        let (stopped, tracked) = (stop.clone(), tracker.clone());
        let thread = std::thread::Builder::new().name("palanca-programs".to_owned()).spawn(move || {
            runtime.block_on(async {
                stopped.cancelled().await;
                tracked.close();
                // ignored: what is not gone by now cannot be waited for.
                let _ = tokio::time::timeout(LAST, tracked.wait()).await;
            });
            runtime.shutdown_background();
        })?;
        Ok(Self { handle, stop, tracker, thread: Some(thread) })
    }

    /// For what must go on while the door closes.
    pub(crate) fn tracker(&self) -> TaskTracker {
        self.tracker.clone()
    }

    /// For what must be let go inside of the runtime.
    pub(crate) fn enter(&self) -> EnterGuard<'_> {
        self.handle.enter()
    }

    /// Serves a task to its end; it ends earlier when the returned future is dropped or the door closes.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T, ProcessError>> + Send + 'static,
    ) -> Result<T, ProcessError> {
        let stop = self.stop.clone();
        let task = async move { stop.run_until_cancelled(task).await.unwrap_or_else(|| Err(closed())) };
        AbortOnDropHandle::new(self.tracker.spawn_on(task, &self.handle)).await.unwrap_or_else(|_| Err(closed()))
    }

    /// Serves a background task until the door closes.
    pub(crate) fn leave(&self) -> Leave {
        Leave { handle: self.handle.clone(), stop: self.stop.clone(), tracker: self.tracker.clone() }
    }

    /// Ends all tasks and returns when the helpers are gone.
    pub(crate) fn stop(&mut self) {
        self.stop.cancel();
        let own: ThreadId = std::thread::current().id();
        if let Some(thread) = self.thread.take().filter(|thread| thread.thread().id() != own) {
            // ignored: a thread that panicked has dropped its tasks, which is what is wanted.
            let _ = thread.join();
        }
    }
}

/// The engine as its own tasks may use it.
pub(crate) struct Leave {
    handle: Handle,
    stop: CancellationToken,
    tracker: TaskTracker,
}

impl Leave {
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let stop = self.stop.clone();
        self.tracker.spawn_on(
            async move {
                stop.run_until_cancelled(task).await;
            },
            &self.handle,
        );
    }
}
