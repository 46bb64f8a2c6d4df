//! `require_test_after_edit`.

use crate::harness::{Harness, done, refused_by};
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::Exit;
use palanca_core::tool::FileDelta;
use palanca_policy::guardrails::GuardrailSettings;
use palanca_testkit::processes::finished;
use serde_json::json;

const RULE: &str = "guardrails.require_test_after_edit";

fn harness() -> Harness {
    let settings = GuardrailSettings { require_test_after_edit: true, ..GuardrailSettings::default() };
    Harness::new(&[("a.txt", "one\n")], &settings)
}

#[tokio::test]
async fn an_edit_waits_for_a_test() {
    let harness = harness();
    done(&harness.write("b.txt", "x\n").await);
    refused_by(&harness.write("c.txt", "x\n").await, RULE);
    refused_by(&harness.run("echo x > c.txt").await, RULE);
    refused_by(&harness.run("sed -i s/x/y/ b.txt").await, RULE);
    done(&harness.call("read_file", json!({ "path": "b.txt" })).await);
    done(&harness.run("cargo build").await);
    done(&harness.run("cargo test || true").await);
    refused_by(&harness.write("c.txt", "x\n").await, RULE);
    done(&harness.run("cargo test").await);
    done(&harness.write("c.txt", "x\n").await);
    refused_by(&harness.write("d.txt", "x\n").await, RULE);
}

#[tokio::test]
async fn what_a_command_changes_is_an_edit_like_a_tools() {
    let harness = harness();
    let changes = |name: &str| {
        harness.programs.changes(vec![FileDelta {
            path: CanonicalPath::new(Root::Workspace, name.into()),
            from: None,
            added: 1,
            removed: 0,
            before: None,
            after: Some(b"x\n".to_vec()),
        }]);
    };
    changes("target/debug/x");
    done(&harness.run("cargo build").await);
    changes("gen.py");
    done(&harness.run("python3 gen.py").await);
    for command in
        ["rm a.txt", "mv a.txt b.txt", "cp a.txt b.txt", "truncate -s 0 a.txt", "cat > a.txt", "cd src; rm x"]
    {
        refused_by(&harness.run(command).await, RULE);
    }
    refused_by(&harness.write("c.txt", "x\n").await, RULE);
    for command in ["rm -r target", "cp a.txt /tmp/b", "rm /tmp/b"] {
        done(&harness.run(command).await);
    }
    changes("tests/snapshot");
    done(&harness.run("cargo test").await);
    done(&harness.write("c.txt", "x\n").await);
}

#[tokio::test]
async fn an_edit_that_failed_asks_for_no_test() {
    let harness = harness();
    let failed = harness.call("edit_file", json!({ "path": "a.txt", "old_str": "absent", "new_str": "x" })).await;
    assert_eq!(failed.outcome.name(), "failed");
    done(&harness.write("b.txt", "x\n").await);
}

#[tokio::test]
async fn a_test_that_failed_is_none() {
    let harness = harness();
    done(&harness.write("b.txt", "x\n").await);
    for _ in 0..64 {
        harness.run("ls").await;
    }
    harness.programs.then(Ok(finished(Exit::Code(1), "", "")));
    assert_eq!(harness.run("pytest").await.outcome.name(), "failed");
    refused_by(&harness.write("c.txt", "x\n").await, RULE);
}

#[tokio::test]
async fn of_edits_side_by_side_one_is_made() {
    let harness = harness();
    let calls = (0..4).map(|n| ("write_file", json!({ "path": format!("f{n}"), "content": "x\n" }))).collect();
    let results = harness.together(calls).await;
    assert_eq!(results.iter().filter(|result| result.success).count(), 1, "{results:?}");
}

#[tokio::test]
async fn the_operator_says_what_a_test_is() {
    let settings = GuardrailSettings {
        require_test_after_edit: true,
        test_commands: vec!["./scripts/check.sh".to_owned()],
        ..GuardrailSettings::default()
    };
    let harness = Harness::new(&[("a.txt", "one\n")], &settings);
    done(&harness.write("b.txt", "x\n").await);
    done(&harness.run("cargo test").await);
    refused_by(&harness.write("c.txt", "x\n").await, RULE);
    done(&harness.run("./scripts/check.sh --all").await);
    done(&harness.write("c.txt", "x\n").await);
}
