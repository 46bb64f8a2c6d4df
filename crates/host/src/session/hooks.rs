//! Hooks and quality gates of the configuration, ready to run. Only the operator's: a project's file sets none before a
//! person has trusted it.

use crate::fault::Fault;
use crate::notices::Notices;
use palanca_config::{Config, Hook, HookProcess};
use palanca_core::Message;
use palanca_core::call::SessionId;
use palanca_core::ports::{Processes, Recorder, Redactor};
use palanca_core::tool::Cancel;
use palanca_hooks::{
    Around, Event, GateSettings, HookSettings, Hooks, Need, OnFailure, ProcessSettings, QualityGates, Switch, Waiting,
};
use palanca_text::FluentCatalogue;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long background hooks may continue after the end.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// What a command has of both.
pub struct Wired {
    /// Programs around calls and turns.
    pub hooks: Arc<Hooks>,
    /// Programs that must pass before a run ends.
    pub gates: QualityGates,
}

/// Where they run, and what they need of the gate that they stand around.
pub(crate) struct Place {
    pub(crate) processes: Arc<dyn Processes>,
    pub(crate) recorder: Arc<dyn Recorder>,
    pub(crate) redactor: Arc<dyn Redactor>,
    pub(crate) catalogue: Arc<FluentCatalogue>,
    pub(crate) workspace: PathBuf,
    pub(crate) session: SessionId,
    pub(crate) cancel: Cancel,
}

/// Hooks and gates of the configuration; in a dry run only those that may refuse or change a call, which is said.
///
/// # Errors
/// The first hook that cannot be, with its event and its place.
pub(crate) fn wire(config: &Config, place: Place, is_dry: bool, notices: &dyn Notices) -> Result<Wired, Fault> {
    let around = Around::new(place.processes, place.workspace, place.session)
        .roots(config.workspace.readable_roots.iter().map(PathBuf::from).collect())
        .recording(place.recorder, place.redactor)
        .catalogue(place.catalogue as _)
        .watcher(notices.hooks())
        .cancel(place.cancel);
    let wired = Wired { hooks: Arc::new(hooks(config, around.clone())?), gates: quality_gates(config, around.clone()) };
    if !is_dry {
        return Ok(wired);
    }
    let mut asked = Config::default();
    asked.hooks.pre_tool_use = config.hooks.pre_tool_use.iter().filter(|hook| !hook.background).cloned().collect();
    let hooks = hooks(&asked, around.clone())?;
    if hooks.count() < wired.hooks.count() || !wired.gates.is_empty() {
        notices.note(&Message::new("hooks-not-in-dry-run"));
    }
    Ok(Wired { hooks: Arc::new(hooks), gates: quality_gates(&asked, around) })
}

/// The hooks of the configuration.
///
/// # Errors
/// The first that cannot be, with its event and its place.
fn hooks(config: &Config, around: Around) -> Result<Hooks, Fault> {
    let settings =
        events(config).into_iter().flat_map(|(event, list)| list.iter().enumerate().map(move |at| settings(event, at)));
    let processes = config.hooks.processes.iter().enumerate().map(process).collect();
    Hooks::new(around, settings.collect(), processes).map_err(|error| Fault::said(error.message()))
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
