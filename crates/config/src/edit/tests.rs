#![allow(clippy::unwrap_used, missing_docs)]
use super::*;

#[track_caller]
fn check(path: &str, before: &str, tools: &[&str], after: Option<&str>) {
    let tools: Vec<String> = tools.iter().map(|tool| (*tool).to_owned()).collect();
    assert_eq!(with_disabled_tools(path, before, "ana", &tools).as_deref(), after, "{before}");
}

#[test]
fn the_list_is_changed_and_nothing_else() {
    for (path, before, tools, after) in [
        (
            "a.yaml",
            "bots: [{id: ana, disabledTools: [exec]}] # mine\n",
            &["exec", "cron"][..],
            "bots: [{id: ana, disabledTools: [exec, cron]}] # mine\n",
        ),
        (
            "a.yaml",
            "bots:\n  - id: eva\n    disabledTools: [exec]\n  - id: ana\n    disabledTools: [exec]\n",
            &[],
            "bots:\n  - id: eva\n    disabledTools: [exec]\n  - id: ana\n    disabledTools: []\n",
        ),
        (
            "a.yaml",
            "bots:\n  - id: ana\n    disabledTools:\n      - exec\n      - cron\n    name: Ana\n",
            &["cron"],
            "bots:\n  - id: ana\n    disabledTools: [cron]\n    name: Ana\n",
        ),
        (
            "a.json",
            "{\"bots\": [{\n  \"id\": \"ana\",\n  \"disabledTools\": [\n    \"exec\"\n  ]\n}]}",
            &["cron"],
            "{\"bots\": [{\n  \"id\": \"ana\",\n  \"disabledTools\": [\"cron\"]\n}]}",
        ),
        (
            "a.toml",
            "[[bots]]\nid = \"ana\"\ndisabledTools = [\"exec\"]\n",
            &["cron"],
            "[[bots]]\nid = \"ana\"\ndisabledTools = [\"cron\"]\n",
        ),
        (
            "bots.json",
            "[{\"id\": \"ana\", \"disabledTools\": []}]",
            &["cron"],
            "[{\"id\": \"ana\", \"disabledTools\": [\"cron\"]}]",
        ),
    ] {
        check(path, before, tools, Some(after));
    }
}

#[test]
fn a_list_that_is_not_there_is_added() {
    for (path, before, after) in [
        ("a.yaml", "bots: [{id: ana}, {id: anabel}]\n", "bots: [{id: ana, disabledTools: [exec]}, {id: anabel}]\n"),
        (
            "a.yaml",
            "# ana\nbots:\n  - id: ana # she\n    name: ana\n",
            "# ana\nbots:\n  - id: ana # she\n    disabledTools: [exec]\n    name: ana\n",
        ),
        ("a.yaml", "bots:\n- name: ana\n  id: 'ana'\n", "bots:\n- name: ana\n  id: 'ana'\n  disabledTools: [exec]\n"),
        (
            "a.jsonc",
            "{ // bots\n \"bots\": [{\"name\": \"ana\", \"id\": \"ana\"}]}",
            "{ // bots\n \"bots\": [{\"name\": \"ana\", \"id\": \"ana\", \"disabledTools\": [\"exec\"]}]}",
        ),
        ("a.toml", "[[bots]]\nid = \"ana\"\n", "[[bots]]\nid = \"ana\"\ndisabledTools = [\"exec\"]\n"),
    ] {
        check(path, before, &["exec"], Some(after));
    }
}

#[test]
fn what_is_written_otherwise_is_left() {
    for (path, before) in [
        ("a.yaml", "bots: [{id: eva}]\n"),
        ("a.yaml", "mode: yolo\n"),
        ("a.yaml", "bots: [{id: ana"),
        ("a.yaml", "bots:\n  - {id: \"\\u0061na\"}\n"),
        ("a.yaml", "bots:\n  - &one {id: ana}\nothers: [*one]\n"),
        ("a.txt", "bots: [{id: ana}]\n"),
    ] {
        check(path, before, &["exec"], None);
    }
}
