//! Every secret of a configuration, for redaction.

use serde_json::Value;

use crate::schema::{self, Shape, join};
use crate::tree::SecretText;

/// Each secret of what the layers say, with its dotted key, in their order; a key of a list or table with its number or
/// name.
pub(crate) fn secrets(said: &Value) -> Vec<(String, SecretText)> {
    let mut found = Vec::new();
    collect("", said, Some(schema::root()), &mut found);
    found
}

fn collect(key: &str, value: &Value, shape: Option<Shape>, found: &mut Vec<(String, SecretText)>) {
    match value {
        Value::String(text) if shape.is_some_and(Shape::is_secret) => {
            found.push((key.to_owned(), SecretText::new(text)))
        }
        Value::Object(map) => {
            for (name, child) in map {
                collect(&join(key, name), child, shape.and_then(|shape| shape.key(name)), found);
            }
        }
        Value::Array(items) => {
            let item = shape.and_then(Shape::item);
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
        let secrets = &loaded.config.secret_values;
        let found: Vec<_> = secrets.iter().map(|(key, value)| (key.as_str(), value.reveal())).collect();
        assert_eq!(found, [("webTools.search.apiKey", "one-secret"), ("phoneCall.authToken", "another")]);
    }
}
