//! Options, configuration keys and variables whose value another program executes.
//!
//! A value that is only the name of a file that is run later is not read; a value that is a text for a shell is.

use super::build::{Start, script, started};
use super::words::split;
use super::{Inner, Outer, Unwrapped};
use crate::command::{Command, Via, Word};

mod git;
mod options;
mod prompts;
mod recipes;
mod variables;

/// Everything that a command's settings start.
pub(super) fn unwrap(command: &Command) -> Option<Unwrapped> {
    let mut found = Vec::new();
    variables::find(command, &mut found);
    if let Some(name) = command.program() {
        options::find(command, name, &mut found);
        prompts::find(command, name, &mut found);
        match name {
            "git" => git::find(command, &mut found),
            "make" | "gmake" | "bmake" => recipes::make(command, &mut found),
            "at" | "batch" => recipes::later(command, name, &mut found),
            "crontab" => recipes::table(command, &mut found),
            _ => {}
        }
    }
    let inner: Vec<Inner> = found.into_iter().filter_map(|value| value.inner(command)).collect();
    Unwrapped::of(Outer::Judged, inner)
}

/// A value that is executed.
#[derive(Clone, Debug)]
struct Value {
    /// The option, key or variable.
    name: String,
    value: Word,
    how: How,
}

/// How a value is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// By a shell.
    Text,
    /// Split at blanks.
    Words,
    /// By a shell that also gets the command's own stdin.
    Fed,
    /// By this interpreter, as its code.
    Code(&'static [&'static str]),
}

impl Value {
    fn text(name: impl Into<String>, value: Word) -> Self {
        Self { name: name.into(), value, how: How::Text }
    }

    fn inner(self, command: &Command) -> Option<Inner> {
        let start = Start::new(command, Via::Setting(self.name));
        // What is executed does not get the variable that says so once more.
        let mut start = if self.how == How::Fed { start } else { start.without_input() };
        start.assignments.retain(|one| !variables::executed(&one.name));
        match (self.how, self.value.literal()) {
            (_, Some("")) => None,
            (How::Code(program), _) => {
                started(&start, program.iter().copied().map(Word::text).chain([self.value]).collect())
            }
            (How::Words, Some(text)) => started(&start, split(text).into_iter().map(Word::text).collect()),
            _ => Some(script(&start, self.value, Vec::new())),
        }
    }
}
