//! `sessions clean`: removes old sessions and their undo data. The audit log is not touched: older calls that only it knows
//! are just no longer listed.

use super::Shelf;
use crate::args::Global;
use crate::args::sessions::SessionsClean;
use crate::commands::run::earlier::fault;
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::wire::state;
use palanca_core::call::SessionId;
use palanca_core::ports::{SessionFilter, Sessions as _, StoreFault};
use palanca_core::{Catalogue as _, Message};
use palanca_files::StateDirectory;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// In the state directory: until when single calls are no longer listed, in milliseconds since 1970.
const CLEANED: &str = "sessions-cleaned";
const DAY_MS: u64 = 86_400_000;

/// Until when.
pub fn until(home: &Path) -> u64 {
    let kept = StateDirectory::open(home).ok().and_then(|state| state.read(CLEANED, 64).ok());
    kept.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

impl Shelf {
    pub(super) fn clean(&self, global: &Global, args: &SessionsClean) -> Ended {
        let days = args.older_than.unwrap_or(self.config.sessions.cleanup_after_days);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        let before = now.saturating_sub(u64::from(days).saturating_mul(DAY_MS)).saturating_add(u64::from(days == 0));
        let dry = global.is_dry();
        let (mut removed, mut running): (Vec<SessionId>, Vec<SessionId>) = (Vec::new(), Vec::new());
        let wanted = SessionFilter { before_ms: Some(before), ..SessionFilter::default() };
        for kept in self.store.sessions(&wanted).map_err(|error| fault(&error))? {
            let id = kept.began.scope.session;
            match self.forget(&id, dry) {
                Ok(()) => removed.push(id),
                Err(StoreFault::Held { .. }) => running.push(id),
                Err(error) => return Err(fault(&error)),
            }
        }
        let known: BTreeSet<&str> = removed.iter().chain(&running).map(SessionId::as_str).collect();
        let mut more = Vec::new();
        for session in self.found()?.sessions {
            if session.kept.is_none() && session.last_ms < before && !known.contains(session.id.as_str()) {
                more.push(session.id);
            }
        }
        removed.extend(more);
        let mut steps = 0;
        for id in &removed {
            steps += self.journal.list(id).map_err(|error| self.failure(&error))?.len();
            if !dry {
                self.journal.forget(id).map_err(|error| self.failure(&error))?;
            }
        }
        if !dry {
            let state = StateDirectory::open(&self.home).map_err(state::failed)?;
            let latest = until(&self.home).max(before);
            state.write(CLEANED, &format!("{latest}\n")).map_err(state::failed)?;
        }
        self.say(global, args, (&removed, &running, steps))
    }

    fn forget(&self, id: &SessionId, dry: bool) -> Result<(), StoreFault> {
        if dry {
            return match self.store.is_held(id)? {
                true => Err(StoreFault::Held { what: id.to_string() }),
                false => Ok(()),
            };
        }
        self.store.remove(id)
    }

    fn say(
        &self,
        global: &Global,
        args: &SessionsClean,
        (removed, running, steps): (&[SessionId], &[SessionId], usize),
    ) -> Result<Exit, Failure> {
        let dry = global.is_dry();
        if args.json {
            stdout::json(&json!({ "removed": removed, "running": running, "undo_steps": steps, "dry_run": dry }))?;
            return Ok(Exit::Success);
        }
        let lines: String = removed.iter().map(|id| format!("{id}\n")).collect();
        stdout::text(&lines)?;
        if !global.quiet {
            let key = if dry { "sessions-would-clean" } else { "sessions-cleaned" };
            let message = Message::new(key).with("sessions", removed.len()).with("steps", steps);
            stderr::line(&self.catalogue.render(&message));
            for id in running {
                let message = Message::new("sessions-clean-running").with("id", id.as_str());
                stderr::line(&self.catalogue.render(&message));
            }
        }
        Ok(Exit::Success)
    }
}
