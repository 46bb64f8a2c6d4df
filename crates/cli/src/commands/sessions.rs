//! `palanca sessions`: what happened, and taking it back.

mod found;
mod undo;

use crate::args::Global;
use crate::args::sessions::{Sessions as Arguments, SessionsCommand, SessionsList, SessionsShow};
use crate::exit::{Ended, Exit, Failure};
use crate::render::{rehearsed, sessions as drawn, stdout};
use crate::wire::{disk, settings, snapshots, state};
use found::{Found, Session};
use palanca_config::Config;
use palanca_core::ports::Undoable;
use palanca_core::{Catalogue as _, Message};
use palanca_files::{Disk, Journal, JournalError, Picture, Step};
use palanca_text::FluentCatalogue;
use serde_json::{Value, json};
use std::sync::Arc;

/// Sessions in a list for people.
const SHOWN: usize = 20;

pub fn sessions(global: &Global, args: Arguments) -> Ended {
    let config = settings::load(global, &[])?.config;
    let shelf = Shelf::open(global, config)?;
    match args.what {
        SessionsCommand::List(list) => shelf.list(&list),
        SessionsCommand::Show(show) => shelf.show(&show),
        SessionsCommand::Undo(undo) => shelf.undo(global, &undo),
    }
}

/// Everything that is kept of sessions.
struct Shelf {
    global: Global,
    config: Config,
    journal: Arc<Journal>,
    home: std::path::PathBuf,
    catalogue: Arc<FluentCatalogue>,
}

impl Shelf {
    fn open(global: &Global, config: Config) -> Result<Self, Failure> {
        let home = state::home("sessions")?;
        let catalogue = settings::catalogue(&config);
        let journal = state::open(&config).journal.ok_or_else(|| {
            Failure::said(&Message::new("cli-sessions-closed").with("path", home.display().to_string()))
        })?;
        Ok(Self { global: global.clone(), config, journal, home, catalogue })
    }

    /// The workspace, with its journal; what a killed process left in it is settled.
    fn disk(&self) -> Result<Arc<Disk>, Failure> {
        let disk = Arc::new(disk::disk(&self.global, &self.config)?.with_journal(Arc::clone(&self.journal)));
        if let Some(snapshotter) = snapshots::snapshotter(&self.config, &disk)? {
            snapshotter.recover();
        }
        Ok(disk)
    }

    fn found(&self) -> Result<Found, Failure> {
        Found::read(&self.home, &self.journal).map_err(|error| self.failure(&error))
    }

    fn list(&self, args: &SessionsList) -> Ended {
        // What was interrupted here is a step from now on; a workspace that is not there has none to settle.
        let _ = self.disk();
        let mut sessions = self.found()?.sessions;
        let last = args.last.unwrap_or(if args.json { 0 } else { SHOWN });
        if last > 0 {
            sessions.truncate(last);
        }
        if args.json {
            stdout::json(&Value::Array(sessions.iter().map(Session::json).collect()))?;
        } else if sessions.is_empty() {
            stdout::text(&format!("{}\n", self.catalogue.render(&Message::new("sessions-none"))))?;
        } else {
            stdout::text(
                &sessions.iter().map(|session| drawn::row(session_row(session), &*self.catalogue)).collect::<String>(),
            )?;
        }
        Ok(Exit::Success)
    }

    fn show(&self, args: &SessionsShow) -> Ended {
        let disk = self.disk()?;
        let found = self.found()?;
        let session = found.one(&args.id, found::Wanted::Any).map_err(|message| self.refused(&message))?;
        let steps = self.journal.list(&session.id).map_err(|error| self.failure(&error))?;
        let pictures = |step: &Step| self.journal.pictures(&disk, &session.id, step.number);
        if args.json {
            let rows = steps.iter().map(|step| {
                let mut row = json!({
                    "step": step.number, "at_ms": step.at_ms, "call": step.call, "tool": session.tool(step),
                    "workspace": step.workspace, "changes": step.changes,
                    "undoable": step.lost.is_empty(), "lost": step.lost, "without": step.without,
                });
                if args.diff
                    && let Some(row) = row.as_object_mut()
                {
                    let text = pictures(step).map(|pictures| rehearsed::pictures(&pictures)).unwrap_or_default();
                    row.insert("diff".into(), text.into());
                }
                row
            });
            let mut whole = session.json();
            if let Some(whole) = whole.as_object_mut() {
                whole.insert("steps".into(), rows.collect());
            }
            stdout::json(&whole)?;
            return Ok(Exit::Success);
        }
        let catalogue = &*self.catalogue;
        let mut page = drawn::row(session_row(session), catalogue);
        for step in &steps {
            page.push_str(&drawn::step(step, session.tool(step), catalogue));
            if args.diff {
                let pictures: Vec<Picture> = pictures(step).map_err(|error| self.failure(&error))?;
                page.push_str(&rehearsed::pictures(&pictures));
            }
        }
        page.push_str(&self.closing(&steps, &disk)?);
        stdout::text(&page)?;
        Ok(Exit::Success)
    }

    /// What can be said of the whole: nothing changed, and what programs do here that nobody could take back.
    fn closing(&self, steps: &[Step], disk: &Arc<Disk>) -> Result<String, Failure> {
        let mut lines = Vec::new();
        if steps.is_empty() {
            lines.push(Message::new("sessions-no-steps"));
        }
        let coverage = match snapshots::snapshotter(&self.config, disk)? {
            Some(snapshotter) => snapshots::undoable(snapshotter.coverage()),
            None => Undoable::No(Message::new("undo-not-kept")),
        };
        match coverage {
            Undoable::Yes => {}
            Undoable::Partly(why) | Undoable::No(why) => {
                lines.push(Message::new("sessions-coverage").with("why", self.catalogue.render(&why)));
            }
        }
        Ok(lines.iter().map(|line| format!("{}\n", self.catalogue.render(line))).collect())
    }

    fn refused(&self, message: &Message) -> Failure {
        Failure::usage(self.catalogue.render(message))
    }

    /// The sentence for an error of the journal, in the person's language.
    fn failure(&self, error: &JournalError) -> Failure {
        let message = match error {
            JournalError::NoSuchStep { session, step, steps } => Message::new("sessions-no-such-step")
                .with("session", session)
                .with("step", step.0)
                .with("steps", *steps),
            JournalError::OtherWorkspace { step, workspace } => {
                Message::new("sessions-other-workspace").with("step", step.0).with("workspace", workspace)
            }
            JournalError::Changed(names) => Message::new("sessions-changed").with("names", some(names)),
            JournalError::NotKept(names) => Message::new("sessions-not-kept").with("names", some(names)),
            JournalError::State(error) => state::words(error),
            other => return Failure::new(Exit::Failed, anyhow::anyhow!("{other}")),
        };
        Failure::new(Exit::Failed, anyhow::anyhow!("{}", self.catalogue.render(&message)))
    }
}

fn session_row(session: &Session) -> drawn::Row<'_> {
    drawn::Row {
        id: session.id.as_str(),
        at_ms: session.at_ms,
        calls: session.calls,
        files: session.files.len(),
        workspace: session.workspace.as_deref().unwrap_or_default(),
    }
}

/// The first ten names, and how many more.
fn some(names: &[String]) -> String {
    let mut shown = names.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
    if let Some(more) = names.len().checked_sub(10).filter(|more| *more > 0) {
        shown.push_str(&format!(", … (+{more})"));
    }
    shown
}
