//! Runs whose process died before they ended; only this module closes them.

use super::entry::{Entry, Kind, entries};
use super::line::{Bodies, Note};
use palanca_core::ports::StageDecision;
use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;

/// This process: its id and its start time, because ids are reused.
pub(super) fn ourselves() -> (u32, u64) {
    static OURSELVES: OnceLock<(u32, u64)> = OnceLock::new();
    *OURSELVES.get_or_init(|| {
        let pid = std::process::id();
        (pid, started(pid).unwrap_or_default())
    })
}

/// When a process was started, in clock ticks since boot; none if there is no such process.
fn started(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may contain spaces and parentheses; the needed fields follow its last parenthesis.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(19)?.parse().ok()
}

struct Begun {
    tool: String,
    pid: u32,
    started: u64,
}

/// Unfinished runs whose process has ended, as `(session, call)`, and what is known about them.
pub(super) struct Open {
    runs: HashMap<(String, String), Begun>,
}

impl Open {
    pub(super) fn new() -> Self {
        Self { runs: HashMap::new() }
    }

    pub(super) fn see(&mut self, entry: &Entry) {
        let (Some(session), Some(call)) = (entry.text("session"), entry.text("call")) else { return };
        let key = (session.to_owned(), call.to_owned());
        match entry.kind {
            Kind::Stage if entry.text("verdict") == Some(StageDecision::Begin.name()) => {
                let number = |name| entry.fields.get(name).and_then(serde_json::Value::as_u64).unwrap_or_default();
                let pid = u32::try_from(number("pid")).unwrap_or_default();
                let tool = entry.text("tool").unwrap_or_default().to_owned();
                self.runs.insert(key, Begun { tool, pid, started: number("started") });
            }
            Kind::Outcome | Kind::Interrupted => {
                self.runs.remove(&key);
            }
            Kind::Stage | Kind::Torn | Kind::Rotated | Kind::Removed | Kind::HeadLost => {}
        }
    }

    /// Those of dead processes, then those still running.
    pub(super) fn count(&self) -> (u64, u64) {
        let (dead, alive): (Vec<_>, Vec<_>) = self.runs.values().partition(|begun| begun.is_dead());
        (u64::try_from(dead.len()).unwrap_or(u64::MAX), u64::try_from(alive.len()).unwrap_or(u64::MAX))
    }
}

impl Begun {
    fn is_dead(&self) -> bool {
        started(self.pid) != Some(self.started)
    }
}

/// A line for each run that can no longer end. None for a log that cannot be read.
pub(super) fn of_the_dead(directory: &Path) -> Bodies {
    let mut open = Open::new();
    // ignored: `verify` says what is wrong with the log; writing continues.
    let _ = entries(directory, |entry| open.see(&entry));
    let mut dead: Vec<_> = open.runs.into_iter().filter(|(_, begun)| begun.is_dead()).collect();
    dead.sort_by(|(left, _), (right, _)| left.cmp(right));
    let mut bodies = Bodies::default();
    for ((session, call), begun) in &dead {
        bodies.note(&Note::Interrupted { session, call, tool: &begun.tool });
    }
    bodies
}
