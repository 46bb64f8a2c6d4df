#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::RawArguments;
use super::{Checker, Doubt, ParseError, Repair, Repairs, example, parse, plainly_fits, repair};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A closed schema with these properties, as every tool of ours has one.
fn closed(properties: Value) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn closed_texts(names: &[&str]) -> Value {
    closed(names.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect())
}

fn common() -> Value {
    let mut schema = closed(json!({
        "path": {"type": "string"},
        "old_str": {"type": "string"},
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "deep": {"type": "boolean"},
        "names": {"type": "array", "items": {"type": "string"}},
        "lines": {"type": "array", "items": {"type": "integer"}},
        "env": {"type": "object"},
        "either": {"anyOf": [{"type": "number"}, {"type": "boolean"}]},
        "choice": {"enum": [1, 2, "all"]},
        "level": {"enum": [1, 2]},
        "nothing": {"type": ["string", "null"]},
        "any": {},
        "timeout": {"type": "integer", "minimum": 1, "maximum": 600},
        "mode": {"type": "string", "enum": ["overwrite", "append"]},
    }));
    schema["required"] = json!(["path"]);
    schema
}

fn repaired_by(schema: &Value, given: &Value) -> (Value, Vec<Repair>) {
    let Value::Object(mut map) = given.clone() else { panic!("an object") };
    let Repairs { made, doubts } = repair(&mut map, schema, &RawArguments::Json(given.clone()));
    assert_eq!(doubts, [], "{given}");
    (Value::Object(map), made)
}

fn alias(from: &str, to: &str) -> Repair {
    Repair::Alias { from: from.into(), to: to.into() }
}

#[test]
fn every_alias_is_read_as_its_argument() {
    for (canonical, aliases, trimmed) in [
        ("path", &["file_path", "filepath", "filePath", "file", "filename"][..], true),
        ("file_path", &["path", "file"], true),
        ("old_str", &["old_text", "old_string", "oldText", "oldString", "search"], false),
        ("old_text", &["old_string", "oldText", "search", "old_str"], false),
        ("old_string", &["old_str", "old_text", "search"], false),
        ("new_str", &["new_text", "new_string", "newText", "newString", "replace", "replacement"], false),
        ("new_text", &["new_string", "newText", "replace", "new_str"], false),
        ("replaceAll", &["replace_all"], true),
        ("replace_all", &["replaceAll"], true),
        ("pattern", &["text", "query", "regex"], false),
        ("file_pattern", &["filePattern", "include", "glob"], true),
        ("content", &["contents", "file_text"], false),
        ("patch", &["diff"], false),
        ("fact", &["content", "text", "value", "memory", "note", "message"], true),
        ("goal", &["goalId", "goal_id", "name", "title", "text", "description", "jobId", "job", "id", "key"], true),
        ("status", &["new_status"], true),
        ("notes", &["new_notes"], true),
        ("priority", &["new_priority"], true),
        ("jobId", &["id"], true),
    ] {
        for from in aliases {
            let expected = if trimmed { "x y" } else { " x y\n" };
            assert_eq!(
                repaired_by(&closed_texts(&[canonical]), &json!({ *from: " x y\n" })),
                (json!({ canonical: expected }), vec![alias(from, canonical)]),
                "{from} for {canonical}"
            );
        }
    }
}

