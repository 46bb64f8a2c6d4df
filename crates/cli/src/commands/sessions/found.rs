//! Lists sessions: stored runs, calls with an outcome in the audit log, and the undo index.

use crate::commands::ids::{self, is_id};
use crate::commands::run::earlier::{LATEST, bad_id};
use palanca_core::Message;
use palanca_core::call::{BotId, SessionId};
use palanca_core::ports::StoredSession;
use palanca_files::{Journal, JournalError, Step};
use palanca_store::{Kind, entries};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// One session.
pub struct Session {
    pub id: SessionId,
    /// Its first call, in milliseconds since 1970.
    pub at_ms: u64,
    /// Its last one.
    pub last_ms: u64,
    pub calls: usize,
    pub steps: usize,
    pub files: BTreeSet<String>,
    /// None if unknown.
    pub workspace: Option<String>,
    /// As it is kept; none for single calls.
    pub kept: Option<StoredSession>,
    /// The tool of each call.
    tools: HashMap<String, String>,
}

impl Session {
    fn new(id: &str, at_ms: u64) -> Self {
        Self {
            id: SessionId::new(id),
            at_ms,
            last_ms: at_ms,
            calls: 0,
            steps: 0,
            files: BTreeSet::new(),
            workspace: None,
            kept: None,
            tools: HashMap::new(),
        }
    }

    fn seen(&mut self, at_ms: u64) {
        self.at_ms = self.at_ms.min(at_ms);
        self.last_ms = self.last_ms.max(at_ms);
    }

    /// The tool that made a step, as far as the audit log knows.
    pub fn tool(&self, step: &Step) -> Option<&str> {
        self.tools.get(step.call.as_str()).map(String::as_str)
    }

    /// The bot whose conversation it is.
    pub fn bot(&self) -> Option<&str> {
        self.kept.as_ref()?.began.scope.bot.as_ref().map(BotId::as_str)
    }

    pub fn json(&self) -> Value {
        let mut row = json!({
            "id": self.id, "at_ms": self.at_ms, "last_ms": self.last_ms, "calls": self.calls,
            "steps": self.steps, "files": self.files.len(), "workspace": self.workspace,
        });
        if let (Some(row), Some(kept)) = (row.as_object_mut(), &self.kept) {
            let (began, summary, scope) = (&kept.began, &kept.summary, &kept.began.scope);
            let more = json!({
                "status": summary.status, "stop_reason": summary.stop_reason, "task": began.task,
                "agent": began.agent, "model": began.model, "model_calls": summary.steps,
                "tokens": summary.tokens, "cost": summary.dollars, "parent": began.parent,
                "bot": scope.bot, "channel": scope.channel, "chat": scope.chat,
            });
            row.extend(more.as_object().cloned().unwrap_or_default());
        }
        row
    }

    fn keep(&mut self, kept: StoredSession) {
        self.seen(kept.began.started_ms);
        self.seen(kept.updated_ms);
        self.calls = self.calls.max(kept.summary.calls as usize);
        self.workspace = kept.began.workspace.clone().or_else(|| self.workspace.take());
        self.kept = Some(kept);
    }
}

/// Which sessions an id may mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Candidates {
    Any,
    /// One that changed something.
    Changed,
}

/// What the audit log says of calls, ended or not. The line that ends a killed one has no time of its own.
#[derive(Default)]
struct Trace {
    at_ms: u64,
    tools: HashMap<String, String>,
}

/// All sessions, the newest first.
pub struct Found {
    pub sessions: Vec<Session>,
}

