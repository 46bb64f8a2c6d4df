//! The bot that an agent with the tools of bots is: what it has of its own, where its files are, what it may do to them unasked,
//! and what of other bots is closed to it.

use super::limits;
use crate::configuration;
use crate::conversation::ConversationSettings;
use crate::fault::Fault;
use crate::session::Session;
use jiff::Timestamp;
use palanca_agent::session::Terms;
use palanca_agent::{Agent as Role, Allowed, BotMode, Instructions};
use palanca_config::{Bot, Config, closest};
use palanca_core::{ConfirmMode, Message, ToolsetName};
use palanca_models::{Delivery, Model, ModelSpec};
use palanca_tools::{BETWEEN_BOTS, OtherBot, Version, is_base};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The bot of a configuration that names none.
const DEFAULT: &str = "default";

/// The role of a bot that talks.
pub const ROLE: &str = "bot";

/// The bot that acts: the one of `bot`, or the first that is enabled. None where the configuration has none of that name.
#[must_use]
pub fn own(config: &Config) -> Option<&Bot> {
    match &config.bot {
        Some(id) => config.bots.iter().find(|bot| bot.id == *id),
        None => config.bots.iter().find(|bot| bot.enabled),
    }
}

/// The id of the bot that acts; None for other toolsets.
#[must_use]
pub fn id(config: &Config) -> Option<&str> {
    let is_bot = config.toolset == ToolsetName::Bots;
    is_bot.then(|| own(config).map_or(DEFAULT, |bot| bot.id.as_str()))
}

/// What people call it.
#[must_use]
pub fn name(config: &Config) -> &str {
    let name = own(config).map(|bot| bot.name.as_str()).filter(|name| !name.is_empty());
    name.or_else(|| id(config)).unwrap_or_default()
}

/// Every bot that a configuration has, enabled or not; at least the one called `default`.
#[must_use]
pub fn ids(config: &Config) -> Vec<&str> {
    if config.bots.is_empty() { vec![DEFAULT] } else { config.bots.iter().map(|bot| bot.id.as_str()).collect() }
}

/// Whether the bot that acts is there and enabled.
///
/// # Errors
/// When it is neither.
pub fn check(config: &Config) -> Result<(), Fault> {
    let Some(id) = config.bot.as_deref() else { return Ok(()) };
    if let Some(bot) = config.bots.iter().find(|bot| bot.id == id) {
        let disabled = || Fault::said(Message::new("cli-bot-disabled").with("bot", id));
        return if bot.enabled { Ok(()) } else { Err(disabled()) };
    }
    let known = ids(config);
    if config.bots.is_empty() && id == DEFAULT {
        return Ok(());
    }
    let near = closest(id, known.iter().copied());
    let names = near.map_or_else(|| known.join(", "), str::to_owned);
    Err(Fault::said(Message::new("cli-bot-unknown").with("bot", id).with("names", names)))
}

/// The folder of a bot's files, from the workspace's root.
fn folder_of(config: &Config, bot: Option<&Bot>) -> String {
    let given = bot.and_then(|bot| bot.soul_dir.clone());
    let folder = given.unwrap_or_else(|| {
        format!("{}/{}", config.soul.dir.trim_end_matches('/'), bot.map_or(DEFAULT, |bot| bot.id.as_str()))
    });
    within(&folder)
}

/// A folder or file as a path from the workspace's root.
pub(super) fn within(folder: &str) -> String {
    folder.trim_start_matches("./").trim_end_matches('/').to_owned()
}

/// The folder of the files of the bot that acts, from the workspace's root.
#[must_use]
pub fn soul(config: &Config) -> String {
    folder_of(config, own(config))
}

/// The folder of its jobs, from the workspace's root.
pub(super) fn jobs(config: &Config) -> String {
    format!("{}/{}", within(&config.cron.store_path), own(config).map_or(DEFAULT, |bot| bot.id.as_str()))
}

/// The folder of all made tools, from the workspace's root.
pub(crate) fn made(config: &Config) -> String {
    within(&config.dynamic_tools.store_path)
}

/// The tools that it has not.
pub(crate) fn disabled(config: &Config) -> &[String] {
    own(config).filter(|_| config.toolset == ToolsetName::Bots).map_or(&[], |bot| &bot.disabled_tools)
}

