//! `palanca store`: the database checked, copied, and replaced by a copy.

use crate::args::Global;
use crate::args::store::{Store, StoreCommand};
use crate::exit::{Ended, Exit, Failure};
use crate::render::stdout;
use crate::say::say;
use crate::wire::settings;
use palanca_core::{Catalogue as _, Message};
use palanca_host::Cleaned;
use palanca_store::{Checked, Database, Replacement, StoreError, StoreProblem};
use palanca_text::FluentCatalogue;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

pub fn store(global: &Global, args: Store) -> Ended {
    let keeper = Keeper {
        database: Database::lazy(&settings::home("store")?),
        catalogue: palanca_host::configuration::catalogue(&settings::load(global, &[])?.config),
    };
    match args.what {
        StoreCommand::Check { json } => keeper.check(json),
        StoreCommand::Clean { json } => clean(global, json),
        StoreCommand::Backup { file } => keeper.backup(&file),
        StoreCommand::Restore { file: Some(file), .. } => keeper.restore(Replacement::Copy(&file)),
        StoreCommand::Restore { file: None, .. } => keeper.restore(Replacement::Nothing),
    }
}

/// Removes what is older than it is kept.
fn clean(global: &Global, as_json: bool) -> Ended {
    let (host, config) = (settings::host(global)?, settings::load(global, &[])?.config);
    let Cleaned { sessions, rows, audit_files } = host.clean(&config, global.cleaning())?;
    if as_json {
        stdout::json(&json!({
            "sessions": sessions.removed, "running": sessions.running, "undo_steps": sessions.undo_steps,
            "questions": rows.questions, "artifacts": rows.texts, "audit_files": audit_files, "dry_run": global.is_dry(),
        }))?;
        return Ok(Exit::Success);
    }
    let message = Message::new(if global.is_dry() { "store-would-clean" } else { "store-cleaned" })
        .with("sessions", sessions.removed.len())
        .with("running", sessions.running.len())
        .with("steps", sessions.undo_steps)
        .with("artifacts", rows.texts)
        .with("questions", rows.questions)
        .with("files", audit_files.len());
    stdout::text(&say(&message))?;
    Ok(Exit::Success)
}

struct Keeper {
    database: Database,
    catalogue: Arc<FluentCatalogue>,
}

impl Keeper {
    fn check(&self, json: bool) -> Ended {
        if !self.database.exists() {
            let none = StoreError::None { path: self.database.path().to_owned() }.message();
            return if json { self.checked_json(None, &[]) } else { self.say(&none) };
        }
        match self.database.examine() {
            Ok(checked) if json => {
                let problems: Vec<_> = checked.problems.iter().map(|problem| self.problem_json(problem)).collect();
                self.checked_json(Some(&checked), &problems)
            }
            Ok(checked) => self.checked(&checked),
            Err(error) if json => {
                let words = self.catalogue.render(&error.message());
                self.checked_json(None, &[json!({"kind": error.message().key(), "words": words})])
            }
            Err(error) => Err(self.failure(&error)),
        }
    }

    fn problem_json(&self, problem: &StoreProblem) -> Value {
        let mut row = serde_json::to_value(problem).unwrap_or_default();
        if let Some(row) = row.as_object_mut() {
            row.insert("words".into(), self.catalogue.render(&problem.message()).into());
        }
        row
    }

    fn checked_json(&self, checked: Option<&Checked>, problems: &[Value]) -> Ended {
        let rows = checked.map(|checked| {
            let rows = checked.rows.iter().map(|rows| (rows.table.clone(), rows.rows.into()));
            rows.collect::<serde_json::Map<_, _>>()
        });
        stdout::json(&json!({
            "path": self.database.path(),
            "exists": self.database.exists(),
            "sound": problems.is_empty(),
            "schema": checked.map(|checked| checked.schema),
            "rows": rows,
            "artifact_bytes": checked.map(|checked| checked.artifact_bytes),
            "problems": problems,
        }))?;
        Ok(if problems.is_empty() { Exit::Success } else { Exit::Failed })
    }

    fn checked(&self, checked: &Checked) -> Ended {
        let path = self.database.path().display().to_string();
        if checked.problems.is_empty() {
            let rows = |table: &str| checked.rows.iter().find(|rows| rows.table == table).map_or(0, |rows| rows.rows);
            return self.say(
                &Message::new("store-whole")
                    .with("path", path)
                    .with("schema", checked.schema)
                    .with("sessions", rows("sessions"))
                    .with("events", rows("session_events"))
                    .with("artifacts", rows("artifacts"))
                    .with("bytes", checked.artifact_bytes)
                    .with("questions", rows("questions"))
                    .with("rules", rows("rules"))
                    .with("changes", rows("undo")),
            );
        }
        let unsound = Message::new("store-unsound").with("path", path).with("problems", checked.problems.len());
        let lines = std::iter::once(unsound).chain(checked.problems.iter().map(StoreProblem::message));
        stdout::text(&lines.map(|line| format!("{}\n", self.catalogue.render(&line))).collect::<String>())?;
        Ok(Exit::Failed)
    }

    fn backup(&self, file: &Path) -> Ended {
        let bytes = self.database.back_up(file).map_err(|error| self.failure(&error))?;
        self.say(&Message::new("store-backed-up").with("file", file.display().to_string()).with("bytes", bytes))
    }

    fn restore(&self, by: Replacement<'_>) -> Ended {
        let aside = self.database.replace(by).map_err(|error| self.failure(&error))?;
        let key = match (by, &aside) {
            (Replacement::Copy(_), Some(_)) => "store-restored-aside",
            (Replacement::Copy(_), None) => "store-restored",
            (Replacement::Nothing, Some(_)) => "store-emptied",
            (Replacement::Nothing, None) => "store-none",
        };
        let said = Message::new(key).with("path", self.database.path().display().to_string());
        let said = match by {
            Replacement::Copy(file) => said.with("file", file.display().to_string()),
            Replacement::Nothing => said,
        };
        self.say(&match aside {
            Some(aside) => said.with("aside", aside.display().to_string()),
            None => said,
        })
    }

    fn say(&self, message: &Message) -> Ended {
        stdout::text(&self.catalogue.render(message))?;
        Ok(Exit::Success)
    }

    fn failure(&self, error: &StoreError) -> Failure {
        Failure::new(Exit::Failed, anyhow::anyhow!("{}", self.catalogue.render(&error.message())))
    }
}
