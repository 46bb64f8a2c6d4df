//! How dangerous a known program is with given options: one table a family, and whatever is not in a table is dangerous.

use super::command::{Command, Surroundings};
use super::verdict::{Class, Reason};
use palanca_core::Message;

/// The class of one command and why. Never [`Class::Blocked`].
pub(crate) fn class(command: &Command, _surroundings: &Surroundings) -> (Class, Reason) {
    let program = command.program().unwrap_or("?").to_owned();
    let message = Message::new("shell-program-unknown").with("program", program);
    (Class::Dangerous, Reason { rule: "shell.program.unknown".into(), message })
}
