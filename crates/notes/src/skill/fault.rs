//! Faults of a skill. A fault never stops the validation: all are reported.

use palanca_core::Message;

/// How much it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The public format forbids it; the skill can be used all the same.
    Unfit,
    /// The skill cannot be used.
    Broken,
}

/// One thing that is wrong with a skill.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// How much it costs.
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
