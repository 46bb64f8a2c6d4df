//! Waiting for another thread or another process without holding up the tasks of the runtime's thread.

use parking_lot::{Mutex, MutexGuard};
use std::cell::Cell;
use std::time::{Duration, Instant};
use tokio::runtime::{Handle, RuntimeFlavor};

/// How long to wait for another process, in milliseconds. Transactions take microseconds; this is for very busy machines.
pub(super) const PATIENCE: u64 = 10_000;

/// Milliseconds of waiting that are worth a line in the log.
const SLOW: u64 = 250;

/// A first look after so many milliseconds, a second, and so on; then every tenth of a second.
const LOOKS: [u64; 10] = [1, 2, 5, 10, 15, 20, 25, 25, 50, 50];
const LATER: u64 = 100;

thread_local! {
    /// Milliseconds that this thread waited for the connection that it holds.
    static WAITED: Cell<u64> = const { Cell::new(0) };
}

/// The lock, unless it is not free in time. Whoever must wait for it hands the thread's other tasks on, and has waited that much
/// for another process, too: however many wait, none waits longer than the first.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    lock_since(mutex, Duration::ZERO)
}

/// The same for whoever has waited elsewhere already.
pub(super) fn lock_since<T>(mutex: &Mutex<T>, before: Duration) -> Option<MutexGuard<'_, T>> {
    let (mut held, mut waited) = (mutex.try_lock(), before);
    if held.is_none() {
        let started = Instant::now();
        held = handing_on(|| mutex.try_lock_for(Duration::from_millis(PATIENCE).saturating_sub(before)));
        waited += started.elapsed();
    }
    let waited = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
    WAITED.set(waited);
    if waited >= SLOW {
        tracing::warn!(palanca.waited_ms = waited, "the database was busy");
    }
    held
}

/// The first lock if it is free, else the second one.
pub(super) fn either<'m, T>(first: &'m Mutex<T>, second: &'m Mutex<T>) -> Option<MutexGuard<'m, T>> {
    WAITED.set(0);
    first.try_lock().or_else(|| lock(second))
}

/// For SQLite, when another connection holds the file: waits, and says whether to look again. `looks` is how often it was
/// looked already.
pub(super) fn look_again(looks: i32) -> bool {
    let looks = usize::try_from(looks).unwrap_or_default();
    let behind = u64::try_from(looks.saturating_sub(LOOKS.len())).unwrap_or(u64::MAX);
    let looked = LOOKS.iter().take(looks).sum::<u64>().saturating_add(behind.saturating_mul(LATER));
    if WAITED.get().saturating_add(looked) >= PATIENCE {
        return false;
    }
    let wait = Duration::from_millis(LOOKS.get(looks).copied().unwrap_or(LATER));
    handing_on(|| std::thread::sleep(wait));
    true
}

/// A runtime of one thread has nobody to hand its tasks to.
fn handing_on<T>(wait: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(wait),
        _ => wait(),
    }
}
