//! The configuration in force: files found and read, environment, flags, all in one resolved tree.

use crate::args::Global;
use crate::exit::Failure;
use crate::render::stderr;
use crate::say;
use crate::wire::{hooks, notes, state};
use palanca_agent::{AgentDefinition, Agents, AnswerForm};
use palanca_config::{Config, Layers, Loaded, Source, Trust, Warning, WarningKind};
use palanca_core::Message;
use palanca_files::{is_file, read_regular, read_text};
use palanca_text::{FluentCatalogue, Locale};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Configuration files beyond this are a mistake.
const MAX_BYTES: u64 = 1 << 20;
/// In the order in which they are looked for; the first that is there is read.
const NAMES: [&str; 4] = ["palanca.yaml", "palanca.yml", "palanca.toml", "palanca.json"];

/// One `key = value` that a flag sets.
pub type Flag = (&'static str, &'static str, String);

/// Reads everything and resolves it. Warnings go to stderr.
///
/// # Errors
/// Every fault of every layer, exit code 3.
pub fn load(global: &Global, more: &[Flag]) -> Result<Loaded, Failure> {
    let loaded = resolve(global, more)?;
    if !global.quiet {
        loaded.warnings.iter().for_each(warn);
    }
    Ok(loaded)
}

/// Says that a value was understood and not used.
pub fn warn(warning: &Warning) {
    match warning.kind {
        WarningKind::NotYet => stderr::warn(
            &Message::new("cli-config-not-yet").with("place", warning.place.to_string()).with("key", &warning.key),
        ),
        // The reasons of the trust rules and of the reader are English.
        _ => stderr::warning(&warning.to_string()),
    }
}

/// As [`load`], silently.
///
/// # Errors
/// As there.
pub fn resolve(global: &Global, more: &[Flag]) -> Result<Loaded, Failure> {
    let mut layers = Layers::new().with_environment(variables()).preset(presets());
    if let Some((path, text)) = user_folder().map(|folder| first(&folder)).transpose()?.flatten() {
        layers = layers.file(Source::User, path, text);
    }
    if let Some((path, text)) = project_file(global)? {
        let trust = if state::trusts(&path, &with_programs(&path, &text)) { Trust::Trusted } else { Trust::Untrusted };
        layers = layers.file(Source::Project(trust), path, text);
    }
    if let Some(path) = &global.config {
        let text = read_text(path, MAX_BYTES).map_err(state::failed)?;
        layers = layers.file(Source::Named, path.display().to_string(), text);
    }
    for (name, key, text) in flags(global).iter().chain(more) {
        layers = layers.flag(name, key, text);
    }
    let mut loaded = layers.resolve().map_err(Failure::usage)?;
    let own = notes::user_skill_roots(&loaded.config);
    loaded.config.workspace.readable_roots.extend(own);
    say::speak(locale(&loaded.config));
    Ok(loaded)
}

/// The text of a project's file, and the hashes of the programs and scripts of the workspace that its hooks and quality
/// gates name: whoever trusts the file trusts what it starts, as it is.
pub fn with_programs(path: &str, text: &str) -> String {
    if !["hooks", "quality_gates"].iter().any(|key| text.contains(key)) {
        return text.to_owned();
    }
    let alone = Layers::new().with_environment(variables()).file(Source::Named, path, text).resolve();
    let (Ok(loaded), Some(folder)) = (alone, Path::new(path).parent()) else { return text.to_owned() };
    let mut programs = hooks::words(&loaded.config);
    programs.extend(hooks::gate_words(&loaded.config));
    programs.sort_unstable();
    programs.dedup();
    programs.retain(|program| Path::new(program).is_relative());
    let hashes = programs.into_iter().filter_map(|program| {
        let hash = palanca_files::content_hash(&folder.join(program))?;
        Some(format!("\0{program}\0{}", hash.to_hex()))
    });
    std::iter::once(text.to_owned()).chain(hashes).collect()
}

fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// What the built-in agents are, so that a project's file can only narrow them; and the system's language.
fn presets() -> serde_json::Value {
    let agents = Agents::built_in();
    let preset = |agent: &palanca_agent::Agent| {
        let tools: Vec<&str> = match &agent.allowed {
            palanca_agent::Allowed::Every => Vec::new(),
            palanca_agent::Allowed::Named(names) => names.iter().map(String::as_str).collect(),
            palanca_agent::Allowed::Usual(names) => names.to_vec(),
        };
        let value = serde_json::json!({
            "allowed_tools": tools, "confirm_mode": agent.confirm_mode, "max_steps": agent.max_steps,
        });
        (agent.name.clone(), value)
    };
    let mut presets = serde_json::json!({ "agents": agents.iter().map(preset).collect::<serde_json::Map<_, _>>() });
    let system = say::of_the_system(|name| std::env::var(name).ok());
    if system != Locale::default()
        && let Some(presets) = presets.as_object_mut()
    {
        presets.insert("language".into(), system.code().into());
    }
    presets
}

/// `$XDG_CONFIG_HOME/palanca` or `~/.config/palanca`.
pub fn user_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(base.join("palanca"))
}

/// Where the user's own files would be; they may be links into another folder.
pub fn user_files() -> Vec<PathBuf> {
    user_folder().map(|folder| NAMES.iter().map(|name| folder.join(name)).collect()).unwrap_or_default()
}

/// The workspace's own file: its path and its text.
///
/// # Errors
/// When it is there and cannot be read, exit code 3.
pub fn project_file(global: &Global) -> Result<Option<(String, String)>, Failure> {
    let folder = global.workspace.as_deref().unwrap_or(Path::new("."));
    if is_file(folder) {
        let reason = say::say(&Message::new("cli-io-file"));
        let path = folder.display().to_string();
        return Err(Failure::said(&Message::new("cli-workspace-failed").with("path", path).with("reason", reason)));
    }
    first(folder)
}

fn first(folder: &Path) -> Result<Option<(String, String)>, Failure> {
    for name in NAMES {
        let path = folder.join(name);
        // A pipe of that name would keep everybody waiting who opens the folder.
        match read_regular(&path, MAX_BYTES) {
            Ok(text) => return Ok(Some((path.display().to_string(), text))),
            Err(error) if error.is_not_found() => {}
            // While a command runs, the sandbox keeps the place of a file that is not there shut with an empty folder.
            Err(error) if error.source.kind() == std::io::ErrorKind::IsADirectory => {}
            Err(error) => return Err(state::failed(error)),
        }
    }
    Ok(None)
}

fn flags(global: &Global) -> Vec<Flag> {
    let mut flags = Vec::new();
    if let Some(folder) = &global.workspace {
        flags.push(("--workspace", "workspace.root", folder.display().to_string()));
    }
    let chosen = [
        ("--mode", "mode", &global.mode),
        ("--toolset", "toolset", &global.toolset),
        ("--lang", "language", &global.lang),
        ("--log-level", "logging.level", &global.log_level),
    ];
    // What can be typed is spelled as in the configuration.
    flags.extend(chosen.into_iter().filter_map(|(flag, key, value)| Some((flag, key, value.clone()?))));
    if global.verbose > 0 {
        flags.push(("-v", "logging.verbose", global.verbose.min(3).to_string()));
    }
    if let Some(file) = &global.log_file {
        flags.push(("--log-file", "logging.file", file.display().to_string()));
    }
    flags
}

/// The catalogue of the configured language.
pub fn catalogue(config: &Config) -> Arc<FluentCatalogue> {
    Arc::new(FluentCatalogue::new(locale(config)))
}

const fn locale(config: &Config) -> Locale {
    match config.language {
        palanca_config::Language::En => Locale::En,
        palanca_config::Language::Es => Locale::Es,
    }
}

/// The built-in agents and those of the configuration.
pub fn agents(config: &Config) -> Agents {
    let mut agents = Agents::built_in();
    for (name, settings) in &config.agents {
        agents.define(
            name,
            AgentDefinition {
                system_prompt: settings.system_prompt.clone(),
                allowed_tools: settings.allowed_tools.clone(),
                confirm_mode: settings.confirm_mode,
                max_steps: settings.max_steps,
                answer: settings.answer.map(|form| match form {
                    palanca_config::AnswerForm::Text => AnswerForm::Text,
                    palanca_config::AnswerForm::Json => AnswerForm::Json,
                }),
            },
        );
    }
    agents
}
