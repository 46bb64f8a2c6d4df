//! External ends of a run: an interrupt, an "abort" answer, the timeout. The first one is the reason.

use crate::budget::Deadline;
use crate::report::StopReason;
use crate::session::Session;
use palanca_core::gate::Intake;
use palanca_core::tool::Cancel;
use std::sync::OnceLock;
use std::time::Duration;

pub(super) struct Halt<'a> {
    interrupt: &'a Cancel,
    intake: &'a Intake,
    session: Option<&'a Session>,
    abort: Cancel,
    deadline: Deadline,
    first: OnceLock<StopReason>,
}

impl<'a> Halt<'a> {
    pub(super) fn new(
        interrupt: &'a Cancel,
        intake: &'a Intake,
        session: Option<&'a Session>,
        limit: Option<Duration>,
    ) -> Self {
        Self {
            interrupt,
            intake,
            session,
            abort: Cancel::new(),
            deadline: Deadline::start(limit),
            first: OnceLock::new(),
        }
    }

    pub(super) const fn deadline(&self) -> &Deadline {
        &self.deadline
    }

    /// Why no more work should begin, if it should not.
    pub(super) fn reason(&self) -> Option<StopReason> {
        if let Some(first) = self.first.get() {
            return Some(*first);
        }
        let reason = if self.unkept() {
            StopReason::StoreFailed
        } else if self.interrupted() || self.intake.is_closed() {
            StopReason::UserInterrupt
        } else if self.deadline.work_is_over() {
            StopReason::Timeout
        } else {
            return None;
        };
        Some(*self.first.get_or_init(|| reason))
    }

    /// Whether a person wants an end.
    pub(super) fn interrupted(&self) -> bool {
        let pressed = || self.interrupt.is_cancelled() && !self.unkept();
        self.first.get().map_or_else(pressed, |first| *first == StopReason::UserInterrupt)
    }

    /// Whether something could not be kept. Then the session has ended the gate's token, which a person's may share.
    pub(super) fn unkept(&self) -> bool {
        self.session.is_some_and(|session| session.fault().is_some())
    }

    /// A token was cancelled, by a person or because something could not be kept.
    fn cancelled(&self) -> StopReason {
        if self.unkept() { StopReason::StoreFailed } else { StopReason::UserInterrupt }
    }

    /// Nothing more begins; what runs may end by itself.
    pub(super) fn begin_no_more(&self, reason: StopReason) {
        self.first.get_or_init(|| reason);
    }

    /// A person ended everything, from inside a call.
    pub(super) fn end(&self, reason: StopReason) {
        self.first.get_or_init(|| reason);
        self.abort.cancel();
    }

    /// Returns when running calls must end.
    pub(super) async fn end_of_work(&self) -> StopReason {
        let reason = tokio::select! {
            biased;
            () = self.abort.cancelled() => StopReason::Aborted,
            () = self.interrupt.cancelled() => self.cancelled(),
            () = self.deadline.end_of_work() => StopReason::Timeout,
        };
        *self.first.get_or_init(|| reason)
    }

    /// Returns when a running model call must end.
    pub(super) async fn end_of_all(&self) -> StopReason {
        // Where the gate shares the person's token, ending the tools has cancelled it: that is no word from a person.
        let spent = self.first.get().is_some() && !self.interrupted();
        let reason = tokio::select! {
            biased;
            () = self.interrupt.cancelled(), if !(spent && self.interrupt.is_cancelled()) => self.cancelled(),
            () = self.deadline.end() => StopReason::Timeout,
        };
        *self.first.get_or_init(|| reason)
    }
}
