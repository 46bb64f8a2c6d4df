//! Files of the bots' document, `config/config.json` and `bots.json` beside it: other programs have files of such names.

use serde_json::Value;

use crate::node::Kind;
use crate::parse::{is_of_bots, parse};

/// The sections that the document knows.
const SECTIONS: [&str; 13] = [
    "bots",
    "webTools",
    "exec",
    "fileTools",
    "processTools",
    "datetime",
    "phoneCall",
    "cron",
    "soul",
    "improve",
    "collaboration",
    "dynamicTools",
    "ollama",
];

/// Whether a file of such a name is ours: it says something that the document knows, or cannot be read and seems to.
#[must_use]
pub fn is_bots_document(path: &str, text: &str) -> bool {
    let is_known = |name: &str| SECTIONS.contains(&name);
    match parse(path, text).map(|node| node.kind) {
        Ok(Kind::Map(entries)) if is_of_bots(path) => {
            entries.iter().any(|(name, bots)| name == "bots" && names_bots(&bots.to_value()))
        }
        Ok(Kind::Map(entries)) => entries.iter().any(|(name, _)| is_known(name)),
        _ => SECTIONS.iter().any(|name| text.contains(&format!("\"{name}\""))),
    }
}

/// An empty list says nothing against it.
fn names_bots(bots: &Value) -> bool {
    bots.as_array().is_none_or(|bots| bots.is_empty() || bots.iter().any(|bot| bot.get("id").is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_files_are_theirs() {
        for (path, text, expected) in [
            ("config/config.json", r#"{"development": {"username": "root"}, "test": {}}"#, false),
            ("config/config.json", "{}", false),
            ("config/config.json", "{broken", false),
            ("config/config.json", "// bots\n{\"exec\": {\"enabled\": true}, /* and */ \"development\": {}}", true),
            ("config/config.json", "{\"bots\": [", true),
            ("config/bots.json", r#"[{"id": "ana"}]"#, true),
            ("config/bots.json", r#"{"bots": [{"id": "ana"}]}"#, true),
            ("config/bots.json", r#"["googlebot", "bingbot"]"#, false),
            ("config/bots.json", r#"{"agents": []}"#, false),
        ] {
            assert_eq!(is_bots_document(path, text), expected, "{path} {text}");
        }
    }
}
