//! Puts the stages together: the worst part decides.

use super::command::{Command, Surroundings};
use super::read::{self, Reading};
use super::rules::Rules;
use super::verdict::{Class, Judgement, Part, Reason};
use super::{blocklist, programs};

/// Judges a shell text. Pure, and quick: see the limits in [`read`](mod@super::read).
#[must_use]
pub fn judge(text: &str, surroundings: &Surroundings, _rules: &Rules) -> Judgement {
    match read::read(text, surroundings) {
        Err(limit) => Judgement { class: Class::Blocked, reason: limit, parts: Vec::new() },
        Ok(reading) => weigh(&reading, surroundings),
    }
}

/// Judges a program and its arguments that no shell reads.
#[must_use]
pub fn judge_argv(argv: &[String], surroundings: &Surroundings, _rules: &Rules) -> Judgement {
    let commands = vec![Command::plain(argv.iter().cloned(), surroundings)];
    weigh(&Reading { commands, ..Reading::default() }, surroundings)
}

fn weigh(reading: &Reading, surroundings: &Surroundings) -> Judgement {
    let mut parts: Vec<Part> = reading.commands.iter().map(|command| part(command, surroundings)).collect();
    let shapes = reading.shapes.iter().filter_map(|shape| blocklist::blocked_shape(*shape));
    parts.extend(shapes.map(|reason| whole(Class::Blocked, reason)));
    parts.extend(reading.problems.iter().cloned().map(|reason| whole(Class::Dangerous, reason)));
    let worst = parts.iter().map(|part| part.class).max().unwrap_or(Class::Dangerous);
    let reason = parts.iter().find(|part| part.class == worst).map(|part| part.reason.clone());
    let reason = reason.unwrap_or_else(|| Reason {
        rule: "shell.empty".into(),
        message: palanca_core::Message::new("shell-empty"),
    });
    Judgement { class: worst, reason, parts }
}

fn part(command: &Command, surroundings: &Surroundings) -> Part {
    let (class, reason) = match blocklist::blocked(command, surroundings) {
        Some(reason) => (Class::Blocked, reason),
        None => programs::class(command, surroundings),
    };
    Part { source: command.source.clone(), class, reason }
}

fn whole(class: Class, reason: Reason) -> Part {
    Part { source: String::new(), class, reason }
}
