//! A bot's own files as its prompt tells them.

use super::bots;
use crate::configuration::catalogue;
use crate::notices::Notices;
use palanca_agent::{BotLanguage, BotMode, BotPrompt, Soul};
use palanca_config::{Config, Language};
use palanca_core::ports::Files;
use palanca_core::{Catalogue as _, Message};
use palanca_notes::{is_there, read};
use palanca_tools::recent_days;

/// Bytes of one file that a prompt tells.
const MAX_BYTES: u64 = 32 << 10;

/// How the bot that acts is prompted, by its files as they are now. What cannot be told of them goes to `notices`.
pub fn prompt(config: &Config, mode: BotMode, files: &dyn Files, notices: Option<&dyn Notices>) -> BotPrompt {
    let folder = bots::soul(config);
    let file = |name: &str| {
        let path = format!("{folder}/{name}");
        if !config.soul.enabled || !is_there(files, &path) {
            return String::new();
        }
        match read(files, &path, MAX_BYTES) {
            Ok(content) => {
                if content.size > MAX_BYTES {
                    notices.inspect(|notices| notices.advise(&Message::new("notes-cut").with("path", path)));
                }
                content.text
            }
            Err(left) => {
                let why = catalogue(config).render(&left.why);
                let reason = why.trim_end_matches('.');
                let left = Message::new("notes-left").with("path", left.path).with("reason", reason);
                notices.inspect(|notices| notices.advise(&left));
                String::new()
            }
        }
    };
    let identity = file("IDENTITY.md");
    let field = |wanted: &str| {
        let mut fields = identity.lines().filter_map(|line| line.split_once(':'));
        let found = fields.find(|(key, _)| key.trim().eq_ignore_ascii_case(wanted));
        found.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    };
    let name = Some(field("name")).filter(|name| !name.is_empty());
    let days = recent_days(&config.datetime.timezone).map(|day| (file(&format!("memory/{day}.md")), day));
    let recent = days.into_iter().filter(|(text, _)| !text.trim().is_empty()).map(|(text, day)| (day, text));
    BotPrompt {
        soul: Soul {
            name: name.unwrap_or_else(|| bots::name(config).to_owned()),
            emoji: field("emoji"),
            vibe: field("vibe"),
            character: file("SOUL.md"),
            motivations: file("MOTIVATIONS.md"),
            goals: file("GOALS.md"),
            core_memory: [file("memory/legacy.md"), file("MEMORY.md")].join("\n").trim().to_owned(),
            recent_memory: recent.collect(),
        },
        mode,
        language: language(config),
    }
}

/// The language in which it is guided.
#[must_use]
pub const fn language(config: &Config) -> BotLanguage {
    match config.language {
        Language::En => BotLanguage::English,
        Language::Es => BotLanguage::Spanish,
    }
}
