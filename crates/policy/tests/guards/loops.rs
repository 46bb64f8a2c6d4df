//! Loop detection.

use crate::harness::{Harness, done};
use palanca_policy::guardrails::GuardrailSettings;
use palanca_policy::loops::{LoopSettings, Loops};
use serde_json::{Value, json};

fn harness() -> Harness {
    Harness::new(&[("a.txt", "one\n"), ("b.txt", "two\n")], &GuardrailSettings::default())
}

/// `run`, `warn`, `refuse`, `stop` of the same call over and over.
async fn course(harness: &Harness, tool: &str, arguments: &Value, times: usize) -> Vec<&'static str> {
    let mut course = Vec::new();
    for _ in 0..times {
        let result = harness.model(tool, arguments.clone()).await;
        course.push(match (result.outcome.name(), result.code.as_deref()) {
            ("stopped", Some("halted")) => "stop",
            ("refused", Some("loops.refuse")) => "refuse",
            _ if result.output.contains("Do something else") => "warn",
            _ => "run",
        });
    }
    course
}

#[tokio::test]
async fn endless_identical_calls_end() {
    let expected = ["run", "run", "warn", "warn", "refuse", "refuse", "refuse", "stop", "stop"];
    for (tool, arguments) in [
        ("read_file", json!({ "path": "a.txt" })),
        ("read_file", json!({ "path": "absent" })),
        ("edit_file", json!({ "path": "a.txt", "old_str": "absent", "new_str": "x" })),
        ("no_such_tool", json!({})),
        ("read_file", json!({ "path": 5, "wrong": true })),
        ("read_file", json!("{")),
    ] {
        let course = course(&harness(), tool, &arguments, 9).await;
        // What never ran is not refused once more.
        let unread = tool == "no_such_tool" || !arguments["path"].is_string() && tool == "read_file";
        let expected: Vec<_> =
            expected.iter().map(|step| if unread && *step == "refuse" { "warn" } else { *step }).collect();
        assert_eq!(course, expected, "{tool} {arguments}");
    }
}

#[tokio::test]
async fn what_another_rule_refuses_counts_and_ends_all_the_same() {
    let harness = harness();
    let mut results = Vec::new();
    for _ in 0..8 {
        results.push(harness.model("run_command", json!({ "command": "rm -rf /" })).await);
    }
    assert!(results[..7].iter().all(|result| result.code.as_deref() == Some("shell.block.remove")), "{results:?}");
    assert!(results[5].error.as_ref().unwrap().contains("loops.refuse"));
    assert_eq!(results[7].code.as_deref(), Some("halted"));
}

#[tokio::test]
async fn the_order_of_keys_does_not_matter_and_people_may_repeat_themselves() {
    let harness = harness();
    for text in [r#"{"path": "a.txt", "start_line": 1}"#, r#"{"start_line": 1, "path": "a.txt"}"#] {
        done(&harness.model("read_file", serde_json::from_str(text).unwrap()).await);
    }
    let third = harness.model("read_file", json!({ "path": "a.txt", "start_line": 1 })).await;
    assert!(third.output.contains("3 times"), "{}", third.output);
    for _ in 0..12 {
        done(&harness.call("read_file", json!({ "path": "a.txt" })).await);
    }
}

#[tokio::test]
async fn ping_pong_is_a_loop() {
    let harness = harness();
    let mut last = Vec::new();
    for round in 1..=8 {
        for path in ["a.txt", "b.txt"] {
            last.push((round, harness.model("read_file", json!({ "path": path })).await));
        }
    }
    assert!(last.iter().any(|(round, result)| *round == 3 && result.output.contains("3 times")));
    assert!(last.iter().any(|(round, result)| *round == 8 && result.code.as_deref() == Some("halted")));
    let harness = self::harness();
    let mut codes = Vec::new();
    for _ in 0..8 {
        for (old, new) in [("one", "two"), ("two", "one")] {
            let edit = json!({ "path": "a.txt", "old_str": old, "new_str": new });
            codes.push(harness.model("edit_file", edit).await.code);
        }
    }
    assert!(codes.contains(&Some("loops.refuse".to_owned())), "{codes:?}");
}

#[tokio::test]
async fn progress_is_no_loop() {
    let harness = harness();
    for number in 0..12 {
        // The result changes.
        harness.workspace.write("a.txt", format!("{number}\n"));
        let read = harness.model("read_file", json!({ "path": "a.txt" })).await;
        assert!(read.success && !read.output.contains("Do something else"), "{read:?}");
    }
    for number in 0..12 {
        // The same failure after another attempt each time.
        done(&harness.model("write_file", json!({ "path": "c.txt", "content": format!("{number}") })).await);
        let run = harness.model("read_file", json!({ "path": "absent" })).await;
        assert!(run.outcome.name() == "failed" && !run.output.contains("Do something else"), "{run:?}");
    }
}

#[tokio::test]
async fn what_watches_may_be_called_again_and_again() {
    let harness = harness();
    for _ in 0..12 {
        let listed = harness.model("process", json!({ "action": "list" })).await;
        assert!(listed.success && !listed.output.contains("Do something else"), "{listed:?}");
    }
}

#[tokio::test]
async fn explaining_changes_nothing() {
    let harness = harness();
    let call = || {
        let call = harness.gate.submission("read_file", json!({ "path": "a.txt" }));
        palanca_core::Call { origin: palanca_core::Origin::Model { step: 1 }, ..call }
    };
    let verdict = async || {
        let explained = harness.gate.gate.explain(&harness.gate.toolset, &call()).await;
        explained
            .stages
            .iter()
            .find(|stage| stage.rule.is_some())
            .map(|stage| (stage.verdict, stage.rule.clone().unwrap()))
    };
    for _ in 0..20 {
        assert_eq!(verdict().await, None);
    }
    for expected in [None, None, Some("warn"), Some("warn"), Some("deny"), Some("deny"), Some("deny"), Some("halt")] {
        assert_eq!(verdict().await.map(|(verdict, _)| verdict.name()), expected);
        harness.gate.gate.submit(&harness.gate.toolset, call()).await;
    }
}

#[test]
fn thresholds_must_be_in_order() {
    for (warn, refuse, stop, fits) in
        [(3, 5, 8, true), (2, 2, 2, true), (1, 5, 8, false), (5, 3, 8, false), (3, 9, 8, false), (3, 5, 1001, false)]
    {
        assert_eq!(Loops::new(LoopSettings { warn, refuse, stop }).is_ok(), fits, "{warn} {refuse} {stop}");
    }
}
