//! Undoing what a session changed: first looked at, then done; as `palanca sessions undo` does both.

use crate::console::Shared;
use crate::problem::Problem;
use axum::http::StatusCode;
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::call::SessionId;
use palanca_core::ports::{Sessions as _, StoredSession};
use palanca_files::{Changed, Force, Journal, JournalError, StepNumber, UndoPlan};
use palanca_host::not_undone;
use palanca_host::workspace::{disk, writes};
use palanca_tools::edit::diff;
use std::sync::Arc;

/// What an undo would do, or did.
pub(crate) struct Undoing {
    /// Files and names.
    pub(crate) changes: Vec<String>,
    /// As a unified diff.
    pub(crate) diff: String,
    /// What stays as it is, because something else changed it since.
    pub(crate) left: Vec<String>,
}

/// Whether it is done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Undo {
    Look,
    Do,
}

/// Undoes everything that a session changed, or only says what that would be.
pub(crate) async fn undo(shared: &Arc<Shared>, kept: &StoredSession, what: Undo) -> Result<Undoing, Problem> {
    let id = kept.began.scope.session.clone();
    if shared.database.is_held(&id).await? {
        let message = Message::new("console-undo-running").with("id", id.as_str());
        return Err(Problem::new(StatusCode::CONFLICT, "running", message));
    }
    let config = match &kept.began.scope.bot {
        Some(bot) => Arc::clone(&crate::api::bots::bot(shared, bot.as_str()).await?.config),
        None => Arc::clone(&shared.config),
    };
    let here = disk::here(&config)?;
    if kept.began.workspace.as_deref().is_some_and(|workspace| workspace != here) {
        let workspace = kept.began.workspace.clone().unwrap_or_default();
        let message = Message::new("console-undo-elsewhere").with("id", id.as_str()).with("workspace", workspace);
        return Err(Problem::new(StatusCode::CONFLICT, "other_workspace", message));
    }
    let shared = Arc::clone(shared);
    let work = tokio::task::spawn_blocking(move || blocking(&shared, &config, (&id, what))).await;
    work.map_err(|_| Problem::stopping())?
}

fn blocking(shared: &Shared, config: &Config, (id, what): (&SessionId, Undo)) -> Result<Undoing, Problem> {
    let none = || Problem::wrong(Message::new("console-no-state"));
    let journal = shared.host.journal(config).ok_or_else(none)?;
    let door = Arc::new(disk::disk(shared.host.places(), config)?.with_journal(Arc::clone(journal)));
    writes::writes(writes::limits(config), &door).recover();
    let plan = journal.plan_undo(&door, id, (StepNumber(0), Force::Refuse)).map_err(|error| failed(&error))?;
    let undoing = shown(&plan, journal);
    if what == Undo::Do {
        journal.perform(&plan, id).map_err(|error| failed(&error))?;
    }
    Ok(undoing)
}

fn failed(error: &JournalError) -> Problem {
    Problem::new(StatusCode::CONFLICT, "not_undone", not_undone(error))
}

fn shown(plan: &UndoPlan, journal: &Journal) -> Undoing {
    let matters: Vec<Changed> =
        plan.changes(journal).into_iter().filter(|changed| !plan.is_minor(&changed.path)).collect();
    let moves = plan.moves().into_iter().map(|(from, to)| format!("{from} → {to}"));
    let changes = moves.chain(matters.iter().map(|changed| changed.path.to_string())).collect();
    Undoing { changes, diff: matters.iter().map(text).collect(), left: plan.left().to_vec() }
}

/// Nothing for what is no text.
fn text(changed: &Changed) -> String {
    let side = |bytes: &Option<Vec<u8>>| match bytes {
        None => Some(None),
        Some(bytes) => std::str::from_utf8(bytes).ok().map(|text| Some(text.to_owned())),
    };
    match (side(&changed.before), side(&changed.after)) {
        (Some(before), Some(after)) => {
            diff::unified(&changed.path.to_string(), before.as_deref(), after.as_deref()).text
        }
        _ => String::new(),
    }
}