impl Found {
    /// Reads them all. What only the audit log knows, and was cleaned away, is none any more; nor is what was only judged or
    /// rehearsed.
    pub fn read(home: &Path, journal: &Journal, kept: Vec<StoredSession>) -> Result<Self, JournalError> {
        let mut sessions: HashMap<String, Session> = HashMap::new();
        let mut traces: HashMap<String, Trace> = HashMap::new();
        let cleaned = super::clean::until(home);
        // ignored: a log that cannot be read leaves the sessions that changed something.
        let _ = entries(home, |entry| {
            let Some(id) = entry.text("session") else { return };
            let trace = traces.entry(id.to_owned()).or_default();
            let at_ms = entry.fields.get("at_ms").and_then(Value::as_u64).unwrap_or(trace.at_ms);
            trace.at_ms = at_ms;
            if let (Some(call), Some(tool)) = (entry.text("call"), entry.text("tool")) {
                trace.tools.insert(call.to_owned(), tool.to_owned());
            }
            let ended = entry.kind == Kind::Outcome && entry.fields.get("dry_run") != Some(&Value::Bool(true));
            if (ended || entry.kind == Kind::Interrupted) && at_ms > 0 {
                let session = sessions.entry(id.to_owned()).or_insert_with(|| Session::new(id, at_ms));
                session.seen(at_ms);
                session.calls += usize::from(ended);
                session.workspace = entry.text("workspace").map(str::to_owned).or_else(|| session.workspace.take());
            }
        });
        for kept in kept {
            let id = kept.began.scope.session.as_str().to_owned();
            let at_ms = kept.began.started_ms;
            sessions.entry(id).or_insert_with_key(|id| Session::new(id, at_ms)).keep(kept);
        }
        for known in journal.sessions()? {
            let id = known.session.as_str();
            let session = sessions.entry(id.to_owned()).or_insert_with(|| Session::new(id, known.last_ms));
            session.seen(known.last_ms);
            for step in journal.list(&known.session)? {
                session.seen(step.at_ms);
                session.steps += 1;
                session.files.extend(step.paths);
                session.workspace = Some(step.workspace);
            }
        }
        for (id, session) in &mut sessions {
            session.tools = traces.remove(id).unwrap_or_default().tools;
        }
        let mut sessions: Vec<Session> = sessions.into_values().collect();
        sessions.retain(|session| session.kept.is_some() || session.steps > 0 || session.last_ms >= cleaned);
        sessions.sort_by(|a, b| (b.last_ms, b.id.as_str()).cmp(&(a.last_ms, a.id.as_str())));
        Ok(Self { sessions })
    }

    /// The session that an id, the beginning of one, or `latest` means: the newest that a person began `here`.
    ///
    /// # Errors
    /// The sentence that says why there is none.
    pub fn take(&mut self, id: &str, wanted: Candidates, here: &str) -> Result<Session, Message> {
        let meant = self.one(id, wanted, here)?.id.clone();
        let place = self.sessions.iter().position(|session| session.id == meant);
        place
            .map(|place| self.sessions.swap_remove(place))
            .ok_or_else(|| Message::new("sessions-unknown").with("id", id))
    }

    fn one(&self, id: &str, wanted: Candidates, here: &str) -> Result<&Session, Message> {
        if !is_id(id) {
            return Err(bad_id(id));
        }
        if id == LATEST {
            let is_below = |session: &Session| session.kept.as_ref().is_some_and(|kept| kept.began.parent.is_some());
            let fits = |session: &&Session| {
                session.workspace.as_deref() == Some(here)
                    && !is_below(session)
                    && (wanted == Candidates::Any || session.steps > 0)
            };
            let none = match wanted {
                Candidates::Any => "sessions-none-here",
                Candidates::Changed => "sessions-none-changed",
            };
            let none = || Message::new(none).with("workspace", here);
            return self.sessions.iter().find(fits).ok_or_else(none);
        }
        ids::pick(id, &self.sessions, |session| session.id.as_str())?
            .ok_or_else(|| Message::new("sessions-unknown").with("id", id))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn the_latest_is_that_of_this_workspace() {
        let session = |id: &str, steps, workspace: &str| Session {
            steps,
            workspace: (!workspace.is_empty()).then(|| workspace.to_owned()),
            ..Session::new(id, 1)
        };
        let found = Found {
            sessions: vec![session("d", 1, ""), session("c", 1, "/b"), session("b", 0, "/a"), session("a", 1, "/a")],
        };
        let one = |wanted, here| found.one(LATEST, wanted, here).map(|found| found.id.to_string()).map_err(|m| m.key());
        assert_eq!(one(Candidates::Any, "/a"), Ok("b".to_owned()));
        assert_eq!(one(Candidates::Changed, "/a"), Ok("a".to_owned()));
        assert_eq!(one(Candidates::Any, "/b"), Ok("c".to_owned()));
        assert_eq!(one(Candidates::Any, "/c"), Err("sessions-none-here"));
        assert_eq!(found.one("../abc", Candidates::Any, "/a").map_err(|m| m.key()).err(), Some("sessions-bad-id"));
    }
}
