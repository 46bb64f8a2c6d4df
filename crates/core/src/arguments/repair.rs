//! The safe repairs, in one place.

use super::aliases::{GROUPS, Trim};
use crate::message::Message;
use serde_json::{Map, Number, Value};

/// One repair that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// An argument came under another name.
    Alias {
        /// As given.
        from: String,
        /// As the schema says.
        to: String,
    },
    /// A value had the right content in the wrong JSON type.
    Type {
        /// The argument.
        name: String,
        /// The type that the schema says.
        wanted: &'static str,
    },
    /// An optional argument was given as `null`, which means: not given.
    Null {
        /// The argument.
        name: String,
    },
    /// A time limit above the maximum was read as milliseconds.
    Milliseconds {
        /// The argument.
        name: String,
    },
}

impl Repair {
    /// The sentence that tells the model.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Alias { from, to } => Message::new("repair-alias")
                .with("from", from)
                .with("to", to),
            Self::Type { name, wanted } => Message::new("repair-type")
                .with("name", name)
                .with("wanted", *wanted),
            Self::Null { name } => Message::new("repair-null").with("name", name),
            Self::Milliseconds { name } => Message::new("repair-milliseconds").with("name", name),
        }
    }
}

/// Repairs the arguments in place, by the top level of the schema, and says what it did.
pub fn repair(arguments: &mut Map<String, Value>, schema: &Value) -> Vec<Repair> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let mut repairs = Vec::new();
    rename_aliases(arguments, properties, &mut repairs);
    drop_nulls(arguments, properties, &mut repairs);
    for (name, value) in arguments.iter_mut() {
        let Some(property) = properties.get(name) else {
            continue;
        };
        if let Some(wanted) = retype(value, property) {
            repairs.push(Repair::Type {
                name: name.clone(),
                wanted,
            });
        }
        if name == "timeout" && read_as_milliseconds(value, property) {
            repairs.push(Repair::Milliseconds { name: name.clone() });
        }
    }
    repairs
}

fn rename_aliases(
    arguments: &mut Map<String, Value>,
    properties: &Map<String, Value>,
    repairs: &mut Vec<Repair>,
) {
    for group in GROUPS {
        for &canonical in group
            .names
            .iter()
            .filter(|name| properties.contains_key(**name))
        {
            for &alias in group
                .names
                .iter()
                .filter(|name| !properties.contains_key(**name))
            {
                let Some(value) = arguments.get(alias) else {
                    continue;
                };
                if value.as_str().is_some_and(str::is_empty) || arguments.contains_key(canonical) {
                    continue;
                }
                let mut value = arguments.shift_remove(alias).unwrap_or(Value::Null);
                if let (Trim::Ends, Value::String(text)) = (group.trim, &mut value) {
                    *text = text.trim().to_owned();
                }
                arguments.insert(canonical.to_owned(), value);
                repairs.push(Repair::Alias {
                    from: alias.to_owned(),
                    to: canonical.to_owned(),
                });
            }
        }
    }
}

fn drop_nulls(
    arguments: &mut Map<String, Value>,
    properties: &Map<String, Value>,
    repairs: &mut Vec<Repair>,
) {
    let nulls: Vec<String> = arguments
        .iter()
        .filter(|(name, value)| {
            value.is_null() && properties.get(*name).is_some_and(|p| !admits(p, "null"))
        })
        .map(|(name, _)| name.clone())
        .collect();
    for name in nulls {
        arguments.shift_remove(&name);
        repairs.push(Repair::Null { name });
    }
}

/// Turns the value into a type that the property admits, when it holds the same content. Returns the type's name.
fn retype(value: &mut Value, property: &Value) -> Option<&'static str> {
    let (repaired, wanted) = match value {
        Value::String(text) if !admits(property, "string") => {
            from_string(text.trim(), property).or_else(|| as_list(text, property))?
        }
        Value::Number(number)
            if !admits(property, "number")
                && admits(property, "integer")
                && !is_integer(number) =>
        {
            (Value::Number(whole(number.as_f64()?)?), "integer")
        }
        Value::Number(number)
            if admits(property, "string")
                && !admits(property, "number")
                && !admits(property, "integer") =>
        {
            (Value::String(number.to_string()), "string")
        }
        _ => return None,
    };
    *value = repaired;
    Some(wanted)
}

fn from_string(text: &str, property: &Value) -> Option<(Value, &'static str)> {
    if admits(property, "integer") || admits(property, "number") {
        if let Ok(integer) = text.parse::<i64>() {
            return Some((integer.into(), "integer"));
        }
        let number = text
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())?;
        if admits(property, "number") {
            return Some((Value::Number(Number::from_f64(number)?), "number"));
        }
        return Some((Value::Number(whole(number)?), "integer"));
    }
    if admits(property, "boolean") {
        return match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Some((Value::Bool(true), "boolean")),
            "false" | "no" | "0" => Some((Value::Bool(false), "boolean")),
            _ => None,
        };
    }
    let parsed: Value = serde_json::from_str(text).ok()?;
    match parsed {
        Value::Object(_) if admits(property, "object") => Some((parsed, "object")),
        Value::Array(_) if admits(property, "array") => Some((parsed, "array")),
        _ => None,
    }
}

fn as_list(text: &str, property: &Value) -> Option<(Value, &'static str)> {
    admits(property, "array").then(|| (Value::Array(vec![text.into()]), "array"))
}

fn read_as_milliseconds(value: &mut Value, property: &Value) -> bool {
    let maximum = property.get("maximum").and_then(Value::as_f64);
    let (Some(given), Some(maximum)) = (value.as_f64(), maximum) else {
        return false;
    };
    if given <= maximum || maximum < 1.0 {
        return false;
    }
    let Some(seconds) = whole((given / 1000.0).round().clamp(1.0, maximum.floor())) else {
        return false;
    };
    *value = Value::Number(seconds);
    true
}

fn is_integer(number: &Number) -> bool {
    number.is_i64() || number.is_u64()
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "checked to be whole and within 2^53 just before"
)]
fn whole(number: f64) -> Option<Number> {
    (number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0)
        .then(|| Number::from(number as i64))
}

/// Whether the property's schema admits a JSON type, at its top or in an `anyOf`/`oneOf` branch; no type admits all.
fn admits(property: &Value, wanted: &str) -> bool {
    match property.get("type") {
        Some(Value::String(one)) => one == wanted || (one == "number" && wanted == "integer"),
        Some(Value::Array(many)) => many
            .iter()
            .any(|one| one == wanted || (one == "number" && wanted == "integer")),
        _ => match property
            .get("anyOf")
            .or_else(|| property.get("oneOf"))
            .and_then(Value::as_array)
        {
            Some(branches) => branches.iter().any(|branch| admits(branch, wanted)),
            None => match property.get("enum").and_then(Value::as_array) {
                Some(values) => values.iter().any(|value| type_name(value) == wanted),
                None => true,
            },
        },
    }
}

const fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
