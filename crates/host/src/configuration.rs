//! The configuration in force: files found and read, environment, flags, all in one resolved tree.

mod current;
mod files;

pub use current::{Change, Current, Needs, Resolved};
pub(crate) use files::DOCUMENT;
pub use files::{project_files, user_file};

use crate::acceptance::Accepted;
use crate::agent::{bots, notes, soul};
use crate::fault::Fault;
use crate::notices::Notices;
use crate::places::Places;
use crate::session::hooks;
use palanca_agent::{Agent, AgentDefinition, Agents, Allowed, AnswerForm, BotMode, BotPrompt, Instructions, Soul};
use palanca_config::{Config, Layers, Loaded, Origin, Source, Trust, Warning, WarningKind};
use palanca_core::{ConfirmMode, Message};
use palanca_files::{places as places_of, read_text};
use palanca_text::{FluentCatalogue, Locale};
use std::path::Path;
use std::sync::Arc;

/// Configuration files beyond this, in bytes, are a mistake.
pub const MAX_BYTES: u64 = 1 << 20;

/// One `key = value` that a flag sets.
pub type Flag = (&'static str, &'static str, String);

/// Reads everything and resolves it. Warnings go to `notices`.
///
/// # Errors
/// Every fault of every layer.
pub fn load(places: &Places, folder: &Path, flags: &[Flag], notices: &dyn Notices) -> Result<Loaded, Fault> {
    let loaded = resolve(places, folder, flags)?;
    unused(&loaded.warnings).iter().for_each(|told| notices.advise(told));
    Ok(loaded)
}

/// The sentences for values that were understood and not used: one for all that a file says too early, because nobody has trusted it yet.
#[must_use]
pub fn unused(warnings: &[Warning]) -> Vec<Message> {
    let early = |warning: &&Warning| warning.kind == WarningKind::NotTrusted;
    let mut told = Vec::new();
    let mut files: Vec<&Origin> = Vec::new();
    for warning in warnings {
        let file = &warning.place.origin;
        let mut keys: Vec<&str> = warnings
            .iter()
            .filter(early)
            .filter(|other| other.place.origin == *file)
            .map(|other| &*other.key)
            .collect();
        keys.dedup();
        if !early(&warning) || keys.len() < 2 {
            told.push(not_used(warning));
        } else if !files.contains(&file) {
            files.push(file);
            told.push(
                Message::new("cli-config-not-trusted").with("file", file.to_string()).with("keys", keys.join(", ")),
            );
        }
    }
    told
}

/// The sentence for a value that was understood and not used.
#[must_use]
pub fn not_used(warning: &Warning) -> Message {
    match warning.kind {
        WarningKind::NotYet => {
            Message::new("cli-config-not-yet").with("place", warning.place.to_string()).with("key", &warning.key)
        }
        // The reasons of the trust rules and of the reader are English.
        _ => Message::new("system-words").with("words", warning.to_string()),
    }
}

/// As [`load`], silently. The project's own file lies in `folder`.
///
/// # Errors
/// As there.
pub fn resolve(places: &Places, folder: &Path, flags: &[Flag]) -> Result<Loaded, Fault> {
    let mut loaded = layers(places, folder, flags)?.resolve().map_err(Fault::usage)?;
    if let Some((id, own)) = bots::layer(&loaded.config) {
        let common = Some(Arc::new(loaded.config));
        loaded = layers(places, folder, flags)?.bot(&id, own).resolve().map_err(Fault::usage)?;
        loaded.config.common = common;
    }
    let own = notes::user_skill_roots(places, &loaded.config);
    loaded.config.workspace.readable_roots.extend(own);
    Ok(loaded)
}

fn layers(places: &Places, folder: &Path, flags: &[Flag]) -> Result<Layers, Fault> {
    let mut layers = Layers::new().with_environment(variables()).preset(presets());
    if let Some((path, text)) = user_file(places)? {
        layers = layers.file(Source::User, path, text);
    }
    // A file that is named is the person's word, also where it would have been found.
    let end = |path: &Path| places_of(path).ok()?.pop();
    let named = places.named.as_deref().and_then(end);
    let is_named = |path: &str| named.is_some() && end(Path::new(path)) == named;
    for (path, text) in project_files(folder)?.into_iter().filter(|(path, _)| !is_named(path)) {
        let accepted = Accepted::load(places).holds(&path, &with_programs(folder, &path, &text));
        let trust = if accepted { Trust::Trusted } else { Trust::Untrusted };
        layers = layers.file(Source::Project(trust), path, text);
    }
    if let Some(path) = &places.named {
        layers = layers.file(Source::Named, path.display().to_string(), read_text(path, MAX_BYTES)?);
    }
    for (name, key, text) in flags {
        layers = layers.flag(name, key, text);
    }
    Ok(layers)
}

