//! How dangerous a known program is with given options, by the uses that the catalogue lists; whatever is not listed is
//! dangerous.
//!
//! It owns what "only reads, inside the workspace" and "a known development tool" mean. It refuses to guess: an option,
//! a subcommand or an operand that no row lists makes a command dangerous, even when it is harmless. A program in a
//! system directory (`/usr/bin/ls`) counts as its bare name; any other path to a program is dangerous, and so is any path
//! to git, which the sandbox replaces by name.

mod around;
mod containers;
mod find;
mod git;
mod languages;
mod place;
mod refusal;
mod row;
mod scripts;
mod shell_builtins;
mod system;
mod tables;
mod variables;
mod versions;

use super::catalogue::{Fact, facts};
use super::command::{Command, Surroundings, Word};
use super::verdict::{Class, Reason};
use crate::Sentence;
use place::Place;
use refusal::Refusal;
pub(crate) use variables::{Change, change};

/// The class of one command and why. Never [`Class::Blocked`].
pub(crate) fn class(command: &Command, surroundings: &Surroundings) -> (Class, Reason) {
    match judged(command, surroundings) {
        Ok(class) => (class, granted(class, command)),
        Err(refusal) => (Class::Dangerous, refusal.reason()),
    }
}

/// Whether a program is called by its bare name, or lies in a system directory.
pub(crate) fn is_of_the_system(program: &Word) -> bool {
    around::program(program).is_ok()
}

/// Whether the first operand of a known program says what it does.
pub fn has_subcommands(program: &str) -> bool {
    tables::has_subcommands(program)
}

/// Whether a program looks others up, and asks whether they may be run.
pub fn looks_up(program: &str) -> bool {
    facts(program).contains(&Fact::LooksUp)
}

fn judged(command: &Command, surroundings: &Surroundings) -> Result<Class, Refusal> {
    around::visible(command)?;
    around::few_patterns(command)?;
    let Some(name) = command.words.first() else { return around::nothing_runs(command) };
    let program = around::program(name)?;
    let place = Place::of(&command.directory, surroundings)?;
    let class = tables::judge(program, command.operands(), &place, 0)?;
    if class == Class::Safe {
        around::has_input(command, program)?;
    }
    around::redirects(command, &place)?;
    let class = around::assignments(command, class)?;
    around::reached(command, class)
}

fn granted(class: Class, command: &Command) -> Reason {
    let program = command.program().unwrap_or_default();
    if let Some(file) = tables::obeyed_when_asked(program, command.operands()).filter(|_| class == Class::Dev) {
        let message = Sentence::new("shell-class-obeys").with("program", program).with("file", file);
        return Reason { rule: "shell.class.obeys".into(), message };
    }
    let (rule, message) = match (class, command.assignments.first()) {
        (Class::Safe, Some(own)) => {
            ("shell.class.variable", Sentence::new("shell-class-variable").with("name", own.name.as_str()))
        }
        (Class::Safe, None) => ("shell.class.safe", Sentence::new("shell-class-safe").with("program", program)),
        _ => ("shell.class.dev", Sentence::new("shell-class-dev").with("program", program)),
    };
    Reason { rule: rule.into(), message }
}

#[cfg(test)]
mod tests;
