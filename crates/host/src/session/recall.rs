//! What is done for a bot before it answers: its folder is tidied, and its memory is looked through for the words that it answers. Both
//! are calls through the session's gate which nobody is asked about: what would need a question is not done.

use super::Session;
use crate::agent::{bots, soul, toolset};
use palanca_agent::{Agent as Role, Instructions};
use palanca_core::call::RawArguments;
use palanca_core::ports::NoAsker;
use palanca_core::{Call, CallId, Gate, Message, Origin, ToolResult};
use serde_json::{Value, json};
use std::sync::Arc;

impl Session {
    /// Tidies the folder of a bot; says what could not be done.
    pub(crate) async fn tidy(&self, gate: &Gate, role: &Role) {
        let place = &self.agent.workspace;
        if !matches!(role.instructions, Instructions::Bot(_)) {
            return;
        }
        let Some(arguments) = soul::untidy(&self.agent.config, &*place.disk) else { return };
        if let Some(failed) = self.unasked(gate, "soul_tidied", arguments).await.filter(|result| !result.success) {
            let reason = failed.output.trim_end().to_owned();
            let folder = bots::soul(&self.agent.config);
            place.host.notices().advise(&Message::new("soul-untidy").with("folder", folder).with("reason", reason));
        }
    }

    /// What a bot's memory has on these words, between marks; empty where nothing, or where it shall not recall.
    pub(crate) async fn recall(&self, gate: &Gate, role: &Role, words: Option<&str>) -> String {
        let auto = &self.agent.config.soul.search.auto_rag;
        let recalls =
            auto.enabled && matches!(role.instructions, Instructions::Bot(_)) && self.toolset.offers("memory_search");
        let Some(words) = words.filter(|_| recalls) else { return String::new() };
        let arguments = json!({"words": words, "most": auto.max_results, "least": auto.min_score});
        let result = self.unasked(gate, "memory_recalled", arguments).await.filter(|result| result.success);
        let found = result.and_then(|result| result.data).unwrap_or_default();
        let found = shortened(&found, auto.max_chars as usize);
        if found.is_empty() { found } else { gate.mark(&found, "memory") }
    }

    async fn unasked(&self, gate: &Gate, tool: &str, arguments: Value) -> Option<ToolResult> {
        // A configuration that has no such tools has said so when the agent was built.
        let tools = toolset::unoffered(&self.agent.config).ok()?;
        let call = Call {
            id: CallId::new(format!("{tool} {}", uuid::Uuid::now_v7())),
            tool: tool.to_owned(),
            arguments: RawArguments::Json(arguments),
            origin: Origin::Bot { id: bots::id(&self.agent.config)?.into() },
            scope: self.scope.clone(),
        };
        Some(gate.to_builder().asker(Arc::new(NoAsker)).build().submit(&tools, call).await)
    }
}

/// Passages of a search with where they are from, up to so many characters of them.
fn shortened(found: &Value, most: usize) -> String {
    let (mut left, mut passages) = (most, Vec::new());
    for hit in found.get("results").and_then(Value::as_array).into_iter().flatten() {
        let said = |key: &str| hit.get(key).and_then(Value::as_str).unwrap_or_default();
        let text = said("text");
        let cut = text.char_indices().nth(left);
        let shown = cut.map_or(text, |(end, _)| text.get(..end).unwrap_or_default());
        let from = [said("path"), said("date")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        if !shown.is_empty() {
            let more = if cut.is_some() { " […]" } else { "" };
            passages.push(format!("[{}]\n{}{more}", from.join(", "), shown.trim_end()));
        }
        left -= shown.chars().count();
    }
    passages.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::shortened;
    use serde_json::json;

    #[test]
    fn passages_are_bounded_together_and_no_character_is_cut() {
        let found = json!({"results": [
            {"path": "memory/legacy.md", "date": null, "text": "ñandú"},
            {"path": "sessions/1", "date": "2026-11-28", "text": "user: añil\n"},
        ]});
        let whole = "[memory/legacy.md]\nñandú\n\n[sessions/1, 2026-11-28]\nuser: añil";
        assert_eq!(shortened(&found, 100), whole);
        assert_eq!(shortened(&found, 13), "[memory/legacy.md]\nñandú\n\n[sessions/1, 2026-11-28]\nuser: añ […]");
        assert_eq!(shortened(&found, 5), "[memory/legacy.md]\nñandú");
        assert_eq!(shortened(&found, 1), "[memory/legacy.md]\nñ […]");
        assert_eq!(shortened(&json!({"results": []}), 100), "");
    }
}
