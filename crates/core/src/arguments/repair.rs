//! The safe repairs, in one place.

use super::aliases::{FLATTENED, GROUPS, Trim};
use super::digits::{self, Written};
use super::raw::RawArguments;
use crate::message::Message;
use serde_json::{Map, Number, Value};

/// One repair that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// An argument was given under another name.
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
    /// The sentence for the model.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Alias { from, to } => Message::new("repair-alias").with("from", from).with("to", to),
            Self::Type { name, wanted } => Message::new("repair-type").with("name", name).with("wanted", *wanted),
            Self::Null { name } => Message::new("repair-null").with("name", name),
        }
    }
}

/// A value of the wrong type whose meaning is not certain. The call is refused with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// As a number it would print differently: `007`, `1.10`, `1e3`; also inside JSON text.
    Number {
        /// The argument.
        name: String,
        /// The number as sent.
        sent: String,
        /// As it would be printed.
        becomes: String,
    },
    /// An integer beyond 64 bits, which would lose digits.
    Integer {
        /// The argument.
        name: String,
        /// The number as sent, if known.
        sent: String,
    },
    /// A number where a string is expected, and its original digits are not known.
    Digits {
        /// The argument.
        name: String,
    },
    /// A string where a list is expected: one item, several or none.
    List {
        /// The argument.
        name: String,
        /// A list with the string as its only item.
        list: String,
    },
}

impl Doubt {
    /// The argument.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Number { name, .. }
            | Self::Integer { name, .. }
            | Self::Digits { name }
            | Self::List { name, .. } => name,
        }
    }

    /// The sentence for the model, saying what to send.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Number { name, sent, becomes } => {
                Message::new("doubt-number").with("name", name).with("sent", sent).with("becomes", becomes)
            }
            Self::Integer { name, sent } => Message::new("doubt-integer").with("name", name).with("sent", sent),
            Self::Digits { name } => Message::new("doubt-digits").with("name", name),
            Self::List { name, list } => Message::new("doubt-list").with("name", name).with("list", list),
        }
    }
}

/// What [`repair`] did, and what it left alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// The repairs, in the order made.
    pub made: Vec<Repair>,
    /// Arguments left unrepaired, which must not be used.
    pub doubts: Vec<Doubt>,
}

/// Repairs the arguments in place, by the top level of the schema, and returns what it did. Arguments that fit the
/// schema only change from `7.0` to `7` where an integer is expected. `sent` has the digits of their numbers.
pub fn repair(arguments: &mut Map<String, Value>, schema: &Value, sent: &RawArguments) -> Repairs {
    let properties = schema.get("properties").and_then(Value::as_object);
    // Older drafts ignore all siblings of a reference.
    let Some(properties) = properties.filter(|_| schema.get("$ref").is_none()) else {
        return Repairs::default();
    };
    let expected = Expected { properties, schema };
    let mut made = Vec::new();
    drop_nulls(arguments, properties, &mut made);
    let (mut renamed, mut later) = (Vec::new(), Vec::new());
    if !arguments.keys().all(|name| expected.has(name)) {
        rename_aliases(arguments, &expected, &mut renamed);
        gather_fields(arguments, &expected, &mut later);
    }
    let sent = Written::of(sent);
    let mut doubts = Vec::new();
    for (name, value) in arguments.iter_mut() {
        let Some(property) = properties.get(name) else { continue };
        match retype(&Argument { name, property, sent: &sent, renamed: &renamed }, value) {
            Ok(None) => {}
            Ok(Some((repaired, wanted))) => {
                *value = repaired;
                later.push(Repair::Type { name: name.clone(), wanted });
            }
            Err(doubt) => doubts.push(doubt),
        }
    }
    made.extend(renamed.into_iter().chain(later));
    Repairs { made, doubts }
}

/// One argument, its schema, and its source.
struct Argument<'a> {
    name: &'a str,
    property: &'a Value,
    sent: &'a Written<'a>,
    renamed: &'a [Repair],
}

impl Argument<'_> {
    /// The digits of its number as written.
    fn written(&self, number: &Number) -> Option<String> {
        let aliases = self.renamed.iter().filter_map(|repair| match repair {
            Repair::Alias { from, to } if to == self.name => Some(&**from),
            _ => None,
        });
        self.sent.digits(std::iter::once(self.name).chain(aliases), number)
    }

    fn changes(&self, sent: String, becomes: String) -> Doubt {
        Doubt::Number { name: self.name.to_owned(), sent, becomes }
    }

    fn too_long(&self, sent: String) -> Doubt {
        Doubt::Integer { name: self.name.to_owned(), sent }
    }
}

struct Expected<'a> {
    properties: &'a Map<String, Value>,
    schema: &'a Value,
}

impl Expected<'_> {
    fn has(&self, name: &str) -> bool {
        self.properties.contains_key(name)
    }

    /// Whether an argument unknown to the schema is an error. If not, it may mean what its name says.
    fn is_closed(&self) -> bool {
        self.schema.get("additionalProperties") == Some(&Value::Bool(false))
            && self.schema.get("patternProperties").is_none()
    }

    /// Whether a call without `target` and with an argument of another name is invalid: only then may the argument be
    /// read as `target`.
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

/// An alias next to its target is dropped if it adds nothing, and reported as an error if it differs.
fn drop_surplus(arguments: &mut Map<String, Value>, alias: &str, target: &str) -> bool {
    let (Some(there), Some(value)) = (arguments.get(target), arguments.get(alias)) else {
        return false;
    };
    // Equal doubles may have different texts: 1.1 and 1.10.
    let same = there == value && !value.is_f64();
    (is_blank(value) || same) && arguments.shift_remove(alias).is_some()
}

