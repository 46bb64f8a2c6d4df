//! What was read of a command, as lines for a person: the class, why, and the parts that are worse than safe.

use super::stderr;
use palanca_core::Catalogue;
use palanca_core::gate::ExplainedCommand;
use palanca_core::ports::{CommandClass, CommandReading};

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
    draw((command.class, &command.rule, &command.reason), parts.collect())
}

/// For a question.
pub fn reading(command: &CommandReading, catalogue: &dyn Catalogue) -> String {
    let parts = command.parts.iter().map(|part| Line {
        source: &part.source,
        class: part.class,
        rule: &part.rule,
        reason: catalogue.render(&part.reason),
    });
    draw((command.class, &command.rule, &catalogue.render(&command.reason)), parts.collect())
}

struct Line<'a> {
    source: &'a str,
    class: CommandClass,
    rule: &'a str,
    reason: String,
}

fn draw((class, rule, reason): (CommandClass, &str, &str), parts: Vec<Line<'_>>) -> String {
    let mut lines = format!("  {}: {}  [{rule}]\n", class.name(), stderr::printable(reason));
    // A single part has been said already.
    if parts.len() < 2 {
        return lines;
    }
    for Line { source, class, rule, reason } in parts.iter().take(SHOWN) {
        let source = stderr::printable(source).replace('\n', " ");
        lines.push_str(&format!("    {:<9}  {source}  {}  [{rule}]\n", class.name(), stderr::printable(reason)));
    }
    if let Some(more) = parts.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        lines.push_str(&format!("    … and {more} more\n"));
    }
    lines
}
