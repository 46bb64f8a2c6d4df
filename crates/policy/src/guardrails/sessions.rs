//! A value for each session, until it is let go.

use palanca_core::call::SessionId;
use parking_lot::Mutex;
use std::collections::HashMap;

/// What is kept of each session.
#[derive(Debug, Default)]
pub(crate) struct PerSession<T>(Mutex<HashMap<SessionId, T>>);

impl<T: Default> PerSession<T> {
    /// Works on what is kept of this session, alone.
    pub(crate) fn with<R>(&self, session: &SessionId, work: impl FnOnce(&mut T) -> R) -> R {
        let mut sessions = self.0.lock();
        match sessions.get_mut(session) {
            Some(value) => work(value),
            None => work(sessions.entry(session.clone()).or_default()),
        }
    }

    /// Forgets this session.
    pub(crate) fn leave(&self, session: &SessionId) {
        self.0.lock().remove(session);
    }
}
