#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{Checker, ParseError, Repair, parse, repair};
use crate::call::RawArguments;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn schema() -> Value {
    json!({"type": "object", "additionalProperties": false, "required": ["path"], "properties": {
        "path": {"type": "string"},
        "old_str": {"type": "string"},
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "deep": {"type": "boolean"},
        "names": {"type": "array", "items": {"type": "string"}},
        "env": {"type": "object"},
        "timeout": {"type": "integer", "minimum": 1, "maximum": 600},
        "mode": {"type": "string", "enum": ["overwrite", "append"]},
    }})
}

fn repaired(given: Value) -> (Value, Vec<Repair>) {
    let Value::Object(mut map) = given else { panic!("an object") };
    let repairs = repair(&mut map, &schema());
    (Value::Object(map), repairs)
}

#[test]
fn each_repair_is_made_and_told() {
    let alias = |from: &str, to: &str| Repair::Alias { from: from.into(), to: to.into() };
    let retyped = |name: &str, wanted| Repair::Type { name: name.into(), wanted };
    for (given, expected, repairs) in [
        (json!({"file_path": " a.txt "}), json!({"path": "a.txt"}), vec![alias("file_path", "path")]),
        (json!({"file": "a"}), json!({"path": "a"}), vec![alias("file", "path")]),
        (json!({"path": "a", "oldText": " x "}), json!({"path": "a", "old_str": " x "}), vec![alias("oldText", "old_str")]),
        (json!({"path": "a", "search": "x"}), json!({"path": "a", "old_str": "x"}), vec![alias("search", "old_str")]),
        (json!({"path": "a", "count": "7"}), json!({"path": "a", "count": 7}), vec![retyped("count", "integer")]),
        (json!({"path": "a", "count": 7.0}), json!({"path": "a", "count": 7}), vec![retyped("count", "integer")]),
        (json!({"path": "a", "ratio": "0.5"}), json!({"path": "a", "ratio": 0.5}), vec![retyped("ratio", "number")]),
        (json!({"path": "a", "deep": "True"}), json!({"path": "a", "deep": true}), vec![retyped("deep", "boolean")]),
        (json!({"path": 5}), json!({"path": "5"}), vec![retyped("path", "string")]),
        (json!({"path": "a", "names": "b"}), json!({"path": "a", "names": ["b"]}), vec![retyped("names", "array")]),
        (json!({"path": "a", "names": "[\"b\"]"}), json!({"path": "a", "names": ["b"]}), vec![retyped("names", "array")]),
        (json!({"path": "a", "env": "{\"K\": \"v\"}"}), json!({"path": "a", "env": {"K": "v"}}), vec![retyped("env", "object")]),
        (json!({"path": "a", "deep": null}), json!({"path": "a"}), vec![Repair::Null { name: "deep".into() }]),
        (json!({"path": "a", "timeout": 30_000}), json!({"path": "a", "timeout": 30}), vec![Repair::Milliseconds { name: "timeout".into() }]),
        (json!({"path": "a", "timeout": 9_000_000}), json!({"path": "a", "timeout": 600}), vec![Repair::Milliseconds { name: "timeout".into() }]),
    ] {
        assert_eq!(repaired(given.clone()), (expected, repairs), "{given}");
    }
}

#[test]
fn what_cannot_be_repaired_safely_is_left_for_the_errors() {
    for given in [
        json!({"path": "a", "file": "b"}),
        json!({"file_path": ""}),
        json!({"path": "a", "count": 7.5}),
        json!({"path": "a", "count": "seven"}),
        json!({"path": "a", "deep": "perhaps"}),
        json!({"path": "a", "env": "[1]"}),
        json!({"path": "a", "timeout": 600}),
        json!({"path": "a", "mode": "Append"}),
        json!({"path": "a", "unknown": 1}),
    ] {
        assert_eq!(repaired(given.clone()), (given, vec![]));
    }
}

#[test]
fn text_becomes_an_object_or_says_where_it_is_broken() {
    let text = |text: &str| parse(&RawArguments::Text(text.into())).map(Value::Object);
    assert_eq!(text("  "), Ok(json!({})));
    assert_eq!(text("null"), Ok(json!({})));
    assert_eq!(text(r#"{"a": 1}"#), Ok(json!({"a": 1})));
    assert_eq!(text(r#""{\"a\": 1}""#), Ok(json!({"a": 1})));
    assert!(matches!(text("{\n \"a\": }"), Err(ParseError::NotJson { line: 2, .. })));
    assert_eq!(text("[1]"), Err(ParseError::NotAnObject { found: "an array" }));
    assert_eq!(text("7"), Err(ParseError::NotAnObject { found: "a number" }));
    assert_eq!(text("\"plain\""), Err(ParseError::NotAnObject { found: "a string" }));
}

#[test]
fn all_errors_come_at_once_with_their_paths() {
    let errors = Checker::new(&schema()).errors(&json!({"count": "x", "deep": 1, "extra": true}));
    let whole = errors.join("; ");
    assert_eq!(errors.len(), 4, "{whole}");
    for said in ["path", "count: ", "deep: ", "extra"] {
        assert!(whole.contains(said), "{said}: {whole}");
    }
    assert!(Checker::new(&json!({"type": 5})).errors(&json!({}))[0].contains("schema is broken"));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z0-9{}\\[\\]\", .-]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 12, 3, |inner| prop::collection::vec(inner, 0..3).prop_map(Value::Array))
}

proptest! {
    #[test]
    fn nothing_panics_and_valid_arguments_are_never_touched(
        values in prop::collection::vec((prop_oneof![
            "path|old_str|count|ratio|deep|names|env|timeout|mode|file|search|text|limit", "[a-z_]{1,6}"
        ], any_json()), 0..6)
    ) {
        let given: Map<String, Value> = values.into_iter().collect();
        let checker = Checker::new(&schema());
        let was_valid = checker.errors(&Value::Object(given.clone())).is_empty();
        let mut map = given.clone();
        let repairs = repair(&mut map, &schema());
        if was_valid {
            prop_assert_eq!(&map, &given);
            prop_assert!(repairs.is_empty());
        }
        // A second pass finds nothing more to do.
        let once = map.clone();
        prop_assert!(repair(&mut map, &schema()).is_empty());
        prop_assert_eq!(map, once);
    }

    #[test]
    fn any_text_is_an_object_or_an_error(text in ".{0,60}") {
        let _ = parse(&RawArguments::Text(text));
    }
}
