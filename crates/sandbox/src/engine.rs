//! What all doors of a process share: one thread that serves their programs, what this machine can isolate, and the helpers
//! that wait.
//!
//! Programs are served by that thread and not by the callers' runtimes, so that a background program is read, and a time
//! limit kept, while the caller does something else or nothing at all. The programs of a door are its own [`Tasks`]: a door
//! that closes ends those and waits for them, and for no others. Nothing that can hang with one workspace's file system is
//! done on the thread.

mod machine;
mod tasks;

pub(crate) use machine::Machine;
pub(crate) use tasks::Tasks;

use crate::isolation::Isolation;
use crate::settings::SandboxSettings;
use crate::spawn::{Spare, Spares};
use parking_lot::Mutex;
use std::io;
use std::sync::Arc;
use std::thread::{JoinHandle, ThreadId};
use tokio::runtime::{Builder, Handle};
use tokio_util::sync::CancellationToken;

/// Serves the programs of any number of doors ([`Sandbox::on`](crate::Sandbox::on)) with one thread and one look at what this
/// machine can isolate. Clones are the same engine. Nothing is started before a door opens; the thread ends with the last
/// clone and the last door.
#[derive(Clone, Default)]
pub struct Engine(Arc<Inner>);

#[derive(Default)]
struct Inner {
    thread: Mutex<Option<Thread>>,
    machines: Mutex<Vec<Arc<Machine>>>,
    spares: Arc<Spares>,
}

/// A runtime with its thread.
struct Thread {
    id: ThreadId,
    runtime: Handle,
    stop: CancellationToken,
    end: Option<JoinHandle<()>>,
}

impl Engine {
    /// An engine without a thread, so far.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// For a further door.
    ///
    /// # Errors
    /// The thread does not start.
    pub(crate) fn tasks(&self) -> io::Result<Tasks> {
        let mut thread = self.0.thread.lock();
        let thread = match &mut *thread {
            Some(thread) => thread,
            none => none.insert(Thread::start()?),
        };
        Ok(Tasks::on(thread.runtime.clone(), thread.id))
    }

    /// This machine, as the helper of these settings knows it.
    pub(crate) fn machine(&self, settings: &SandboxSettings) -> Arc<Machine> {
        let mut machines = self.0.machines.lock();
        if let Some(machine) = machines.iter().find(|machine| machine.is_of(settings)) {
            return Arc::clone(machine);
        }
        let machine = Arc::new(Machine::of(settings));
        machines.push(Arc::clone(&machine));
        machine
    }

    /// Finds out beside the caller what the first program under these settings will need to know of this machine. A program
    /// that is started meanwhile waits for that. One look at a time; whoever ends the process waits for none.
    pub fn look_ahead(&self, settings: &SandboxSettings) {
        if settings.isolation != Isolation::Unsandboxed {
            self.machine(settings).look_ahead();
        }
    }

    /// The place of a further door.
    pub(crate) fn spare(&self) -> Spare {
        Spare::among(&self.0.spares)
    }
}

impl Thread {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (handle, stop) = (runtime.handle().clone(), CancellationToken::new());
        let stopped = stop.clone();
        let end = std::thread::Builder::new().name("palanca-programs".to_owned()).spawn(move || {
            runtime.block_on(stopped.cancelled());
            runtime.shutdown_background();
        })?;
        Ok(Self { id: end.thread().id(), runtime: handle, stop, end: Some(end) })
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.stop.cancel();
        // It cannot wait for itself.
        let end = self.end.take().filter(|_| std::thread::current().id() != self.id);
        // ignored: a thread that panicked has dropped its tasks, which is what is wanted.
        let _ = end.map(JoinHandle::join);
    }
}
