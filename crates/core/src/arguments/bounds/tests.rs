#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::super::Checker;
use serde_json::{Map, Value, json};

/// Each definition leads to the next one twice.
fn doubling(levels: usize) -> Value {
    let twice = |to: usize| json!({"anyOf": [{"$ref": format!("#/$defs/d{to}")}, {"$ref": format!("#/$defs/d{to}")}]});
    let defs: Map<_, _> = (0..levels).map(|level| (format!("d{level}"), twice(level + 1))).collect();
    let mut defs = Value::Object(defs);
    defs[format!("d{levels}")] = json!({"type": "string"});
    json!({"$ref": "#/$defs/d0", "$defs": defs})
}

fn deep(levels: usize) -> Value {
    (0..levels).fold(json!({}), |inner, _| json!({"properties": {"a": inner}}))
}

fn many(patterns: usize) -> Map<String, Value> {
    (0..patterns).map(|number| (format!("^(a{number}|[a-z]{{1,900}})+$"), json!({}))).collect()
}

#[test]
fn what_would_take_too_long_is_refused_and_says_why() {
    let wide: Map<_, _> = (0..21_000).map(|number| (format!("p{number}"), json!({}))).collect();
    for (schema, why) in [
        (deep(150), "levels deep"),
        (json!({"properties": wide}), "more than 20000 values"),
        (doubling(40), "more than 20000 values"),
        (json!({"patternProperties": many(51)}), "400 for each pattern"),
        (json!({"pattern": "a".repeat(5_000)}), "4 for each byte"),
        (json!({"anyOf": [{"pattern": "a".repeat(3_000)}, {"pattern": "b".repeat(2_000)}]}), "4 for each byte"),
        (json!({"pattern": "(?=a)b"}), "no look-around"),
        (json!({"pattern": "(((a{1000}){1000}){1000})"}), "less than 128 KiB"),
        (json!({"$ref": "https://example.com/schema.json"}), "leads nowhere"),
        (json!({"$ref": "#/$defs/gone"}), "leads nowhere"),
        (json!({"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}), "two of its values are named \"x\""),
        (json!({"$defs": {"a": {"$id": "other", "$defs": {}}}}), "only its root may have an `$id`"),
        (json!({"items": {"$recursiveRef": "#"}}), "not supported"),
    ] {
        let checker = Checker::new(&schema);
        let fault = checker.fault().unwrap_or_else(|| panic!("{why}"));
        assert!(fault.contains(why), "{fault}");
        assert!(checker.errors(&json!("x"))[0].contains(why));
    }
}

#[test]
fn references_circles_and_hard_patterns_are_checked() {
    let list = json!({"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": false});
    let named = json!({"$ref": "#/$defs/A%3CB%3E", "$defs": {"A<B>": {"$anchor": "here", "type": "string"}}});
    let circle =
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"type": "null"}, {"items": {"$ref": "#/$defs/a"}}]}}});
    for (schema, fits, fails) in [
        (list, json!({"next": {"next": {}}}), json!({"next": {"other": 1}})),
        (named, json!("x"), json!(1)),
        (json!({"$ref": "#here", "$defs": {"a": {"$anchor": "here", "type": "string"}}}), json!("x"), json!(1)),
        (circle, json!([[null]]), Value::Null),
        (doubling(8), json!("x"), json!(1)),
        (json!({"patternProperties": many(40)}), json!({}), Value::Null),
        (json!({"pattern": "^(a+)+$"}), json!("aaaa"), json!(format!("{}!", "a".repeat(60)))),
    ] {
        let checker = Checker::new(&schema);
        assert_eq!(checker.fault(), None, "{schema}");
        assert!(checker.errors(&fits).is_empty(), "{schema}");
        assert!(fails.is_null() || !checker.errors(&fails).is_empty(), "{schema}");
    }
}

/// The figures of `docs/performance.md`.
#[test]
#[ignore = "prints times, asserts nothing"]
fn hostile_schemas_are_timed() {
    let wide =
        |count: usize, one: Value| (0..count).map(|number| (format!("p{number}"), one.clone())).collect::<Map<_, _>>();
    let patterns = |count: usize, text: &str| json!({"anyOf": (0..count).map(|number| json!({"pattern": format!("{text}|{number}")})).collect::<Vec<_>>()});
    let compiled = [
        ("wide", json!({"properties": wide(9_900, json!({"type": "string"}))})),
        ("any", json!({"anyOf": vec![json!({"minLength": 5}); 9_900]})),
        ("required", json!({"required": (0..19_900).map(|number| format!("r{number}")).collect::<Vec<_>>()})),
        ("names", json!({"$defs": wide(6_000, json!({"examples": ["a"]}))})),
        ("deep", deep(95)),
        ("repeated", patterns(38, "((a{30}){30}){4}")),
        ("ambiguous", patterns(38, "^(a|[a-z]{1,900})+$")),
        ("letters", patterns(15, "\\p{L}|k")),
        ("too many letters", patterns(9, &"\\w\\W\\p{Han}\\P{L}".repeat(90))),
        ("too many", json!({"enum": vec![1; 200_000]})),
    ];
    // The first one reads what all of them need.
    drop(Checker::new(&deep(1)));
    for (name, schema) in compiled {
        let start = std::time::Instant::now();
        let checker = Checker::new(&schema);
        println!("{name}: {:.1?} {}", start.elapsed(), checker.fault().unwrap_or_default());
    }
    let checked = [
        ("branches", json!({"items": {"anyOf": vec![json!({"const": 1}); 500]}}), json!(vec![2; 900])),
        ("explained", json!({"items": {"anyOf": vec![json!({"const": 1}); 20]}}), json!(vec![2; 1_100])),
        ("pattern", json!({"pattern": "^[ab]*a[ab]{100}c$"}), json!("ab".repeat(3_000))),
        ("items", json!({"items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}), json!(vec![1; 150_000])),
    ];
    for (name, schema, arguments) in checked {
        let checker = Checker::new(&schema);
        let start = std::time::Instant::now();
        let errors = checker.errors(&arguments);
        println!(
            "{name}: {:.1?} {:?}",
            start.elapsed(),
            errors.first().map(|error| error.chars().take(60).collect::<String>())
        );
    }
}
