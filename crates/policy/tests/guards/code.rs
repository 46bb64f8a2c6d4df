//! Rules on what is written.

use crate::harness::{Harness, done, refused_by, rule};
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::tool::FileDelta;
use palanca_policy::guardrails::{GuardrailSettings, Severity};
use serde_json::json;

const RULE: &str = "guardrails.code_rules";

fn harness(files: &[(&str, &str)]) -> Harness {
    let code_rules = vec![
        rule(r"eval\(", Severity::Block),
        rule(r"^import os$", Severity::Block),
        rule(r"try:\n\s+pass", Severity::Block),
        rule(r"\bprint\(", Severity::Warn),
    ];
    Harness::new(files, &GuardrailSettings { code_rules, ..GuardrailSettings::default() })
}

#[tokio::test]
async fn every_way_of_writing_is_judged() {
    let harness = harness(&[("a.py", "one\ntwo\ntry:\n"), ("old.py", "x = eval(y)\nlast\n")]);
    let before = harness.workspace.everything();
    let append = json!({ "path": "a.py", "content": "x = eval(1)\n", "mode": "append" });
    let edit = json!({ "path": "a.py", "old_str": "two", "new_str": "eval(two)" });
    let patch = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,3 @@\n one\n+eval(2)\n two\n";
    let rename = "diff --git a/a.py b/b.py\nrename from a.py\nrename to b.py\n--- a/a.py\n+++ b/b.py\n@@ -1,2 +1,3 @@\n one\n+eval(2)\n two\n";
    let spanning = json!({ "path": "a.py", "old_str": "try:\n", "new_str": "try:\n    pass\n" });
    for (tool, arguments) in [
        ("write_file", json!({ "path": "new.py", "content": "x = eval(1)" })),
        ("write_file", json!({ "path": "new.py", "content": "a\r\nimport os\r\n" })),
        ("write_file", json!({ "path": "new.bin", "content": "\u{0}x = eval(1)" })),
        ("write_file", append),
        ("edit_file", edit),
        ("edit_file", spanning),
        ("apply_patch", json!({ "patch": patch })),
        ("apply_patch", json!({ "patch": rename })),
    ] {
        let result = harness.call(tool, arguments.clone()).await;
        refused_by(&result, RULE);
        assert!(result.error.unwrap().contains("BLOCKED by code rule: no "), "{arguments}");
    }
    assert_eq!(harness.workspace.everything(), before);
}

#[tokio::test]
async fn text_that_was_there_breaks_nothing() {
    let harness = harness(&[("old.py", "x = eval(y)\nmiddle\nlast\n")]);
    done(&harness.call("edit_file", json!({ "path": "old.py", "old_str": "last", "new_str": "end" })).await);
    done(&harness.write("old.py", "x = eval(y)\nmiddle\nlast\nmore\n").await);
    let rename = "diff --git a/old.py b/b.py\nsimilarity index 100%\nrename from old.py\nrename to b.py\n";
    done(&harness.call("apply_patch", json!({ "patch": rename })).await);
    done(&harness.call("edit_file", json!({ "path": "b.py", "old_str": "x = eval(y)\n", "new_str": "" })).await);
    refused_by(&harness.write("b.py", "x = eval(y)\n").await, RULE);
}

#[tokio::test]
async fn a_warning_comes_with_the_result() {
    let harness = harness(&[]);
    let result = harness.write("a.py", "print(1)\n").await;
    done(&result);
    assert!(result.output.contains("Code rule: no \\bprint\\( (a.py: 'print(')"), "{}", result.output);
    assert_eq!(harness.workspace.text("a.py"), "print(1)\n");
}

#[tokio::test]
async fn commands_are_judged_by_the_text_that_they_would_write() {
    let harness = harness(&[]);
    for command in [
        "echo 'x = eval(1)' > a.py",
        "printf 'x = ev''al(1)' | tee a.py",
        "cat > a.py <<'END'\nx = eval(1)\nEND",
        "sed -i 's/x/eval(x)/' a.py",
    ] {
        refused_by(&harness.run(command).await, RULE);
    }
    for command in ["grep -n 'eval(' a.py", "echo 'eval(1)'", "echo 'print(1)' > a.py", "cat a.py 2> /dev/null"] {
        done(&harness.run(command).await);
    }
}

#[tokio::test]
async fn what_a_program_wrote_is_looked_at_afterwards() {
    let harness = harness(&[]);
    let delta = |before: &str, after: &str| FileDelta {
        path: CanonicalPath::new(Root::Workspace, "gen.py".into()),
        from: None,
        added: 1,
        removed: 0,
        before: Some(before.into()),
        after: Some(after.into()),
    };
    harness.programs.changes(vec![delta("eval(1)\n", "eval(1)\nx\n")]);
    assert!(!harness.run("python3 gen.py").await.output.contains("Code rule"));
    harness.programs.changes(vec![delta("x\n", "eval(1)\nx\n")]);
    let result = harness.run("python3 gen.py").await;
    assert!(result.output.contains("Code rule: what this command wrote violates no eval"), "{}", result.output);
}
