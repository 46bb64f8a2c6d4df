#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use proptest::prelude::*;

#[test]
fn json_is_cut_out_of_what_is_around_it() {
    for (text, expected) in [
        (r#"{"a": 1}"#, Some(r#"{"a": 1}"#)),
        ("  [1, 2]\n", Some("[1, 2]")),
        ("42", Some("42")),
        ("\u{feff}null", Some("null")),
        ("```json\n{\"a\": 1}\n```", Some("{\"a\": 1}")),
        ("```\n[1]\n```", Some("[1]")),
        ("Here:\n\n  ```JSON\n  {\"a\": 1}\n  ```\nBye.", Some("{\"a\": 1}")),
        ("```python\nprint({})\n```\n```json\n{\"b\": 2}\n```", Some("{\"b\": 2}")),
        ("```\n{\"a\": 1}\n```\n```json\n{\"b\": 2}\n```", Some("{\"b\": 2}")),
        ("```json\n{\"a\": 1}\n```\n```json\n{\"b\": 2}\n```", Some("{\"a\": 1}")),
        ("```json\n{\"a\": 1,}\n```\n```json\n{\"b\": 2}\n```", Some("{\"b\": 2}")),
        ("```json\n{\"a\": \"``` in it\"}\n```", Some("{\"a\": \"``` in it\"}")),
        (r#"The answer is {"a": {"b": "} ] \" {"}} as you see."#, Some(r#"{"a": {"b": "} ] \" {"}}"#)),
        (r#"Use {name} and [x] so: {"a": 1}."#, Some(r#"{"a": 1}"#)),
        (r#"As [1] says: {"a": 1}"#, Some(r#"{"a": 1}"#)),
        ("Only [1].", Some("[1]")),
        (r#"List: ["a", {"b": []}] and {"c": 1}"#, Some(r#"["a", {"b": []}]"#)),
        (r#"{"a": 1} {"b": 2}"#, Some(r#"{"a": 1}"#)),
        (r#"{ see {"a": 1}"#, Some(r#"{"a": 1}"#)),
        (r#"{"a": [1, 2],}"#, None),
        (r#"So: {"a": [1, 2], "b": {"c": 1,}}"#, None),
        (r#"{'a': 1}"#, None),
        (r#"{"a": [1, 2], "b": "#, None),
        (r#"{"a": NaN}"#, None),
        ("I could not do it.", None),
        ("", None),
        ("```json\nnothing\n```", None),
    ] {
        assert_eq!(json_in(text), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn whatever_it_is_cut_from_it_is_json(text in r#"[a-z0-9 {}\[\]",:`\\\n]{0,80}"#) {
        if let Some(json) = json_in(&text) {
            prop_assert!(is_json(json) && text.contains(json));
        }
    }

    #[test]
    fn an_object_is_found_in_any_prose(before in "[a-zA-Z .\n]{0,40}", after in "[a-zA-Z .{\n]{0,40}", key in "[^\\p{C}]{0,20}") {
        let value = serde_json::json!({ key.clone(): [key, {"x": null}] }).to_string();
        let text = format!("{before} {value} {after}");
        prop_assert_eq!(json_in(&text), Some(value.as_str()));
    }
}

#[test]
fn a_text_of_brackets_costs_little() {
    for text in ["[".repeat(1 << 20), "{\"".repeat(1 << 19), "[1,".repeat(1 << 18), "{}x".repeat(1 << 18)] {
        let (found, time) = palanca_testkit::spent(|| json_in(&text));
        assert!(found.is_none_or(|json| json == "{}"));
        assert!(time.as_secs() < 5, "{}", &text[..10]);
    }
}
