//! Hooks and quality gates of the configuration, ready to run. Only the operator's: a project's file sets none before a
//! person has trusted it.

use crate::args::Global;
use crate::exit::Failure;
use crate::render::stderr;
use palanca_config::{Config, Hook, HookProcess};
use palanca_core::call::SessionId;
use palanca_core::ports::{Processes, Recorder, Redactor};
use palanca_core::tool::Cancel;
use palanca_core::{Catalogue as _, Message};
use palanca_hooks::{
    Around, Event, GateSettings, HookRun, HookSettings, Hooks, Need, OnFailure, ProcessSettings, QualityGates,
    RunVerdict, Switch, Waiting, Watcher,
};
use palanca_text::FluentCatalogue;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long background hooks may continue after the end.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// How much of hooks is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Each with its name and how it ended.
    Every,
    /// Those that did not work.
    Failures,
    /// None.
    Nothing,
}

/// Says on stderr how hooks end.
struct HookLines {
    catalogue: Arc<FluentCatalogue>,
    shown: Shown,
}

impl Watcher for HookLines {
    fn ended(&self, run: &HookRun<'_>) {
        let (message, every) = match &run.verdict {
            RunVerdict::Passed => (Message::new("hook-line-passed").with("name", run.name), true),
            RunVerdict::Blocked(reason) => {
                let reason = reason.lines().next().unwrap_or_default();
                (Message::new("hook-line-blocked").with("name", run.name).with("reason", reason), true)
            }
            RunVerdict::Failed(why) => {
                let reason = self.catalogue.render(why);
                let message = Message::new("hook-line-failed")
                    .with("name", run.name)
                    .with("event", run.event)
                    .with("reason", reason);
                (message, false)
            }
        };
        // The screen shows gates with their own mark.
        if run.event == "quality_gate" || self.shown == Shown::Nothing || (every && self.shown == Shown::Failures) {
            return;
        }
        stderr::line(&format!("      🔍 {}", stderr::shown_line(&self.catalogue.render(&message))));
    }
}

/// What a command has of both.
pub struct Wired {
    pub hooks: Arc<Hooks>,
    pub gates: QualityGates,
}

/// Where they run, and what they need of the gate that they stand around.
pub struct Place {
    pub processes: Arc<dyn Processes>,
    pub recorder: Arc<dyn Recorder>,
    pub redactor: Arc<dyn Redactor>,
    pub catalogue: Arc<FluentCatalogue>,
    pub workspace: PathBuf,
    pub session: SessionId,
    pub cancel: Cancel,
    pub shown: Shown,
}

/// Hooks and gates of the configuration; in a dry run none, which is said.
///
/// # Errors
/// The first hook that cannot be, with its event and its place, exit code 3.
pub fn wire(global: &Global, config: &Config, place: Place) -> Result<Wired, Failure> {
    let shown = if global.quiet { Shown::Nothing } else { place.shown };
    let watcher = HookLines { catalogue: Arc::clone(&place.catalogue), shown };
    let around = Around::new(place.processes, place.workspace, place.session)
        .roots(config.workspace.readable_roots.iter().map(PathBuf::from).collect())
        .recording(place.recorder, place.redactor)
        .catalogue(Arc::clone(&place.catalogue) as _)
        .watcher(Arc::new(watcher))
        .cancel(place.cancel);
    let wired = Wired { hooks: Arc::new(hooks(config, around.clone())?), gates: quality_gates(config, around.clone()) };
    if !global.is_dry() || (wired.hooks.is_empty() && wired.gates.is_empty()) {
        return Ok(wired);
    }
    if !global.quiet {
        stderr::line(&place.catalogue.render(&Message::new("hooks-not-in-dry-run")));
    }
    let none = Config::default();
    Ok(Wired { hooks: Arc::new(hooks(&none, around.clone())?), gates: quality_gates(&none, around) })
}

/// The hooks of the configuration.
///
/// # Errors
/// The first that cannot be, with its event and its place, exit code 3.
fn hooks(config: &Config, around: Around) -> Result<Hooks, Failure> {
    let settings =
        events(config).into_iter().flat_map(|(event, list)| list.iter().enumerate().map(move |at| settings(event, at)));
    let processes = config.hooks.processes.iter().enumerate().map(process).collect();
    Hooks::new(around, settings.collect(), processes).map_err(|error| Failure::said(&error.message()))
}

