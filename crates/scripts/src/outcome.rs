//! What a script's text means: `{"success": …, "content": …}` is used as it is, everything else is a result that succeeded.

use serde_json::Value;

/// Shown for a script that gives nothing back.
const NOTHING: &str = "(no output)";

/// What a script gave back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it did what was asked, by its own word.
    pub success: bool,
    /// Its result: text, or JSON.
    pub content: String,
    /// What it printed beside its result, for whoever tries it.
    pub log: String,
}

impl Outcome {
    pub(crate) fn of(text: &str, log: String) -> Self {
        let text = text.trim_end_matches('\n');
        let plain = || (true, text.to_owned());
        let (success, content) = match serde_json::from_str(text) {
            Ok(Value::Object(mut result)) => match (result.get("success"), result.contains_key("content")) {
                (Some(Value::Bool(success)), true) => {
                    let success = *success;
                    match result.remove("content") {
                        Some(Value::String(content)) => (success, content),
                        content => (success, content.unwrap_or_default().to_string()),
                    }
                }
                _ => (true, Value::Object(result).to_string()),
            },
            // Text that happens to be JSON, such as a number with many digits, stays as it was written.
            Ok(value @ Value::Array(_)) => (true, value.to_string()),
            _ => plain(),
        };
        Self { success, content: if content.is_empty() { NOTHING.to_owned() } else { content }, log }
    }
}

#[cfg(test)]
mod tests;