#[test]
fn an_alias_yields_to_the_canonical_name_and_adds_nothing_of_its_own() {
    let file = |to: &str| vec![alias(to, "path")];
    for (given, expected, repairs) in [
        // The canonical name wins; what says something else stays and becomes an error.
        (json!({"path": "a", "file": "b"}), json!({"path": "a", "file": "b"}), vec![]),
        (json!({"path": "a", "file": "a"}), json!({"path": "a"}), file("file")),
        (json!({"path": "a", "file": ""}), json!({"path": "a"}), file("file")),
        (json!({"path": "", "file": "b"}), json!({"path": "", "file": "b"}), vec![]),
        // Empty ones are skipped.
        (
            json!({"file_path": "", "file": "b"}),
            json!({"path": "b"}),
            vec![alias("file", "path"), alias("file_path", "path")],
        ),
        (
            json!({"file": "", "file_path": "b"}),
            json!({"path": "b"}),
            vec![alias("file_path", "path"), alias("file", "path")],
        ),
        (json!({"file_path": ""}), json!({"file_path": ""}), vec![]),
        (json!({"file_path": null}), json!({"file_path": null}), vec![]),
        (
            json!({"path": null, "file": "b"}),
            json!({"path": "b"}),
            vec![Repair::Null { name: "path".into() }, alias("file", "path")],
        ),
        // Two that disagree: neither is silently dropped.
        (json!({"file_path": "a", "file": "b"}), json!({"path": "a", "file": "b"}), file("file_path")),
        // The canonical value is as it was given.
        (json!({"path": " a "}), json!({"path": " a "}), vec![]),
    ] {
        assert_eq!(repaired_by(&closed_texts(&["path"]), &given), (expected, repairs), "{given}");
    }
}

#[test]
fn common_words_are_aliases_in_one_direction_only() {
    for (name, given) in [("content", "text"), ("title", "text"), ("name", "id"), ("id", "jobId"), ("text", "message")]
    {
        let given = json!({ given: " kept \n" });
        assert_eq!(repaired_by(&closed_texts(&[name]), &given), (given, vec![]), "{name}");
    }
    // A name that the schema has is never an alias.
    let given = json!({"file": "x"});
    assert_eq!(repaired_by(&closed_texts(&["path", "file"]), &given), (given, vec![]));
}

#[test]
fn a_schema_that_admits_more_keeps_what_it_was_given() {
    let open = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    let patterned = json!({"type": "object", "properties": {"path": {"type": "string"}},
        "patternProperties": {"^f": {}}, "additionalProperties": false});
    let given = json!({"file": " x "});
    assert_eq!(repaired_by(&open, &given), (given.clone(), vec![]));
    assert_eq!(repaired_by(&patterned, &given), (given.clone(), vec![]));
    let mut required = open;
    required["required"] = json!(["path"]);
    assert_eq!(repaired_by(&required, &given), (json!({"path": "x"}), vec![alias("file", "path")]));
    let both = json!({"path": "x", "file": "x"});
    assert_eq!(repaired_by(&required, &both), (both, vec![]));
}

#[test]
fn what_stands_behind_a_reference_is_left_alone() {
    let text = json!({"$ref": "#/definitions/n", "type": "string"});
    let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
        "properties": {"n": text}, "definitions": {"n": {"type": "integer"}}});
    let given = json!({"n": 5});
    assert_eq!(Checker::new(&schema).errors(&given), [""; 0]);
    assert_eq!(repaired_by(&schema, &given), (given, vec![]));
    let whole = json!({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/all",
        "properties": {"n": {"type": "string"}}, "definitions": {"all": {"type": "object"}}});
    let given = json!({"n": 5});
    assert_eq!(Checker::new(&whole).errors(&given), [""; 0]);
    assert_eq!(repaired_by(&whole, &given), (given, vec![]));
}

#[test]
fn the_fields_of_a_schedule_are_gathered() {
    let fields = json!({"kind": {}, "at": {}, "everyMs": {}, "expr": {}, "tz": {}, "name": {}});
    let schema = closed(json!({"name": {"type": "string"}, "schedule": {"type": "object", "properties": fields}}));
    for (given, expected) in [
        (
            json!({"name": "n", "kind": "cron", "expr": "* * * * *", "tz": "UTC"}),
            json!({"name": "n", "schedule": {"kind": "cron", "expr": "* * * * *", "tz": "UTC"}}),
        ),
        (json!({"kind": "every", "everyMs": 5}), json!({"schedule": {"kind": "every", "everyMs": 5}})),
        (json!({"kind": "at", "at": 9, "other": 1}), json!({"other": 1, "schedule": {"kind": "at", "at": 9}})),
        (json!({"schedule": {"at": 1}, "kind": "at"}), json!({"schedule": {"at": 1}, "kind": "at"})),
        (json!({"name": "n"}), json!({"name": "n"})),
    ] {
        assert_eq!(repaired_by(&schema, &given).0, expected, "{given}");
    }
    let said = repaired_by(&schema, &json!({"kind": "at"})).1;
    assert_eq!(said, [alias("kind", "schedule.kind")]);
}

