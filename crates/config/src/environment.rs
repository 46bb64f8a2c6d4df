//! Environment variables as a layer. `PALANCA_` and the key, with anything that is not a letter or digit left out of
//! the comparison: `PALANCA_LLM_API_BASE` and `PALANCA_LLM__API_BASE` set `llm.api_base`, `PALANCA_WEBTOOLS_ENABLED`
//! and `PALANCA_WEB_TOOLS_ENABLED` set `webTools.enabled`. A test checks that no two keys collide. Lists are separated
//! by commas or written as JSON; sections, tables and lists of sections are JSON.

use std::collections::BTreeMap;

use crate::nearest;
use crate::node::{Kind, Node};
use crate::origin::{Origin, Place};
use crate::problem::{Warning, WarningKind};
use crate::schema;

/// Short names for the most common keys, and those of the architect document. Later ones win.
const ALIASES: &[(&str, &str)] = &[
    ("ARCHITECT_MODEL", "llm.model"),
    ("ARCHITECT_API_BASE", "llm.api_base"),
    ("ARCHITECT_LOG_LEVEL", "logging.level"),
    ("ARCHITECT_WORKSPACE", "workspace.root"),
    ("ARCHITECT_LANGUAGE", "language"),
    ("PALANCA_MODEL", "llm.model"),
    ("PALANCA_PROVIDER", "llm.provider"),
    ("PALANCA_API_BASE", "llm.api_base"),
    ("PALANCA_LOG_LEVEL", "logging.level"),
    ("PALANCA_LOG_FILE", "logging.file"),
    ("PALANCA_WORKSPACE", "workspace.root"),
    ("PALANCA_LANG", "language"),
    ("PALANCA_CONFIRM_MODE", "mode"),
    ("PALANCA_BUDGET", "costs.budget_usd"),
];

/// Variables of this program that are not configuration keys.
const NOT_KEYS: &[&str] = &["PALANCA_HOME", "PALANCA_CONFIG", "PALANCA_CORPORA"];

/// One layer for each variable that sets a key, and a warning for each that looks like one but matches no key.
pub(crate) fn layers(environment: &BTreeMap<String, String>) -> (Vec<(Origin, Node)>, Vec<Warning>) {
    let mut found = Vec::new();
    let mut warnings = Vec::new();
    let mut add = |name: &str, key: &str, text: &str| {
        let path: Vec<_> = key.split('.').collect();
        let node = Node::new(0, Kind::Text(text.to_owned())).under(&path);
        found.push((Origin::Environment(name.to_owned()), node));
    };
    for (name, key) in ALIASES {
        if let Some(text) = environment.get(*name).filter(|text| !text.is_empty()) {
            add(name, key, text);
        }
    }
    let ours = environment.iter().filter(|(name, text)| {
        name.starts_with("PALANCA_")
            && !text.is_empty()
            && !NOT_KEYS.contains(&name.as_str())
            && !ALIASES.iter().any(|(alias, _)| alias == name)
    });
    let mut names = None;
    for (name, text) in ours {
        // The map of all keys needs a walk over the schema; most environments have no such variable.
        let names = names.get_or_insert_with(key_names);
        let folded = fold(name.strip_prefix("PALANCA_").unwrap_or(name));
        match names.get(&folded) {
            Some(key) => add(name, key, text),
            None => warnings.push(unknown(name, names)),
        }
    }
    (found, warnings)
}

fn unknown(name: &str, names: &BTreeMap<String, String>) -> Warning {
    let short = name.strip_prefix("PALANCA_").unwrap_or(name);
    let near = nearest::closest(short, names.values().map(String::as_str));
    let hint = near.map_or_else(
        || "see `palanca config schema` for the keys".to_owned(),
        |key| {
            let variable = key.replace('.', "_").to_ascii_uppercase();
            format!("did you mean PALANCA_{variable} ({key})?")
        },
    );
    Warning {
        place: Place::new(Origin::Environment(name.to_owned()), 0),
        key: name.to_owned(),
        kind: WarningKind::UnknownVariable,
        message: format!("is no configuration key and changes nothing; {hint}"),
    }
}

/// Folded name → dotted key.
fn key_names() -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    schema::visit_keys(&mut |key, _| {
        names.insert(fold(key), key.to_owned());
    });
    names
}

fn fold(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|character| character.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_keys_share_a_variable_and_every_alias_names_a_key() {
        let mut seen = BTreeMap::new();
        schema::visit_keys(&mut |key, _| {
            let other = seen.insert(fold(key), key.to_owned());
            assert_eq!(other, None, "{key}");
        });
        for (alias, key) in ALIASES {
            assert!(schema::root().at(key).is_some(), "{alias} means {key}, which is no key");
        }
    }
}