fn is_blank(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(str::is_empty)
}

/// Moves fields of an object argument that were given at the top level into it.
fn gather_fields(arguments: &mut Map<String, Value>, expected: &Expected<'_>, repairs: &mut Vec<Repair>) {
    let fields = expected.properties.get(FLATTENED).and_then(|property| property.get("properties")?.as_object());
    let Some(fields) = fields.filter(|_| !arguments.contains_key(FLATTENED) && expected.lacks(FLATTENED)) else {
        return;
    };
    let mut gathered = Map::new();
    arguments.retain(|name, value| {
        let is_loose = fields.contains_key(name) && !expected.has(name);
        if is_loose {
            repairs.push(Repair::Alias { from: name.clone(), to: format!("{FLATTENED}.{name}") });
            gathered.insert(name.clone(), value.take());
        }
        !is_loose
    });
    if !gathered.is_empty() {
        arguments.insert(FLATTENED.to_owned(), Value::Object(gathered));
    }
}

fn drop_nulls(arguments: &mut Map<String, Value>, properties: &Map<String, Value>, repairs: &mut Vec<Repair>) {
    arguments.retain(|name, value| {
        let is_absent = value.is_null() && properties.get(name).is_some_and(|property| !admits(property, "null"));
        if is_absent {
            repairs.push(Repair::Null { name: name.clone() });
        }
        !is_absent
    });
}

/// The value in a type that the property accepts, with the type's name, if it keeps its content.
type Retyped = Option<(Value, &'static str)>;

fn retype(argument: &Argument<'_>, value: &Value) -> Result<Retyped, Doubt> {
    let property = argument.property;
    match value {
        Value::String(text) if !admits(property, "string") => from_string(argument, text),
        Value::Number(number)
            if !digits::is_integer(number) && admits(property, "integer") && !admits(property, "number") =>
        {
            let sent = argument.written(number).unwrap_or_else(|| number.to_string());
            match digits::integer(&sent) {
                Some(integer) => Ok(Some((Value::Number(integer), "integer"))),
                // The schema would accept the rounded number as an integer.
                None if digits::is_whole(&sent) => Err(argument.too_long(sent)),
                None => Ok(None),
            }
        }
        Value::Number(number) => as_text(argument, number),
        _ => Ok(None),
    }
}

fn as_text(argument: &Argument<'_>, number: &Number) -> Result<Retyped, Doubt> {
    let admitted = |kind| admits(argument.property, kind);
    if !admitted("string") || admitted("number") || admitted("integer") {
        return Ok(None);
    }
    match argument.written(number) {
        Some(digits) => Ok(Some((Value::String(digits), "string"))),
        None => Err(Doubt::Digits { name: argument.name.to_owned() }),
    }
}

fn from_string(argument: &Argument<'_>, whole: &str) -> Result<Retyped, Doubt> {
    let (text, property) = (whole.trim(), argument.property);
    if let Some(repaired) = as_number(argument, text)? {
        return Ok(Some(repaired));
    }
    if let Some(answer) = as_boolean(text).filter(|_| admits(property, "boolean")) {
        return Ok(Some((Value::Bool(answer), "boolean")));
    }
    let nested = match serde_json::from_str(text) {
        Ok(object @ Value::Object(_)) if admits(property, "object") => Some((object, "object")),
        Ok(list @ Value::Array(_)) if admits(property, "array") => Some((list, "array")),
        _ => None,
    };
    if nested.is_some() {
        return digits::changed(text).map_or(Ok(nested), |(sent, becomes)| Err(argument.changes(sent, becomes)));
    }
    as_list(argument, whole)
}

fn as_number(argument: &Argument<'_>, text: &str) -> Result<Retyped, Doubt> {
    let number = match (admits(argument.property, "number"), admits(argument.property, "integer")) {
        (true, _) => digits::number(text),
        (false, true) => match digits::integer(text) {
            None if digits::is_whole(text) => return Err(argument.too_long(text.to_owned())),
            integer => integer,
        },
        (false, false) => None,
    };
    let Some(number) = number else { return Ok(None) };
    let becomes = number.to_string();
    if becomes != text {
        return Err(argument.changes(text.to_owned(), becomes));
    }
    let wanted = if digits::is_integer(&number) { "integer" } else { "number" };
    Ok(Some((Value::Number(number), wanted)))
}

fn as_boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" => Some(true),
        "false" | "no" => Some(false),
        _ => None,
    }
}

/// One word where a list of texts is expected. Text that begins like JSON is invalid JSON, not an item.
fn as_list(argument: &Argument<'_>, text: &str) -> Result<Retyped, Doubt> {
    let of_texts = argument.property.get("items").is_none_or(|items| admits(items, "string"));
    if !admits(argument.property, "array") || !of_texts || text.trim_start().starts_with(['[', '{']) {
        return Ok(None);
    }
    let list = Value::Array(vec![text.into()]);
    if is_one_item(text) {
        return Ok(Some((list, "array")));
    }
    Err(Doubt::List { name: argument.name.to_owned(), list: list.to_string() })
}

/// Whether a text is certainly a single item: one word without separators, and not a word for "none".
fn is_one_item(text: &str) -> bool {
    const NONE: [&str; 5] = ["none", "null", "nil", "undefined", "empty"];
    let plain = |character: char| character.is_alphanumeric() || "._-/:@#~*?=%$".contains(character);
    !text.is_empty() && text.chars().all(plain) && !NONE.iter().any(|none| text.eq_ignore_ascii_case(none))
}

/// Whether the property's schema accepts a JSON type, at its top or in an `anyOf`/`oneOf` branch; a schema without a
/// type accepts all, as does a reference, which is not followed here.
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

pub(super) const fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
