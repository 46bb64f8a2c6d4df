//! A value for each session, within bounded memory: of many sessions, those that were quiet the longest are forgotten.

use palanca_core::call::SessionId;
use parking_lot::Mutex;
use std::collections::HashMap;

/// Sessions that are remembered at once.
const REMEMBERED: usize = 1024;

/// What is kept of each session.
#[derive(Debug)]
pub(crate) struct PerSession<T> {
    kept: Mutex<Kept<T>>,
}

#[derive(Debug)]
struct Kept<T> {
    sessions: HashMap<SessionId, (u64, T)>,
    turn: u64,
}

impl<T> Default for PerSession<T> {
    fn default() -> Self {
        Self { kept: Mutex::new(Kept { sessions: HashMap::new(), turn: 0 }) }
    }
}

impl<T: Default> PerSession<T> {
    /// Works on what is kept of this session, alone.
    pub(crate) fn with<R>(&self, session: &SessionId, work: impl FnOnce(&mut T) -> R) -> R {
        let mut kept = self.kept.lock();
        kept.turn += 1;
        let turn = kept.turn;
        if kept.sessions.len() >= REMEMBERED && !kept.sessions.contains_key(session) {
            let quietest = kept.sessions.iter().min_by_key(|(_, (turn, _))| *turn).map(|(session, _)| session.clone());
            quietest.and_then(|session| kept.sessions.remove(&session));
        }
        let (last, value) = kept.sessions.entry(session.clone()).or_default();
        *last = turn;
        work(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quietest_session_is_forgotten() {
        let kept = PerSession::<u32>::default();
        let name = |number: usize| SessionId::new(format!("s{number}"));
        for number in 0..REMEMBERED {
            kept.with(&name(number), |value| *value = 1);
        }
        kept.with(&name(0), |value| *value += 1);
        kept.with(&name(REMEMBERED), |value| *value = 1);
        assert_eq!(kept.with(&name(0), |value| *value), 2);
        assert_eq!(kept.with(&name(1), |value| *value), 0);
    }
}
