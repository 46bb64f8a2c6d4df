//! `palanca cron list`: the jobs of a bot, one a line.

use crate::args::Global;
use crate::commands::call;
use crate::exit::{Ended, Exit};
use crate::render::{stderr, stdout};
use crate::say::say;
use palanca_core::{Message, ToolsetName};
use serde_json::{Value, json};
use std::time::Duration;

pub fn list(global: Global, arguments: &Value) -> Ended {
    let global = Global { toolset: Some(ToolsetName::Bots.name().to_owned()), ..global };
    let result = call::result(&global, "cron", arguments)?;
    let Some(jobs) = result.data.as_ref().and_then(Value::as_array).filter(|_| result.success) else {
        call::show(&result, None)?;
        return Ok(call::exit(&result));
    };
    stdout::text(&jobs.iter().map(line).collect::<String>())?;
    if jobs.is_empty() {
        stderr::note(&Message::new("cron-no-jobs"));
    }
    Ok(Exit::Success)
}

fn line(job: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let schedule = &job["schedule"];
    let when = match schedule["kind"].as_str() {
        Some("every") => {
            let time = Duration::from_millis(schedule["everyMs"].as_u64().unwrap_or_default());
            say(&Message::new("cron-every").with("time", humantime::format_duration(time).to_string()))
        }
        Some("cron") => [text(&schedule["expr"]), text(&schedule["tz"])].join(" "),
        _ => say(&Message::new("cron-once")),
    };
    let off = if job["enabled"] == json!(false) { say(&Message::new("cli-bot-off")) } else { String::new() };
    let due = job["nextRunAt"].as_str().unwrap_or("-").to_owned();
    let parts = [due, text(&job["id"]), text(&job["name"]), when, off, text(&job["lastStatus"])];
    let parts = parts.into_iter().chain([text(&job["payload"]["text"])]);
    let shown = parts.map(|part| stderr::shown_line(part.trim())).filter(|part| !part.is_empty());
    format!("{}\n", shown.collect::<Vec<_>>().join("  "))
}
