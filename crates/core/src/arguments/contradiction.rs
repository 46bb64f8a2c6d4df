//! Schemas that no arguments can fit. Found when a tool is registered: otherwise every call would fail, with errors
//! that a model can only guess at. References are not followed, and contradictions that only a validator could find are
//! left to it.

use super::repair::type_name;
use serde_json::{Map, Value};

/// Deeper schemas are not examined.
const DEEPEST: usize = 16;

/// The first contradiction of a schema, as `place: reason`; the place is a JSON pointer such as `#/properties/count`.
#[must_use]
pub fn contradiction(schema: &Value) -> Option<String> {
    find(schema, "#", DEEPEST)
}

fn find(schema: &Value, place: &str, depth: usize) -> Option<String> {
    let schema = schema.as_object().filter(|schema| depth > 0 && !schema.contains_key("$ref"))?;
    let here = values(schema).or_else(|| bounds(schema)).or_else(|| required(schema));
    if let Some(reason) = here {
        return Some(format!("{place}: {reason}"));
    }
    let all = |key: &str| schema.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let branch = |key: &str, number: usize, part| find(part, &format!("{place}/{key}/{number}"), depth - 1);
    // A choice is impossible only if every branch is.
    let choice = ["anyOf", "oneOf"].into_iter().find_map(|key| {
        let faults = all(key).iter().enumerate().map(|(number, part)| branch(key, number, part));
        faults.collect::<Option<Vec<_>>>()?.into_iter().next()
    });
    let each = || all("allOf").iter().enumerate().find_map(|(number, part)| branch("allOf", number, part));
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let parts = properties.map(|(name, part)| (format!("{place}/properties/{name}"), part));
    let mut parts = parts.chain(schema.get("items").map(|items| (format!("{place}/items"), items)));
    choice.or_else(each).or_else(|| parts.find_map(|(place, part)| find(part, &place, depth - 1)))
}

/// Listed values, none of which the rest of the schema admits.
fn values(schema: &Map<String, Value>) -> Option<String> {
    let listed = schema.get("enum").and_then(Value::as_array);
    let constant = schema.get("const");
    if listed.is_some_and(Vec::is_empty) {
        return Some("`enum` lists no value".to_owned());
    }
    if let (Some(listed), Some(constant)) = (listed, constant)
        && !listed.contains(constant)
    {
        return Some("`const` is not among the values of `enum`".to_owned());
    }
    let all = constant.map(std::slice::from_ref).or(listed.map(Vec::as_slice))?;
    let fits = |value: &&Value| is_of_type(schema, value) && is_within(schema, value);
    let list = || all.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
    all.iter().find(fits).is_none().then(|| format!("no listed value ({}) fits its type and bounds", list()))
}

fn is_of_type(schema: &Map<String, Value>, value: &Value) -> bool {
    let is = |wanted: &Value| match wanted.as_str() {
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        wanted => wanted == Some(type_name(value)),
    };
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(is),
        Some(one) => is(one),
        None => true,
    }
}

fn is_within(schema: &Map<String, Value>, value: &Value) -> bool {
    let Some(value) = value.as_f64() else { return true };
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    bound("minimum").is_none_or(|least| value >= least)
        && bound("maximum").is_none_or(|most| value <= most)
        && bound("exclusiveMinimum").is_none_or(|least| value > least)
        && bound("exclusiveMaximum").is_none_or(|most| value < most)
}

fn bounds(schema: &Map<String, Value>) -> Option<String> {
    let number = |name: &str| schema.get(name).and_then(Value::as_f64);
    let pairs = [
        ("minimum", "maximum"),
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minProperties", "maxProperties"),
    ];
    let open =
        [("exclusiveMinimum", "maximum"), ("minimum", "exclusiveMaximum"), ("exclusiveMinimum", "exclusiveMaximum")];
    let crossed = pairs.iter().find(|(least, most)| number(least).zip(number(most)).is_some_and(|(a, b)| a > b));
    let crossed = crossed
        .or_else(|| open.iter().find(|(least, most)| number(least).zip(number(most)).is_some_and(|(a, b)| a >= b)));
    let shown = |name: &str| schema.get(name).map(ToString::to_string).unwrap_or_default();
    crossed.map(|(least, most)| format!("`{least}` {} leaves nothing below `{most}` {}", shown(least), shown(most)))
}

/// A required property that the schema forbids.
fn required(schema: &Map<String, Value>) -> Option<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_closed =
        schema.get("additionalProperties") == Some(&Value::Bool(false)) && !schema.contains_key("patternProperties");
    let names = schema.get("required").and_then(Value::as_array)?.iter().filter_map(Value::as_str);
    let impossible = |name: &&str| match properties.and_then(|properties| properties.get(*name)) {
        Some(property) => *property == Value::Bool(false),
        None => is_closed,
    };
    names.into_iter().find(impossible).map(|name| format!("`{name}` is required and not allowed"))
}
