//! Call order within one turn: a call waits for every earlier one with conflicting effects, whether that is waiting for an
//! answer, for a hook, or running.
//!
//! [`Lanes`](super::lanes) keep two calls from changing one file at once, wherever they come from; this module only
//! decides which of one turn's calls comes first. Calls that only read never wait for each other. A call waits only for
//! earlier ones and holds no lane meanwhile, so no two can wait for each other.

use super::execute;
use crate::call::{Access, Cancel, CanonicalPath, Effect, Outcome};
use crate::ports::{CheckedCall, CommandClass, Tail};
use parking_lot::{Mutex, MutexGuard};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::Notify;

/// The order of the calls of one turn. Tickets are drawn in call order, before any of the calls is submitted.
#[derive(Clone, Debug, Default)]
pub struct CallOrder(Arc<Shared>);

/// One call's place in a [`CallOrder`], given up when dropped: later calls see what this one did.
#[derive(Debug)]
pub struct Ticket {
    shared: Arc<Shared>,
    number: u64,
    tail: Option<Tail>,
}

#[derive(Debug, Default)]
struct Shared {
    tickets: Mutex<Tickets>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Tickets {
    drawn: u64,
    /// Calls that have not ended. Without an extent: not validated yet, so it may touch anything.
    open: BTreeMap<u64, Option<Extent>>,
}

impl CallOrder {
    /// The order of a turn without calls.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The next ticket, after all that were drawn before.
    #[must_use]
    pub fn ticket(&self) -> Ticket {
        let mut tickets = self.0.lock();
        tickets.drawn += 1;
        let number = tickets.drawn;
        tickets.open.insert(number, None);
        Ticket { shared: Arc::clone(&self.0), number, tail: None }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Tickets> {
        self.tickets.lock()
    }
}

/// Announces what the call would touch; repeated when a hook has changed the call.
pub(super) fn announce(ticket: Option<&Ticket>, call: &CheckedCall) {
    if let Some(ticket) = ticket {
        ticket.declare(Extent::of(call));
    }
}

/// Waits until no earlier conflicting call is left.
pub(super) async fn wait(ticket: Option<&Ticket>, call: &CheckedCall, cancel: &Cancel) -> Result<(), Box<Outcome>> {
    let Some(ticket) = ticket else { return Ok(()) };
    tokio::select! {
        () = ticket.turn() => Ok(()),
        () = cancel.cancelled() => Err(execute::cancelled(call.spec())),
    }
}

impl Ticket {
    /// Sends the output of the call's programs to `tail` as it arrives, unredacted.
    #[must_use]
    pub fn watched(mut self, tail: Option<Tail>) -> Self {
        self.tail = tail;
        self
    }

    pub(super) fn tail(&self) -> Option<Tail> {
        self.tail.clone()
    }

    fn declare(&self, extent: Extent) {
        self.shared.lock().open.insert(self.number, Some(extent));
        self.shared.changed.notify_waiters();
    }

    /// Waits until no earlier call with conflicting effects is left.
    pub(super) async fn turn(&self) {
        loop {
            // Created before the check, so that no later change is missed.
            let changed = self.shared.changed.notified();
            if !self.is_held_up() {
                return;
            }
            changed.await;
        }
    }

    fn is_held_up(&self) -> bool {
        let tickets = self.shared.lock();
        let own = tickets.open.get(&self.number).and_then(Option::as_ref);
        tickets.open.range(..self.number).any(|(_, earlier)| match (earlier, own) {
            (Some(earlier), Some(own)) => earlier.meets(own),
            _ => true,
        })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.shared.lock().open.remove(&self.number);
        self.shared.changed.notify_waiters();
    }
}

/// What a call may touch.
#[derive(Debug)]
enum Extent {
    /// Files that are read, and files that are written.
    Files { read: Span, written: Span },
    /// Another agent's task: any file; but tasks do not wait for each other.
    Task,
}

#[derive(Debug)]
enum Span {
    Paths(Vec<CanonicalPath>),
    Everything,
}

impl Extent {
    fn of(call: &CheckedCall) -> Self {
        let effects = call.effects();
        if effects.iter().any(|effect| matches!(effect, Effect::Delegate(_))) {
            return Self::Task;
        }
        let ends_program = effects.iter().any(|effect| matches!(effect, Effect::Stop(_)));
        let writes_anything = ends_program || call.commands().iter().any(|command| command.class > CommandClass::Safe);
        let paths = |wanted: Access| {
            let paths = effects.iter().flat_map(Effect::paths).filter(|(_, access)| *access == wanted);
            Span::Paths(paths.map(|(path, _)| path.clone()).collect())
        };
        Self::Files {
            read: if call.commands().is_empty() { paths(Access::Read) } else { Span::Everything },
            written: if writes_anything { Span::Everything } else { paths(Access::Write) },
        }
    }

    /// Whether one may change something that the other touches.
    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Task, Self::Task) => false,
            (Self::Task, Self::Files { read, written }) | (Self::Files { read, written }, Self::Task) => {
                !(read.is_empty() && written.is_empty())
            }
            (Self::Files { read, written }, Self::Files { read: other_read, written: other_written }) => {
                written.meets(other_written) || written.meets(other_read) || read.meets(other_written)
            }
        }
    }
}

impl Span {
    fn is_empty(&self) -> bool {
        matches!(self, Self::Paths(paths) if paths.is_empty())
    }

    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Paths(paths), Self::Paths(others)) => {
                paths.iter().any(|path| others.iter().any(|other| overlap(path, other)))
            }
            (Self::Everything, span) | (span, Self::Everything) => !span.is_empty(),
        }
    }
}

/// A directory overlaps with everything below it. Roots may be nested, so two of them always count as one.
fn overlap(one: &CanonicalPath, other: &CanonicalPath) -> bool {
    one.root() != other.root() || one.is_within(other) || other.is_within(one)
}

#[cfg(test)]
mod tests;
