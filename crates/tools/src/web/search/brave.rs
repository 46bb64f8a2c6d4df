//! The answer of the Brave Search API.

use super::hits::{Fields, Hit};
use super::provider::MOST_RESULTS;
use palanca_core::ToolError;
use serde_json::Value;

const FIELDS: Fields = Fields { snippet: "description", age: &["age", "page_age"] };

/// Nothing for what is no answer of Brave's. Without results it leaves `web` out.
pub(super) fn read(answer: &Value) -> Option<Result<Vec<Hit>, ToolError>> {
    let answer = answer.as_object()?;
    if answer.get("type").and_then(Value::as_str) != Some("search") && !answer.contains_key("web") {
        return None;
    }
    let results = answer.get("web").and_then(|web| web.get("results")).and_then(Value::as_array);
    Some(Ok(results.into_iter().flatten().filter_map(|result| Hit::read(result, &FIELDS)).take(MOST_RESULTS).collect()))
}
