//! `palanca call`: one call, or a batch of them, through the whole gate.

use crate::args::{self, DryRun, Global};
use crate::commands::arguments::arguments;
use crate::commands::input;
use crate::exit::{Ended, Exit, Failure};
use crate::render::log::LogFile;
use crate::render::rehearsed::Rehearsed;
use crate::render::{rehearsed, stderr, stdout};
use crate::say::say;
use crate::wire::lookout::Shown;
use crate::wire::open::{Asking, calls, takes_tasks};
use crate::wire::runtime::{self, Threads};
use crate::wire::{settings, signals};
use futures_util::stream::{self, StreamExt as _};
use palanca_agent::{Allowance, Event, Ledger, Sink as _};
use palanca_core::call::{ErrorKind, OutcomeKind, Part, RawArguments};
use palanca_core::gate::{CallOrder, Ticket};
use palanca_core::{Call, CallId, Message, ToolResult, ToolsetName};
use palanca_host::Session;
use palanca_mcp::Needed;
use palanca_models::ToolCall;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::io::{self, BufRead, Write as _};
use std::sync::Arc;

pub fn call(global: &Global, args: args::Call) -> Ended {
    let network = args.network.iter().map(|network| ("--network", "commands.network", network.clone()));
    let config = Arc::new(settings::load(global, &network.collect::<Vec<_>>())?.config);
    // A batch may read its lines from the terminal's stdin: then no question can be asked.
    let asking = if args.batch.is_some() { Asking::Nobody } else { Asking::Terminal };
    // Which tools the lines of a batch name is not known before they are read.
    let servers = args.tool.as_deref().map_or(Needed::All, Needed::ForTool);
    let app = calls(global, &config, asking, servers)?;
    let purse = Allowance { dollars: config.costs.budget_usd, ..Allowance::default() };
    takes_tasks(&app, Ledger::root(purse), if global.quiet { Shown::Nothing } else { Shown::Answers });
    let log = LogFile::open(&config, app.catalogue())?;
    let door = Door { app, log };
    match args.batch {
        Some(source) => {
            let lines = input::lines(&source)?;
            let jobs = usize::from(args.jobs);
            let threads = if jobs > 1 { Threads::Cores } else { Threads::Worker };
            runtime::block_on(threads, async move { batch(door, lines, jobs, args.shape).await })
        }
        None => {
            let tool = args.tool.unwrap_or_default();
            let arguments = arguments(door.app.toolset(), &tool, &args.arguments)?;
            let shape = args.shape.unwrap_or(door.app.toolset().shape());
            let json = args.json || args.shape.is_some();
            let (result, rehearsed) = alone(global, door, tool, arguments)?;
            show(&result, json.then_some(shape))?;
            match rehearsed {
                Some(rehearsed) if json => stderr::line(&rehearsed.diff),
                Some(rehearsed) => stdout::text(&rehearsed.diff)?,
                None => {}
            }
            Ok(exit(&result))
        }
    }
}

/// A call without options of its own, and its result.
pub(super) fn result(global: &Global, tool: &str, given: &Value) -> Result<ToolResult, Failure> {
    let config = Arc::new(settings::load(global, &[])?.config);
    let app = calls(global, &config, Asking::Terminal, Needed::ForTool(tool))?;
    let log = LogFile::open(&config, app.catalogue())?;
    let arguments = arguments(app.toolset(), tool, &[given.to_string()])?;
    alone(global, Door { app, log }, tool.to_owned(), arguments).map(|(result, _)| result)
}

/// One call, and what commands changed in their copy.
fn alone(
    global: &Global,
    door: Door,
    tool: String,
    arguments: RawArguments,
) -> Result<(ToolResult, Option<Rehearsed>), Failure> {
    let in_a_copy = global.dry_run == Some(DryRun::Commands);
    runtime::block_on(Threads::One, async move {
        let app = &door.app;
        signals::cancel_on_interrupt(app.gate().cancel());
        let result = door.submit(app.call(CallId::new("1"), tool, arguments), None).await;
        app.end().await;
        app.host().flush_traces().await;
        // The diff of a tool is part of its result; changes by commands in their copy are reported only here.
        let rehearsed = if in_a_copy { rehearsed::end(app)? } else { None };
        Ok((result, rehearsed))
    })
}

/// Where calls go, and the log that is told of them.
struct Door {
    app: Session,
    log: Option<LogFile>,
}

impl Door {
    /// With a ticket, in its order.
    async fn submit(&self, call: Call, ticket: Option<Ticket>) -> ToolResult {
        let app = &self.app;
        if let Some(log) = &self.log {
            let arguments = match &call.arguments {
                RawArguments::Text(text) => text.clone(),
                RawArguments::Json(json) => json.to_string(),
            };
            let arguments = app.words().redactor.redact(&arguments).into_owned();
            log.event(&Event::ToolStarted {
                call: &ToolCall { id: call.id.clone(), name: call.tool.clone(), arguments },
            });
        }
        let result = match ticket {
            Some(ticket) => app.gate().submit_in_order(ticket, app.toolset(), call).await,
            None => app.gate().submit(app.toolset(), call).await,
        };
        if let Some(log) = &self.log {
            log.event(&Event::ToolEnded { result: &result });
        }
        result
    }
}

/// The output on stdout; what went wrong and what was repaired on stderr.
pub(super) fn show(result: &ToolResult, shape: Option<ToolsetName>) -> Result<(), Failure> {
    if let Some(shape) = shape {
        return stdout::json(&result.to_json(shape));
    }
    result.repairs.iter().for_each(|repair| stderr::warning(repair));
    if !result.output.is_empty() {
        stdout::text(&result.output)?;
    }
    for part in &result.parts {
        stderr::note(&part_line(part));
    }
    if let Some(error) = &result.error {
        stderr::problem(error);
    }
    Ok(())
}

