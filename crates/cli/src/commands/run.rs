//! `palanca run`: an agent works on a task.

use crate::args::{Global, Run};
use crate::exit::{Ended, Exit, Failure};
use crate::render::log::{LogFile, Watchers};
use crate::render::redacted::{Redacted, without_secrets};
use crate::render::run::{Detail, Screen};
use crate::render::{rehearsed, stderr, stdout};
use crate::wire::gate::{Asking, House, build};
use crate::wire::runtime::{self, Threads};
use crate::wire::settings::Flag;
use crate::wire::subagents::Shown;
use crate::wire::{limits, model, notes, settings, signals, toolset};
use palanca_agent::{
    Agent, History, Ledger, Limits, RunReport, Section, Settings, Status, StopReason, ToolUse, Turn, UnknownAgent,
    summary_line,
};
use palanca_config::{Config, LogLevel, LoggingSettings};
use palanca_core::{Catalogue, Message, Scope};
use palanca_models::{Delivery, Prices};
use serde_json::json;
use std::time::Duration;

pub fn run(global: &Global, args: Run) -> Ended {
    let loaded = settings::load(global, &flags(&args))?;
    let config = loaded.config.clone();
    let mut agent = settings::agents(&config).get(&args.agent).map_err(|error| unknown(&error))?.clone();
    if let Some(steps) = args.max_steps {
        agent.max_steps = steps;
    }
    let mode = config.mode.map_or(agent.confirm_mode, settings::mode);
    let house = build(global, &config, mode, Asking::Terminal)?;
    let quiet = global.quiet;
    let sections = notes::sections(global, &config, &*house.words.redactor)?;
    runtime::block_on(Threads::One, async move { work(house, agent, config, (args, sections), quiet).await })
}

fn unknown(error: &UnknownAgent) -> Failure {
    Failure::said(&Message::new("cli-agent-unknown").with("name", &error.name).with("names", error.near.join(", ")))
}

/// Flags that set configuration keys.
fn flags(args: &Run) -> Vec<Flag> {
    let mut flags = Vec::new();
    if let Some(model) = &args.model {
        flags.push(("--model", "llm.model", model.clone()));
    }
    if let Some(base) = &args.api_base {
        flags.push(("--api-base", "llm.api_base", base.clone()));
    }
    if let Some(budget) = args.budget {
        flags.push(("--budget", "costs.budget_usd", budget.to_string()));
    }
    if args.allow_commands || args.no_commands {
        let name = if args.allow_commands { "--allow-commands" } else { "--no-commands" };
        flags.push((name, "commands.enabled", args.allow_commands.to_string()));
    }
    if args.no_stream {
        flags.push(("--no-stream", "llm.stream", "false".to_owned()));
    }
    if args.no_project_notes {
        flags.push(("--no-project-notes", "notes.enabled", "false".to_owned()));
    }
    flags
}

async fn work(house: House, agent: Agent, config: Config, (args, sections): (Run, Vec<Section>), quiet: bool) -> Ended {
    toolset::for_agents(house.gate.registry(), &config)?;
    let model = model::model(&config, &house.catalogue, quiet).await?;
    signals::cancel_on_interrupt(house.gate.cancel());
    let screen = Screen::new(house.catalogue.clone(), detail(&config.logging, &args, quiet));
    let log =
        config.logging.file.as_ref().map(|file| LogFile::open(file.as_ref(), house.catalogue.clone())).transpose()?;
    let watchers = Watchers { screen: &screen, log };
    let watchers = Redacted::new(&watchers, house.words.redactor.clone());
    let streamed = config.llm.stream && !args.json && !quiet;
    let mut history = History::new(limits::context(&config));
    let limits = run_limits(&config, &args);
    let ledger = Ledger::root(limits.allowance());
    house.model.is(&model);
    let shown = if detail(&config.logging, &args, quiet) == Detail::Quiet { Shown::Nothing } else { Shown::Lines };
    house.takes_tasks(ledger.clone(), shown);
    let turn = Turn::new(&*model, &house.gate, &agent)
        .subagents(&house.crew)
        .catalogue(&*house.catalogue)
        .sink(&watchers)
        .cancel(house.gate.cancel().clone())
        .hooks(&house.around.hooks)
        .quality_gates(&house.around.gates)
        .settings(Settings {
            limits,
            ledger: Some(ledger),
            prices: Prices::default(),
            delivery: if streamed { Delivery::Streamed } else { Delivery::Whole },
            scope: Scope::session(house.session.clone()),
            sections,
            ..Settings::default()
        });
    house.words.taint.told(&Scope::session(house.session.clone()), &args.prompt);
    let ended = turn.run(&mut history, &args.prompt).await;
    // Nobody is there to hear what comes now.
    house.crew.cancel();
    house.end().await;
    let report = ended.report;
    show(&report, &house, &args, quiet)?;
    if let Some(error) = &ended.error {
        let failure = Failure::new(model::exit(error), anyhow::anyhow!("{}", house.catalogue.render(&error.message())));
        if args.json {
            stderr::error(&failure);
            return Ok(failure.exit);
        }
        return Err(failure);
    }
    Ok(exit(&report, args.exit_code_on_partial))
}

