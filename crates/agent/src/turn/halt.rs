//! What ends a run from outside: a person, a person's "abort", the time. The first of them is the reason, whatever follows.

use crate::budget::Deadline;
use crate::report::StopReason;
use palanca_core::tool::Cancel;
use std::sync::OnceLock;
use std::time::Duration;

pub(super) struct Halt<'a> {
    interrupt: &'a Cancel,
    abort: Cancel,
    deadline: Deadline,
    first: OnceLock<StopReason>,
}

impl<'a> Halt<'a> {
    pub(super) fn new(interrupt: &'a Cancel, limit: Option<Duration>) -> Self {
        Self { interrupt, abort: Cancel::new(), deadline: Deadline::start(limit), first: OnceLock::new() }
    }

    pub(super) const fn deadline(&self) -> &Deadline {
        &self.deadline
    }

    /// Why no more work should begin, if it should not.
    pub(super) fn reason(&self) -> Option<StopReason> {
        if let Some(first) = self.first.get() {
            return Some(*first);
        }
        let reason = if self.interrupted() {
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
        self.first.get().map_or_else(|| self.interrupt.is_cancelled(), |first| *first == StopReason::UserInterrupt)
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
            () = self.interrupt.cancelled() => StopReason::UserInterrupt,
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
            () = self.interrupt.cancelled(), if !(spent && self.interrupt.is_cancelled()) => StopReason::UserInterrupt,
            () = self.deadline.end() => StopReason::Timeout,
        };
        *self.first.get_or_init(|| reason)
    }
}
