//! Commands inside commands: what a wrapper, an option or program code would start, and what a command would print.
//!
//! Everything is read from expanded words; no file is opened, and no text is read as a shell text here. What is doubtful
//! is read in every way that it could be meant: an inner command too many makes a text more dangerous, never less.

mod build;
mod code;
mod each;
mod outputs;
mod settings;
mod shells;
pub(crate) mod words;
mod wrappers;

#[cfg(test)]
mod tests;

use super::command::{Command, Directory, Input, Surroundings, Via, Word};
use super::programs::is_of_the_system;
pub(crate) use code::source::{Source, source};
pub(crate) use code::tokens::{MOST as MOST_TOKENS, Token, tokens};
pub(crate) use each::places_and_tests;
pub(crate) use outputs::{Printed, ansi, printed, printed_with, unescaped};
pub(crate) use shells::is_stdin;
pub(crate) use words::{values as option_values, without};

/// What a command starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unwrapped {
    /// Whether the outer command must be judged, too. A pure wrapper (`nice`) only passes on.
    pub(crate) outer: Outer,
    /// What it starts, in order.
    pub(crate) inner: Vec<Inner>,
    /// How many of these, the first ones, run in its place: what they print, it prints.
    passed_on: usize,
}

impl Unwrapped {
    fn of(outer: Outer, inner: Vec<Inner>) -> Option<Self> {
        (!inner.is_empty()).then_some(Self { outer, inner, passed_on: 0 })
    }

    fn passed_on(&self) -> &[Inner] {
        self.inner.get(..self.passed_on).unwrap_or_default()
    }
}

/// Whether a wrapper counts by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Outer {
    /// It does things of its own: `find`, `git`, `awk`.
    #[default]
    Judged,
    /// It only starts what is inside, with options that change nothing else.
    PassedThrough,
}

/// One thing that a command starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    /// A command, its words already split; `via` is complete.
    Command(Box<Command>),
    /// A text that a shell reads.
    Script(Box<Script>),
}

/// A text that a shell reads, inside a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Script {
    /// The text; unknown pieces are holes that may hold anything.
    pub(crate) text: Word,
    /// `$0`, `$1`, …
    pub(crate) parameters: Vec<Word>,
    /// Assignments that are in its environment.
    pub(crate) assignments: Vec<super::Assignment>,
    /// Its stdin.
    pub(crate) input: Input,
    /// Where it runs.
    pub(crate) directory: Directory,
    /// How it is reached, complete.
    pub(crate) via: Vec<Via>,
}

/// What `command` starts beside itself. `None` for a command that starts nothing else.
///
/// A shell whose operand is what a substitution printed (`bash <(echo ls)`) reads `command.input.text` when that is
/// known and nothing but constants went into the operand: that is how the reader hands over a known text.
pub(crate) fn unwrap(command: &Command, surroundings: &Surroundings) -> Option<Unwrapped> {
    // Without a program, only what variables start.
    if command.words.is_empty() {
        return settings::unwrap(command);
    }
    let passed = passed_on(command, surroundings);
    let passed_on = passed.as_ref().map_or(0, |passed| passed.inner.len());
    let found = [passed, settings::unwrap(command), code::unwrap(command)];
    let mut all = found.into_iter().flatten().reduce(|mut all, more| {
        all.outer = Outer::Judged;
        all.inner.extend(more.inner);
        all
    })?;
    // A file that is called like a wrapper may be anything: what it is given is followed, and so is the file judged.
    if command.words.first().is_none_or(|program| !is_of_the_system(program)) {
        all.outer = Outer::Judged;
    }
    all.passed_on = passed_on;
    Some(all)
}

/// Whether a program of this name is a shell, or runs what stands in its operands.
pub fn starts_its_operands(name: &str) -> bool {
    shells::is_shell(name) || wrappers::knows(name)
}

/// What runs in the command's place and prints what it prints.
fn passed_on(command: &Command, surroundings: &Surroundings) -> Option<Unwrapped> {
    wrappers::unwrap(command, surroundings)
        .or_else(|| shells::unwrap(command))
        .or_else(|| each::unwrap(command, surroundings))
}
