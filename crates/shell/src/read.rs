//! Reads a shell text into every simple command that it could run.
//!
//! | module | turns |
//! |---|---|
//! | `grammar` | text → tree, as bash would |
//! | `expand` | a word as written → the words that it may become |
//! | `walk` | tree → commands, through branches, functions, pipes and nested texts |
//!
//! Nothing is run and nothing is looked up. What passes a limit is refused; what is not understood is a problem, and the
//! commands that can be seen are still read. Limits count work, not time, so that an answer never depends on the machine.

mod expand;
mod grammar;
mod limits;
mod state;
mod walk;

#[cfg(test)]
mod tests;

use super::command::{Command, Shape, Surroundings};
use super::verdict::Reason;
use limits::{BYTES, Budget, Limit, Problem};
use std::borrow::Cow;

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
pub(crate) fn read(text: &str, surroundings: &Surroundings) -> Result<Reading, Reason> {
    let variables = surroundings.environment.iter().map(|(name, value)| name.len() + value.len());
    let bytes = text.len() + variables.sum::<usize>();
    if bytes > BYTES {
        return Err(Limit::Bytes.into());
    }
    let mut budget = Budget::of(bytes);
    characters(text, &mut budget);
    let text = without_holes(text, &mut budget);
    let body = grammar::parse(&text, 0, &mut budget)?;
    let (commands, shapes) = walk::Walker::new(surroundings, &mut budget).text(&body)?;
    let problems = budget.problems().iter().map(Reason::from).collect();
    Ok(Reading { commands, shapes, problems })
}

/// Whether a text that the reader made holds something that is not known.
pub(crate) fn has_holes(text: &str) -> bool {
    walk::holed(text)
}

/// Notes characters that do not show, or that shells disagree about.
fn characters(text: &str, budget: &mut Budget) {
    for character in text.chars().filter(|character| character.is_control() && !matches!(character, '\t' | '\n')) {
        budget.problem(Problem::Control(u32::from(character)));
    }
}

/// The characters that stand for holes mean nothing in a text from outside.
fn without_holes<'t>(text: &'t str, budget: &mut Budget) -> Cow<'t, str> {
    if !walk::holed(text) {
        return Cow::Borrowed(text);
    }
    budget.problem(Problem::Control(u32::from(grammar::HOLE)));
    Cow::Owned(text.replace(|character| grammar::hole(character).is_some(), "\u{FFFD}"))
}
