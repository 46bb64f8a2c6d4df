//! `palanca cron list`: the jobs of a bot, one a line.

use crate::args::Global;
use crate::commands::call;
use crate::exit::{Ended, Exit};
use crate::render::{stderr, stdout};
use crate::say::say;
use palanca_core::{Message, ToolsetName};
use serde_json::Value;
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
    let text = |place: &str| job.pointer(place).and_then(Value::as_str).unwrap_or_default().to_owned();
    let when = match &*text("/schedule/kind") {
        "every" => {
            let ms = job.pointer("/schedule/everyMs").and_then(Value::as_u64).unwrap_or_default();
            let time = humantime::format_duration(Duration::from_millis(ms)).to_string();
            say(&Message::new("cron-every").with("time", time))
        }
        "cron" => [text("/schedule/expr"), text("/schedule/tz")].join(" "),
        _ => say(&Message::new("cron-once")),
    };
    let is_off = job.get("enabled") == Some(&Value::Bool(false));
    let off = if is_off { say(&Message::new("cli-bot-off")) } else { String::new() };
    let due = if job.get("nextRunAt").is_some_and(Value::is_string) { text("/nextRunAt") } else { "-".to_owned() };
    let parts = [due, text("/id"), text("/name"), when, off, text("/lastStatus"), text("/payload/text")];
    let shown = parts.iter().map(|part| stderr::shown_line(part.trim())).filter(|part| !part.is_empty());
    format!("{}\n", shown.collect::<Vec<_>>().join("  "))
}
