//! Sessions and their steps, as lines for a person.

use super::{stderr, time};
use palanca_core::{Catalogue, Message};
use palanca_files::Step;

/// Changes of one step that are shown; the rest is counted.
const SHOWN: usize = 20;

/// One line of the list.
pub struct Row<'a> {
    pub id: &'a str,
    pub at_ms: u64,
    pub calls: usize,
    pub files: usize,
    pub workspace: &'a str,
}

/// `2026-01-02T03:04:05Z  0199f1c2-…  3 calls, 2 files changed  /home/ana/project`
pub fn row(row: Row<'_>, catalogue: &dyn Catalogue) -> String {
    let counts = Message::new("sessions-counts").with("calls", row.calls).with("files", row.files);
    let workspace = stderr::printable(row.workspace);
    let line = format!("{}  {}  {}  {workspace}", time::utc(row.at_ms), row.id, catalogue.render(&counts));
    format!("{}\n", line.trim_end())
}

/// A step with its changes below it.
pub fn step(step: &Step, tool: Option<&str>, catalogue: &dyn Catalogue) -> String {
    let by = tool.map_or_else(|| step.call.to_string(), |tool| format!("{tool} ({})", step.call));
    let mut lines = format!("{:>3}  {}  {}\n", step.number, time::utc(step.at_ms), stderr::printable(&by));
    for change in step.changes.iter().take(SHOWN) {
        lines.push_str(&format!("       {}\n", stderr::printable(change).replace('\n', "\\n")));
    }
    let mut note = |message: &Message| lines.push_str(&format!("       {}\n", catalogue.render(message)));
    if let Some(more) = step.changes.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        note(&Message::new("sessions-more-changes").with("more", more));
    }
    if !step.lost.is_empty() {
        note(&Message::new("sessions-step-lost").with("names", step.lost.join(", ")));
    }
    if !step.without.is_empty() {
        note(&Message::new("sessions-step-without").with("names", step.without.join(", ")));
    }
    lines
}
