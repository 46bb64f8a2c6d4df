//! The answer of a SearXNG instance.

use super::hits::{Fields, Hit};
use super::provider::MOST_RESULTS;
use palanca_core::call::ErrorKind;
use palanca_core::{Message, ToolError};
use serde_json::Value;

const FIELDS: Fields = Fields { snippet: "content", age: &["publishedDate"] };

/// Nothing for what is no answer of an instance. That it found nothing counts only when its engines were there to look.
pub(super) fn read(answer: &Value) -> Option<Result<Vec<Hit>, ToolError>> {
    let results = answer.get("results")?.as_array()?;
    let silent = answer.get("unresponsive_engines").and_then(Value::as_array).map_or(0, Vec::len);
    if results.is_empty() && silent > 0 {
        let message = Message::new("web-search-no-engines").with("engines", silent);
        return Some(Err(ToolError::new(ErrorKind::Unreachable, message)));
    }
    Some(Ok(results.iter().filter_map(|result| Hit::read(result, &FIELDS)).take(MOST_RESULTS).collect()))
}
