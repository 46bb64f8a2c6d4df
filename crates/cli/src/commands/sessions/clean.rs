//! `sessions clean`: removes old sessions and their undo data. The audit log is not touched: older calls that only it knows
//! are just no longer listed.

use super::Shelf;
use crate::args::Global;
use crate::args::sessions::SessionsClean;
use crate::exit::{Ended, Exit};
use crate::render::{stderr, stdout};
use palanca_core::call::SessionId;
use palanca_core::{Catalogue as _, Message};
use palanca_files::StateDirectory;
use palanca_host::{CleanedSessions, Fault, before};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;

/// In the state directory: until when single calls are no longer listed, in milliseconds since 1970.
const CLEANED: &str = "sessions-cleaned";

/// Until when.
pub fn until(home: &Path) -> u64 {
    let kept = StateDirectory::open(home).ok().and_then(|state| state.read(CLEANED, 64).ok());
    kept.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

impl Shelf {
    pub(super) fn clean(&self, global: &Global, args: &SessionsClean) -> Ended {
        let days = args.older_than.unwrap_or(self.config.sessions.cleanup_after_days);
        let before = before(days);
        let dry = global.is_dry();
        let mut cleaned = self.host.clean_sessions(&self.config, before, global.cleaning())?;
        let known: BTreeSet<SessionId> = cleaned.removed.iter().chain(&cleaned.running).cloned().collect();
        // Those that only the audit log knows are no longer listed.
        let others = self.found()?.sessions.into_iter().filter(|session| session.kept.is_none());
        let others = others.filter(|session| session.last_ms < before && !known.contains(&session.id));
        cleaned.removed.extend(others.map(|session| session.id));
        if !dry {
            let state = StateDirectory::open(&self.home).map_err(Fault::from)?;
            let latest = until(&self.home).max(before);
            state.write(CLEANED, &format!("{latest}\n")).map_err(Fault::from)?;
        }
        self.say(global, args, &cleaned)
    }

    fn say(&self, global: &Global, args: &SessionsClean, cleaned: &CleanedSessions) -> Ended {
        let CleanedSessions { removed, running, undo_steps: steps } = cleaned;
        let dry = global.is_dry();
        if args.json {
            stdout::json(&json!({ "removed": removed, "running": running, "undo_steps": steps, "dry_run": dry }))?;
            return Ok(Exit::Success);
        }
        let lines: String = removed.iter().map(|id| format!("{id}\n")).collect();
        stdout::text(&lines)?;
        if !global.quiet {
            let key = if dry { "sessions-would-clean" } else { "sessions-cleaned" };
            let message = Message::new(key).with("sessions", removed.len()).with("steps", *steps);
            stderr::line(&self.catalogue.render(&message));
            for id in running {
                let message = Message::new("sessions-clean-running").with("id", id.as_str());
                stderr::line(&self.catalogue.render(&message));
            }
        }
        Ok(Exit::Success)
    }
}
