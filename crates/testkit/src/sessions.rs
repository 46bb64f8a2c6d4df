//! An in-memory session store, and the test suite for every implementation, in memory or persistent.

mod conform;

pub use conform::sessions_conform;

use palanca_core::Scope;
use palanca_core::call::SessionId;
use palanca_core::ports::{
    Claim, EventNumber, Level, NewEvent, NewSession, SessionFilter, SessionSummary, Sessions, StoreFault, StoredEvent,
    StoredSession,
};
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashSet;
use std::sync::Arc;

/// The reference implementation of [`Sessions`], without a database.
#[derive(Debug, Default)]
pub struct MemorySessions {
    /// In order of creation.
    rows: Mutex<Vec<Row>>,
    claimed: Arc<Mutex<HashSet<SessionId>>>,
}

#[derive(Debug)]
struct Row {
    kept: StoredSession,
    events: Vec<StoredEvent>,
}

impl Row {
    fn id(&self) -> &SessionId {
        &self.kept.began.scope.session
    }
}

struct Held {
    session: SessionId,
    claimed: Arc<Mutex<HashSet<SessionId>>>,
}

impl Claim for Held {}

impl Drop for Held {
    fn drop(&mut self) {
        self.claimed.lock().remove(&self.session);
    }
}

fn named(session: &SessionId) -> String {
    format!("session {session}")
}

impl MemorySessions {
    fn rows(&self) -> MutexGuard<'_, Vec<Row>> {
        self.rows.lock()
    }

    fn read<T>(&self, session: &SessionId, read: impl FnOnce(&Row) -> T) -> Option<T> {
        self.rows().iter().find(|row| row.id() == session).map(read)
    }
}

impl Sessions for MemorySessions {
    fn claim(&self, session: &SessionId) -> Result<Box<dyn Claim>, StoreFault> {
        if !self.claimed.lock().insert(session.clone()) {
            return Err(StoreFault::Held { what: named(session) });
        }
        Ok(Box::new(Held { session: session.clone(), claimed: Arc::clone(&self.claimed) }))
    }

    fn is_held(&self, session: &SessionId) -> Result<bool, StoreFault> {
        Ok(self.claimed.lock().contains(session))
    }

    fn begin(&self, session: &NewSession, summary: &SessionSummary) -> Result<(), StoreFault> {
        let id = &session.scope.session;
        let mut rows = self.rows();
        if rows.iter().any(|row| row.id() == id) {
            return Err(StoreFault::Exists { what: named(id) });
        }
        let kept = StoredSession {
            began: session.clone(),
            summary: summary.clone(),
            last: EventNumber(0),
            updated_ms: session.started_ms,
        };
        rows.push(Row { kept, events: Vec::new() });
        Ok(())
    }

    fn append(
        &self,
        session: &SessionId,
        after: EventNumber,
        events: &[NewEvent],
        summary: Option<&SessionSummary>,
    ) -> Result<EventNumber, StoreFault> {
        let mut rows = self.rows();
        let row = rows.iter_mut().find(|row| row.id() == session);
        let row = row.ok_or_else(|| StoreFault::Missing { what: named(session) })?;
        if row.kept.last != after {
            return Err(StoreFault::Moved { what: named(session) });
        }
        for NewEvent { at_ms, kind, call, body } in events {
            row.kept.last.0 += 1;
            row.kept.updated_ms = *at_ms;
            let (kind, call, body) = ((*kind).to_owned(), call.clone(), body.clone());
            row.events.push(StoredEvent { number: row.kept.last, at_ms: *at_ms, kind, call, body });
        }
        if let Some(summary) = summary {
            row.kept.summary = summary.clone();
        }
        Ok(row.kept.last)
    }

    fn events(&self, session: &SessionId, after: EventNumber, limit: usize) -> Result<Vec<StoredEvent>, StoreFault> {
        let later = |row: &Row| row.events.iter().filter(|event| event.number > after).take(limit).cloned().collect();
        Ok(self.read(session, later).unwrap_or_default())
    }

    fn last_of(&self, session: &SessionId, kind: &str) -> Result<Option<StoredEvent>, StoreFault> {
        Ok(self.read(session, |row| row.events.iter().rfind(|event| event.kind == kind).cloned()).flatten())
    }

    fn session(&self, session: &SessionId) -> Result<Option<StoredSession>, StoreFault> {
        Ok(self.read(session, |row| row.kept.clone()))
    }

    fn sessions(&self, wanted: &SessionFilter) -> Result<Vec<StoredSession>, StoreFault> {
        let rows = self.rows();
        let mut found: Vec<StoredSession> = rows.iter().rev().map(|row| row.kept.clone()).collect();
        found.retain(|kept| {
            wanted.workspace.as_ref().is_none_or(|wanted| kept.began.workspace.as_ref() == Some(wanted))
                && match &wanted.level {
                    Level::Any => true,
                    Level::Top => kept.began.parent.is_none(),
                    Level::Below(parent) => kept.began.parent.as_ref() == Some(parent),
                }
                && wanted.before_ms.is_none_or(|before| kept.updated_ms < before)
        });
        found.sort_by_key(|kept| std::cmp::Reverse(kept.updated_ms));
        found.truncate(wanted.limit.unwrap_or(usize::MAX));
        Ok(found)
    }

    fn remove(&self, session: &SessionId) -> Result<(), StoreFault> {
        let _held = self.claim(session)?;
        self.rows().retain(|row| row.id() != session);
        Ok(())
    }
}

/// A session of this name, as tests begin one.
#[must_use]
pub fn new_session(id: &str) -> NewSession {
    NewSession {
        scope: Scope::session(SessionId::new(id)),
        parent: None,
        workspace: Some("/w".to_owned()),
        task: "a task".to_owned(),
        agent: "build".to_owned(),
        model: None,
        started_ms: 1,
    }
}

/// The event with this body, at this millisecond.
#[must_use]
pub fn new_event(at_ms: u64, body: &str) -> NewEvent {
    NewEvent { at_ms, kind: "said", call: None, body: body.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_holds_what_it_asks_of_others() {
        sessions_conform(MemorySessions::default);
    }
}
