#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use crate::request::ToolOffer;
use proptest::prelude::*;
use serde_json::json;

fn scan(text: &str, size: usize) -> (String, Vec<String>) {
    let offered = ["read_file", "mcp.search"].map(|name| ToolOffer::new(name, "", &json!({})));
    let names = Names::new(&offered);
    let mut scanner = Scanner::default();
    let mut shown = String::new();
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(size) {
        shown.push_str(&scanner.push(piece.iter().collect(), &names));
    }
    let last = scanner.finish(&names);
    shown.push_str(&last.text);
    let calls = last
        .found
        .into_iter()
        .flat_map(|(_, calls)| calls)
        .map(|call| format!("{} {}", call.name, call.arguments))
        .collect();
    (shown, calls)
}

fn check(text: &str, shown: &str, calls: &[&str]) {
    for size in [1, 3, 7, 1000] {
        let got = scan(text, size);
        assert_eq!(
            (got.0.as_str(), got.1.as_slice()),
            (shown, calls.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>().as_slice()),
            "{text:?} in pieces of {size}"
        );
    }
}

#[test]
fn calls_in_text_are_found() {
    let call = r#"{"name": "read_file", "arguments": {"path": "a"}}"#;
    let read = r#"read_file {"path":"a"}"#;
    check(call, "", &[read]);
    check(&format!("  {call}\n"), "", &[read]);
    check(&format!("[{call}, {call}]"), "", &[read, read]);
    check(&format!("{call}\n{call}"), "", &[read, read]);
    check(&format!("I look.\n```json\n{call}\n```\nSo."), "I look.\n\nSo.", &[read]);
    check(&format!("```\n{call}\n```"), "", &[read]);
    check(&format!("```json\n{call}"), "", &[read]);
    check(&format!("Now <tool_call>\n{call}\n</tool_call><tool_call>{call}"), "Now ", &[read, read]);
    check(r#"{"tool_name": "mcp_search", "parameters": {}}"#, "", &["mcp.search {}"]);
    check(r#"{"name": "read_file", "args": "{\"path\":\"a\"}"}"#, "", &[read]);
    check(r#"{"id":"x","type":"function","function":{"name":"read_file","arguments":{"path":"a"}}}"#, "", &[read]);
    check(&format!(r#"{{"tool_calls": [{call}]}}"#), "", &[read]);
    // A fence inside the arguments.
    check("```json\n{\"name\":\"read_file\",\"args\":{\"path\":\"```\"}}\n```", "", &["read_file {\"path\":\"```\"}"]);
}

#[test]
fn answers_stay_answers() {
    for text in [
        "Plain.",
        "",
        "Use `x` and <b>y</b>.",
        "```rust\nfn main() { let a = \"{\"; }\n```\nand\n```json\n{\"a\": 1}\n```\nend",
        r#"{"name": "delete_all", "arguments": {}}"#,
        r#"{"name": "read_file"}"#,
        r#"{"name": "read_file", "arguments": {"#,
        "[link](target) and more",
        "[1, 2]",
        "{ not json",
        "<tool_cal",
        "<tool_call>no</tool_call> and <tool_call>{",
        "ends with ``",
        "```json\n{\"a\": ",
    ] {
        check(text, text, &[]);
    }
}

#[test]
fn text_is_held_back_only_while_it_may_be_a_call() {
    let offered = [ToolOffer::new("read_file", "", &json!({}))];
    let names = Names::new(&offered);
    let mut scanner = Scanner::default();
    let mut push = |text: &str| scanner.push(text.to_owned(), &names);
    assert_eq!(push("Hello "), "Hello ");
    assert_eq!(push("there `"), "there ");
    assert_eq!(push("x` ```"), "`x` ");
    assert_eq!(push("rust\nfn"), "```rust\nfn");
    assert_eq!(push(" main\n```\n```js"), " main\n```\n");
    assert_eq!(push("on\n[1]"), "");
    assert_eq!(push("\n```"), "```json\n[1]\n```");
}

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_panics(text in "([a-z `<>{}\\[\\]\":\n]|```|```json\n|<tool_call>){0,40}", size in 1_usize..6) {
        let (shown, calls) = scan(&text, size);
        prop_assert!(calls.is_empty());
        prop_assert_eq!(shown, text);
    }
}
