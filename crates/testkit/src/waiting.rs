//! Waiting for what happens in its own time, on a machine that may be busy with everything else; and what work costs there.

use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// How long a test waits for what must happen. No promise of speed: what has not happened by then never will.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until it is so; fails when it never is.
#[track_caller]
pub fn until(what: &str, so: impl FnMut() -> bool) {
    let mut so = so;
    some(what, || so().then_some(()));
}

/// Waits until there is one.
#[track_caller]
pub fn some<T>(what: &str, one: impl FnMut() -> Option<T>) -> T {
    let mut one = one;
    let started = Instant::now();
    loop {
        if let Some(one) = one() {
            return one;
        }
        assert!(started.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What it gives, and the processor time that this thread spent on it. Neighbours make it dearer by a part, never by a
/// factor of ten: wide bounds hold on a busy machine, and still tell linear from quadratic.
pub fn spent<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("no time before zero");
    let begun = now();
    let given = work();
    (given, now() - begun)
}
