//! `palanca sessions`: list, show, resume and undo.

mod clean;
mod export;
mod found;
mod timeline;
mod undo;

use super::run;
use super::run::earlier::{LATEST, as_it_stands, fault};
use crate::args::Global;
use crate::args::sessions::{Sessions as Arguments, SessionsCommand, SessionsList, SessionsShow};
use crate::exit::{Ended, Exit, Failure};
use crate::render::{rehearsed, sessions as drawn, stderr, stdout};
use crate::wire::settings;
use found::{Found, Session};
use palanca_config::Config;
use palanca_core::call::SessionId;
use palanca_core::ports::{Level, ProgramWrites as _, SessionFilter, Sessions as _, StoredSession, Undoable, wait};
use palanca_core::{Catalogue as _, Message};
use palanca_files::{Disk, Journal, JournalError, Picture, Step, UndoPlan};
use palanca_host::workspace::{disk, writes};
use palanca_host::{Host, configuration, not_undone};
use palanca_store::Database;
use palanca_text::{FluentCatalogue, some};
use serde_json::{Value, json};
use std::sync::Arc;

/// Sessions in a list for people.
const SHOWN: usize = 20;

pub fn sessions(global: &Global, args: Arguments) -> Ended {
    let what = match args.what {
        // It brings its own workspace, whatever there is here.
        SessionsCommand::Resume(args) => return run::resume(global, &args.id, args.prompt, args.flags),
        other => other,
    };
    let config = settings::load(global, &[])?.config;
    let shelf = Shelf::open(global, config)?;
    match what {
        SessionsCommand::List(list) => shelf.list(&list),
        SessionsCommand::Show(show) => shelf.show(&show),
        SessionsCommand::Undo(undo) => shelf.undo(global, &undo),
        SessionsCommand::Export(export) => shelf.export(&export),
        SessionsCommand::Clean(clean) => shelf.clean(global, &clean),
        SessionsCommand::Resume(_) => Ok(Exit::Usage),
    }
}

/// Everything that is kept of sessions.
struct Shelf {
    global: Global,
    host: Arc<Host>,
    config: Config,
    journal: Arc<Journal>,
    store: Arc<Database>,
    home: std::path::PathBuf,
    catalogue: Arc<FluentCatalogue>,
}

/// A workspace under its configuration.
struct Place {
    config: Config,
    disk: Arc<Disk>,
}

impl Shelf {
    fn open(global: &Global, config: Config) -> Result<Self, Failure> {
        let home = settings::home("sessions")?;
        let catalogue = configuration::catalogue(&config);
        let host = settings::host(global)?;
        let (Some(journal), Some(store)) = (host.journal(&config).cloned(), host.database(&config).cloned()) else {
            let path = home.display().to_string();
            return Err(Failure::said(&Message::new("cli-sessions-closed").with("path", path)));
        };
        Ok(Self { global: global.clone(), host, config, journal, store, home, catalogue })
    }

    /// The workspace, with its journal; what a killed process left in it is settled.
    fn place(&self, global: &Global, config: Config) -> Result<Place, Failure> {
        let disk = Arc::new(disk::disk(&settings::places(global)?, &config)?.with_journal(Arc::clone(&self.journal)));
        writes::writes(writes::limits(&config), &disk).recover();
        Ok(Place { config, disk })
    }

    fn here(&self) -> Result<Place, Failure> {
        self.place(&self.global, self.config.clone())
    }

    fn found(&self) -> Result<Found, Failure> {
        let kept = wait(self.store.sessions(&SessionFilter::default())).map_err(|error| fault(&error))?;
        let kept = kept.into_iter().map(|kept| as_it_stands(&*self.store, kept)).collect();
        Found::read(&self.home, &self.journal, kept).map_err(|error| self.failure(&error))
    }

    /// The session that is meant, and its workspace with that folder's own configuration, or why it cannot be had.
    fn open_session(&self, id: &str, wanted: found::Candidates) -> Result<(Session, Result<Place, Failure>), Failure> {
        let here = disk::here(&self.config)?;
        // What was interrupted here is a step from now on.
        let place = self.here();
        let mut found = self.found()?;
        let session = found.take(id, wanted, &here).map_err(|message| Failure::said(&message))?;
        let Some(workspace) = session.workspace.clone().filter(|workspace| *workspace != here) else {
            return Ok((session, place));
        };
        let global = Global { workspace: Some(workspace.into()), ..self.global.clone() };
        let there = settings::resolve(&global, &[]).and_then(|loaded| self.place(&global, loaded.config));
        // What was interrupted there is, too.
        let again = self.found()?.take(session.id.as_str(), found::Candidates::Any, &here);
        Ok((again.unwrap_or(session), there))
    }

    fn list(&self, args: &SessionsList) -> Ended {
        // What was interrupted here is a step from now on; a workspace that is not there has none to settle.
        let _ = self.here();
        let mut sessions = self.found()?.sessions;
        if let Some(bot) = &self.global.bot {
            sessions.retain(|session| session.bot() == Some(bot));
        }
        let last = args.last.unwrap_or(if args.json { 0 } else { SHOWN });
        if last > 0 {
            sessions.truncate(last);
        }
        if args.json {
            stdout::json(&Value::Array(sessions.iter().map(Session::json).collect()))?;
        } else if sessions.is_empty() {
            let none = match &self.global.bot {
                Some(bot) => Message::new("sessions-none-bot").with("bot", bot),
                None => Message::new("sessions-none"),
            };
            stdout::text(&format!("{}\n", self.catalogue.render(&none)))?;
        } else {
            stdout::text(
                &sessions.iter().map(|session| drawn::row(session_row(session), &*self.catalogue)).collect::<String>(),
            )?;
        }
        Ok(Exit::Success)
    }

