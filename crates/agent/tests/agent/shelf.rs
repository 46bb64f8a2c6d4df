//! Sessions in memory, with a limit on what fits.

use palanca_core::call::SessionId;
use palanca_core::ports::{
    Addition, Claim, EventFilter, EventNumber, Fence, Level, NewEvent, NewSession, Pending, Sequence, SequencedEvent,
    SessionFilter, SessionSummary, Sessions, StoreFault, StoredEvent, StoredSession,
};
use std::sync::{Arc, Mutex};

#[derive(Default)]
pub struct Shelf {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    sessions: Vec<StoredSession>,
    rows: Vec<StoredEvent>,
    held: bool,
    room: Option<usize>,
}

struct Taken(Arc<Shelf>);

impl Claim for Taken {
    fn fence(&self) -> Fence {
        Fence(1)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.0.inner.lock().unwrap().held = false;
    }
}

/// A shelf that claims can hold on to.
#[derive(Clone, Default)]
pub struct Shared(pub Arc<Shelf>);

impl Shared {
    /// Only so many rows fit.
    pub fn room(&self, rows: usize) {
        self.0.inner.lock().unwrap().room = Some(rows);
    }

    pub fn rows(&self) -> Vec<StoredEvent> {
        self.0.inner.lock().unwrap().rows.clone()
    }

    pub fn session(&self) -> StoredSession {
        self.0.inner.lock().unwrap().sessions[0].clone()
    }

    /// As a process would find it that was killed after so many rows.
    pub fn cut(&self, rows: usize) -> Self {
        let inner = self.0.inner.lock().unwrap();
        let mut session = inner.sessions[0].clone();
        let rows = inner.rows[..rows].to_vec();
        session.last = rows.last().map_or(EventNumber(0), |row| row.number);
        let inner = Inner { sessions: vec![session], rows, held: false, room: None };
        Self(Arc::new(Shelf { inner: Mutex::new(inner) }))
    }
}

fn missing() -> StoreFault {
    StoreFault::Missing { what: "session".to_owned() }
}

impl Shared {
    fn add(&self, addition: Addition) -> Result<EventNumber, StoreFault> {
        let Addition { after, events, summary, .. } = addition;
        let mut inner = self.0.inner.lock().unwrap();
        if inner.room.is_some_and(|room| inner.rows.len() + events.len() > room) {
            return Err(StoreFault::Broken(palanca_core::Message::new("full")));
        }
        let kept = inner.sessions.first_mut().ok_or_else(missing)?;
        assert_eq!(kept.last, after, "two writers");
        kept.last = EventNumber(after.0 + events.len() as u64);
        let last = kept.last;
        if let Some(summary) = summary {
            kept.summary = summary;
        }
        for (event, number) in events.into_iter().zip(after.0 + 1..) {
            let NewEvent { at_ms, kind, call, body } = event;
            let (number, kind) = (EventNumber(number), kind.to_owned());
            inner.rows.push(StoredEvent { number, at_ms, kind, call, body });
        }
        Ok(last)
    }
}

impl Sessions for Shared {
    fn claim(&self, _session: &SessionId) -> Pending<Result<Box<dyn Claim>, StoreFault>> {
        let mut inner = self.0.inner.lock().unwrap();
        if std::mem::replace(&mut inner.held, true) {
            return Pending::now(Err(StoreFault::Held { what: "session".to_owned() }));
        }
        Pending::now(Ok(Box::new(Taken(Arc::clone(&self.0)))))
    }

    fn is_held(&self, _session: &SessionId) -> Pending<Result<bool, StoreFault>> {
        Pending::now(Ok(self.0.inner.lock().unwrap().held))
    }

    fn begin(
        &self,
        session: NewSession,
        fence: Fence,
        events: Vec<NewEvent>,
    ) -> Pending<Result<EventNumber, StoreFault>> {
        let (id, updated_ms) = (session.scope.session.clone(), session.started_ms);
        let kept =
            StoredSession { began: session, summary: SessionSummary::default(), last: EventNumber(0), updated_ms };
        self.0.inner.lock().unwrap().sessions.push(kept);
        Pending::now(self.add(Addition { session: id, fence, after: EventNumber(0), events, summary: None }))
    }

    fn append(&self, addition: Addition) -> Pending<Result<EventNumber, StoreFault>> {
        Pending::now(self.add(addition))
    }

    fn events(
        &self,
        _session: &SessionId,
        after: EventNumber,
        limit: usize,
    ) -> Pending<Result<Vec<StoredEvent>, StoreFault>> {
        let inner = self.0.inner.lock().unwrap();
        Pending::now(Ok(inner.rows.iter().filter(|row| row.number > after).take(limit).cloned().collect()))
    }

    fn happened(&self, _: Sequence, _: &EventFilter, _: usize) -> Pending<Result<Vec<SequencedEvent>, StoreFault>> {
        Pending::now(Ok(Vec::new()))
    }

    fn last_of(&self, _session: &SessionId, kind: &str) -> Pending<Result<Option<StoredEvent>, StoreFault>> {
        Pending::now(Ok(self.0.inner.lock().unwrap().rows.iter().rev().find(|row| row.kind == kind).cloned()))
    }

    fn session(&self, _session: &SessionId) -> Pending<Result<Option<StoredSession>, StoreFault>> {
        Pending::now(Ok(self.0.inner.lock().unwrap().sessions.first().cloned()))
    }

    fn sessions(&self, wanted: &SessionFilter) -> Pending<Result<Vec<StoredSession>, StoreFault>> {
        let mut sessions = self.0.inner.lock().unwrap().sessions.clone();
        sessions.retain(|session| match &wanted.level {
            Level::Any => true,
            Level::Top => session.began.parent.is_none(),
            Level::Below(parent) => session.began.parent.as_ref() == Some(parent),
        });
        Pending::now(Ok(sessions))
    }

    fn remove(&self, _session: &SessionId) -> Pending<Result<(), StoreFault>> {
        Pending::now(Ok(()))
    }
}
