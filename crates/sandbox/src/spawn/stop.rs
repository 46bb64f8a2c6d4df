//! Stops a program early: TERM first, then KILL.

use super::Running;
use crate::settings::TIMEOUT_GRACE;
use palanca_core::ports::Exit;
use rustix::process::Signal;
use std::time::Duration;
use tokio::time::timeout;

/// The helper's own time to report the end of killed processes.
const CERTAIN: Duration = Duration::from_secs(1);

/// Why it must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Timeout,
    Asked,
}

/// Waits for the end, or for the reason to make one. Nothing of the program is left afterwards.
pub(crate) async fn watch(running: &mut Running, reason: impl Future<Output = Stop>, grace: Duration) -> Exit {
    let reason = tokio::select! {
        biased;
        exit = running.ended() => return exit,
        reason = reason => reason,
    };
    let (exit, grace) = match reason {
        Stop::Timeout => (Exit::TimedOut, grace.min(TIMEOUT_GRACE)),
        Stop::Asked => (Exit::Killed, grace),
    };
    running.signal(Signal::TERM.as_raw());
    // A stopped process would not hear it.
    running.signal(Signal::CONT.as_raw());
    if timeout(grace, running.ended()).await.is_err() {
        running.signal(Signal::KILL.as_raw());
        if timeout(CERTAIN, running.ended()).await.is_err() {
            running.cut().await;
        }
    }
    exit
}