/// What the configuration says of the bot that acts, as keys of the whole: its id and the layer. None where no bot acts.
pub(crate) fn layer(config: &Config) -> Option<(String, Value)> {
    let id = id(config)?.to_owned();
    let mut layer = Map::new();
    let bot = own(config);
    if let Some(Models { first, others, is_another }) = models(config, bot) {
        let mut llm = Map::from_iter([("model".to_owned(), json!(first)), ("fallbacks".to_owned(), json!(others))]);
        if is_another {
            llm.extend(["api_base", "api_key_env"].map(|key| (key.to_owned(), Value::Null)));
        }
        layer.insert("llm".into(), llm.into());
    }
    if let Some(bot) = bot {
        let mut set = |section: Option<&str>, key: &str, value: Option<Value>| {
            let Some(value) = value else { return };
            let map = match section {
                None => Some(&mut layer),
                Some(section) => layer.entry(section).or_insert_with(|| json!({})).as_object_mut(),
            };
            if let Some(map) = map {
                map.insert(key.to_owned(), value);
            }
        };
        let folder = || bot.folder.as_ref().map(|folder| json!(folder));
        set(None, "mode", bot.confirm_mode.map(|mode| json!(mode)));
        set(None, "language", bot.language.map(|language| json!(language)));
        set(Some("datetime"), "timezone", bot.timezone.as_ref().map(|zone| json!(zone)));
        set(Some("costs"), "budget_usd", bot.budget_usd.map(|budget| json!(budget)));
        set(Some("fileTools"), "basePath", folder());
        set(Some("exec"), "workdir", folder());
    }
    let closed = closed(config, &id);
    if !closed.is_empty() {
        let denied: Vec<&String> = config.secrets.deny.iter().chain(&closed).collect();
        layer.insert("secrets".into(), json!({ "deny": denied }));
    }
    (!layer.is_empty()).then(|| (id, layer.into()))
}

/// The models of a bot, by name, in the order in which they are tried.
struct Models {
    first: String,
    others: Vec<String>,
    /// The common address and key are not theirs.
    is_another: bool,
}

/// The bot's own model, else that of Ollama where no other is named; with those to try after it.
fn models(config: &Config, bot: Option<&Bot>) -> Option<Models> {
    let own = bot.map(|bot| bot.model.clone()).unwrap_or_default();
    let named = if own.is_empty() && config.llm.model.is_none() {
        config.ollama.models.primary.iter().chain(&config.ollama.models.fallbacks).cloned().collect()
    } else {
        own
    };
    let mut named = named.into_iter().map(|name| match name.parse::<ModelSpec>() {
        Ok(_) => name,
        Err(_) => format!("ollama:{name}"),
    });
    let first = named.next()?;
    let provider = |name: &str| name.split(':').next().map(str::to_owned);
    let is_another = config.llm.model.as_deref().is_none_or(|common| provider(common) != provider(&first));
    Some(Models { first, others: named.collect(), is_another })
}

/// The configuration of another bot. Where more than its own word counts, the stricter mode and the smaller budget hold.
pub(super) fn as_bot(config: &Config, id: &str) -> Config {
    let mut own = config.common.as_deref().unwrap_or(config).clone();
    let bot = own.bots.iter().find(|bot| bot.id == id).cloned();
    own.bot = Some(id.to_owned());
    let closed = closed(&own, id);
    own.secrets.deny.extend(closed);
    if let Some(Models { first, others, is_another }) = models(&own, bot.as_ref()) {
        (own.llm.model, own.llm.fallbacks) = (Some(first), others);
        if is_another {
            (own.llm.api_base, own.llm.api_key_env) = (None, None);
        }
    }
    if let Some(bot) = bot {
        own.language = bot.language.unwrap_or(own.language);
        own.datetime.timezone = bot.timezone.unwrap_or(own.datetime.timezone);
        own.mode = match (own.mode, bot.confirm_mode) {
            (Some(said), Some(its)) => Some(said.stricter(its)),
            (said, its) => said.or(its),
        };
        own.costs.budget_usd = match (own.costs.budget_usd, bot.budget_usd) {
            (Some(said), Some(its)) => Some(said.min(its)),
            (said, its) => said.or(its),
        };
        if let Some(folder) = bot.folder {
            own.file_tools.base_path.clone_from(&folder);
            own.exec.workdir = Some(folder);
        }
    }
    own
}

/// The other bots that can be asked.
#[must_use]
pub fn others(config: &Config) -> Vec<OtherBot> {
    let Some(own) = id(config) else { return Vec::new() };
    let common = config.common.as_deref().unwrap_or(config);
    let others = config.bots.iter().filter(|bot| bot.enabled && bot.id != own);
    let models = |bot: &Bot| match models(common, Some(bot)) {
        Some(Models { first, others, .. }) => std::iter::once(first).chain(others).collect(),
        None => common.llm.model.iter().chain(&common.llm.fallbacks).cloned().collect(),
    };
    let other = |bot: &Bot| OtherBot {
        id: bot.id.clone(),
        name: bot.name.clone(),
        description: bot.description.clone().unwrap_or_default(),
        skills: bot.skills.clone(),
        models: models(bot),
        disabled: bot.disabled_tools.clone(),
    };
    others.map(other).collect()
}

/// When a bot asks.
#[must_use]
pub fn mode(config: &Config) -> ConfirmMode {
    configuration::agents(config)
        .get(ROLE)
        .map_or_else(|_| config.mode.unwrap_or_default(), |role| configuration::mode(config, role))
}

