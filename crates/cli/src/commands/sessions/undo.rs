//! `sessions undo`: shows the diff, then undoes.

use super::{Shelf, found, left};
use crate::args::Global;
use crate::args::sessions::SessionsUndo;
use crate::commands::run::earlier::tell_where;
use crate::exit::{Ended, Exit};
use crate::render::{rehearsed, stderr, stdout};
use palanca_core::call::CanonicalPath;
use palanca_core::{Catalogue as _, Message};
use palanca_files::{Force, StepNumber};
use serde_json::json;

impl Shelf {
    pub(super) fn undo(&self, global: &Global, args: &SessionsUndo) -> Ended {
        let (session, place) = self.open_session(&args.id, found::Candidates::Changed)?;
        let disk = match &session.workspace {
            // Elsewhere only if not set otherwise.
            Some(workspace) if global.workspace.is_none() => {
                tell_where(global, session.id.as_str(), workspace);
                place?.disk
            }
            _ => self.here()?.disk,
        };
        let force = if args.force { Force::Overwrite } else { Force::Refuse };
        let plan = self
            .journal
            .plan_undo(&disk, &session.id, (StepNumber(args.to), force))
            .map_err(|error| self.failure(&error))?;
        let diff = rehearsed::undone(&plan, &self.journal);
        let dry = global.is_dry();
        if !args.json {
            stdout::text(&diff)?;
        }
        let undone = if dry { None } else { Some(self.journal.perform(&plan, &session.id)) };
        let undone = undone.transpose().map_err(|error| self.failure(&error))?;
        let exit = if plan.left().is_empty() { Exit::Success } else { Exit::Partial(2) };
        if args.json {
            let names = |paths: &[CanonicalPath]| paths.iter().map(ToString::to_string).collect::<Vec<_>>();
            let (restored, removed) =
                undone.as_ref().map(|undone| (names(&undone.restored), names(&undone.removed))).unwrap_or_default();
            stdout::json(&json!({
                "session": session.id, "to": args.to, "steps": plan.steps(), "dry_run": dry, "diff": diff,
                "restored": restored, "removed": removed, "left": plan.left(),
            }))?;
            return Ok(exit);
        }
        let message = match &undone {
            None => Message::new("sessions-would-undo").with("steps", plan.steps()),
            Some(undone) if undone.restored.is_empty() && undone.removed.is_empty() => {
                Message::new("sessions-nothing-to-undo")
            }
            Some(undone) => Message::new("sessions-undone")
                .with("steps", plan.steps())
                .with("restored", undone.restored.len())
                .with("removed", undone.removed.len())
                .with("session", session.id.as_str())
                .with("back", session.steps),
        };
        if !global.quiet {
            stderr::line(&self.catalogue.render(&message));
        }
        if let Some(left) = left(&plan) {
            stderr::warn(&left);
        }
        Ok(exit)
    }
}
