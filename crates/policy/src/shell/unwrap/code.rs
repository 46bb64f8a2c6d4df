//! Program code in operands that starts commands.

use crate::shell::command::{Command, Word};

/// The code that an interpreter is given in its words, if any.
pub(super) fn text(_command: &Command) -> Option<Word> {
    None
}

/// What the code prints, when it does nothing but print constants.
pub(super) fn says(_command: &Command) -> Option<String> {
    None
}
