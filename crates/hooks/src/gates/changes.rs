//! Whether calls have changed anything. As a guard it has nothing against any call: it learns what each has done.

use palanca_core::call::{Access, Effect, FileDelta, Outcome, is_of_tools};
use palanca_core::gate::CheckedCall;
use palanca_core::message::Message;
use palanca_core::ports::{CommandClass, Guard, Verdict};
use std::sync::atomic::{AtomicBool, Ordering};

/// What was changed since the gates passed.
#[derive(Debug)]
pub(super) struct Changes {
    are_there: AtomicBool,
    /// Whether the door sees what programs write.
    seen_by_door: bool,
}

impl Changes {
    /// None so far.
    pub(super) const fn seen_by_door(seen_by_door: bool) -> Self {
        Self { are_there: AtomicBool::new(false), seen_by_door }
    }

    pub(super) fn are_there(&self) -> bool {
        self.are_there.load(Ordering::Acquire)
    }

    pub(super) fn set(&self) {
        self.are_there.store(true, Ordering::Release);
    }

    pub(super) fn clear(&self) {
        self.are_there.store(false, Ordering::Release);
    }

    fn made_by(&self, call: &CheckedCall, outcome: &Outcome) -> bool {
        if matches!(outcome, Outcome::Refused(_) | Outcome::Parked { .. }) {
            return false;
        }
        let is_done = matches!(outcome, Outcome::Done(_));
        let written = || {
            let paths = call.effects().iter().flat_map(Effect::paths);
            paths.filter(|(_, access)| *access == Access::Write).any(|(path, _)| !is_of_tools(path.relative()))
        };
        let unseen = || !self.seen_by_door && call.commands().iter().any(|read| read.class > CommandClass::Safe);
        // What a foreign tool does elsewhere may be here.
        let elsewhere = || {
            let acts = call.effects().iter().any(|effect| matches!(effect, Effect::Act(_)));
            acts && !call.spec().annotations.read_only
        };
        (is_done && (written() || elsewhere())) || call.edited_by_programs().any(FileDelta::is_edit) || unseen()
    }
}

impl Guard for Changes {
    fn judge(&self, _call: &CheckedCall) -> Option<Verdict> {
        None
    }

    fn settle(&self, call: &CheckedCall, outcome: &Outcome) -> Option<Message> {
        if self.made_by(call, outcome) {
            self.set();
        }
        None
    }
}
