//! Keys that are documented but not implemented yet. Accepting them silently would be misleading, refusing them would
//! break valid files, so each use is a warning. The list only shrinks: implementing a feature removes its line.

use crate::schema::covers;

/// Sections and keys without effect yet, dotted; a section covers everything in it.
pub const NOT_YET: &[&str] = &[
    "evaluation",
    "llm.provider",
    "llm.mode",
    "memory",
    "ralph",
    "parallel",
    "health",
    "indexer",
    "llm_cache",
    "checkpoints",
    "auto_review",
];

/// Sections and keys of the bots' document that have no meaning here, and what to write instead. Each use is a warning.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "paths",
        "each folder has a key of its own: soul.dir, cron.storePath, dynamicTools.storePath, and logging.file for the log",
    ),
    ("skills.enabled", "skills are instructions in folders, found by themselves (skills.auto_discover)"),
    ("skills.config", "skills are instructions in folders, and have no settings"),
];

/// What to write instead of a key that has no meaning here.
pub(crate) fn elsewhere(key: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(name, _)| *name == key).map(|(_, instead)| *instead)
}

pub(crate) fn is_not_yet(key: &str) -> bool {
    NOT_YET.iter().any(|pattern| covers(pattern, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_names_a_known_key() {
        for key in NOT_YET {
            assert!(crate::schema::root().at(key).is_some(), "{key} is no key");
        }
    }
}
