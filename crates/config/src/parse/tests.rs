#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use serde_json::{Value, json};

use super::{SyntaxError, parse};
use crate::node::{Kind, Node};

fn value(path: &str, text: &str) -> Value {
    parse(path, text).unwrap_or_else(|error| panic!("{path}: {error:?}")).to_value()
}

fn error(path: &str, text: &str) -> SyntaxError {
    parse(path, text).expect_err(text)
}

/// The line of the value at a dotted path.
fn line(node: &Node, path: &str) -> u32 {
    path.split('.')
        .fold(node, |node, key| match &node.kind {
            Kind::Map(entries) => &entries.iter().find(|(name, _)| name == key).unwrap().1,
            Kind::List(items) => &items[key.parse::<usize>().unwrap()],
            _ => panic!("{key} in {node:?}"),
        })
        .line
}

#[test]
fn three_formats_give_the_same_tree() {
    let expected = json!({
        "llm": { "timeout": 30, "model": "a:b", "stream": false },
        "costs": { "budget_usd": 1.5 },
        "secrets": { "deny": ["*.tax", "x y"] },
    });
    let yaml = "llm:\n  timeout: 30\n  model: a:b\n  stream: false\ncosts: {budget_usd: 1.5}\nsecrets:\n  deny:\n    - '*.tax'\n    - x y\n";
    let toml = "[llm]\ntimeout = 30\nmodel = 'a:b'\nstream = false\n[costs]\nbudget_usd = 1.5\n[secrets]\ndeny = ['*.tax', 'x y']\n";
    let json = "{ // comment\n \"llm\": {\"timeout\": 30, \"model\": \"a:b\", \"stream\": false},\n \"costs\": {\"budget_usd\": 1.5}, /* and */\n \"secrets\": {\"deny\": [\"*.tax\", \"x y\",]},\n}";
    for (path, text) in [("p.yaml", yaml), ("p.YML", yaml), ("p.toml", toml), ("p.json", json), ("p.jsonc", json)] {
        assert_eq!(value(path, text), expected, "{path}");
        assert_eq!(value(path, &format!("\u{feff}{text}")), expected, "{path} with a byte order mark");
        assert_eq!(value(path, &text.replace('\n', "\r\n")), expected, "{path} with CRLF");
    }
}

#[test]
fn lines_are_those_of_the_keys() {
    let yaml = parse("a.yaml", "# c\nllm:\n  model: x\n  retries:\n    3\nbots:\n  - id: a\n  - id: b\n").unwrap();
    for (path, expected) in [("llm", 2), ("llm.model", 3), ("llm.retries", 4), ("bots.1.id", 8)] {
        assert_eq!(line(&yaml, path), expected, "{path}");
    }
    let toml = parse("a.toml", "# c\n[llm]\nmodel = 'x'\n\n[[bots]]\nid = 'a'\n").unwrap();
    for (path, expected) in [("llm.model", 3), ("bots.0.id", 6)] {
        assert_eq!(line(&toml, path), expected, "{path}");
    }
    let json = parse("a.json", "{\n\"llm\": {\n\n\"model\": \"x\"}}").unwrap();
    for (path, expected) in [("llm", 2), ("llm.model", 4)] {
        assert_eq!(line(&json, path), expected, "{path}");
    }
}

#[test]
fn yaml_words_stay_words() {
    assert_eq!(
        value(
            "a.yaml",
            "a: off\nb: no\nc: NO\nd: yes\ne: on\nf: true\ng: ~\nh:\ni: 1.0\nj: '1'\nk: 0o17\nl: 2001-01-01\n"
        ),
        json!({"a": "off", "b": "no", "c": "NO", "d": "yes", "e": "on", "f": true, "g": null, "h": null, "i": 1.0, "j": "1", "k": 15, "l": "2001-01-01"})
    );
}

#[test]
fn empty_files_are_empty() {
    for (path, text) in [
        ("a.yaml", ""),
        ("a.yaml", " \n"),
        ("a.yaml", "# only\n"),
        ("a.toml", ""),
        ("a.json", ""),
        ("a.json", "// only\n"),
        ("a.json", "{}"),
        ("a.yaml", "---\n"),
    ] {
        assert_eq!(value(path, text), json!({}), "{path}: {text:?}");
    }
}

#[test]
fn what_cannot_be_read_says_where() {
    for (path, text, line, part) in [
        ("a.yaml", "a: 1\nb: [\n", None, "is not valid YAML"),
        ("a.yaml", "a: 1\na: 2\n", Some(2), "the key \"a\" is here a second time"),
        ("a.yaml", "a:\n  b: 1\n  b: 2\n", Some(3), "the key \"b\" is here a second time"),
        ("a.yaml", "- 1\n", Some(1), "holds a list where sections"),
        ("a.yaml", "just text", Some(1), "holds text where sections"),
        ("a.yaml", "a: 1\n---\nb: 2\n", Some(2), "begins a second document"),
        ("a.yaml", "a: .nan\n", Some(1), "is not valid YAML"),
        ("a.toml", "a = 1\nb = \n", Some(2), "is not valid TOML"),
        ("a.toml", "a = 1\na = 2\n", Some(2), "the key \"a\" is here a second time"),
        ("a.toml", "a = 99999999999999999999\n", Some(1), "out of range"),
        ("a.json", "{\n\"a\": 1\n\"b\": 2}", Some(2), "is not valid JSON"),
        ("a.json", "{\"a\": 1,\n\"a\": 2}", Some(2), "the key \"a\" is here a second time"),
        ("a.json", "{a: 1}", Some(1), "is not valid JSON"),
        ("a.ini", "", Some(0), "no known format"),
        ("palanca", "", Some(0), "no known format"),
    ] {
        let error = error(path, text);
        assert!(error.message.to_lowercase().contains(&part.to_lowercase()), "{text:?}: {error:?}");
        if let Some(line) = line {
            assert_eq!(error.line, line, "{text:?}: {error:?}");
        }
    }
    assert!(error("a.yaml", &"#".repeat(2 << 20)).message.contains("larger"));
}

#[test]
fn alias_bombs_and_deep_nesting_end_early() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let previous = level - 1;
        let items = vec![format!("*a{previous}"); 9].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    error("a.yaml", &bomb);
    error("a.yaml", &format!("a: {}{}", "[".repeat(5000), "]".repeat(5000)));
    error("a.json", &format!("{{\"a\": {}{}}}", "[".repeat(5000), "]".repeat(5000)));
    error("a.toml", &format!("a = {}{}", "[".repeat(5000), "]".repeat(5000)));
}

#[test]
fn anchors_and_merge_keys_work() {
    assert_eq!(
        value("a.yaml", "x: &x {a: 1}\ny:\n  <<: *x\n  b: 2\nz: *x\n"),
        json!({"x": {"a": 1}, "y": {"a": 1, "b": 2}, "z": {"a": 1}})
    );
}