#[test]
fn each_retyping_is_made_and_told() {
    for (name, given, expected, wanted) in [
        ("count", json!("7"), json!(7), "integer"),
        ("count", json!(" -7 "), json!(-7), "integer"),
        ("count", json!(7.0), json!(7), "integer"),
        ("count", json!("18446744073709551615"), json!(u64::MAX), "integer"),
        ("ratio", json!("0.5"), json!(0.5), "number"),
        ("ratio", json!("5"), json!(5), "integer"),
        ("deep", json!("True"), json!(true), "boolean"),
        ("deep", json!("no"), json!(false), "boolean"),
        ("either", json!("true"), json!(true), "boolean"),
        ("either", json!("1"), json!(1), "integer"),
        ("level", json!("2"), json!(2), "integer"),
        ("old_str", json!(5), json!("5"), "string"),
        ("old_str", json!(u64::MAX), json!("18446744073709551615"), "string"),
        ("names", json!("b"), json!(["b"]), "array"),
        ("names", json!("src/*.rs"), json!(["src/*.rs"]), "array"),
        ("names", json!("[\"b\", \"c\"]"), json!(["b", "c"]), "array"),
        ("lines", json!("[1, 2]"), json!([1, 2]), "array"),
        ("env", json!("{\"K\": \"v\"}"), json!({"K": "v"}), "object"),
    ] {
        assert_eq!(
            repaired_by(&common(), &json!({"path": "a", name: given})),
            (json!({"path": "a", name: expected}), vec![Repair::Type { name: name.into(), wanted }]),
            "{name}: {given}"
        );
    }
}

#[test]
fn what_has_no_sure_meaning_is_left_for_the_errors() {
    for (name, given, error) in [
        ("count", json!(7.5), "count: 7.5 is not of type \"integer\""),
        ("count", json!("7.5"), "count: \"7.5\" is not of type \"integer\""),
        ("count", json!("seven"), "count: \"seven\" is not of type \"integer\""),
        ("count", json!("NaN"), "count: \"NaN\" is not of type \"integer\""),
        ("count", json!(""), "count: \"\" is not of type \"integer\""),
        ("count", json!(true), "count: true is not of type \"integer\""),
        ("ratio", json!("inf"), "ratio: \"inf\" is not of type \"number\""),
        ("deep", json!("1"), "deep: \"1\" is not of type \"boolean\""),
        ("old_str", json!(true), "old_str: true is not of type \"string\""),
        ("count", json!("0x10"), "count: \"0x10\" is not of type \"integer\""),
        ("count", json!("1,000"), "count: \"1,000\" is not of type \"integer\""),
        ("count", json!("5s"), "count: \"5s\" is not of type \"integer\""),
        ("count", json!("1e400"), "count: \"1e400\" is not of type \"integer\""),
        ("ratio", json!("50%"), "ratio: \"50%\" is not of type \"number\""),
        ("env", json!("{\"K\": 1,}"), "env: \"{\\\"K\\\": 1,}\" is not of type \"object\""),
        ("deep", json!("perhaps"), "deep: \"perhaps\" is not of type \"boolean\""),
        ("deep", json!(1), "deep: 1 is not of type \"boolean\""),
        ("env", json!("[1]"), "env: \"[1]\" is not of type \"object\""),
        ("env", json!("{\"K\""), "env: \"{\\\"K\\\"\" is not of type \"object\""),
        ("names", json!("[\"b\", "), "names: \"[\\\"b\\\", \" is not of type \"array\""),
        ("lines", json!("5"), "lines: \"5\" is not of type \"array\""),
        ("mode", json!("Append"), "mode: \"Append\" is none of \"overwrite\", \"append\""),
        ("unknown", json!(1), "Additional properties are not allowed ('unknown' was unexpected)"),
    ] {
        let given = json!({"path": "a", name: given});
        assert_eq!(repaired_by(&common(), &given), (given.clone(), vec![]));
        assert_eq!(Checker::new(&common()).errors(&given), [error]);
    }
}

