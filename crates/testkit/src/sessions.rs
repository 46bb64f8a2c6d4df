//! An in-memory session store, and the test suite for every implementation, in memory or persistent.

mod conform;

pub use conform::sessions_conform;

use palanca_core::Scope;
use palanca_core::call::SessionId;
use palanca_core::ports::{
    Addition, Claim, EventFilter, EventNumber, Fence, Level, NewEvent, NewSession, Pending, Sequence, SequencedEvent,
    SessionFilter, SessionSummary, Sessions, StoreFault, StoredEvent, StoredSession,
};
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The reference implementation of [`Sessions`], without a database.
#[derive(Debug, Default)]
pub struct MemorySessions {
    /// In order of creation.
    rows: Mutex<Vec<Row>>,
    last: AtomicU64,
    claimed: Arc<Mutex<HashMap<SessionId, Fence>>>,
    fences: AtomicU64,
}

#[derive(Debug)]
struct Row {
    kept: StoredSession,
    fence: Fence,
    events: Vec<(Sequence, StoredEvent)>,
}

impl Row {
    fn id(&self) -> &SessionId {
        &self.kept.began.scope.session
    }

    fn add(&mut self, events: &[NewEvent], last: &AtomicU64) {
        for NewEvent { at_ms, kind, call, body } in events {
            self.kept.last.0 += 1;
            self.kept.updated_ms = *at_ms;
            let (kind, call, body) = ((*kind).to_owned(), call.clone(), body.clone());
            let event = StoredEvent { number: self.kept.last, at_ms: *at_ms, kind, call, body };
            self.events.push((Sequence(last.fetch_add(1, Ordering::Relaxed) + 1), event));
        }
    }
}

struct Held {
    session: SessionId,
    fence: Fence,
    claimed: Arc<Mutex<HashMap<SessionId, Fence>>>,
}

impl Claim for Held {
    fn fence(&self) -> Fence {
        self.fence
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut claimed = self.claimed.lock();
        // It may have been lost.
        if claimed.get(&self.session) == Some(&self.fence) {
            claimed.remove(&self.session);
        }
    }
}

fn named(session: &SessionId) -> String {
    format!("session {session}")
}

impl MemorySessions {
    fn rows(&self) -> MutexGuard<'_, Vec<Row>> {
        self.rows.lock()
    }

    /// Takes a session from whoever claimed it, as a store does that has not heard of them for too long.
    pub fn lose(&self, session: &SessionId) {
        self.claimed.lock().remove(session);
    }

    fn read<T>(&self, session: &SessionId, read: impl FnOnce(&Row) -> T) -> Option<T> {
        self.rows().iter().find(|row| row.id() == session).map(read)
    }
}

impl Sessions for MemorySessions {
    fn claim(&self, session: &SessionId) -> Pending<Result<Box<dyn Claim>, StoreFault>> {
        let fence = Fence(self.fences.fetch_add(1, Ordering::Relaxed) + 1);
        let mut claimed = self.claimed.lock();
        if claimed.contains_key(session) {
            return Pending::now(Err(StoreFault::Held { what: named(session) }));
        }
        claimed.insert(session.clone(), fence);
        if let Some(row) = self.rows().iter_mut().find(|row| row.id() == session) {
            row.fence = fence;
        }
        Pending::now(Ok(Box::new(Held { session: session.clone(), fence, claimed: Arc::clone(&self.claimed) })))
    }

    fn is_held(&self, session: &SessionId) -> Pending<Result<bool, StoreFault>> {
        Pending::now(Ok(self.claimed.lock().contains_key(session)))
    }

    fn begin(
        &self,
        session: NewSession,
        fence: Fence,
        events: Vec<NewEvent>,
    ) -> Pending<Result<EventNumber, StoreFault>> {
        let id = session.scope.session.clone();
        let mut rows = self.rows();
        if rows.iter().any(|row| *row.id() == id) {
            return Pending::now(Err(StoreFault::Exists { what: named(&id) }));
        }
        let updated_ms = session.started_ms;
        let kept =
            StoredSession { began: session, summary: SessionSummary::default(), last: EventNumber(0), updated_ms };
        let mut row = Row { kept, fence, events: Vec::new() };
        row.add(&events, &self.last);
        let last = row.kept.last;
        rows.push(row);
        Pending::now(Ok(last))
    }

