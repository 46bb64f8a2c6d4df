//! The reading of a command, as lines for people: the class, why, and the parts above safe.

use super::stderr;
use crate::say::say;
use palanca_core::gate::ExplainedCommand;
use palanca_core::ports::{CommandClass, CommandReading};
use palanca_core::{Catalogue, Message};
use std::cmp::Reverse;

/// Parts beyond this are counted, not shown.
const SHOWN: usize = 8;

/// For `explain`.
pub fn drawn(command: &ExplainedCommand) -> String {
    let parts = command.parts.iter().map(|part| Line {
        source: &part.source,
        class: part.class,
        rule: &part.rule,
        reason: part.reason.clone(),
    });
    draw(command.class, &command.rule, &command.reason, parts.collect())
}

/// For a question.
pub fn reading(command: &CommandReading, catalogue: &dyn Catalogue) -> String {
    let parts = command.parts.iter().map(|part| Line {
        source: &part.source,
        class: part.class,
        rule: &part.rule,
        reason: catalogue.render(&part.reason),
    });
    draw(command.class, &command.rule, &catalogue.render(&command.reason), parts.collect())
}

/// The class in the person's language.
fn word(class: CommandClass) -> String {
    say(&class.message())
}

struct Line<'a> {
    source: &'a str,
    class: CommandClass,
    rule: &'a str,
    reason: String,
}

fn draw(class: CommandClass, rule: &str, reason: &str, mut parts: Vec<Line<'_>>) -> String {
    // The worst first: a terminal may have no room for all.
    parts.sort_by_key(|part| Reverse(part.class));
    parts.dedup_by(|one, other| (one.source, one.rule) == (other.source, other.rule));
    let mut lines = format!("  {}: {}  [{rule}]\n", word(class), stderr::shown_line(reason));
    // A single part has been said already.
    if parts.len() < 2 {
        return lines;
    }
    for Line { source, class, rule, reason } in parts.iter().take(SHOWN) {
        let source = stderr::shown_line(source);
        lines.push_str(&format!("    {:<10} {source}  {}  [{rule}]\n", word(*class), stderr::shown_line(reason)));
    }
    if let Some(more) = parts.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        let more = say(&Message::new("cli-and-more").with("more", more));
        lines.push_str(&format!("    {more}\n"));
    }
    lines
}
