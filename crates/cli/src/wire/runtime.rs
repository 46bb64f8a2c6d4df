//! The one async runtime of the process.

use crate::exit::Failure;
use std::future::Future;

/// How many threads poll.
#[derive(Clone, Copy)]
pub enum Threads {
    /// The main one: the shortest way between a model's answer and the next request. Blocking tools have threads of their
    /// own all the same.
    One,
    /// One a core, for batches.
    Cores,
}

/// Runs a command's async part. Threads that a hung tool still holds are left behind, not waited for.
pub fn block_on<T: Send + 'static>(
    threads: Threads,
    work: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    let (runtime, ended);
    match threads {
        Threads::One => {
            runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            ended = runtime.block_on(work);
        }
        Threads::Cores => {
            let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get).clamp(2, 8);
            runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(cores).enable_all().build()?;
            // On a worker, not on the main thread: a tool's task then starts without waking another thread.
            ended = runtime.block_on(async { tokio::spawn(work).await })?;
        }
    }
    runtime.shutdown_background();
    ended
}