/// A bot in conversation.
fn role(config: &Config, doing: BotMode) -> Option<Role> {
    let mut role = configuration::agents(config).get(ROLE).ok()?.clone();
    if let Instructions::Bot(bot) = &mut role.instructions {
        bot.mode = doing;
    }
    Some(role)
}

/// On what terms a session of a bot goes on.
#[must_use]
pub fn terms(config: &Config, session: &Session, model: Option<String>) -> Terms {
    Terms {
        agent: ROLE.to_owned(),
        model,
        mode: mode(config),
        toolset: config.toolset.name().to_owned(),
        workspace: session.workspace().display().to_string(),
        ..Terms::default()
    }
}

/// How a bot talks in a session of it.
///
/// # Errors
/// An agent with another toolset is no bot.
pub fn conversation(
    config: &Config,
    session: &Session,
    (model, doing): (Arc<dyn Model>, BotMode),
) -> Result<ConversationSettings, Fault> {
    let none = || Fault::usage(format!("the bot {} has another toolset", id(config).unwrap_or_default()));
    let mut role = role(config, doing).ok_or_else(none)?;
    if matches!(doing, BotMode::Collaboration | BotMode::Aloud) {
        role.allowed = Allowed::Named(while_asked(config, session));
    }
    Ok(ConversationSettings {
        terms: terms(config, session, Some(model.name().to_owned())),
        model,
        role,
        limits: limits::conversation(config),
        context: limits::context(config),
        delivery: if config.llm.stream { Delivery::Streamed } else { Delivery::Whole },
        sections: Vec::new(),
    })
}

/// What a bot may use while another one asks it: nothing that reaches further bots.
fn while_asked(config: &Config, session: &Session) -> Vec<String> {
    let names = session.toolset().names().filter(|name| !BETWEEN_BOTS.contains(name)).map(str::to_owned);
    names.filter(|_| config.collaboration.enable_target_tools).collect()
}

/// Globs of what belongs to other bots, known or not.
fn closed(config: &Config, id: &str) -> Vec<String> {
    let mut closed = Vec::new();
    let home = soul(config);
    let souls = within(&config.soul.dir);
    for (folder, own) in
        [(&souls, home.strip_prefix(&format!("{souls}/")).unwrap_or_default()), (&within(&config.cron.store_path), id)]
    {
        if is_plain(folder) && is_base(folder) && !own.contains('/') {
            closed.extend(all_but(folder, own));
        }
    }
    let elsewhere = config.bots.iter().filter(|bot| bot.id != id && bot.soul_dir.is_some());
    closed.extend(elsewhere.map(|bot| folder_of(config, Some(bot))).filter(|folder| *folder != home));
    closed
}

/// Globs that match every name in a folder but one; a longer name that begins with it, too.
fn all_but(folder: &str, own: &str) -> Vec<String> {
    if own.is_empty() {
        return vec![format!("{folder}/*/")];
    }
    let mut globs = Vec::with_capacity(2 * own.len());
    for (at, letter) in own.char_indices() {
        let before = &own[..at];
        globs.push(format!("{folder}/{before}[!{letter}]*/"));
        if !before.is_empty() {
            globs.push(format!("{folder}/{before}/"));
        }
    }
    globs.push(format!("{folder}/{own}?*/"));
    globs
}

pub(super) fn is_plain(folder: &str) -> bool {
    !folder.is_empty() && !folder.contains(['*', '?', '[', ']', '{', '}', '\\', ':'])
}

/// Rules in the language of rule files: a bot writes its own folder without a question, and old versions and `MEMORY.md` are tidied away
/// for it (`origin` bot). None where there is no such folder, or its name would be a pattern.
pub(super) fn rule(config: &Config) -> Option<String> {
    let folder = soul(config);
    let is_bot = config.toolset == ToolsetName::Bots && config.soul.enabled && is_plain(&folder);
    is_bot.then(|| {
        let quoted = |name: &str| Value::String(format!("{folder}/{name}"));
        format!(
            "[[rule]]\nid = \"soul.own\"\ndecision = \"allow\"\neffect = \"write\"\npaths = [{all}]\n\
             matches = [{{ write = {soul} }}]\nnot_matches = [{{ delete = {soul} }}]\n\
             [[rule]]\nid = \"soul.tidy\"\ndecision = \"allow\"\neffect = [\"delete\", \"move\"]\norigin = \"bot\"\n\
             paths = [{versions}, {old}, {new}]\n\
             matches = [{{ delete = {version}, origin = \"bot\" }}, {{ move = [{old}, {new}], origin = \"bot\" }}]\n\
             not_matches = [{{ delete = {soul}, origin = \"bot\" }}, {{ delete = {version}, origin = \"model\" }}]\n",
            all = quoted("**"),
            soul = quoted("SOUL.md"),
            versions = quoted(Version::GLOB),
            version = quoted(&Version::path_of("SOUL.md", Timestamp::UNIX_EPOCH)),
            old = quoted("MEMORY.md"),
            new = quoted("memory/legacy.md"),
        )
    })
}
