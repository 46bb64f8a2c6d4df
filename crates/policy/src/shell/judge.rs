//! Puts the stages together: the worst part decides.
//!
//! What the operator blocks and what is built in come first and nothing lifts them; what the operator calls safe only
//! lifts a part that has nothing else in it.

use super::command::{Command, Surroundings};
use super::read::{self, Reading};
use super::rules::Rules;
use super::verdict::{Class, Judgement, Part, Reason};
use super::{blocklist, programs};
use palanca_core::Message;

#[cfg(test)]
mod tests;

/// How many parts a judgement tells of.
const PARTS: usize = 64;

/// Judges a shell text. Pure, and quick: see the limits in [`read`](mod@super::read).
#[must_use]
pub fn judge(text: &str, surroundings: &Surroundings, rules: &Rules) -> Judgement {
    whole_text(text, text, surroundings, rules)
}

/// Judges a program and its arguments that no shell reads. They are read as the shell text that would start them, so that
/// `["sh", "-c", …]` is seen through like any other.
#[must_use]
pub fn judge_argv(argv: &[String], surroundings: &Surroundings, rules: &Rules) -> Judgement {
    let quoted: Vec<String> = argv.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
    whole_text(&quoted.join(" "), &argv.join(" "), surroundings, rules)
}

fn whole_text(text: &str, written: &str, surroundings: &Surroundings, rules: &Rules) -> Judgement {
    match read::read(text, surroundings) {
        Err(limit) => Judgement { class: Class::Blocked, reason: limit, parts: Vec::new() },
        Ok(reading) => weigh(&reading, written, surroundings, rules),
    }
}

fn weigh(reading: &Reading, written: &str, surroundings: &Surroundings, rules: &Rules) -> Judgement {
    let mut parts: Vec<Part> = reading.commands.iter().map(|command| part(command, surroundings, rules)).collect();
    let shapes = reading.shapes.iter().filter_map(|shape| blocklist::blocked_shape(*shape));
    parts.extend(shapes.map(|reason| whole(Class::Blocked, reason)));
    parts.extend(blocklist::blocked_reading(reading, surroundings).map(|reason| whole(Class::Blocked, reason)));
    parts.extend(rules.blocked_text(written).map(|reason| whole(Class::Blocked, reason)));
    if !reading.problems.is_empty() {
        parts.extend(rules.unreadable().map(|reason| whole(Class::Blocked, reason)));
    }
    parts.extend(reading.problems.iter().cloned().map(|reason| whole(Class::Dangerous, reason)));
    let worst = parts.iter().map(|part| part.class).max().unwrap_or(Class::Dangerous);
    let reason = parts.iter().find(|part| part.class == worst).map(|part| part.reason.clone());
    let reason = reason.unwrap_or_else(|| Reason { rule: "shell.empty".into(), message: Message::new("shell-empty") });
    Judgement { class: worst, reason, parts: bounded(parts) }
}

fn part(command: &Command, surroundings: &Surroundings, rules: &Rules) -> Part {
    let blocked = rules.blocked(command).or_else(|| blocklist::blocked(command, surroundings));
    let (class, reason) = match blocked.or_else(|| rules.not_allowed(command)) {
        Some(reason) => (Class::Blocked, reason),
        None => match (programs::class(command, surroundings), rules.safe(command)) {
            ((Class::Dev | Class::Dangerous, _), Some(reason)) => (Class::Safe, reason),
            (judged, _) => judged,
        },
    };
    Part { source: command.source.clone(), command: Some(command.clone()), class, reason }
}

fn whole(class: Class, reason: Reason) -> Part {
    Part { source: String::new(), command: None, class, reason }
}

/// The worst parts, in reading order.
fn bounded(parts: Vec<Part>) -> Vec<Part> {
    let Some(excess) = parts.len().checked_sub(PARTS).filter(|excess| *excess > 0) else { return parts };
    let mut by_class: Vec<(Class, usize)> =
        parts.iter().enumerate().map(|(at, part)| (part.class, usize::MAX - at)).collect();
    by_class.sort_unstable();
    let dropped: Vec<usize> = by_class.iter().take(excess).map(|(_, at)| usize::MAX - at).collect();
    let kept = parts.into_iter().enumerate().filter(|(at, _)| !dropped.contains(at));
    kept.map(|(_, part)| part).collect()
}
