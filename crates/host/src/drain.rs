//! The end of a process in order: nothing new begins, what is under way has some time, the rest is cut off and recorded.

use crate::host::Host;
use crate::session::hooks;
use crate::workspace::processes::Deferred;
use futures_util::future::join_all;
use palanca_agent::SubagentPool;
use palanca_core::call::SessionId;
use palanca_core::gate::Intake;
use palanca_core::tool::Cancel;
use palanca_core::{Gate, Scope};
use palanca_hooks::Hooks;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::time::timeout;

/// A time for calls and turns to end by themselves that service managers allow.
pub const GRACE: Duration = Duration::from_secs(20);
/// How long what was cut off may take to end and to be recorded.
const LAST_MOMENT: Duration = Duration::from_secs(5);

/// What had to be cut off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drained {
    /// Sessions with calls or turns that were under way when the time was over. They are recorded, and can be resumed.
    pub cut_off: Vec<SessionId>,
    /// Those of them that did not end even then, because a tool blocks its thread or nobody polls the call.
    pub abandoned: Vec<SessionId>,
    /// Commands of the background programs that were ended.
    pub programs: Vec<String>,
}

/// What a host knows of its end.
#[derive(Default)]
pub(crate) struct Ending {
    /// Cancelled when nothing new may begin.
    pub(crate) closing: Cancel,
    /// What the host does itself.
    pub(crate) chores: Intake,
    sessions: Mutex<HashMap<u64, Weak<Live>>>,
    numbers: AtomicU64,
    doors: Mutex<Vec<Weak<Deferred>>>,
}

/// A session as the end of the process sees it, as long as somebody holds it.
pub(crate) struct Live {
    host: Arc<Host>,
    number: u64,
    scope: Scope,
    gate: Arc<Gate>,
    pool: SubagentPool,
    hooks: Arc<Hooks>,
}

impl Drop for Live {
    fn drop(&mut self) {
        self.host.ending.sessions.lock().remove(&self.number);
    }
}

impl Live {
    pub(crate) fn new(
        host: &Arc<Host>,
        scope: &Scope,
        gate: &Arc<Gate>,
        around: (&SubagentPool, &Arc<Hooks>),
    ) -> Arc<Self> {
        let ending = &host.ending;
        let live = Arc::new(Self {
            host: Arc::clone(host),
            number: ending.numbers.fetch_add(1, Ordering::Relaxed),
            scope: scope.clone(),
            gate: Arc::clone(gate),
            pool: around.0.clone(),
            hooks: Arc::clone(around.1),
        });
        ending.sessions.lock().insert(live.number, Arc::downgrade(&live));
        live
    }

    fn is_idle(&self) -> bool {
        self.gate.intake().is_idle()
    }

    fn cut_off(&self) -> SessionId {
        self.gate.cancel().cancel();
        self.pool.cancel();
        self.scope.session.clone()
    }

    /// After its last call.
    async fn leave(&self) {
        self.pool.end(LAST_MOMENT).await;
        self.hooks.finish(hooks::PATIENCE).await;
        self.gate.leave(&self.scope);
    }
}

impl Ending {
    pub(crate) fn opened(&self, door: &Arc<Deferred>) {
        let mut doors = self.doors.lock();
        doors.retain(|door| door.strong_count() > 0);
        doors.push(Arc::downgrade(door));
    }
}

impl Host {
    /// Ends all work in order. No call and no turn begins from now on, here or in sessions that are still made; those under way
    /// have `grace` ([`GRACE`] is sensible), of turns the step that they are in. Then they are cancelled, as by Ctrl-C: each
    /// call is recorded once, each session can be resumed. Subagents, background programs, background hooks and
    /// [`keep_clean`](Self::keep_clean) end, too, and the spans that wait are sent to their collector. A session is another
    /// process's to take up once its [`Session`](crate::Session) is dropped.
    ///
    /// Returns within `grace` and about twenty seconds. Calls and turns must still be polled meanwhile, by their own tasks.
    pub async fn drain(&self, grace: Duration) -> Drained {
        self.ending.closing.cancel();
        let live: Vec<Arc<Live>> = self.ending.sessions.lock().values().filter_map(Weak::upgrade).collect();
        let idle = || join_all(live.iter().map(|session| session.gate.intake().idle()));
        let mut drained = Drained::default();
        if timeout(grace, idle()).await.is_err() {
            let busy = || live.iter().filter(|session| !session.is_idle());
            drained.cut_off = busy().map(|session| session.cut_off()).collect();
            if timeout(LAST_MOMENT, idle()).await.is_err() {
                drained.abandoned = busy().map(|session| session.scope.session.clone()).collect();
            }
        }
        join_all(live.iter().map(|session| session.leave())).await;
        let doors: Vec<Arc<Deferred>> = self.ending.doors.lock().iter().filter_map(Weak::upgrade).collect();
        for ended in join_all(doors.iter().map(|door| door.end_background())).await {
            drained.programs.extend(ended.into_iter().map(|program| program.command));
        }
        // ignored: what is being removed for its age can be removed another time.
        let _ = timeout(LAST_MOMENT, self.ending.chores.idle()).await;
        self.flush_traces().await;
        drained
    }
}