/// What is beside the text, for a terminal, which shows none of it.
fn part_line(part: &Part) -> Message {
    match part.media() {
        Some(media) => {
            Message::new("cli-part-bytes").with("type", media.media_type()).with("bytes", media.bytes().len())
        }
        None => Message::new("cli-part").with("uri", part.texts().next().unwrap_or_default()),
    }
}

/// The exit code of one result.
pub(super) fn exit(result: &ToolResult) -> Exit {
    match (result.outcome, result.code.as_deref()) {
        (OutcomeKind::Done, _) => Exit::Success,
        (OutcomeKind::Refused, _) => Exit::Refused,
        (_, Some(code)) if code == ErrorKind::NotConfigured.facts().code => Exit::Usage,
        (OutcomeKind::Stopped, Some(code)) if code == ErrorKind::Timeout.facts().code => Exit::Timeout,
        (OutcomeKind::Stopped, _) => Exit::Interrupted,
        _ => Exit::Failed,
    }
}

/// One line of a batch.
#[derive(Deserialize)]
struct Line<'a> {
    id: Option<Value>,
    tool: String,
    /// As it stands there: numbers keep their digits.
    #[serde(default, alias = "arguments", borrow)]
    args: Option<&'a RawValue>,
}

async fn batch(door: Door, lines: Box<dyn BufRead + Send>, jobs: usize, shape: Option<ToolsetName>) -> Ended {
    let (door, app) = (&door, &door.app);
    signals::cancel_on_interrupt(app.gate().cancel());
    // A line that is not UTF-8 is one bad line; behind a fault of the source itself nothing more can be read.
    let mut over = false;
    let lines = lines.lines().take_while(move |line| {
        let was_over = over;
        over = matches!(line, Err(error) if error.kind() != io::ErrorKind::InvalidData);
        !was_over
    });
    let numbered = lines.enumerate().filter(|(_, line)| !matches!(line, Ok(text) if text.trim().is_empty()));
    let order = CallOrder::new();
    let mut results = stream::iter(numbered)
        .map(|(index, line)| (index, line, order.ticket()))
        .map(|(index, line, ticket)| {
            // Large, and moved several times before it runs.
            Box::pin(async move {
                match line {
                    Ok(text) => one(door, (ticket, index + 1), text, shape).await,
                    Err(error) => broken(index + 1, &error.to_string()),
                }
            })
        })
        .buffered(jobs);
    let mut worst = Exit::Success;
    let mut out = stdout::lines();
    let mut waiting = 0_usize;
    while let Some((line, exit)) = results.next().await {
        worst = worse(worst, exit);
        waiting += 1;
        stdout::quiet_when_closed(out.write_all(line.as_bytes()))?;
        // Streamed, but without one system call per line if results come faster than they are read.
        if waiting >= 64 {
            waiting = 0;
            stdout::quiet_when_closed(out.flush())?;
        }
    }
    stdout::quiet_when_closed(out.flush())?;
    app.end().await;
    app.host().flush_traces().await;
    if let Some(rehearsed) = rehearsed::end(app)? {
        stderr::line(&format!("{}\n{}", rehearsed.plan, rehearsed.diff));
    }
    Ok(worst)
}

/// One result as a line, and what it means for the exit code.
async fn one(
    door: &Door,
    (ticket, number): (Ticket, usize),
    text: String,
    shape: Option<ToolsetName>,
) -> (String, Exit) {
    let line: Line<'_> = match serde_json::from_str(&text) {
        Ok(line) => line,
        Err(error) => return broken(number, &error.to_string()),
    };
    let Line { id, tool, args } = line;
    let id = id.unwrap_or_else(|| number.into());
    let name = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let given = args.map_or("", RawValue::get);
    let quoted = given.starts_with('"').then(|| serde_json::from_str::<String>(given).ok());
    let arguments = quoted.flatten().unwrap_or_else(|| given.to_owned());
    // It may be large, and the call holds all of it.
    drop(text);
    let call = door.app.call(CallId::new(name), tool, RawArguments::Text(arguments));
    let result = door.submit(call, Some(ticket)).await;
    let line = match shape {
        None => as_line(&result.with_id(&id)),
        Some(shape) => as_line(&result.to_json(shape)),
    };
    (line, exit(&result))
}

fn as_line(result: &impl Serialize) -> String {
    // Never empty: every part of a result is JSON.
    let mut line = serde_json::to_string(result).unwrap_or_default();
    line.push('\n');
    line
}

fn broken(number: usize, reason: &str) -> (String, Exit) {
    let form = r#"{"id"?, "tool", "args"}"#;
    let invalid = Message::new("cli-line-invalid").with("line", number).with("form", form).with("reason", reason);
    let line = as_line(&serde_json::json!({
        "id": number, "tool": null, "success": false, "output": "",
        "error": say(&invalid), "outcome": "failed", "code": "invalid_line",
    }));
    (line, Exit::Failed)
}

/// The exit code of a batch: a refusal weighs more than a failure, an interrupt more than both.
fn worse(one: Exit, other: Exit) -> Exit {
    let weight = |exit: Exit| match exit {
        Exit::Success => 0,
        Exit::Interrupted => 4,
        Exit::Refused => 3,
        Exit::Timeout => 2,
        _ => 1,
    };
    if weight(other) > weight(one) { other } else { one }
}
