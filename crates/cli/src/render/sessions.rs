//! Sessions and their steps, as lines for a person.

use super::{stderr, time};
use palanca_core::call::Scope;
use palanca_core::ports::StoredSession;
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
    /// How it stands; none for single calls.
    pub kept: Option<&'a StoredSession>,
}

/// Characters of a task.
const TASK: usize = 80;

/// `2026-01-02T03:04:05Z  0199f1c2-…  success  $0.0042  3 calls, 2 files changed  /home/ana/project  ana/terminal:work  Fix the bug`
pub fn row(row: Row<'_>, catalogue: &dyn Catalogue) -> String {
    let counts = Message::new("sessions-counts").with("calls", row.calls).with("files", row.files);
    let workspace = stderr::shown_line(row.workspace);
    let of = |kept| (summary(kept), format!("{}{}", chat(&kept.began.scope), task(&kept.began.task)));
    let (summary, task) = row.kept.map(of).unwrap_or_default();
    let at = time::utc(row.at_ms);
    let line = format!("{at}  {}  {summary}{}  {workspace}  {task}", row.id, catalogue.render(&counts));
    format!("{}\n", line.trim_end())
}

fn summary(kept: &StoredSession) -> String {
    let summary = &kept.summary;
    let cost = summary.dollars.map(|dollars| format!("${dollars:.4}  ")).unwrap_or_default();
    format!("{}  {cost}", summary.status.name())
}

/// The bot and its chat, as in `ana/terminal:work`, where it is a bot's.
fn chat(scope: &Scope) -> String {
    let Some(bot) = &scope.bot else { return String::new() };
    let channel = scope.channel.as_ref().map(|channel| format!("{channel}:")).unwrap_or_default();
    let chat = scope.chat.as_ref().map(|chat| format!("/{channel}{chat}")).unwrap_or_default();
    stderr::shown_line(&format!("{bot}{chat}  "))
}

fn task(task: &str) -> String {
    let line: String = task.chars().take(TASK).map(|c| if c == '\n' { ' ' } else { c }).collect();
    let more = if line.len() < task.len() { "…" } else { "" };
    format!("{}{more}", stderr::shown_line(&line))
}

/// An agent that worked for the session.
pub fn subagent(child: &StoredSession, catalogue: &dyn Catalogue) -> String {
    let label = catalogue.render(&Message::new("sessions-subagent"));
    format!("{label} {}  {}{}\n", child.began.scope.session, summary(child), task(&child.began.task))
}

/// A step with its changes below it.
pub fn step(step: &Step, tool: Option<&str>, catalogue: &dyn Catalogue) -> String {
    let by = tool.map_or_else(|| step.call.to_string(), |tool| format!("{tool} ({})", step.call));
    let mut lines = format!("{:>3}  {}  {}\n", step.number, time::utc(step.at_ms), stderr::shown_line(&by));
    for change in step.changes.iter().take(SHOWN) {
        lines.push_str(&format!("       {}\n", stderr::shown_line(change)));
    }
    let mut note =
        |message: &Message| lines.push_str(&format!("       {}\n", stderr::shown_line(&catalogue.render(message))));
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