    fn append(&self, addition: Addition) -> Pending<Result<EventNumber, StoreFault>> {
        let what = named(&addition.session);
        let mut rows = self.rows();
        Pending::now(match rows.iter_mut().find(|row| *row.id() == addition.session) {
            None => Err(StoreFault::Missing { what }),
            Some(row) if row.fence != addition.fence => Err(StoreFault::Lost { what }),
            Some(row) if row.kept.last != addition.after => Err(StoreFault::Moved { what }),
            Some(row) => {
                row.add(&addition.events, &self.last);
                if let Some(summary) = addition.summary {
                    row.kept.summary = summary;
                }
                Ok(row.kept.last)
            }
        })
    }

    fn events(
        &self,
        session: &SessionId,
        after: EventNumber,
        limit: usize,
    ) -> Pending<Result<Vec<StoredEvent>, StoreFault>> {
        let events = |row: &Row| row.events.iter().map(|(_, event)| event.clone()).collect::<Vec<_>>();
        let later = |row: &Row| events(row).into_iter().filter(|event| event.number > after).take(limit).collect();
        Pending::now(Ok(self.read(session, later).unwrap_or_default()))
    }

    fn happened(
        &self,
        after: Sequence,
        wanted: &EventFilter,
        limit: usize,
    ) -> Pending<Result<Vec<SequencedEvent>, StoreFault>> {
        let rows = self.rows();
        let is_wanted = |scope: &Scope| {
            wanted.session.as_ref().is_none_or(|session| *session == scope.session)
                && (wanted.bot.is_none() || wanted.bot == scope.bot)
                && (wanted.chat.is_none() || wanted.chat == scope.chat)
                && (wanted.channel.is_none() || wanted.channel == scope.channel)
        };
        let rows = rows.iter().map(|row| (&row.kept.began.scope, &row.events)).filter(|(scope, _)| is_wanted(scope));
        let mut found: Vec<SequencedEvent> = rows
            .flat_map(|(scope, events)| events.iter().map(move |(sequence, event)| (scope, sequence, event)))
            .filter(|(_, sequence, _)| **sequence > after)
            .map(|(scope, sequence, event)| SequencedEvent {
                sequence: *sequence,
                scope: scope.clone(),
                event: event.clone(),
            })
            .collect();
        found.sort_by_key(|found| found.sequence);
        found.truncate(limit);
        Pending::now(Ok(found))
    }

    fn last_of(&self, session: &SessionId, kind: &str) -> Pending<Result<Option<StoredEvent>, StoreFault>> {
        let last = |row: &Row| row.events.iter().map(|(_, event)| event).rfind(|event| event.kind == kind).cloned();
        Pending::now(Ok(self.read(session, last).flatten()))
    }

    fn session(&self, session: &SessionId) -> Pending<Result<Option<StoredSession>, StoreFault>> {
        Pending::now(Ok(self.read(session, |row| row.kept.clone())))
    }

    fn sessions(&self, wanted: &SessionFilter) -> Pending<Result<Vec<StoredSession>, StoreFault>> {
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
                && (wanted.bot.is_none() || wanted.bot == kept.began.scope.bot)
                && (wanted.chat.is_none() || wanted.chat == kept.began.scope.chat)
                && (wanted.channel.is_none() || wanted.channel == kept.began.scope.channel)
                && wanted.status.is_none_or(|status| status == kept.summary.status)
                && wanted
                    .text
                    .as_ref()
                    .is_none_or(|text| kept.began.task.to_ascii_lowercase().contains(&text.to_ascii_lowercase()))
                && wanted.after.as_ref().is_none_or(|after| kept.cursor() < *after)
        });
        found.sort_by_key(|kept| std::cmp::Reverse(kept.cursor()));
        found.truncate(wanted.limit.unwrap_or(usize::MAX));
        Pending::now(Ok(found))
    }

    fn remove(&self, session: &SessionId) -> Pending<Result<(), StoreFault>> {
        if self.claimed.lock().contains_key(session) {
            return Pending::now(Err(StoreFault::Held { what: named(session) }));
        }
        self.rows().retain(|row| row.id() != session);
        Pending::now(Ok(()))
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
        sessions_conform(MemorySessions::default, MemorySessions::lose);
    }
}
