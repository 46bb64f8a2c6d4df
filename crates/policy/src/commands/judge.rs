//! The operator's rules on what a text would run.
//!
//! What the operator blocks and what is built in come first and nothing lifts them; what the operator calls safe only
//! lifts a part that has nothing else in it.

use super::rules::Rules;
use palanca_shell::{Author, Class, Judgement, Part, Surroundings};

#[cfg(test)]
mod tests;

/// How many parts a judgement tells of.
const PARTS: usize = 64;

/// Judges a shell text.
#[must_use]
pub fn judge(text: &str, surroundings: &Surroundings, rules: &Rules) -> Judgement {
    weigh(palanca_shell::judge(text, surroundings), text, rules)
}

/// Judges a program and its arguments that no shell reads.
#[must_use]
pub fn judge_argv(argv: &[String], surroundings: &Surroundings, rules: &Rules) -> Judgement {
    weigh(palanca_shell::judge_argv(argv, surroundings), &argv.join(" "), rules)
}

fn weigh(judged: Judgement, written: &str, rules: &Rules) -> Judgement {
    if judged.class == Class::Blocked && judged.parts.is_empty() {
        return judged;
    }
    let unreadable = if judged.is_read_in_full() { None } else { rules.unreadable() };
    let mut parts: Vec<Part> = judged.parts.into_iter().map(|part| weigh_part(part, rules)).collect();
    let whole = rules.blocked_text(written).into_iter().chain(unreadable);
    parts.extend(whole.map(|reason| Part::whole(Class::Blocked, reason)));
    let mut judged = Judgement::of(parts);
    judged.parts = bounded(judged.parts);
    judged
}

fn weigh_part(mut part: Part, rules: &Rules) -> Part {
    let Some(command) = &part.command else { return part };
    let not_allowed = || rules.not_allowed(command).filter(|_| part.class != Class::Blocked);
    if let Some(reason) = rules.blocked(command).or_else(not_allowed) {
        (part.class, part.reason, part.author) = (Class::Blocked, reason, Author::Operator);
    } else if matches!(part.class, Class::Dev | Class::Dangerous)
        && let Some(reason) = rules.safe(command)
    {
        (part.class, part.reason, part.author) = (Class::Safe, reason, Author::Operator);
    }
    part
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
