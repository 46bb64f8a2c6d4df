//! Puts the stages together: the worst part decides.

use crate::command::{Command, Surroundings};
use crate::read::{self, Reading};
use crate::sentence::Sentence;
use crate::verdict::{Author, Class, Judgement, Part, Reason};
use crate::{blocklist, programs};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// Judges a shell text. Pure, and quick: a text of more than 64 KiB is blocked; too many parts, too deep nesting or too long loops are dangerous.
#[must_use]
pub fn judge(text: &str, surroundings: &Surroundings) -> Judgement {
    match read::read(text, surroundings) {
        Err(limit) => Judgement { class: Class::Blocked, reason: limit, parts: Vec::new() },
        Ok(reading) => Judgement::of(parts(reading, surroundings)),
    }
}

/// Judges a program and its arguments that no shell reads. They are read as the shell text that would start them, so that
/// `["sh", "-c", …]` is seen through like any other.
#[must_use]
pub fn judge_argv(argv: &[String], surroundings: &Surroundings) -> Judgement {
    let quoted: Vec<String> = argv.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
    judge(&quoted.join(" "), surroundings)
}

fn parts(reading: Reading, surroundings: &Surroundings) -> Vec<Part> {
    let together = blocklist::blocked_reading(&reading, surroundings);
    let shapes = reading.shapes.into_iter().map(blocklist::blocked_shape);
    let blocked = shapes.chain(together).map(|reason| Part::whole(Class::Blocked, reason));
    let problems = reading.problems.into_iter().map(|reason| Part::whole(Class::Dangerous, reason));
    reading.commands.into_iter().map(|command| part(command, surroundings)).chain(blocked).chain(problems).collect()
}

fn part(command: Command, surroundings: &Surroundings) -> Part {
    let (class, reason) = match blocklist::blocked(&command, surroundings) {
        Some(reason) => (Class::Blocked, reason),
        None => programs::class(&command, surroundings),
    };
    Part { source: Arc::clone(&command.source), command: Some(command), class, reason, author: Author::Reader }
}

impl Judgement {
    /// What these parts come to: the worst decides, the first of the worst says why.
    #[must_use]
    pub fn of(parts: Vec<Part>) -> Self {
        let class = parts.iter().map(|part| part.class).max().unwrap_or(Class::Dangerous);
        let reason = parts.iter().find(|part| part.class == class).map(|part| part.reason.clone());
        let empty = || Reason { rule: "shell.empty".into(), message: Sentence::new("shell-empty") };
        Self { class, reason: reason.unwrap_or_else(empty), parts }
    }

    /// Whether every construct of the text was understood.
    #[must_use]
    pub fn is_read_in_full(&self) -> bool {
        !self.parts.iter().any(|part| part.command.is_none() && part.class == Class::Dangerous)
    }
}