/// Programs that are given a script as their first plain word, whatever version follows the name.
const INTERPRETERS: [&str; 9] = ["python", "sh", "bash", "dash", "zsh", "node", "ruby", "perl", "php"];

/// The programs and scripts that hooks' commands name: what they only read or write is not theirs to keep. Nor are those of
/// quality gates, which name what is being worked on.
pub fn words(config: &Config) -> Vec<&str> {
    let one_shot = events(config).into_iter().flat_map(|(_, list)| list.iter().map(|hook| hook.command.as_str()));
    let staying = config.hooks.processes.iter().map(|process| process.command.as_str());
    one_shot.chain(staying).flat_map(parts).flat_map(programs).collect()
}

/// The programs and scripts that quality gates name.
pub fn gate_words(config: &Config) -> Vec<&str> {
    let commands = config.guardrails.quality_gates.iter().map(|gate| gate.command.as_str());
    commands.flat_map(parts).flat_map(programs).collect()
}

/// The simple commands of a shell text, roughly: what is split too often names no file.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '&', '|', '\n', '(', ')', '`'])
}

fn programs(command: &str) -> impl Iterator<Item = &str> {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(['\'', '"']));
    let first = words.next();
    let name = first.map(|first| {
        first.rsplit('/').next().unwrap_or(first).trim_end_matches(|c: char| c == '.' || c.is_ascii_digit())
    });
    let script =
        name.filter(|name| INTERPRETERS.contains(name)).and_then(|_| words.find(|word| !word.starts_with('-')));
    [first, script].into_iter().flatten().filter(|word| !word.is_empty())
}

fn events(config: &Config) -> [(Event, &Vec<Hook>); 11] {
    let of = &config.hooks;
    [
        (Event::PreToolUse, &of.pre_tool_use),
        (Event::PostToolUse, &of.post_tool_use),
        (Event::PostEdit, &of.post_edit),
        (Event::PreLlmCall, &of.pre_llm_call),
        (Event::PostLlmCall, &of.post_llm_call),
        (Event::SessionStart, &of.session_start),
        (Event::SessionEnd, &of.session_end),
        (Event::OnError, &of.on_error),
        (Event::BudgetWarning, &of.budget_warning),
        (Event::ContextCompress, &of.context_compress),
        (Event::AgentComplete, &of.agent_complete),
    ]
}

fn settings(event: Event, (place, hook): (usize, &Hook)) -> HookSettings {
    let standard = HookSettings::new(event, &hook.command);
    HookSettings {
        place,
        name: hook.name.clone(),
        matcher: hook.matcher.clone(),
        file_patterns: hook.file_patterns.clone(),
        timeout: hook.timeout.map_or(standard.timeout, |seconds| Duration::from_secs(seconds.into())),
        waiting: if hook.background { Waiting::Goes } else { Waiting::Waits },
        on_failure: on_failure(hook.required),
        switch: switch(hook.enabled),
        ..standard
    }
}

fn process((place, process): (usize, &HookProcess)) -> ProcessSettings {
    let milliseconds = |number: u32| Duration::from_millis(number.into());
    ProcessSettings {
        place,
        name: process.name.clone(),
        command: process.command.clone(),
        modes: process.modes.clone(),
        matcher: process.matcher.clone(),
        observe_timeout: milliseconds(process.observe_timeout_ms),
        intercept_timeout: milliseconds(process.intercept_timeout_ms),
        approve_timeout: milliseconds(process.approve_timeout_ms),
        on_failure: on_failure(process.required),
        switch: switch(process.enabled),
    }
}

const fn on_failure(required: bool) -> OnFailure {
    if required { OnFailure::Refuse } else { OnFailure::Allow }
}

const fn switch(enabled: bool) -> Switch {
    if enabled { Switch::On } else { Switch::Off }
}

/// The quality gates of the configuration; none where guardrails are switched off.
fn quality_gates(config: &Config, around: Around) -> QualityGates {
    let on = config.guardrails.enabled != Some(false);
    let gates = config.guardrails.quality_gates.iter().filter(|_| on).map(|gate| GateSettings {
        name: gate.name.clone(),
        command: gate.command.clone(),
        need: if gate.required { Need::Required } else { Need::Optional },
        timeout: Duration::from_secs(gate.timeout.into()),
    });
    QualityGates::new(around, gates.collect())
}