#[test]
fn a_number_for_a_text_keeps_its_digits() {
    for digits in [
        "1.10",
        "0.50",
        "1e3",
        "1E5",
        "-0",
        "1.0",
        "12345678901234567890123",
        "0.1000000000000000055",
        "600123456",
        "9007199254740993.0",
        "1e-7",
        "-1.50e+10",
    ] {
        for sent in [
            format!(r#"{{"path": {digits}}}"#),
            format!(r#"{{"file": {digits}}}"#),
            format!(r#"{{"path": 7, "path": {digits}}}"#),
            format!(r#"{{"file": "", "file_path": {digits}}}"#),
            Value::String(format!(r#"{{"path": {digits}}}"#)).to_string(),
        ] {
            let raw = RawArguments::Text(sent.clone());
            let mut map = parse(&raw).unwrap();
            let Repairs { doubts, .. } = repair(&mut map, &common(), &raw);
            assert_eq!((&map["path"], doubts), (&json!(digits), vec![]), "{sent}");
        }
    }
}

#[test]
fn what_could_mean_two_things_is_refused_with_what_to_send() {
    let number = |name: &str, sent: &str, becomes: &str| Doubt::Number {
        name: name.into(),
        sent: sent.into(),
        becomes: becomes.into(),
    };
    let integer = |sent: &str| Doubt::Integer { name: "count".into(), sent: sent.into() };
    let list = |sent: &str| Doubt::List { name: "names".into(), list: json!([sent]).to_string() };
    for (name, sent, doubt) in [
        ("count", r#""007""#, number("count", "007", "7")),
        ("count", r#""7.0""#, number("count", "7.0", "7")),
        ("count", r#""1e3""#, number("count", "1e3", "1000")),
        ("count", r#""+5""#, number("count", "+5", "5")),
        ("count", r#""-0""#, number("count", "-0", "0")),
        ("count", r#""18446744073709551616""#, integer("18446744073709551616")),
        ("count", "18446744073709551616", integer("18446744073709551616")),
        ("count", "9007199254740991.5", integer("9007199254740991.5")),
        ("count", "1e30", integer("1e30")),
        ("ratio", r#""1.10""#, number("ratio", "1.10", "1.1")),
        ("ratio", r#"".5""#, number("ratio", ".5", "0.5")),
        ("ratio", r#""0.1000000000000000055""#, number("ratio", "0.1000000000000000055", "0.1")),
        ("lines", r#""[1, 2.50]""#, number("lines", "2.50", "2.5")),
        ("env", r#""{\"1.10\": \"\\\"2.0\", \"K\": 3.0e0}""#, number("env", "3.0e0", "3.0")),
        ("names", r#""vegan, x""#, list("vegan, x")),
        ("names", r#""a;b""#, list("a;b")),
        ("names", r#""a\nb""#, list("a\nb")),
        ("names", r#""New York""#, list("New York")),
        ("names", r#""a and b""#, list("a and b")),
        ("names", r#""a|b""#, list("a|b")),
        ("names", r#""a、b""#, list("a、b")),
        ("names", r#"" b ""#, list(" b ")),
        ("names", r#""""#, list("")),
        ("names", r#""None""#, list("None")),
    ] {
        let raw = RawArguments::Text(format!(r#"{{"path": "a", "{name}": {sent}}}"#));
        let given = parse(&raw).unwrap();
        let mut map = given.clone();
        assert_eq!(repair(&mut map, &common(), &raw), Repairs { made: vec![], doubts: vec![doubt] }, "{sent}");
        assert_eq!(map, given);
    }
    // Arguments that a program built were never text, so nothing is known of how 1.1 was written.
    let mut map = serde_json::from_value(json!({"path": 1.1})).unwrap();
    let built = RawArguments::Json(json!({"path": 1.1}));
    assert_eq!(repair(&mut map, &common(), &built).doubts, [Doubt::Digits { name: "path".into() }]);
    // Equal as numbers, and two texts.
    let raw = RawArguments::Text(r#"{"path": 1.10, "file": 1.1}"#.into());
    let mut map = parse(&raw).unwrap();
    repair(&mut map, &common(), &raw);
    assert_eq!(Value::Object(map), json!({"path": "1.10", "file": 1.1}));
}

#[test]
fn an_integer_may_be_written_as_a_number_that_is_one() {
    for (sent, expected) in [
        ("7.0", json!(7)),
        ("70e-1", json!(7)),
        ("1e3", json!(1000)),
        ("-1.5e1", json!(-15)),
        ("-0", json!(0)),
        ("9007199254740993.0", json!(9_007_199_254_740_993_u64)),
        ("1.8446744073709551615e19", json!(u64::MAX)),
    ] {
        let raw = RawArguments::Text(format!(r#"{{"path": "a", "count": {sent}}}"#));
        let mut map = parse(&raw).unwrap();
        assert_eq!(repair(&mut map, &common(), &raw).doubts, []);
        assert_eq!(map["count"], expected, "{sent}");
    }
}

#[test]
fn null_means_not_given_unless_null_is_meant() {
    let null = |name: &str| vec![Repair::Null { name: name.into() }];
    for (given, expected, repairs) in [
        (json!({"path": "a", "deep": null}), json!({"path": "a"}), null("deep")),
        (json!({"path": null}), json!({}), null("path")),
        (json!({"path": "a", "nothing": null}), json!({"path": "a", "nothing": null}), vec![]),
        (json!({"path": "a", "any": null}), json!({"path": "a", "any": null}), vec![]),
        (json!({"path": "a", "unknown": null}), json!({"path": "a", "unknown": null}), vec![]),
    ] {
        assert_eq!(repaired_by(&common(), &given), (expected, repairs), "{given}");
    }
}

#[test]
fn a_number_out_of_range_is_never_read_in_another_unit() {
    for given in [json!(0), json!(601), json!(30_000), json!(9_000_000)] {
        let given = json!({"path": "a", "timeout": given});
        assert_eq!(repaired_by(&common(), &given), (given.clone(), vec![]));
        assert_eq!(Checker::new(&common()).errors(&given).len(), 1);
    }
    let minutes =
        closed(json!({"timeout": {"type": "integer", "minimum": 1, "maximum": 60, "description": "minutes"}}));
    for given in [json!({"timeout": 90}), json!({"timeout": 90_000})] {
        assert_eq!(repaired_by(&minutes, &given), (given.clone(), vec![]));
        assert_eq!(Checker::new(&minutes).errors(&given).len(), 1);
    }
    // In quotes it is the same number, and as far out of range.
    let (repaired, _) = repaired_by(&minutes, &json!({"timeout": "90"}));
    assert_eq!(Checker::new(&minutes).errors(&repaired), ["timeout: 90 is greater than the maximum of 60"]);
}

#[test]
fn every_repair_has_a_sentence_with_its_names() {
    for (repair, sentence) in [
        (alias("file", "path"), "repair-alias(from=file, to=path)"),
        (Repair::Type { name: "n".into(), wanted: "integer" }, "repair-type(name=n, wanted=integer)"),
        (Repair::Null { name: "n".into() }, "repair-null(name=n)"),
    ] {
        assert_eq!(repair.message().to_string(), sentence);
    }
    for (doubt, sentence) in [
        (
            Doubt::Number { name: "n".into(), sent: "007".into(), becomes: "7".into() },
            "doubt-number(name=n, sent=007, becomes=7)",
        ),
        (Doubt::Integer { name: "n".into(), sent: "1e30".into() }, "doubt-integer(name=n, sent=1e30)"),
        (Doubt::Digits { name: "n".into() }, "doubt-digits(name=n)"),
        (Doubt::List { name: "n".into(), list: "[\"a b\"]".into() }, "doubt-list(name=n, list=[\"a b\"])"),
    ] {
        assert_eq!(doubt.message().to_string(), sentence);
    }
}

#[test]
fn text_becomes_an_object_or_says_where_it_is_broken() {
    let text = |text: &str| parse(&RawArguments::Text(text.into())).map(Value::Object);
    for (given, expected) in [
        ("", json!({})),
        (" \n", json!({})),
        ("null", json!({})),
        (r#" {"a": 1} "#, json!({"a": 1})),
        (r#""{\"a\": 1}""#, json!({"a": 1})),
        (r#""\"{\\\"a\\\": 1}\"""#, json!({"a": 1})),
        (r#"{"b": 1, "a": 2, "b": 3}"#, json!({"b": 3, "a": 2})),
    ] {
        assert_eq!(text(given), Ok(expected), "{given}");
    }
    for (given, found) in [
        ("[1]", "array"),
        ("7", "number"),
        ("true", "boolean"),
        ("\"plain\"", "string"),
        ("\"[1]\"", "string"),
        // Three layers of quotes are not a slip any more.
        (r#""\"\\\"{}\\\"\"""#, "string"),
    ] {
        assert_eq!(text(given), Err(ParseError::NotAnObject { found }), "{given}");
    }
    for (given, at) in
        [("{\n \"a\": }", (2, 7)), ("{\"a\": 1", (1, 7)), ("{} {}", (1, 4)), ("\"{\"", (1, 1)), ("{'a': 1}", (1, 2))]
    {
        match text(given) {
            Err(ParseError::NotJson { line, column, .. }) => assert_eq!((line, column), at, "{given}"),
            other => panic!("{given}: {other:?}"),
        }
    }
    let deep = "[".repeat(100_000);
    assert!(matches!(text(&deep), Err(ParseError::NotJson { line: 1, .. })));
}

#[test]
fn an_example_shows_what_is_required() {
    for (schema, expected) in [
        (common(), json!({"path": "…"})),
        (closed(json!({"mode": {"type": "string", "enum": ["overwrite", "append"]}})), json!({"mode": "overwrite"})),
        (closed(json!({"count": {"type": "integer", "minimum": 3}, "deep": {"type": "boolean"}})), json!({"count": 3})),
        (
            json!({"required": ["a", "b", "c", "d"], "properties": {
                "a": {"type": "number"}, "b": {"type": "array"}, "c": {"type": "object"}, "d": {}}}),
            json!({"a": 1, "b": ["…"], "c": {}, "d": "…"}),
        ),
        (closed(json!({})), json!({})),
        (json!(true), json!({})),
    ] {
        assert_eq!(Value::Object(example(&schema)), expected, "{schema}");
    }
    let error = parse(&RawArguments::Text("README.md".into())).unwrap_err();
    assert_eq!(error, ParseError::NotJson { line: 1, column: 1, reason: "expected value".into() });
    assert!(error.message(&common()).to_string().contains(r#"{"path":"…"}"#), "{}", error.message(&common()));
}

#[test]
fn arguments_of_a_program_are_read_the_same_way() {
    for (given, expected) in [
        (json!({"a": 1}), Ok(json!({"a": 1}))),
        (json!(null), Ok(json!({}))),
        (json!("{\"a\": 1}"), Ok(json!({"a": 1}))),
        (json!(""), Err(ParseError::NotAnObject { found: "string" })),
        (json!([{}]), Err(ParseError::NotAnObject { found: "array" })),
    ] {
        assert_eq!(parse(&RawArguments::Json(given.clone())).map(Value::Object), expected, "{given}");
    }
}

#[test]
fn all_errors_come_at_once_with_their_paths() {
    let given = json!({"count": "x", "deep": 1, "names": ["a", 2], "timeout": 0, "extra": true, "more": 1});
    let mut errors = Checker::new(&common()).errors(&given);
    errors.sort();
    assert_eq!(
        errors,
        [
            "\"path\" is a required property",
            "Additional properties are not allowed ('extra', 'more' were unexpected)",
            "count: \"x\" is not of type \"integer\"",
            "deep: 1 is not of type \"boolean\"",
            "names/1: 2 is not of type \"string\"",
            "timeout: 0 is less than the minimum of 1",
        ]
    );
}

#[test]
fn usual_arguments_plainly_fit() {
    let plain = |arguments: Value| plainly_fits(&arguments, &common());
    assert!(plain(json!({"path": "a", "count": 7, "ratio": 0.5, "names": ["x"], "timeout": 600, "mode": "append"})));
    assert!(plain(json!({"path": "a", "either": true, "choice": "all", "nothing": null, "env": {"A": 1}})));
    assert!(!plain(json!({"path": "a", "count": 7.0})), "needs a closer look");
    assert!(!plainly_fits(&json!({}), &json!({"properties": {"a": {"type": "sting"}}})), "malformed where nothing is");
}

#[test]
fn errors_stay_readable() {
    let many = json!({"path": "a", "names": (0..50).collect::<Vec<_>>()});
    assert_eq!(Checker::new(&common()).errors(&many).len(), 12);
    let long = json!({"path": "a", "count": "ñ".repeat(5_000)});
    let errors = Checker::new(&common()).errors(&long);
    assert!(errors[0].starts_with("count: \"ñ") && errors[0].len() < 320, "{}", errors[0].len());
    let broken = Checker::new(&json!({"type": 5})).errors(&json!({}));
    assert!(broken[0].starts_with("the tool's own schema is broken: "), "{broken:?}");
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-900_i32..900).prop_map(|whole| Value::from(f64::from(whole))),
        Just(json!("")),
        Just(json!("true")),
        Just(json!("12")),
        "[a-z0-9{}\\[\\]\", .-]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::vec((any_name(), inner), 0..3)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn any_name() -> impl Strategy<Value = String> {
    "path|file|file_path|old_str|search|text|content|fact|id|jobId|goal|name|status|schedule|kind|at|timeout|[a-c]"
}

fn any_property() -> impl Strategy<Value = Value> {
    let kind = "string|integer|number|boolean|array|object|null";
    prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        kind.prop_map(|kind| json!({ "type": kind })),
        prop::collection::vec(kind, 1..3).prop_map(|mut kinds| {
            kinds.dedup();
            json!({ "type": kinds })
        }),
        prop::collection::vec(kind, 1..3)
            .prop_map(|kinds| json!({"anyOf": kinds.iter().map(|kind| json!({"type": kind})).collect::<Vec<_>>()})),
        kind.prop_map(|kind| json!({"type": "array", "items": {"type": kind}})),
        Just(json!({"type": "integer", "minimum": 1, "maximum": 600})),
        Just(json!({"enum": [1, "12", null, true]})),
        Just(json!({"type": "object", "properties": {"kind": {"type": "string"}, "at": {}}})),
        Just(json!({"type": "object", "additionalProperties": {"type": "integer"}})),
        Just(json!({"type": "string", "minLength": 3, "maxLength": 4, "format": "email"})),
        Just(json!({"type": "array", "minItems": 1, "maxItems": 2})),
        Just(json!({"type": "number", "minimum": -0.5})),
        Just(json!({"oneOf": [{"const": "12", "description": "a dozen"}, {"const": "true", "type": "string"}]})),
        Just(json!({"pattern": "^1"})),
    ]
}

/// Schemas of ours are closed; foreign ones often are not.
fn any_schema() -> impl Strategy<Value = Value> {
    let properties = prop::collection::hash_map(any_name(), any_property(), 0..5);
    (properties, prop::collection::hash_set(any_name(), 0..2), any::<bool>()).prop_map(
        |(properties, required, open)| {
            json!({
                "type": "object",
                "properties": properties.into_iter().collect::<Map<_, _>>(),
                "required": required.into_iter().collect::<Vec<_>>(),
                "additionalProperties": open,
            })
        },
    )
}

/// As it is written without quotes around it.
fn printed(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// JSON as it could be written, and what it is.
fn any_spelling() -> impl Strategy<Value = (String, Value)> {
    let digits = "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?";
    let word = "true|false|True|yes|none|vegan|vegan, x|New York|a/b|007|0x10|1,000|5s|\\[1.10,2\\]|\\[1,2\\]";
    let spelling = prop_oneof![digits, word, any_json().prop_map(|value| value.to_string())];
    spelling.prop_map(|text| {
        let value = serde_json::from_str(&text).unwrap_or(Value::Null);
        (text, value)
    })
}

/// Arguments with whole numbers written one way: `7.0` and `7` are the same to JSON Schema, not to Rust.
fn normal(arguments: &Map<String, Value>) -> Map<String, Value> {
    let one = |value: &Value| match value.as_f64() {
        Some(number) => json!(number),
        None => value.clone(),
    };
    arguments.iter().map(|(name, value)| (name.clone(), one(value))).collect()
}

proptest! {
    #[test]
    fn nothing_panics_and_valid_arguments_are_never_touched(
        schema in any_schema(),
        values in prop::collection::vec((any_name(), any_json()), 0..5),
    ) {
        let given: Map<String, Value> = values.into_iter().collect();
        let checker = Checker::new(&schema);
        let was_valid = checker.errors(&Value::Object(given.clone())).is_empty();
        prop_assert!(was_valid || !plainly_fits(&Value::Object(given.clone()), &schema));
        let mut map = given.clone();
        let sent = RawArguments::Json(Value::Object(given.clone()));
        let Repairs { doubts, .. } = repair(&mut map, &schema, &sent);
        if was_valid {
            prop_assert_eq!(normal(&map), normal(&given));
        }
        // A second pass finds nothing more to do, and doubts the same.
        let once = map.clone();
        prop_assert_eq!(repair(&mut map, &schema, &sent), Repairs { made: vec![], doubts });
        prop_assert_eq!(map, once);
    }

    #[test]
    fn a_repaired_value_prints_as_the_text_did((text, value) in any_spelling(), property in any_property()) {
        let schema = closed(json!({ "a": property }));
        for sent in [format!("{{\"a\": {text}}}"), json!({ "a": text }).to_string()] {
            let raw = RawArguments::Text(sent.clone());
            let Ok(mut map) = parse(&raw) else { continue };
            let quoted = map["a"].as_str().map(str::to_owned);
            let said = quoted.clone().unwrap_or_else(|| text.clone());
            let Repairs { made, doubts } = repair(&mut map, &schema, &raw);
            prop_assert!(made.is_empty() || doubts.is_empty(), "{sent}");
            if let [Repair::Type { wanted, .. }] = made.as_slice() {
                let same = match *wanted {
                    "array" if map["a"] == json!([said]) => true,
                    "boolean" if ["True", "yes"].contains(&&*said) => true,
                    // An integer may be written with a fraction of zeros, or an exponent.
                    "integer" if quoted.is_none() => map["a"].as_f64() == value.as_f64(),
                    _ => printed(&map["a"]) == said.trim(),
                };
                prop_assert!(same, "{sent} became {}", map["a"]);
            }
        }
    }

    #[test]
    fn any_text_is_an_object_or_an_error(text in "[\\PC{}\\[\\]\":,\\\\]{0,60}") {
        let _ = parse(&RawArguments::Text(text));
    }
}
