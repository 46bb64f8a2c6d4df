//! A tool's arguments as they are typed: a JSON object, `-` for stdin, or `key=value` for each.
//!
//! Values stay texts until the tool's schema is known to want something else; then the gate's own repair turns them into
//! it, so a number in `key=value` is read exactly as a number in quotes from a model.

use super::input;
use crate::exit::Failure;
use crate::render::stderr;
use crate::say::say;
use palanca_core::arguments::{Repair, example, repair};
use palanca_core::call::RawArguments;
use palanca_core::{Message, Toolset};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

/// What was typed, for the tool of this name.
///
/// # Errors
/// Neither JSON nor `key=value`, or a key twice: exit code 3.
pub fn arguments(offered: &Toolset, tool: &str, typed: &[String]) -> Result<RawArguments, Failure> {
    match typed {
        [] => return Ok(RawArguments::Text(String::new())),
        [one] if one == "-" || is_json(one) => return Ok(RawArguments::Text(input::argument(one)?)),
        _ => {}
    }
    // The gate names the tools that there are.
    let Some(found) = offered.get(tool) else { return Ok(RawArguments::Text(String::new())) };
    let schema = found.schema();
    let mut object = Map::new();
    for word in typed {
        let Some((key, value)) = word.split_once('=').filter(|(key, _)| is_name(key)) else {
            return Err(Failure::said(&neither(tool, (word, typed.len() == 1), schema)));
        };
        if object.insert(key.to_owned(), value.into()).is_some() {
            return Err(Failure::said(&Message::new("cli-argument-twice").with("key", key)));
        }
    }
    // Where this one is in doubt, the gate is again, and says so.
    for repair in repair(&mut object, schema, &RawArguments::Json(Value::Null)).made {
        if !matches!(repair, Repair::Type { .. }) {
            stderr::warning(&say(&repair.message()));
        }
    }
    Ok(RawArguments::Json(Value::Object(object)))
}

/// Whether it is JSON, or was meant to be: the gate says what is wrong with it.
fn is_json(text: &str) -> bool {
    text.trim().is_empty() || text.trim_start().starts_with('{') || serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn is_name(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '.'))
}

/// What can be typed instead of this word. Alone it is most likely the first text that the tool requires.
fn neither(tool: &str, (word, alone): (&str, bool), schema: &Value) -> Message {
    let mut object = example(schema);
    if let Some(Value::String(first)) = object.values_mut().next().filter(|_| alone && !word.contains('=')) {
        word.clone_into(first);
    }
    let pair = |(key, value): (&String, &Value)| quoted(&format!("{key}={}", plain(value)));
    let pairs = object.iter().map(pair).collect::<Vec<_>>().join(" ");
    Message::new("cli-arguments-neither")
        .with("word", word)
        .with("tool", tool)
        .with("pairs", pairs)
        .with("json", quoted(&Value::Object(object).to_string()))
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "_-./=:,…".contains(character);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