/// The text of a project's file, and the hashes of the programs and scripts of the workspace that its hooks and quality
/// gates name, from the workspace's folder: whoever trusts the file trusts what it starts, as it is.
pub fn with_programs(folder: &Path, path: &str, text: &str) -> String {
    if !["hooks", "quality_gates"].iter().any(|key| text.contains(key)) {
        return text.to_owned();
    }
    let alone = Layers::new().with_environment(variables()).file(Source::Named, path, text).resolve();
    let Ok(loaded) = alone else { return text.to_owned() };
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

/// The environment, as a configuration may name it.
pub fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// What the built-in agents are, so that a project's file can only narrow them; and the system's language.
fn presets() -> serde_json::Value {
    let agents = Agents::built_in();
    let preset = |agent: &Agent| {
        let tools: Vec<&str> = match &agent.allowed {
            Allowed::Every => Vec::new(),
            Allowed::Named(names) => names.iter().map(String::as_str).collect(),
            Allowed::Usual(names) => names.to_vec(),
        };
        let value = serde_json::json!({
            "allowed_tools": tools, "confirm_mode": agent.confirm_mode, "max_steps": agent.max_steps,
        });
        (agent.name.clone(), value)
    };
    let mut presets = serde_json::json!({ "agents": agents.iter().map(preset).collect::<serde_json::Map<_, _>>() });
    let system = Locale::of_the_system(|name| std::env::var(name).ok());
    if system != Locale::default()
        && let Some(presets) = presets.as_object_mut()
    {
        presets.insert("language".into(), system.code().into());
    }
    presets
}

/// The catalogue of the configured language.
#[must_use]
pub fn catalogue(config: &Config) -> Arc<FluentCatalogue> {
    Arc::new(FluentCatalogue::new(locale(config)))
}

/// The configured language.
#[must_use]
pub const fn locale(config: &Config) -> Locale {
    match config.language {
        palanca_config::Language::En => Locale::En,
        palanca_config::Language::Es => Locale::Es,
    }
}

/// When an agent asks: as the person says, or as its role does. That a role which only reads asks for nothing is no word on the tools
/// of other servers: where there are some, it asks as any other.
#[must_use]
pub fn mode(config: &Config, agent: &Agent) -> ConfirmMode {
    let by_role = Agents::built_in().get(&agent.name).is_ok_and(|role| role.confirm_mode == agent.confirm_mode);
    match config.mode {
        Some(said) => said,
        None if by_role && !config.mcp.servers.is_empty() => agent.confirm_mode.stricter(ConfirmMode::ConfirmSensitive),
        None => agent.confirm_mode,
    }
}

/// The built-in agents and those of the configuration.
#[must_use]
pub fn agents(config: &Config) -> Agents {
    let mut agents = Agents::built_in();
    if bots::id(config).is_some() {
        agents.add(Agent {
            name: bots::ROLE.to_owned(),
            instructions: Instructions::Bot(BotPrompt {
                soul: Soul::default(),
                mode: BotMode::Conversation,
                language: soul::language(config),
            }),
            allowed: Allowed::Every,
            confirm_mode: ConfirmMode::ConfirmSensitive,
            max_steps: config.web_tools.max_tool_rounds,
            answer: AnswerForm::Text,
        });
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use palanca_core::ConfirmMode::{ConfirmAll, ConfirmSensitive, Yolo};

    #[test]
    fn a_role_that_reads_asks_where_there_are_tools_of_others() {
        let text = "agents: {mine: {confirm_mode: yolo, system_prompt: x}, review: {confirm_mode: confirm-all}}\n";
        let servers = "mcp: {servers: [{name: a, url: 'https://example.com'}]}\n";
        let mode = |text: &str, name: &str| {
            let layers = Layers::new().preset(presets()).file(Source::User, "u.yaml", text);
            let config = layers.resolve().unwrap().config;
            mode(&config, agents(&config).get(name).unwrap())
        };
        for (more, name, expected) in [
            ("", "plan", Yolo),
            (servers, "plan", ConfirmSensitive),
            (servers, "review", ConfirmAll),
            (servers, "mine", Yolo),
            (&*format!("{servers}mode: yolo\n"), "plan", Yolo),
        ] {
            assert_eq!(mode(&format!("{text}{more}"), name), expected, "{name} {more}");
        }
    }
}
