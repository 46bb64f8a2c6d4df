//! What a made tool takes: a map of names, as documented, and the JSON Schema that models get.

use palanca_core::arguments::contradiction;
use palanca_core::message::{Arg, Message};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Parameters of one tool.
const MOST: usize = 32;
/// Characters of a name.
const LONGEST_NAME: usize = 64;

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// Text.
    String,
    /// Any finite number.
    Number,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
    /// A list; for scripts alone.
    Array,
    /// An object; for scripts alone.
    Object,
}

impl ValueKind {
    /// Whether a value of this kind can be one argument of a command.
    #[must_use]
    pub const fn is_plain(self) -> bool {
        !matches!(self, Self::Array | Self::Object)
    }
}

/// One parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// What it takes.
    #[serde(rename = "type")]
    pub kind: ValueKind,
    /// For models.
    #[serde(default)]
    pub description: String,
    /// Whether a call must give it. What a command's template names must always be given, unless it has a default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// The only values that it may have.
    #[serde(default, rename = "enum", skip_serializing_if = "Option::is_none")]
    pub one_of: Option<Vec<Value>>,
    /// The value where a call gives none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// `workspace-path`: a path from the workspace, without `..`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// As in JSON Schema: `minimum`, `maximum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    /// See `minimum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    /// As in JSON Schema: characters.
    #[serde(default, rename = "maxLength", skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// As in JSON Schema: what a list holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Value>,
}

/// The format of a path in the workspace.
pub(crate) const WORKSPACE_PATH: &str = "workspace-path";

impl Parameter {
    pub(crate) fn is_path(&self) -> bool {
        self.format.as_deref() == Some(WORKSPACE_PATH)
    }

    fn schema(&self) -> Value {
        let mut schema = Map::from_iter([("type".to_owned(), json!(self.kind))]);
        let mut set = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                schema.insert(key.to_owned(), value);
            }
        };
        set("description", (!self.description.is_empty()).then(|| self.description.as_str().into()));
        set("enum", self.one_of.clone().map(Value::Array));
        set("default", self.default.clone());
        set("minimum", self.minimum.map(Into::into));
        set("maximum", self.maximum.map(Into::into));
        set("maxLength", self.max_length.map(Into::into));
        set("items", self.items.clone());
        schema.into()
    }
}

/// All parameters of a tool, by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Parameters(BTreeMap<String, Parameter>);

impl Parameters {
    /// Reads what a model gives: a map of names, or the JSON Schema of an object.
    ///
    /// # Errors
    /// Which parameter cannot be read, and why.
    pub fn read(given: &Value) -> Result<Self, Message> {
        let Some(given) = given.as_object() else {
            return Err(wrong("parameters", why("dynamic-why-object")));
        };
        let is_schema = given.get("type").is_some_and(|kind| kind == "object")
            && given.get("properties").is_some_and(Value::is_object);
        let required: Vec<&str> = match given.get("required") {
            Some(Value::Array(names)) if is_schema => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let named = if is_schema { given.get("properties").and_then(Value::as_object).unwrap_or(given) } else { given };
        let mut all = BTreeMap::new();
        for (name, value) in named {
            let mut parameter: Parameter =
                serde_json::from_value(value.clone()).map_err(|error| wrong(name, error.to_string()))?;
            if required.contains(&name.as_str()) {
                parameter.required = Some(true);
            }
            all.insert(name.clone(), parameter);
        }
        let all = Self(all);
        all.check()?;
        Ok(all)
    }

    /// # Errors
    /// As [`Self::read`]: names, formats and bounds that do not fit.
    pub(crate) fn check(&self) -> Result<(), Message> {
        if self.0.len() > MOST {
            return Err(Message::new("dynamic-parameters-many").with("most", MOST));
        }
        for (name, parameter) in &self.0 {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            if !name.starts_with(|first: char| first.is_ascii_alphabetic())
                || !name.bytes().all(plain)
                || name.len() > LONGEST_NAME
            {
                return Err(wrong(name, why("dynamic-why-name")));
            }
            let is_known = parameter.format.as_deref().is_none_or(|format| format == WORKSPACE_PATH);
            if !is_known || (parameter.is_path() && parameter.kind != ValueKind::String) {
                return Err(wrong(name, why("dynamic-why-format")));
            }
            if parameter.one_of.as_ref().is_some_and(Vec::is_empty) {
                return Err(wrong(name, why("dynamic-why-enum-empty")));
            }
            // No registry takes a tool that no call could fit.
            if let Some(reason) = contradiction(&parameter.schema()) {
                return Err(wrong(name, reason));
            }
        }
        Ok(())
    }

    /// The one of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Parameter> {
        self.0.get(name)
    }

    /// All, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Parameter)> {
        self.0.iter().map(|(name, parameter)| (name.as_str(), parameter))
    }

    /// The JSON Schema of the arguments; `needed` are required although the parameters do not say so.
    #[must_use]
    pub fn schema(&self, needed: &[&str]) -> Value {
        let properties: Map<String, Value> =
            self.iter().map(|(name, parameter)| (name.to_owned(), parameter.schema())).collect();
        let is_required = |name: &str, parameter: &Parameter| {
            parameter.default.is_none() && (parameter.required == Some(true) || needed.contains(&name))
        };
        let required: Vec<&str> =
            self.iter().filter(|(name, parameter)| is_required(name, parameter)).map(|(name, _)| name).collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    }
}

fn why(key: &'static str) -> Message {
    Message::new(key)
}

fn wrong(name: &str, reason: impl Into<Arg>) -> Message {
    Message::new("dynamic-parameter-invalid").with("name", name).with("reason", reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let map = Parameters::read(&json!({"a": {"type": "string", "required": true}, "b": {"type": "integer"}}));
        let schema = Parameters::read(&json!({
            "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"],
        }));
        assert_eq!(map.clone().ok(), schema.ok());
        let schema = map.unwrap().schema(&["b"]);
        assert_eq!(schema["required"], json!(["a", "b"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        // A parameter may be called `type`.
        assert!(Parameters::read(&json!({"type": {"type": "string"}})).is_ok());
    }

    #[test]
    fn what_is_no_parameter_is_named() {
        for given in [
            json!([]),
            json!({"a": {"type": "strin"}}),
            json!({"a": "string"}),
            json!({"a": {}}),
            json!({"a": {"type": "string", "pattern": "(a+)+$"}}),
            json!({"_botId": {"type": "string"}}),
            json!({"a.b": {"type": "string"}}),
            json!({"a": {"type": "string", "format": "uri"}}),
            json!({"a": {"type": "string", "enum": []}}),
            json!({"a": {"type": "integer", "format": "workspace-path"}}),
            json!({"a": {"type": "integer", "minimum": 2, "maximum": 1}}),
            json!({"a": {"type": "string", "enum": [1]}}),
        ] {
            assert!(Parameters::read(&given).is_err(), "{given}");
        }
    }
}
