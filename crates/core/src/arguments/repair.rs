//! The safe repairs, in one place.

use super::aliases::{FLATTENED, GROUPS, Trim};
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
}

impl Repair {
    /// The sentence that tells the model.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Alias { from, to } => Message::new("repair-alias").with("from", from).with("to", to),
            Self::Type { name, wanted } => Message::new("repair-type").with("name", name).with("wanted", *wanted),
            Self::Null { name } => Message::new("repair-null").with("name", name),
        }
    }
}

/// Repairs the arguments in place, by the top level of the schema, and says what it did. Arguments that fit the schema
/// keep their meaning: at most `7.0` is written as `7` where an integer is wanted.
pub fn repair(arguments: &mut Map<String, Value>, schema: &Value) -> Vec<Repair> {
    let properties = schema.get("properties").and_then(Value::as_object);
    // Older drafts ignore everything beside a reference.
    let Some(properties) = properties.filter(|_| schema.get("$ref").is_none()) else {
        return Vec::new();
    };
    let expected = Expected { properties, schema };
    let mut repairs = Vec::new();
    drop_nulls(arguments, properties, &mut repairs);
    rename_aliases(arguments, &expected, &mut repairs);
    gather_fields(arguments, &expected, &mut repairs);
    for (name, value) in arguments.iter_mut() {
        let Some(property) = properties.get(name) else {
            continue;
        };
        if let Some(wanted) = retype(value, property) {
            repairs.push(Repair::Type { name: name.clone(), wanted });
        }
    }
    repairs
}

struct Expected<'a> {
    properties: &'a Map<String, Value>,
    schema: &'a Value,
}

impl Expected<'_> {
    fn has(&self, name: &str) -> bool {
        self.properties.contains_key(name)
    }

    /// Whether an argument that the schema does not name is a fault. If not, it may mean what it says.
    fn is_closed(&self) -> bool {
        self.schema.get("additionalProperties") == Some(&Value::Bool(false))
            && self.schema.get("patternProperties").is_none()
    }

    /// Whether a call without `target` and with an argument of another name is at fault: only then may the one be read as
    /// the other.
    fn lacks(&self, target: &str) -> bool {
        let required = self.schema.get("required").and_then(Value::as_array);
        self.is_closed() || required.is_some_and(|names| names.iter().any(|name| name == target))
    }
}

fn rename_aliases(arguments: &mut Map<String, Value>, expected: &Expected<'_>, repairs: &mut Vec<Repair>) {
    for group in GROUPS {
        for target in group.targets().filter(|name| expected.has(name) && expected.lacks(name)) {
            let aliases = group.names.iter().filter(|name| !expected.has(name));
            // Twice: an empty alias adds nothing, but that is only known once another one has given the value.
            for &alias in aliases.clone().chain(aliases) {
                if read_alias(arguments, alias, target, group.trim)
                    || (expected.is_closed() && drop_surplus(arguments, alias, target))
                {
                    repairs.push(Repair::Alias { from: alias.to_owned(), to: target.to_owned() });
                }
            }
        }
    }
}

/// The value under the target's own name always wins.
fn read_alias(arguments: &mut Map<String, Value>, alias: &str, target: &str, trim: Trim) -> bool {
    if arguments.contains_key(target) || arguments.get(alias).is_none_or(is_blank) {
        return false;
    }
    let mut value = arguments.shift_remove(alias).unwrap_or(Value::Null);
    if let (Trim::Ends, Value::String(text)) = (trim, &mut value) {
        *text = text.trim().to_owned();
    }
    arguments.insert(target.to_owned(), value);
    true
}

/// An alias beside its target goes when it adds nothing, and is left for the errors when it says something else.
fn drop_surplus(arguments: &mut Map<String, Value>, alias: &str, target: &str) -> bool {
    let (Some(there), Some(value)) = (arguments.get(target), arguments.get(alias)) else {
        return false;
    };
    (is_blank(value) || there == value) && arguments.shift_remove(alias).is_some()
}

fn is_blank(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(str::is_empty)
}