    fn show(&self, args: &SessionsShow) -> Ended {
        let (session, place) = self.open_session(&args.id, found::Candidates::Any)?;
        let (session, place) = (&session, place.ok());
        let steps = self.journal.list(&session.id).map_err(|error| self.failure(&error))?;
        let moments = match &session.kept {
            Some(_) => timeline::read(&*self.store, &session.id)?,
            None => Vec::new(),
        };
        let wanted = SessionFilter { level: Level::Below(session.id.clone()), ..SessionFilter::default() };
        let below = wait(self.store.sessions(&wanted)).map_err(|error| fault(&error))?;
        let below: Vec<_> = below.into_iter().map(|kept| as_it_stands(&*self.store, kept)).collect();
        let pictures = |step: &Step| match &place {
            Some(place) => self.journal.pictures(&place.disk, &session.id, step.number),
            None => Ok(Vec::new()),
        };
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
                if session.kept.is_some() {
                    whole.insert("timeline".into(), moments.iter().map(|moment| moment.json(args.diff)).collect());
                    whole.insert("subagents".into(), below.iter().map(subagent).collect());
                }
            }
            stdout::json(&whole)?;
            return Ok(Exit::Success);
        }
        let catalogue = &*self.catalogue;
        let mut page = drawn::row(session_row(session), catalogue);
        if let Some(kept) = &session.kept {
            page.push_str(&timeline::head(kept, catalogue));
        }
        for moment in &moments {
            page.push_str(&moment.lines(args.diff, catalogue));
        }
        for child in &below {
            page.push_str(&drawn::subagent(child, catalogue));
        }
        if !moments.is_empty() && !steps.is_empty() {
            page.push_str(&format!("{}\n", catalogue.render(&Message::new("sessions-undo-steps"))));
        }
        for step in &steps {
            page.push_str(&drawn::step(step, session.tool(step), catalogue));
            if args.diff {
                let pictures: Vec<Picture> = pictures(step).map_err(|error| self.failure(&error))?;
                page.push_str(&rehearsed::pictures(&pictures));
            }
        }
        page.push_str(&self.closing(&steps, session, place.as_ref())?);
        stdout::text(&page)?;
        Ok(Exit::Success)
    }

    /// What can be said of the whole: nothing changed, and what programs do in its workspace that cannot be taken back.
    fn closing(&self, steps: &[Step], session: &Session, place: Option<&Place>) -> Result<String, Failure> {
        let mut lines = Vec::new();
        if steps.is_empty() {
            lines.push(Message::new("sessions-no-steps"));
        }
        let coverage = match place {
            Some(place) => writes::writes(writes::limits(&place.config), &place.disk).undoable(),
            None => Undoable::No(Message::new("undo-workspace-gone")),
        };
        match coverage {
            Undoable::Yes => {}
            Undoable::Partly(why) | Undoable::No(why) => {
                let workspace = session.workspace.as_deref().unwrap_or(&self.config.workspace.root);
                let why = self.catalogue.render(&why);
                let workspace = stderr::shown_line(workspace);
                lines.push(Message::new("sessions-coverage").with("workspace", workspace).with("why", why));
            }
        }
        Ok(lines.iter().map(|line| format!("{}\n", self.catalogue.render(line))).collect())
    }

    fn failure(&self, error: &JournalError) -> Failure {
        Failure::new(Exit::Failed, anyhow::anyhow!("{}", self.catalogue.render(&not_undone(error))))
    }
}

/// What an undo leaves as it is, if anything.
pub fn left(plan: &UndoPlan) -> Option<Message> {
    (!plan.left().is_empty()).then(|| Message::new("sessions-undo-left").with("names", some(plan.left())))
}

fn subagent(child: &StoredSession) -> Value {
    json!({
        "id": child.began.scope.session, "task": child.began.task, "agent": child.began.agent,
        "status": child.summary.status, "stop_reason": child.summary.stop_reason, "cost": child.summary.dollars,
        "tokens": child.summary.tokens, "model_calls": child.summary.steps,
    })
}

fn session_row(session: &Session) -> drawn::Row<'_> {
    drawn::Row {
        id: session.id.as_str(),
        at_ms: session.at_ms,
        calls: session.calls,
        files: session.files.len(),
        workspace: session.workspace.as_deref().unwrap_or_default(),
        kept: session.kept.as_ref(),
    }
}

/// The id of this workspace's latest session.
///
/// # Errors
/// None: exit code 3.
pub fn latest(global: &Global) -> Result<SessionId, Failure> {
    let shelf = Shelf::open(global, settings::resolve(global, &[])?.config)?;
    let here = disk::here(&shelf.config)?;
    let latest = shelf.found()?.take(LATEST, found::Candidates::Any, &here);
    Ok(latest.map_err(|message| Failure::said(&message))?.id)
}
