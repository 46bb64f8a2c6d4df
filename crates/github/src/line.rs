//! The request thread, so that a door with blocking methods can be called from anywhere. It starts with the first request
//! and ends with its door.

use super::fault::Fault;
use palanca_core::ports::RemoteFault;
use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;
use std::sync::mpsc;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

type Job = Pin<Box<dyn Future<Output = ()> + Send>>;

#[derive(Default)]
pub(super) struct Line {
    jobs: OnceLock<Option<UnboundedSender<Job>>>,
}

impl Line {
    /// Runs it there and waits for its end. The future must limit its own time.
    pub(super) fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        let (done, ended) = mpsc::sync_channel(1);
        self.spawn(async move {
            // ignored: the caller no longer waits.
            let _ = done.send(work.await);
        })?;
        ended.recv().unwrap_or_else(|_| Err(gone()))
    }

    /// Starts it there.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) -> Result<(), Fault> {
        let jobs = self.jobs.get_or_init(start).as_ref().ok_or_else(gone)?;
        jobs.send(Box::pin(work)).map_err(|_| gone())
    }
}

fn start() -> Option<UnboundedSender<Job>> {
    let (jobs, mut waiting) = unbounded_channel::<Job>();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let serve = move || {
        runtime.block_on(async {
            while let Some(job) = waiting.recv().await {
                tokio::spawn(job);
            }
        });
        // Unfinished work is dropped.
        runtime.shutdown_background();
    };
    std::thread::Builder::new().name("palanca-github".to_owned()).spawn(serve).ok()?;
    Some(jobs)
}

fn gone() -> Fault {
    Fault::new(RemoteFault::Unavailable, "no thread for requests")
}
