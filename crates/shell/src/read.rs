//! Reads a shell text into every simple command that it could run.
//!
//! | module | turns |
//! |---|---|
//! | `grammar` | text → tree, as bash would |
//! | `expand` | a word as written → the words that it may become |
//! | `walk` | tree → commands, through branches, functions, pipes and nested texts |
//!
//! Nothing is run and nothing is looked up. What is not understood is a problem, and the commands that can be seen are
//! still read. So is what passes a limit: it is read again more coarsely, and at last piece by piece, and what was seen on the way
//! counts. Only a text that is too large is refused. Limits count work, not time, so that an answer never depends on the machine.

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
use std::collections::HashSet;

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
/// It is too large. Such a text is refused.
pub(crate) fn read(text: &str, surroundings: &Surroundings) -> Result<Reading, Reason> {
    let variables = surroundings.environment.iter().map(|(name, value)| name.len() + value.len());
    let bytes = text.len() + variables.sum::<usize>();
    if bytes > BYTES {
        return Err(Limit::Bytes.into());
    }
    let mut budget = Budget::of(bytes);
    characters(text, &mut budget);
    let text = without_holes(text, &mut budget);
    let mut reading = Reading::default();
    if let Err(limit) = reading.follow(&text, (surroundings, Detail::Full), &mut budget) {
        budget = budget.renewed(bytes, limit);
        if let Err(limit) = reading.follow(&text, (surroundings, Detail::Coarse), &mut budget) {
            budget = budget.renewed(bytes, limit);
            let mut seen = HashSet::new();
            for piece in text.split(ENDS).filter(|piece| seen.insert(piece.trim())).take(PIECES) {
                // What is too long even so is a problem already.
                let _ = reading.follow(piece, (surroundings, Detail::Coarse), &mut Budget::of(piece.len()));
            }
        }
    }
    reading.problems = budget.problems().iter().map(Reason::from).collect();
    Ok(reading)
}

/// Where one command ends and another may begin, by the characters alone.
const ENDS: [char; 9] = ['\n', ';', '&', '|', '(', ')', '{', '}', '`'];

/// Pieces that are read one by one.
const PIECES: usize = 4096;

/// How closely a text is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// As far as the limits allow.
    Full,
    /// Long loops once, long outputs not at all.
    Coarse,
}

impl Reading {
    /// Adds what a text would run, as far as it can be followed.
    fn follow(
        &mut self,
        text: &str,
        (surroundings, detail): (&Surroundings, Detail),
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let body = grammar::parse(text, 0, budget)?;
        let mut walker = walk::Walker::new(surroundings, detail, budget);
        let walked = walker.text(&body);
        let (commands, shapes) = walker.seen();
        let known: HashSet<&Command> = self.commands.iter().collect();
        let new: Vec<Command> = commands.into_iter().filter(|command| !known.contains(command)).collect();
        self.commands.extend(new);
        self.shapes.extend(shapes);
        walked
    }
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
