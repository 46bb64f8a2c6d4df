//! The one async runtime of the process.

use crate::exit::Failure;
use std::future::Future;

/// How many threads poll.
#[derive(Clone, Copy)]
pub enum Threads {
    /// The main one: the shortest way between a model's answer and the next request. Blocking tools have threads of their
    /// own all the same.
    One,
    /// One worker: for calls that follow each other while something else may wait for input. A tool's task then starts without
    /// waking another thread.
    Worker,
    /// A worker a core: for calls in parallel.
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
        Threads::Worker | Threads::Cores => {
            let cores = || std::thread::available_parallelism().map_or(2, std::num::NonZero::get).clamp(2, 8);
            let workers = if matches!(threads, Threads::Worker) { 1 } else { cores() };
            runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build()?;
            // On a worker, not on the main thread, so that tasks stay on the thread that spawns them.
            ended = runtime.block_on(async { tokio::spawn(work).await })?;
        }
    }
    runtime.shutdown_background();
    ended
}
