//! The one async runtime of the process.

use crate::exit::Failure;
use std::future::Future;

/// Runs a command's async part. Threads that a hung tool still holds are left behind, not waited for.
pub fn block_on<T: Send + 'static>(
    work: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    let workers = std::thread::available_parallelism().map_or(2, std::num::NonZero::get).clamp(2, 8);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build()?;
    // On a worker, not on the main thread: a tool's task then starts without waking another thread.
    let ended = runtime.block_on(async { tokio::spawn(work).await });
    runtime.shutdown_background();
    ended?
}
