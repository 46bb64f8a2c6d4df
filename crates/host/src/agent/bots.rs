//! The bot that an agent with the tools of bots is: where its files are, and what it may do to them unasked.

use palanca_config::{Bot, Config};
use palanca_core::ToolsetName;
use serde_json::Value;

/// The bot of a configuration that names none.
const DEFAULT: &str = "default";

/// The first that is enabled.
fn own(config: &Config) -> Option<&Bot> {
    config.bots.iter().find(|bot| bot.enabled)
}

/// The folder of its files, from the workspace's root.
pub(super) fn soul(config: &Config) -> String {
    let bot = own(config);
    let given = bot.and_then(|bot| bot.soul_dir.clone());
    let folder = given.unwrap_or_else(|| {
        format!("{}/{}", config.soul.dir.trim_end_matches('/'), bot.map_or(DEFAULT, |bot| bot.id.as_str()))
    });
    folder.trim_start_matches("./").trim_end_matches('/').to_owned()
}

/// The tools that it has not.
pub(super) fn disabled(config: &Config) -> &[String] {
    own(config).filter(|_| config.toolset == ToolsetName::Bots).map_or(&[], |bot| &bot.disabled_tools)
}

/// A rule in the language of rule files: a bot writes its own folder without a question. None where there is no such folder,
/// or its name would be a pattern.
pub(super) fn rule(config: &Config) -> Option<String> {
    let folder = soul(config);
    let is_plain = !folder.is_empty() && !folder.contains(['*', '?', '[', ']', '{', '}', '\\', ':']);
    let is_bot = config.toolset == ToolsetName::Bots && config.soul.enabled && is_plain;
    is_bot.then(|| {
        let quoted = |name: &str| Value::String(format!("{folder}/{name}"));
        format!(
            "[[rule]]\nid = \"soul.own\"\ndecision = \"allow\"\neffect = \"write\"\npaths = [{}]\n\
             matches = [{{ write = {} }}]\nnot_matches = [{{ delete = {} }}]\n",
            quoted("**"),
            quoted("SOUL.md"),
            quoted("SOUL.md"),
        )
    })
}
