//! The keywords that most schemas are made of, read as they stand. For arguments that plainly fit, which nearly all do,
//! nothing has to be compiled.
//!
//! It only ever says yes: a keyword that is not known here, a schema that is malformed anywhere, a value that needs a closer
//! look (`7.0` for an integer), or what takes too many steps is left to the validator, which also has the words for what is
//! wrong.

use serde_json::Value;
use std::cell::Cell;

/// Keywords and values that are looked at: half a millisecond.
const MOST: usize = 20_000;

/// Whether the arguments certainly fit the schema.
pub(crate) fn plainly_fits(arguments: &Value, schema: &Value) -> bool {
    Plain { left: Cell::new(MOST) }.fits(Some(arguments), schema)
}

struct Plain {
    /// Steps that may still be taken.
    left: Cell<usize>,
}

impl Plain {
    /// Whether so many steps may still be taken.
    fn may_take(&self, steps: usize) -> bool {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or_default());
        left.is_some()
    }

    /// Without a value: whether the schema is one that is understood here.
    fn fits(&self, value: Option<&Value>, schema: &Value) -> bool {
        let Some(keywords) = schema.as_object() else { return *schema == Value::Bool(true) };
        self.may_take(keywords.len() + 1)
            && keywords.iter().all(|(keyword, wanted)| match keyword.as_str() {
                "title" | "description" => wanted.is_string(),
                "default" => true,
                "type" => has_type(value, wanted),
                "format" => wanted.is_string() && value.is_none_or(|value| !value.is_string()),
                "const" => value.is_none_or(|value| value == wanted),
                "enum" => self.list(wanted).is_some_and(|options| value.is_none_or(|value| options.contains(value))),
                "minimum" => bounded(value, wanted, |value, least| value > least),
                "maximum" => bounded(value, wanted, |value, most| value < most),
                "minLength" => sized(value, wanted, length, |length, least| length >= least),
                "maxLength" => sized(value, wanted, length, |length, most| length <= most),
                "minItems" => sized(value, wanted, items, |items, least| items >= least),
                "maxItems" => sized(value, wanted, items, |items, most| items <= most),
                "items" => self.all(value.and_then(Value::as_array).into_iter().flatten(), wanted),
                "properties" => wanted.as_object().is_some_and(|properties| {
                    properties.iter().all(|(name, schema)| self.fits(value.and_then(|value| value.get(name)), schema))
                }),
                "required" => self.list(wanted).is_some_and(|names| {
                    let object = value.and_then(Value::as_object);
                    names.iter().all(|name| {
                        name.as_str().is_some_and(|name| object.is_none_or(|object| object.contains_key(name)))
                    })
                }),
                "additionalProperties" => {
                    let known = keywords.get("properties").and_then(Value::as_object);
                    let is_known = |name: &String| known.is_some_and(|known| known.contains_key(name));
                    let others =
                        value.and_then(Value::as_object).into_iter().flatten().filter(|(name, _)| !is_known(name));
                    match wanted {
                        Value::Bool(false) => others.count() == 0,
                        schema => self.all(others.map(|(_, value)| value), schema),
                    }
                }
                "anyOf" => self.list(wanted).is_some_and(|branches| {
                    let understood = branches.iter().all(|branch| self.fits(None, branch));
                    let fits = || value.is_none() || branches.iter().any(|branch| self.fits(value, branch));
                    !branches.is_empty() && understood && fits()
                }),
                "oneOf" => self.list(wanted).is_some_and(|branches| self.is_one_word(value, branches)),
                _ => false,
            })
    }

    /// Whether each of the values fits, and the schema is understood although there may be none.
    fn all<'v>(&self, mut values: impl Iterator<Item = &'v Value>, schema: &Value) -> bool {
        self.fits(None, schema) && values.all(|value| self.fits(Some(value), schema))
    }

    fn list<'s>(&self, wanted: &'s Value) -> Option<&'s Vec<Value>> {
        wanted.as_array().filter(|list| self.may_take(list.len()))
    }

    /// Words that are each documented alone: exactly one is meant.
    fn is_one_word(&self, value: Option<&Value>, branches: &[Value]) -> bool {
        let words = || branches.iter().map(|branch| branch.get("const").filter(|word| word.is_string()));
        let understood = words().all(|word| word.is_some()) && branches.iter().all(|branch| self.fits(None, branch));
        let meant = |value| branches.iter().filter(|branch| branch.get("const") == Some(value)).collect::<Vec<_>>();
        understood && value.is_none_or(|value| matches!(*meant(value), [branch] if self.fits(Some(value), branch)))
    }
}

fn has_type(value: Option<&Value>, wanted: &Value) -> bool {
    match wanted {
        Value::String(name) => is_of(value, name),
        Value::Array(names) => {
            let names = || names.iter().map(|name| name.as_str().unwrap_or_default());
            names().all(|name| is_of(None, name)) && names().any(|name| is_of(value, name))
        }
        _ => false,
    }
}

fn is_of(value: Option<&Value>, name: &str) -> bool {
    let is = match name {
        "null" => Value::is_null,
        "boolean" => Value::is_boolean,
        "integer" => |value: &Value| value.is_i64() || value.is_u64(),
        "number" => Value::is_number,
        "string" => Value::is_string,
        "array" => Value::is_array,
        "object" => Value::is_object,
        _ => return false,
    };
    value.is_none_or(is)
}

/// Rounded to doubles, numbers may become equal and never change their order.
fn bounded(value: Option<&Value>, bound: &Value, beyond: fn(f64, f64) -> bool) -> bool {
    let Value::Number(bound) = bound else { return false };
    match value {
        Some(Value::Number(number)) => {
            number == bound || number.as_f64().zip(bound.as_f64()).is_some_and(|(number, bound)| beyond(number, bound))
        }
        _ => true,
    }
}

fn sized(value: Option<&Value>, bound: &Value, size: fn(&Value) -> Option<u64>, fits: fn(u64, u64) -> bool) -> bool {
    bound.as_u64().is_some_and(|bound| value.and_then(size).is_none_or(|size| fits(size, bound)))
}

fn length(value: &Value) -> Option<u64> {
    value.as_str().map(|text| text.chars().count() as u64)
}

fn items(value: &Value) -> Option<u64> {
    value.as_array().map(|items| items.len() as u64)
}
