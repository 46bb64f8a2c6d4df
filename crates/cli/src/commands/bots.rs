//! `palanca bots`: the bots of the configuration, and whether each could work.

use super::config::built;
use crate::args::bots::{Bots, BotsCommand};
use crate::args::{Global, Listing};
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::say::{self, say};
use crate::wire::settings;
use palanca_agent::{BotMode, Instructions, system_prompt};
use palanca_config::{Config, Loaded, WarningKind};
use palanca_core::Message;
use palanca_core::ports::Redactor as _;
use palanca_host::Notices as _;
use palanca_host::agent::{bots, model, soul, toolset, words};
use palanca_host::configuration::{self, unused};
use palanca_host::workspace::disk;
use serde_json::{Value, json};
use std::sync::Arc;

pub fn bots(global: &Global, args: Bots) -> Ended {
    match args.what {
        BotsCommand::List(listing) => list(global, &listing),
        BotsCommand::Show { id, listing } => show(global, &id, &listing),
        BotsCommand::Check => check(global),
    }
}

/// The configuration as this bot has it.
fn of(global: &Global, id: &str) -> Result<Config, Failure> {
    let bot = Some(id.to_owned());
    let toolset = Some("bots".to_owned());
    let loaded = settings::resolve(&Global { bot, toolset, ..global.clone() }, &[]);
    // The page is in one language, whatever the bots speak.
    say::speak(say::first(global, |name| std::env::var(name).ok()));
    Ok(loaded?.config)
}

/// Every bot of the configuration; says which files of the workspace say nothing yet, because nobody has trusted them.
fn ids(global: &Global) -> Result<(Loaded, Vec<String>), Failure> {
    let loaded = settings::resolve(global, &[])?;
    let mut early = loaded.warnings.clone();
    early.retain(|warning| warning.kind == WarningKind::NotTrusted);
    unused(&early).iter().for_each(|told| settings::notices(global).advise(told));
    let ids = bots::ids(&loaded.config).into_iter().map(str::to_owned).collect();
    Ok((loaded, ids))
}

/// Whether the patterns that call a bot in groups are any: those of one bot, or of all.
pub(super) fn patterns(loaded: &Loaded, id: Option<&str>) -> Result<(), Failure> {
    let bots = loaded.config.bots.iter().enumerate();
    for (number, bot) in bots.filter(|(_, bot)| id.is_none_or(|id| bot.id == id)) {
        palanca_bots::mention_patterns(bot).map_err(|why| {
            let file = loaded.origin("bots");
            Failure::usage(format!("{file}: bots[{number}].mentionPatterns: {}", say(&why)))
        })?;
    }
    Ok(())
}

fn list(global: &Global, listing: &Listing) -> Ended {
    let (loaded, ids) = ids(global)?;
    let config = loaded.config;
    let mut rows = Vec::with_capacity(ids.len());
    for id in &ids {
        let own = of(global, id)?;
        let bot = config.bots.iter().find(|bot| bot.id == *id);
        rows.push(json!({
            "id": id,
            "name": bots::name(&own),
            "enabled": bot.is_none_or(|bot| bot.enabled),
            "model": own.llm.model,
            "description": bot.and_then(|bot| bot.description.clone()),
        }));
    }
    if listing.json {
        stdout::json(&Value::Array(rows))?;
        return Ok(Exit::Success);
    }
    let off = say(&Message::new("cli-bot-off"));
    let line = |row: &Value| {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let off = if row["enabled"] == false { &*off } else { "" };
        let parts = [text("name"), text("model"), text("description"), off];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{:<14} {}\n", text("id"), parts.join(" · "))
    };
    stdout::text(&rows.iter().map(line).collect::<String>())?;
    Ok(Exit::Success)
}

fn show(global: &Global, id: &str, listing: &Listing) -> Ended {
    ids(global)?;
    let config = of(global, id)?;
    let tools = toolset::registry(&config)?.snapshot();
    let disk = disk::disk(&settings::places(global)?, &config)?;
    let notices = settings::notices(global);
    let bot = soul::prompt(&config, BotMode::Conversation, &disk, Some(&notices));
    let prompt = system_prompt(&Instructions::Bot(bot), &tools, &[]);
    let prompt = words::secrets(&config).redact(&prompt).into_owned();
    let shown = json!({
        "id": id,
        "name": bots::name(&config),
        "description": config.bots.iter().find(|bot| bot.id == id).and_then(|bot| bot.description.clone()),
        "model": config.llm.model,
        "fallbacks": config.llm.fallbacks,
        "confirmMode": configuration::agents(&config).get(bots::ROLE).ok().map(|role| configuration::mode(&config, role)),
        "language": config.language,
        "timezone": config.datetime.timezone,
        "budgetUsd": config.costs.budget_usd,
        "soulDir": bots::soul(&config),
        "folder": config.file_tools.base_path,
        "tools": tools.names().collect::<Vec<_>>(),
        "prompt": prompt,
    });
    if listing.json {
        stdout::json(&shown)?;
        return Ok(Exit::Success);
    }
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let fields = shown.as_object().into_iter().flatten().map(|(key, value)| (key, plain(value)));
    let lines = fields.filter(|(key, value)| *key != "prompt" && !value.is_empty());
    let page = lines.map(|(key, value)| format!("{key:<12} {value}\n"));
    stdout::text(&format!("{}\n{prompt}\n", page.collect::<String>()))?;
    Ok(Exit::Success)
}

fn check(global: &Global) -> Ended {
    let (loaded, ids) = ids(global)?;
    let mut exit = Exit::Success;
    for id in &ids {
        if loaded.config.bots.iter().any(|bot| bot.id == *id && !bot.enabled) {
            stdout::text(&format!("{id}: {}\n", say(&Message::new("cli-bot-off"))))?;
            continue;
        }
        let checked = of(global, id).and_then(|own| works(global, &Arc::new(own)));
        let checked = checked.and_then(|()| patterns(&loaded, Some(id)));
        match checked {
            Ok(()) => stdout::text(&format!("{id}: {}\n", say(&Message::new("cli-bot-ready"))))?,
            Err(failure) => {
                exit = failure.exit;
                stderr::error(&Failure::new(exit, anyhow::anyhow!("{id}: {}", failure)));
            }
        }
    }
    Ok(exit)
}

/// Builds what the bot's conversations are built of, and reads its files.
fn works(global: &Global, config: &Arc<Config>) -> Result<(), Failure> {
    built(global, config)?;
    let has_tools = !toolset::registry(config)?.snapshot().is_empty();
    if let Some(model) = model::without_tools(config)?.filter(|_| has_tools) {
        return Err(Failure::said(&Message::new("model-no-tools").with("model", model)));
    }
    let disk = disk::disk(&settings::places(global)?, config)?;
    soul::prompt(config, BotMode::Conversation, &disk, Some(&settings::notices(global)));
    Ok(())
}
