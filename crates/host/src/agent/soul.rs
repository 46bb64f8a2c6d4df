//! A bot's own files as its prompt tells them.

use super::bots;
use crate::configuration::catalogue;
use crate::notices::Notices;
use palanca_agent::{BotLanguage, BotMode, BotPrompt, Soul};
use palanca_config::{Config, Language};
use palanca_core::ports::Files;
use palanca_core::{Catalogue as _, Message};
use palanca_notes::{is_there, read};
use palanca_tools::{Version, recent_days};
use serde_json::{Value, json};

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
            recalled: String::new(),
        },
        mode,
        language: language(config),
    }
}

/// What is to be tidied in its folder, as arguments of `soul_tidied`; None where nothing is.
pub(crate) fn untidy(config: &Config, files: &dyn Files) -> Option<Value> {
    let folder = bots::soul(config);
    let legacy = config.soul.enabled
        && is_there(files, &format!("{folder}/MEMORY.md"))
        && !is_there(files, &format!("{folder}/memory/legacy.md"));
    let versioning = &config.soul.versioning;
    let most =
        if config.soul.enabled && versioning.enabled { versioning.max_versions_per_file as usize } else { usize::MAX };
    let mut versions = Vec::new();
    for of_file in Version::all(files, &folder).chunk_by(|one, next| one.file == next.file) {
        let old = of_file.len().saturating_sub(most);
        versions.extend(of_file.iter().take(old).map(|version| version.path.clone()));
    }
    (legacy || !versions.is_empty()).then(|| json!({"legacy": legacy, "versions": versions}))
}

/// The language in which it is guided.
#[must_use]
pub const fn language(config: &Config) -> BotLanguage {
    match config.language {
        Language::En => BotLanguage::English,
        Language::Es => BotLanguage::Spanish,
    }
}
