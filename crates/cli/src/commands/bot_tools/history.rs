//! `palanca cron history`: what became of jobs that were due.

use crate::args::Global;
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::say::say;
use crate::wire::settings;
use palanca_core::{Message, ToolsetName};
use palanca_host::workspace::disk;
use palanca_store::{Database, JobRun};
use palanca_tools::local_time;
use serde_json::json;

pub fn history(global: Global, job: Option<&str>, max: u16, as_json: bool) -> Ended {
    let global = Global { toolset: Some(ToolsetName::Bots.name().to_owned()), ..global };
    let config = settings::load(&global, &[])?.config;
    let store = Database::lazy(&settings::home("sessions")?);
    let runs = store.job_runs(&disk::here(&config)?, global.bot.as_deref(), job, usize::from(max));
    let runs = runs.map_err(|error| Failure::saying(Exit::Failed, &error.message()))?;
    if as_json {
        stdout::json(&json!(runs))?;
    } else {
        stdout::text(&runs.iter().map(|run| line(run, &config.datetime.timezone)).collect::<String>())?;
        if runs.is_empty() {
            stderr::note(&Message::new("cron-no-runs"));
        }
    }
    Ok(Exit::Success)
}

fn line(run: &JobRun, zone: &str) -> String {
    let due = local_time(run.due_ms, zone).unwrap_or_default();
    let mut parts = vec![due, run.bot.clone(), run.job.clone(), run.name.clone(), run.state.clone()];
    if run.attempt > 1 {
        parts.push(say(&Message::new("cron-repeated").with("attempts", run.attempt)));
    }
    parts.extend(run.error.clone());
    parts.extend(run.session.clone());
    let shown: Vec<String> = parts.iter().map(|part| stderr::shown_line(part)).collect();
    format!("{}\n", shown.join("  "))
}
