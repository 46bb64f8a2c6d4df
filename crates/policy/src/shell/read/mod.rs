//! Reads a shell text into every simple command that it could run.

use super::command::{Command, Shape, Surroundings};
use super::verdict::Reason;

/// What a text would run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Every simple command, in reading order, through wrappers and nested shells.
    pub(crate) commands: Vec<Command>,
    /// What only the whole shows.
    pub(crate) shapes: Vec<Shape>,
    /// What could not be understood: each makes the text dangerous at least. Syntax errors, unknown constructs,
    /// substitutions, commands that cannot be resolved.
    pub(crate) problems: Vec<Reason>,
}

/// Reads a text.
///
/// # Errors
/// The limit that was passed. Such a text is refused.
pub(crate) fn read(_text: &str, _surroundings: &Surroundings) -> Result<Reading, Reason> {
    Ok(Reading::default())
}
