//! Whether new work may begin, and whether any is under way: so that a process can end in order.

use crate::call::Cancel;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// The intake of one session, or of whatever else ends as a whole. Once it is closed, no call of its gates begins, and a turn
/// over them ends before its next request; what is under way goes on.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::{Gate, Registry, gate::Intake, tool::Cancel};
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
///
/// let closing = Cancel::new();
/// let gate = Gate::builder(Registry::new().into()).intake(Intake::until(closing.clone())).build();
/// closing.cancel();
/// let result = gate.execute("any", serde_json::json!({})).await;
/// assert_eq!(result.code.as_deref(), Some("cancelled"));
/// gate.intake().idle().await;
/// # });
/// ```
#[derive(Clone, Debug, Default)]
pub struct Intake {
    closed: Cancel,
    work: TaskTracker,
}

/// Work under way, until it is dropped.
#[derive(Debug)]
pub struct Underway {
    _token: TaskTrackerToken,
}

impl Intake {
    /// Open until this token is cancelled.
    #[must_use]
    pub fn until(closed: Cancel) -> Self {
        Self { closed, work: TaskTracker::new() }
    }

    /// Whether no more work may begin.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed.is_cancelled()
    }

    /// Counts work as under way; whether it may begin is up to it.
    #[must_use]
    pub fn begin(&self) -> Underway {
        Underway { _token: self.work.token() }
    }

    /// Whether no work is under way.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.work.is_empty()
    }

    /// Returns when no work is under way.
    pub async fn idle(&self) {
        self.work.close();
        self.work.wait().await;
    }
}
