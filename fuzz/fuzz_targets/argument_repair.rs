//! Any text as arguments, for schemas of ours and for any foreign one: no panic, arguments that fit keep their meaning,
//! and a repair leaves nothing to repair.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use palanca_core::arguments::{Checker, parse, repair};
use palanca_core::call::RawArguments;
use serde_json::{Map, Value};
use std::sync::LazyLock;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    schema: Schema<'a>,
    arguments: &'a str,
}

#[derive(Arbitrary, Debug)]
enum Schema<'a> {
    Ours,
    Open,
    Foreign(&'a str),
}

const PROPERTIES: &str = r#"
    "path": {"type": "string"}, "old_str": {"type": "string"}, "new_str": {"type": "string"}, "fact": {"type": "string"},
    "count": {"type": "integer"}, "ratio": {"type": "number"}, "deep": {"type": "boolean"},
    "names": {"type": "array", "items": {"type": "string"}}, "env": {"type": "object"}, "any": {},
    "either": {"anyOf": [{"type": "number"}, {"type": "boolean"}, {"type": "null"}]}, "level": {"enum": [1, "2", null]},
    "timeout": {"type": "integer", "minimum": 1, "maximum": 600},
    "schedule": {"type": "object", "properties": {"kind": {"type": "string"}, "at": {}, "tz": {"type": "string"}}}
"#;

type Fixed = LazyLock<(Value, Checker)>;

static OURS: Fixed = LazyLock::new(|| fixed("false"));
static OPEN: Fixed = LazyLock::new(|| fixed("true"));

fn fixed(additional: &str) -> (Value, Checker) {
    let text = format!(
        r#"{{"type": "object", "properties": {{{PROPERTIES}}}, "required": ["path"], "additionalProperties": {additional}}}"#
    );
    let schema = serde_json::from_str(&text).expect("JSON");
    let checker = Checker::new(&schema);
    (schema, checker)
}

fuzz_target!(|input: Input<'_>| {
    let sent = RawArguments::Text(input.arguments.to_owned());
    let Ok(arguments) = parse(&sent) else { return };
    match input.schema {
        Schema::Ours => check((&sent, &arguments), &OURS.0, &OURS.1),
        Schema::Open => check((&sent, &arguments), &OPEN.0, &OPEN.1),
        Schema::Foreign(text) => {
            // Patterns are the validator's business and can take any time; deep schemas as well.
            if let Ok(schema) = serde_json::from_str(text)
                && !text.contains("attern")
                && text.matches(['{', '[']).count() < 32
            {
                check((&sent, &arguments), &schema, &Checker::new(&schema));
            }
        }
    }
});

fn check((sent, given): (&RawArguments, &Map<String, Value>), schema: &Value, checker: &Checker) {
    let fitted = checker.errors(&Value::Object(given.clone())).is_empty();
    let mut repaired = given.clone();
    let repairs = repair(&mut repaired, schema, sent);
    if fitted {
        assert_eq!(normal(&repaired), normal(given), "{schema}");
    }
    assert!(repairs.made.iter().all(|repair| !repair.message().to_string().is_empty()));
    let once = repaired.clone();
    assert_eq!(repair(&mut repaired, schema, sent).made, []);
    assert_eq!(repaired, once);
}

/// `7.0` and `7` are the same to JSON Schema, not to Rust.
fn normal(arguments: &Map<String, Value>) -> Map<String, Value> {
    let one = |value: &Value| value.as_f64().map_or_else(|| value.clone(), Value::from);
    arguments.iter().map(|(name, value)| (name.clone(), one(value))).collect()
}
