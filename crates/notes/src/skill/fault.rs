//! Faults of a skill. A fault never stops the validation: all are reported.

use palanca_core::Message;

/// Its severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The public format forbids it; the skill can still be used.
    Unfit,
    /// The skill cannot be used.
    Broken,
}

/// One fault of a skill.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Its severity.
    pub grade: Grade,
    /// The sentence for it.
    pub message: Message,
}

impl Fault {
    pub(super) const fn new(grade: Grade, message: Message) -> Self {
        Self { grade, message }
    }

    pub(super) const fn broken(message: Message) -> Self {
        Self::new(Grade::Broken, message)
    }

    pub(super) const fn unfit(message: Message) -> Self {
        Self::new(Grade::Unfit, message)
    }
}