/// What the screen shows: `error` and `warn` are for logs that only care about trouble.
fn detail(logging: &LoggingSettings, args: &Run, quiet: bool) -> Detail {
    match logging.level {
        _ if quiet => Detail::Quiet,
        LogLevel::Error | LogLevel::Warn => Detail::Quiet,
        _ if args.json => Detail::Report,
        LogLevel::Info | LogLevel::Debug => Detail::Verbose,
        LogLevel::Human if logging.verbose > 0 => Detail::Verbose,
        LogLevel::Human => Detail::Human,
    }
}

fn run_limits(config: &Config, args: &Run) -> Limits {
    let defaults = Limits::default();
    Limits {
        max_total_tokens: args.max_tokens,
        budget_usd: config.costs.budget_usd,
        warn_at_usd: config.costs.warn_at_usd,
        timeout: args.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        parallel: if config.context.parallel_tools { defaults.parallel } else { 1 },
        ..defaults
    }
}

/// The report as JSON, or what the screen has not shown yet: the last words, the diff of a dry run, the cost.
fn show(report: &RunReport, house: &House, args: &Run, quiet: bool) -> Result<(), Failure> {
    needed(report, house);
    let rehearsed = rehearsed::end(house)?;
    if args.json {
        let mut value = serde_json::to_value(report)?;
        without_secrets(&*house.words.redactor, &mut value);
        if let (Some(rehearsed), Some(whole)) = (&rehearsed, value.as_object_mut()) {
            whole.insert("dry_run".into(), json!({ "plan": rehearsed.plan, "diff": rehearsed.diff }));
        }
        return stdout::json(&value);
    }
    if quiet || report.stop_reason != StopReason::LlmDone {
        stdout::text(&house.words.redactor.redact(&report.output))?;
    }
    if let Some(rehearsed) = rehearsed {
        stdout::text(&format!("{}\n{}", rehearsed.plan, rehearsed.diff))?;
    }
    if let (Some(costs), false) = (&report.costs, quiet) {
        stderr::line(&stderr::painted(stderr::DIM, &summary_line(costs, &*house.catalogue)));
    }
    Ok(())
}

/// The calls that needed a yes which nobody could give, so that the next run can be given what it needs.
fn needed(report: &RunReport, house: &House) {
    let calls: Vec<String> = report
        .tools_used
        .iter()
        .filter(|used| used.needed_a_person())
        .map(|used| format!("{} {}", used.name, used.path.as_deref().unwrap_or_default()).trim_end().to_owned())
        .collect();
    if !calls.is_empty() {
        let message = Message::new("run-needed-approval").with("calls", calls.join("; ")).with("count", calls.len());
        stderr::warning(&house.catalogue.render(&message));
    }
}

fn exit(report: &RunReport, partial: u8) -> Exit {
    match (report.status, report.stop_reason) {
        // The agent went on without what it was not allowed to do; whoever started it should know.
        (Status::Success, _) if report.tools_used.iter().any(ToolUse::needed_a_person) => Exit::Refused,
        (Status::Success, _) => Exit::Success,
        (Status::Failed, _) => Exit::Failed,
        (Status::Partial, StopReason::UserInterrupt | StopReason::Aborted) => Exit::Interrupted,
        (Status::Partial, StopReason::Timeout) => Exit::Timeout,
        (Status::Partial, _) => Exit::Partial(partial),
    }
}
