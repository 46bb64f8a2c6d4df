//! A bot's own files as its prompt tells them.

use super::bots;
use crate::configuration::catalogue;
use crate::notices::Notices;
use palanca_agent::{BotLanguage, BotMode, BotPrompt, Soul};
use palanca_config::{Config, Language};
use palanca_core::ports::{EntryKind, Files};
use palanca_core::{Catalogue as _, Message};
use palanca_notes::{is_there, read};
use palanca_tools::recent_days;
use serde_json::{Value, json};
use std::collections::BTreeMap;

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
    let kept = files.locate(&format!("{folder}/.versions")).and_then(|versions| files.entries(&versions));
    let names =
        kept.unwrap_or_default().into_iter().filter(|entry| entry.kind == EntryKind::File).map(|entry| entry.name);
    let mut of_file: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for name in names {
        if let Some((file, time)) = version(&name) {
            of_file.entry(file.to_owned()).or_default().push((time.to_owned(), name.clone()));
        }
    }
    let mut versions = Vec::new();
    for mut all in of_file.into_values() {
        all.sort_unstable();
        let old = all.len().saturating_sub(most);
        versions.extend(all.into_iter().take(old).map(|(_, name)| name));
    }
    (legacy || !versions.is_empty()).then(|| json!({"legacy": legacy, "versions": versions}))
}

/// File and time in the name of a version, `SOUL.md.2026-11-28T18-00-00.123456789Z.bak`; None for what only looks like one.
fn version(name: &str) -> Option<(&str, &str)> {
    const TIME: &str = "0000-00-00T00-00-00.000000000Z";
    let rest = name.strip_suffix(".bak")?;
    let (file, time) = rest.split_at_checked(rest.len().checked_sub(TIME.len())?)?;
    let is_time = time
        .bytes()
        .zip(TIME.bytes())
        .all(|(byte, shape)| if shape == b'0' { byte.is_ascii_digit() } else { byte == shape });
    let file = file.strip_suffix('.').filter(|file| is_time && !file.is_empty())?;
    Some((file, time))
}

/// The language in which it is guided.
#[must_use]
pub const fn language(config: &Config) -> BotLanguage {
    match config.language {
        Language::En => BotLanguage::English,
        Language::Es => BotLanguage::Spanish,
    }
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_version_names_its_file_and_time() {
        let time = "2026-11-28T18-00-00.123456789Z";
        for (name, file) in [
            (format!("SOUL.md.{time}.bak"), Some("SOUL.md")),
            (format!("a.{time}.b.{time}.bak"), Some(&*format!("a.{time}.b"))),
            (format!("{time}.bak"), None),
            (format!(".{time}.bak"), None),
            (format!("SOUL.md.{time}"), None),
            ("SOUL.md.2026-11-28T18-00-00.12345678xZ.bak".to_owned(), None),
            ("SOUL.md.bak".to_owned(), None),
            ("\u{e9}\u{e9}.bak".to_owned(), None),
        ] {
            assert_eq!(version(&name), file.map(|file| (file, time)), "{name}");
        }
    }
}
