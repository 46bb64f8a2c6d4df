//! Every secret of a configuration, for redaction.

use serde_json::Value;

use crate::schema::{self, Shape, Type, join};
use crate::tree::Config;

impl Config {
    /// Each secret value with its dotted key, in the order of the schema; a key of a list or table with its number or name.
    #[must_use]
    pub fn secret_values(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        // ignored: a configuration always serialises, because it was parsed from such a tree.
        collect("", &serde_json::to_value(self).unwrap_or_default(), Some(schema::root()), &mut found);
        found
    }
}

fn collect(key: &str, value: &Value, shape: Option<Shape>, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) if shape.is_some_and(Shape::is_secret) => found.push((key.to_owned(), text.clone())),
        Value::Object(map) => {
            for (name, child) in map {
                collect(&join(key, name), child, shape.and_then(|shape| shape.key(name)), found);
            }
        }
        Value::Array(items) => {
            let item = match shape.map(Shape::expected) {
                Some(Type::List(item)) => Some(item),
                _ => None,
            };
            for (place, child) in items.iter().enumerate() {
                collect(&join(key, &place.to_string()), child, item, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use crate::{Layers, Source};

    #[test]
    fn every_secret_is_named() {
        let text = "webTools: {search: {apiKey: one-secret}}\nphoneCall: {authToken: another}\n";
        let loaded = Layers::new().file(Source::User, "u.yaml", text).resolve().unwrap();
        let secrets = loaded.config.secret_values();
        let found: Vec<_> = secrets
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        assert!(found.contains(&("webTools.search.apiKey", "one-secret")), "{found:?}");
        assert!(found.contains(&("phoneCall.authToken", "another")), "{found:?}");
    }
}
