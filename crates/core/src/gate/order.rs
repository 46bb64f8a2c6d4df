//! Call order within one turn: a call waits for every earlier one with conflicting effects, whether that is waiting for an
//! answer, for a hook, or running.
//!
//! [`Lanes`](super::lanes) keep two calls from changing one file at once, wherever they come from; this module only
//! decides which of one turn's calls comes first. Calls that only read never wait for each other. A call waits only for
//! earlier ones and holds no lane meanwhile, so no two can wait for each other.

use super::execute;
use super::trail::Trail;
use crate::call::{Access, ActKind, Cancel, CanonicalPath, Effect, Outcome, QuestionId};
use crate::ports::{CheckedCall, CommandClass, Hearing, Tail};
use parking_lot::{Mutex, MutexGuard};
use std::collections::{BTreeMap, BTreeSet};
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
    cancel: Option<Cancel>,
    asked: Option<QuestionId>,
    hearing: Option<Hearing>,
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
    /// Calls whose questions are being stored: they are shown in this order, however long each takes.
    unshown: BTreeSet<u64>,
    /// What would be touched by calls whose questions wait for an answer.
    parked: Vec<(u64, Option<Extent>)>,
}

/// How the wait for earlier calls ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// None is left that conflicts.
    Come,
    /// One is parked, so this one's turn comes after its answer.
    PutOff,
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
        Ticket { shared: Arc::clone(&self.0), number, tail: None, cancel: None, asked: None, hearing: None }
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
pub(super) async fn wait(call: &CheckedCall, trail: &Trail<'_>) -> Result<(), Box<Outcome>> {
    let Some(ticket) = trail.ticket() else { return Ok(()) };
    tokio::select! {
        turn = ticket.turn() => match turn {
            Turn::Come => Ok(()),
            Turn::PutOff => Err(Box::new(Outcome::Parked { question: None })),
        },
        () = trail.cancelled() => Err(execute::cancelled(&call.spec().name)),
    }
}

impl Ticket {
    /// Sends the output of the call's programs to `tail` as it arrives, unredacted.
    #[must_use]
    pub fn watched(mut self, tail: Option<Tail>) -> Self {
        self.tail = tail;
        self
    }

    /// Ends this call alone when `cancel` is cancelled, whatever the gate's other calls do.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: Cancel) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Who hears what the tool says and asks while it runs.
    #[must_use]
    pub fn heard(mut self, hearing: Option<Hearing>) -> Self {
        self.hearing = hearing;
        self
    }

    pub(super) fn hearing(&self) -> Option<Hearing> {
        self.hearing.clone()
    }

    /// The question that was asked about this call when it was parked: it is not asked again, and its answer is spent on it.
    #[must_use]
    pub fn asked(mut self, question: Option<QuestionId>) -> Self {
        self.asked = question;
        self
    }

    pub(super) const fn question(&self) -> Option<&QuestionId> {
        self.asked.as_ref()
    }

    pub(super) const fn cancel(&self) -> Option<&Cancel> {
        self.cancel.as_ref()
    }

    pub(super) fn tail(&self) -> Option<Tail> {
        self.tail.clone()
    }

    fn declare(&self, extent: Extent) {
        self.shared.lock().open.insert(self.number, Some(extent));
        self.shared.changed.notify_waiters();
    }

    /// The call has a question, which is stored before it is shown.
    pub(super) fn asks(&self) -> Unshown<'_> {
        self.shared.lock().unshown.insert(self.number);
        Unshown(self)
    }

    /// The call is parked: later ones that conflict with it do not run before it.
    pub(super) fn park(&self) {
        let mut tickets = self.shared.lock();
        if let Some(extent) = tickets.open.remove(&self.number) {
            tickets.parked.push((self.number, extent));
        }
        drop(tickets);
        self.shared.changed.notify_waiters();
    }

    /// Waits until no earlier call with conflicting effects is left, or one is parked.
    async fn turn(&self) -> Turn {
        loop {
            // Created before the check, so that no later change is missed.
            let changed = self.shared.changed.notified();
            match self.come() {
                Some(turn) => return turn,
                None => changed.await,
            }
        }
    }

    fn come(&self) -> Option<Turn> {
        let tickets = self.shared.lock();
        let own = tickets.open.get(&self.number).and_then(Option::as_ref);
        let conflicts = |earlier: &Option<Extent>| match (earlier, own) {
            (Some(earlier), Some(own)) => earlier.meets(own),
            _ => true,
        };
        if tickets.parked.iter().any(|(number, earlier)| *number < self.number && conflicts(earlier)) {
            return Some(Turn::PutOff);
        }
        let mut earlier = tickets.open.range(..self.number).map(|(_, earlier)| earlier);
        (!earlier.any(conflicts)).then_some(Turn::Come)
    }
}

/// The place of a question among those of its turn that are not shown yet, given up when dropped.
pub(super) struct Unshown<'a>(&'a Ticket);

impl Unshown<'_> {
    /// Waits until no earlier one is left.
    pub(super) async fn comes(self) {
        let Self(Ticket { shared, number, .. }) = &self;
        loop {
            let changed = shared.changed.notified();
            if shared.lock().unshown.first().is_none_or(|first| first >= number) {
                return;
            }
            changed.await;
        }
    }
}

impl Drop for Unshown<'_> {
    fn drop(&mut self) {
        let Ticket { shared, number, .. } = self.0;
        shared.lock().unshown.remove(number);
        shared.changed.notify_waiters();
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
    /// Files, and others.
    Own(Own),
    /// Another agent's task, or a call that makes others: anything; but tasks do not wait for each other.
    Task,
}

#[derive(Debug)]
struct Own {
    read: Span,
    written: Span,
    /// Whom acts are done with.
    parties: Vec<(ActKind, String)>,
}

#[derive(Debug)]
enum Span {
    Paths(Vec<CanonicalPath>),
    Everything,
}

impl Extent {
    fn of(call: &CheckedCall) -> Self {
        let effects = call.effects();
        // What a call that makes calls will touch is unknown, too.
        if call.spec().makes_calls || effects.iter().any(|effect| matches!(effect, Effect::Delegate(_))) {
            return Self::Task;
        }
        let ends_program = effects.iter().any(|effect| matches!(effect, Effect::Stop(_)));
        let writes_anything = ends_program || call.commands().iter().any(|command| command.class > CommandClass::Safe);
        let paths = |wanted: Access| {
            let paths = effects.iter().flat_map(Effect::paths).filter(|(_, access)| *access == wanted);
            Span::Paths(paths.map(|(path, _)| path.clone()).collect())
        };
        let parties = effects.iter().filter_map(|effect| match effect {
            Effect::Act(act) => Some((act.kind, act.party().to_owned())),
            _ => None,
        });
        Self::Own(Own {
            parties: parties.collect(),
            read: if call.commands().is_empty() { paths(Access::Read) } else { Span::Everything },
            written: if writes_anything { Span::Everything } else { paths(Access::Write) },
        })
    }

    /// Whether one may change something that the other touches.
    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Task, Self::Task) => false,
            (Self::Task, Self::Own(own)) | (Self::Own(own), Self::Task) => {
                !(own.read.is_empty() && own.written.is_empty() && own.parties.is_empty())
            }
            (Self::Own(own), Self::Own(other)) => {
                own.written.meets(&other.written)
                    || own.written.meets(&other.read)
                    || own.read.meets(&other.written)
                    || own.parties.iter().any(|party| other.parties.contains(party))
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