/// Fields of the one object argument that came at the top level move into it.
fn gather_fields(arguments: &mut Map<String, Value>, expected: &Expected<'_>, repairs: &mut Vec<Repair>) {
    let fields = expected.properties.get(FLATTENED).and_then(|property| property.get("properties")?.as_object());
    let Some(fields) = fields.filter(|_| !arguments.contains_key(FLATTENED) && expected.lacks(FLATTENED)) else {
        return;
    };
    let loose = |name: &String| fields.contains_key(name) && !expected.has(name);
    let names: Vec<String> = arguments.keys().filter(|name| loose(name)).cloned().collect();
    let mut gathered = Map::new();
    for name in names {
        if let Some(value) = arguments.shift_remove(&name) {
            repairs.push(Repair::Alias { from: name.clone(), to: format!("{FLATTENED}.{name}") });
            gathered.insert(name, value);
        }
    }
    if !gathered.is_empty() {
        arguments.insert(FLATTENED.to_owned(), Value::Object(gathered));
    }
}

fn drop_nulls(arguments: &mut Map<String, Value>, properties: &Map<String, Value>, repairs: &mut Vec<Repair>) {
    let nulls: Vec<String> = arguments
        .iter()
        .filter(|(name, value)| value.is_null() && properties.get(*name).is_some_and(|p| !admits(p, "null")))
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
        Value::Number(number) if !admits(property, "number") && admits(property, "integer") && !is_integer(number) => {
            (Value::Number(whole(number.as_f64()?)?), "integer")
        }
        Value::Number(number)
            if admits(property, "string") && !admits(property, "number") && !admits(property, "integer") =>
        {
            (Value::String(number.to_string()), "string")
        }
        _ => return None,
    };
    *value = repaired;
    Some(wanted)
}

fn from_string(text: &str, property: &Value) -> Option<(Value, &'static str)> {
    let parsed = as_number(text, property).or_else(|| as_boolean(text, property));
    parsed.or_else(|| match serde_json::from_str(text).ok()? {
        object @ Value::Object(_) if admits(property, "object") => Some((object, "object")),
        list @ Value::Array(_) if admits(property, "array") => Some((list, "array")),
        _ => None,
    })
}

fn as_number(text: &str, property: &Value) -> Option<(Value, &'static str)> {
    if !admits(property, "integer") {
        return None;
    }
    if let Ok(integer) = text.parse::<i64>() {
        return Some((integer.into(), "integer"));
    }
    if let Ok(integer) = text.parse::<u64>() {
        return Some((integer.into(), "integer"));
    }
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite())?;
    if admits(property, "number") {
        return Some((Value::Number(Number::from_f64(number)?), "number"));
    }
    Some((Value::Number(whole(number)?), "integer"))
}

fn as_boolean(text: &str, property: &Value) -> Option<(Value, &'static str)> {
    if !admits(property, "boolean") {
        return None;
    }
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" => Some((Value::Bool(true), "boolean")),
        "false" | "no" | "0" => Some((Value::Bool(false), "boolean")),
        _ => None,
    }
}

/// One text in place of a list of texts. Text that begins like JSON is broken JSON, not an item.
fn as_list(text: &str, property: &Value) -> Option<(Value, &'static str)> {
    let of_texts = property.get("items").is_none_or(|items| admits(items, "string"));
    let is_plain = !text.trim_start().starts_with(['[', '{']);
    (admits(property, "array") && of_texts && is_plain).then(|| (Value::Array(vec![text.into()]), "array"))
}

fn is_integer(number: &Number) -> bool {
    number.is_i64() || number.is_u64()
}

#[allow(clippy::cast_possible_truncation, reason = "checked to be whole and within 2^53 just before")]
fn whole(number: f64) -> Option<Number> {
    (number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0).then(|| Number::from(number as i64))
}

/// Whether the property's schema admits a JSON type, at its top or in an `anyOf`/`oneOf` branch; no type admits all, and
/// so does a reference, which is not followed here.
fn admits(property: &Value, wanted: &str) -> bool {
    if property.get("$ref").is_some() {
        return true;
    }
    match property.get("type") {
        Some(Value::String(one)) => one == wanted || (one == "number" && wanted == "integer"),
        Some(Value::Array(many)) => many.iter().any(|one| one == wanted || (one == "number" && wanted == "integer")),
        _ => match property.get("anyOf").or_else(|| property.get("oneOf")).and_then(Value::as_array) {
            Some(branches) => branches.iter().any(|branch| admits(branch, wanted)),
            None => match property.get("enum").and_then(Value::as_array) {
                Some(values) => {
                    values.iter().any(|value| type_name(value) == wanted || (wanted == "integer" && value.is_number()))
                }
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
