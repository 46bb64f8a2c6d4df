//! Which sessions there are: the runs that are kept, every call that left its end in the audit log, and the undo index.

use crate::commands::run::earlier::{bad_id, is_id};
use palanca_core::Message;
use palanca_core::call::SessionId;
use palanca_core::ports::KeptSession;
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
    /// None where nothing was changed.
    pub workspace: Option<String>,
    /// As it is kept; none for single calls.
    pub kept: Option<KeptSession>,
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

    pub fn json(&self) -> Value {
        let mut row = json!({
            "id": self.id, "at_ms": self.at_ms, "last_ms": self.last_ms, "calls": self.calls,
            "steps": self.steps, "files": self.files.len(), "workspace": self.workspace,
        });
        if let (Some(row), Some(kept)) = (row.as_object_mut(), &self.kept) {
            let (began, standing) = (&kept.began, &kept.standing);
            let more = json!({
                "status": standing.status, "stop_reason": standing.stop_reason, "task": began.task,
                "agent": began.agent, "model": began.model, "model_calls": standing.steps,
                "tokens": standing.tokens, "cost": standing.dollars, "parent": began.parent,
            });
            row.extend(more.as_object().cloned().unwrap_or_default());
        }
        row
    }

    fn keep(&mut self, kept: KeptSession) {
        self.seen(kept.began.started_ms);
        self.seen(kept.updated_ms);
        self.calls = self.calls.max(kept.standing.calls as usize);
        self.workspace = kept.began.workspace.clone().or_else(|| self.workspace.take());
        self.kept = Some(kept);
    }
}

/// Which sessions an id may mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Any,
    /// One that changed something.
    Changed,
}

/// All sessions, the newest first.
pub struct Found {
    pub sessions: Vec<Session>,
}

impl Found {
    /// Reads them all. What only the audit log knows, and was cleaned away, is none any more.
    pub fn read(home: &Path, journal: &Journal, kept: Vec<KeptSession>) -> Result<Self, JournalError> {
        let mut sessions: HashMap<String, Session> = HashMap::new();
        let cleaned = super::clean::until(home);
        // ignored: a log that cannot be read leaves the sessions that changed something.
        let _ = entries(home, |entry| {
            let Some(id) = entry.text("session") else { return };
            let at_ms = entry.fields.get("at_ms").and_then(Value::as_u64).unwrap_or_default();
            let session = sessions.entry(id.to_owned()).or_insert_with(|| Session::new(id, at_ms));
            session.seen(at_ms);
            // A call that was killed has stages and no end.
            session.calls += usize::from(entry.kind == Kind::Outcome);
            if let (Some(call), Some(tool)) = (entry.text("call"), entry.text("tool")) {
                session.tools.insert(call.to_owned(), tool.to_owned());
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
        let mut sessions: Vec<Session> = sessions.into_values().collect();
        sessions.retain(|session| session.kept.is_some() || session.steps > 0 || session.last_ms >= cleaned);
        sessions.sort_by(|a, b| (b.last_ms, b.id.as_str()).cmp(&(a.last_ms, a.id.as_str())));
        Ok(Self { sessions })
    }

    /// The session that an id, the beginning of one, or `latest` means.
    pub fn one(&self, id: &str, wanted: Wanted) -> Result<&Session, Message> {
        if !is_id(id) {
            return Err(bad_id(id));
        }
        let fits = |session: &&Session| wanted == Wanted::Any || session.steps > 0;
        if id == "latest" {
            return self.sessions.iter().find(fits).ok_or_else(|| Message::new("sessions-none"));
        }
        if let Some(exact) = self.sessions.iter().find(|session| session.id.as_str() == id) {
            return Ok(exact);
        }
        let mut begin = self.sessions.iter().filter(|session| session.id.as_str().starts_with(id));
        match (begin.next(), begin.next()) {
            (Some(one), None) => Ok(one),
            (None, _) => Err(Message::new("sessions-unknown").with("id", id)),
            (Some(one), Some(other)) => Err(Message::new("sessions-ambiguous")
                .with("id", id)
                .with("names", format!("{}, {}", one.id, other.id))),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn a12_an_id_is_never_a_path() {
        let long = "x".repeat(65);
        for (text, expected) in [
            ("0199f1c2-1", true),
            ("latest", true),
            ("a.b_c", true),
            (".", false),
            ("..", false),
            ("", false),
            ("../x", false),
            ("a/b", false),
            ("a b", false),
            ("a\n", false),
            ("é", false),
            (&long, false),
        ] {
            assert_eq!(is_id(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_session_is_found_by_what_its_id_begins_with() {
        let session = |id: &str, at_ms, steps| Session { steps, ..Session::new(id, at_ms) };
        let found = Found { sessions: vec![session("abd", 3, 0), session("abc", 2, 1), session("ab", 1, 0)] };
        let one = |id: &str, wanted| found.one(id, wanted).map(|found| found.id.to_string()).map_err(|m| m.key());
        assert_eq!(one("abc", Wanted::Any), Ok("abc".to_owned()));
        assert_eq!(one("ab", Wanted::Any), Ok("ab".to_owned()));
        assert_eq!(one("a", Wanted::Any), Err("sessions-ambiguous"));
        assert_eq!(one("x", Wanted::Any), Err("sessions-unknown"));
        assert_eq!(one("latest", Wanted::Any), Ok("abd".to_owned()));
        assert_eq!(one("latest", Wanted::Changed), Ok("abc".to_owned()));
        assert_eq!(one("../abc", Wanted::Any), Err("sessions-bad-id"));
    }
}
