//! What is never run: one rule a file, each with examples of what it catches and of look-alikes that it spares.

use super::command::{Command, Shape, Surroundings};
use super::verdict::Reason;

/// The first rule that a command breaks.
pub(crate) fn blocked(_command: &Command, _surroundings: &Surroundings) -> Option<Reason> {
    None
}

/// The rule that a shape breaks.
pub(crate) fn blocked_shape(_shape: Shape) -> Option<Reason> {
    None
}
