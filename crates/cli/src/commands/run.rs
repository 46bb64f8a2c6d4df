//! `palanca run`: an agent works on a task; `palanca sessions resume`: it continues one.

pub mod course;
pub mod earlier;
mod git;
mod reports;

use crate::args::Global;
use crate::args::run::{AgentFlags, Answer, Run, RunFlags};
use crate::commands::input;
use crate::exit::{Ended, Exit, Failure};
use crate::render::log::Events;
use crate::render::{stderr, stdout};
use crate::wire::open::{Asking, Needs, session};
use crate::wire::runtime::{self, Threads};
use crate::wire::settings;
use course::Job;
use earlier::Earlier;
use palanca_agent::session::KeptLimits;
use palanca_agent::{AnswerForm, EventLine, UnknownAgent};
use palanca_core::Message;
use palanca_core::call::ChatId;
use palanca_host::Keeping;
use palanca_host::agent::{bots, notes};
use palanca_host::configuration::{self, Flag};
use palanca_mcp::Needed;
use palanca_notes::Trust;
use std::sync::Arc;

/// The default agent.
const AGENT: &str = "build";

pub fn run(global: &Global, args: Run) -> Ended {
    let prompt = input::prompt(args.prompt)?;
    let earlier = args.session.as_deref().map(|id| Earlier::find(global, id)).transpose()?;
    start(global.clone(), args.flags, Some(prompt), earlier)
}

/// Goes on with a session.
pub fn resume(global: &Global, id: &str, prompt: Option<String>, flags: RunFlags) -> Ended {
    let prompt = prompt.map(|prompt| input::prompt(Some(prompt))).transpose()?;
    let earlier = Earlier::find(global, id)?;
    start(global.clone(), flags, prompt, Some(earlier))
}

fn start(global: Global, args: RunFlags, prompt: Option<String>, earlier: Option<Earlier>) -> Ended {
    reports::check(&args)?;
    if let (None, Some(earlier)) = (&prompt, earlier.as_ref().filter(|earlier| earlier.is_done())) {
        return done(&global, earlier, &args);
    }
    let opening = Opening { prompt, earlier, chat: None };
    runtime::block_on(Threads::One, job(global, args, opening, Asking::Terminal)?.work())
}

/// Where a conversation begins.
#[derive(Default)]
pub struct Opening {
    pub prompt: Option<String>,
    pub earlier: Option<Earlier>,
    /// The chat at the terminal that it is.
    pub chat: Option<ChatId>,
}

/// What these arguments mean: an agent, its session, and what it is told beside its role.
///
/// # Errors
/// What is wrong with the arguments, the configuration or the workspace.
pub fn job(
    mut global: Global,
    mut args: RunFlags,
    Opening { prompt, mut earlier, chat }: Opening,
    asking: Asking,
) -> Result<Job, Failure> {
    let mut flags = flags(&args.with);
    if let Some(earlier) = &mut earlier {
        flags.extend(earlier.flags(&mut global, &mut args)?);
    }
    let loaded = settings::load(&global, &flags)?;
    let mut config = loaded.config;
    if args.with.disable_mcp {
        config.mcp.servers.clear();
    }
    let config = Arc::new(config);
    let usual = if bots::id(&config).is_some() { bots::ROLE } else { AGENT };
    let name = args.with.agent.clone().unwrap_or_else(|| usual.to_owned());
    let mut agent = configuration::agents(&config).get(&name).map_err(|error| unknown(&error))?.clone();
    if let Some(steps) = args.with.max_steps {
        agent.max_steps = steps;
    }
    if let Some(form) = args.answer {
        agent.answer = match form {
            Answer::Text => AnswerForm::Text,
            Answer::Json => AnswerForm::Json,
        };
    }
    let mut mode = configuration::mode(&config, &agent);
    if let Some(earlier) = &earlier {
        mode = earlier.mode(&global, &name, mode);
    }
    let keeping = earlier.as_ref().map_or(Keeping::New, |earlier| Keeping::Again(earlier.id.clone()));
    let chat = chat.or_else(|| earlier.as_ref().and_then(Earlier::chat).cloned());
    let app = session(&global, &config, Needs { mode, asking, keeping, chat, servers: Needed::All })?;
    let (sections, trust) =
        notes::sections((&settings::places(&global)?, &settings::notices(&global)), &config, &*app.words().redactor)?;
    if trust == Trust::Unvouched {
        sections.iter().for_each(|section| app.words().taint.shown(app.scope(), &section.text));
    }
    Ok(Job { sections, app, agent, mode, config, args, prompt, earlier, global })
}

/// A session that ended by success and is asked for nothing more.
fn done(global: &Global, earlier: &Earlier, args: &RunFlags) -> Ended {
    let report = earlier.report()?;
    if args.json_events {
        let report = serde_json::to_value(&report)?;
        Events::print(&EventLine::Report { report: &report })?;
    } else if args.json {
        stdout::json(&serde_json::to_value(&report)?)?;
    } else {
        stdout::text(&report.output)?;
    }
    if !global.quiet {
        stderr::note(&Message::new("session-done-already").with("id", earlier.id.as_str()));
    }
    Ok(Exit::Success)
}

fn unknown(error: &UnknownAgent) -> Failure {
    Failure::said(&Message::new("cli-agent-unknown").with("name", &error.name).with("names", error.near.join(", ")))
}

/// Flags that set configuration keys.
pub fn flags(args: &AgentFlags) -> Vec<Flag> {
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
    if let Some(allowed) = commands(args) {
        let name = if allowed { "--allow-commands" } else { "--no-commands" };
        flags.push((name, "commands.enabled", allowed.to_string()));
    }
    flags.extend(args.network.iter().map(|network| ("--network", "commands.network", network.clone())));
    if args.no_stream {
        flags.push(("--no-stream", "llm.stream", "false".to_owned()));
    }
    if args.no_gates {
        flags.push(("--no-gates", "guardrails.quality_gates", "[]".to_owned()));
    }
    if args.no_project_notes {
        flags.push(("--no-project-notes", "notes.enabled", "false".to_owned()));
    }
    flags
}

/// Whether commands were allowed or forbidden for this run.
fn commands(args: &AgentFlags) -> Option<bool> {
    (args.allow_commands || args.no_commands).then_some(args.allow_commands)
}

/// What was said for this run.
fn limits(args: &RunFlags) -> KeptLimits {
    KeptLimits {
        max_steps: args.with.max_steps,
        max_tokens: args.with.max_tokens,
        budget_usd: args.with.budget,
        timeout_seconds: args.timeout,
    }
}
