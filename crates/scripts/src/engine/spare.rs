//! The process of the next script, started soon after one has ended: it has made its engine and given up everything else by the time it
//! is needed, and has not seen any source.
//!
//! It serves one script or none, and only one with the very limits that it was started with. What it could see when it was started
//! does not matter later, because it cannot open anything any more. An engine that is never used has none.

use super::child::Child;
use crate::limits::Limits;
use palanca_core::ports::Processes;
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// How long after a script one is started: a program that runs a single script has ended by then, and starts none.
const SOON: Duration = Duration::from_millis(50);
/// How long one waits.
const IDLE: Duration = Duration::from_secs(60);

/// Those that wait at once, of all engines of this process. While all places are taken, no more are started.
static PLACES: Semaphore = Semaphore::const_new(4);

/// The one spare process of an engine.
#[derive(Default)]
pub(super) struct Spare(Mutex<Option<Waiting>>);

struct Waiting {
    limits: Limits,
    wanted: oneshot::Sender<()>,
    /// One task, which keeps the process until it is wanted. It ends with this.
    keeping: JoinSet<Option<Child>>,
}

impl Spare {
    /// The one that waits, or is being started, for a script with these limits. One with other limits ends. None: it starts its own.
    pub(super) async fn take(&self, limits: Limits) -> Option<Child> {
        let waiting = self.0.lock().take();
        let Waiting { wanted, mut keeping, .. } = waiting.filter(|waiting| waiting.limits == limits)?;
        wanted.send(()).ok()?;
        keeping.join_next().await?.ok().flatten()
    }

    /// Starts one, unless there is one.
    pub(super) fn prepare(&self, door: &Arc<dyn Processes>, limits: Limits) {
        let mut place = self.0.lock();
        if place.as_ref().is_some_and(|waiting| waiting.limits == limits && !waiting.wanted.is_closed()) {
            return;
        }
        let Ok(permit) = PLACES.try_acquire() else { return };
        let (wanted, mut asked) = oneshot::channel();
        let (door, mut keeping) = (Arc::clone(door), JoinSet::new());
        keeping.spawn(async move {
            let _permit = permit;
            tokio::select! {
                _ = &mut asked => return None,
                () = sleep(SOON) => {}
            }
            // Where that fails, the next script starts its own, and is told why it cannot.
            let mut child = Child::start(&*door, limits).await.ok()?;
            drop(door);
            let wanted = tokio::select! {
                biased;
                wanted = asked => wanted.is_ok(),
                _ = child.attached.wait() => false,
                () = sleep(IDLE) => false,
            };
            wanted.then_some(child)
        });
        *place = Some(Waiting { limits, wanted, keeping });
    }
}
