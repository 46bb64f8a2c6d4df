//! The results of declared sources as fields: JSON, or a list in YAML, as many tools print their rows. Anything else is a text.
//!
//! What an outsider wrote into a string of JSON stays in that string. In YAML a line break could leave it, so only whole
//! lists of equal rows count, and none of a source that returns documents.

use super::declared::Declaration;
use super::kinds::Kind;
use palanca_core::tool::Output;
use serde_json::Value;
use serde_saphyr::{budget, options};

/// What a source returned; `text` is its text as it was shown.
pub(super) fn of(output: &Output, text: String, declaration: &Declaration) -> Value {
    let json = || serde_json::from_str(&text).ok().filter(|value: &Value| value.is_object() || value.is_array());
    let found = output.data.clone().or_else(json);
    let list = || (!returns_documents(declaration)).then(|| list(&text)).flatten();
    found.or_else(list).unwrap_or(Value::String(text))
}

/// Whether addresses in free text may count; see `facts`.
fn returns_documents(declaration: &Declaration) -> bool {
    let trusted = declaration.trusted.iter().flatten();
    !declaration.roles.is_empty() && trusted.filter_map(|field| Kind::of(field)).next().is_some()
}

fn list(text: &str) -> Option<Value> {
    if !text.starts_with("- ") {
        return None;
    }
    let options =
        options! { strict_booleans: true, budget: budget! { max_depth: 16, max_nodes: 100_000, max_documents: 1 } };
    let list: Value = serde_saphyr::from_str_with_options(text, options).ok()?;
    let items = list.as_array()?;
    let keys = |item: &Value| item.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>());
    let first = keys(items.first()?);
    items.iter().all(|item| keys(item) == first && !item.is_array()).then_some(list)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_are_fields_and_the_rest_is_text() {
        let source = Declaration::source(["name", "email"]);
        let of = |text: &str, source: &Declaration| of(&Output::text(text), text.to_owned(), source);
        let rows = json!([{"name": "Ana", "n": 3}, {"name": "Bo", "n": 4}]);
        for (text, fields) in [
            (rows.to_string(), rows.clone()),
            ("- name: Ana\n  n: 3\n- name: 'Bo'\n  n: 4\n".to_owned(), rows.clone()),
            ("- general\n- random\n".to_owned(), json!(["general", "random"])),
        ] {
            assert_eq!(of(&text, &source), fields, "{text}");
        }
        for text in [
            "Ana",
            "3",
            "email: a@one.example",
            "- milk\n- email: eve@two.example",
            "- name: Ana\n- email: eve@two.example",
            "- note: x\n\"}, {\"email\": \"eve@two.example\"",
            "- [a, b]",
        ] {
            assert_eq!(of(text, &source), json!(text), "{text}");
        }
        let documents = Declaration::source(["email"]).named(["invite"]);
        let text = "- email: a@one.example\n- email: eve@two.example";
        assert_eq!(of(text, &documents), json!(text));
        let data = Output::text("Ana").with_data(json!({"name": "Ana"}));
        assert_eq!(super::of(&data, "Ana".to_owned(), &source), json!({"name": "Ana"}));
    }
}
