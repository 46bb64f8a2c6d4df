//! What a command would print, when the text alone tells.

use crate::shell::command::{Command, Origin, Trace};

/// What a command prints on stdout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    /// All of it, when it is known.
    pub(crate) text: Option<String>,
    /// What it is made from.
    pub(crate) trace: Trace,
}

/// What `command` prints, given its input.
pub(crate) fn printed(_command: &Command) -> Printed {
    Printed { text: None, trace: Trace::of(Origin::Program) }
}
