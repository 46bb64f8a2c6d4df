//! `require_test_after_edit`.

use crate::house::{House, done, refused_by};
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::Exit;
use palanca_core::tool::FileDelta;
use palanca_policy::guardrails::GuardrailSettings;
use palanca_testkit::processes::finished;
use serde_json::json;

const RULE: &str = "guardrails.require_test_after_edit";

fn house() -> House {
    let settings = GuardrailSettings { require_test_after_edit: true, ..GuardrailSettings::default() };
    House::new(&[("a.txt", "one\n")], &settings)
}

#[tokio::test]
async fn an_edit_waits_for_a_test() {
    let house = house();
    done(&house.write("b.txt", "x\n").await);
    refused_by(&house.write("c.txt", "x\n").await, RULE);
    refused_by(&house.run("echo x > c.txt").await, RULE);
    refused_by(&house.run("sed -i s/x/y/ b.txt").await, RULE);
    done(&house.call("read_file", json!({ "path": "b.txt" })).await);
    done(&house.run("cargo build").await);
    done(&house.run("cargo test || true").await);
    refused_by(&house.write("c.txt", "x\n").await, RULE);
    done(&house.run("cargo test").await);
    done(&house.write("c.txt", "x\n").await);
    refused_by(&house.write("d.txt", "x\n").await, RULE);
}

#[tokio::test]
async fn what_a_command_changes_is_an_edit_like_a_tools() {
    let house = house();
    let changes = |name: &str| {
        house.programs.changes(vec![FileDelta {
            path: CanonicalPath::new(Root::Workspace, name.into()),
            from: None,
            added: 1,
            removed: 0,
            before: None,
            after: Some(b"x\n".to_vec()),
        }]);
    };
    changes("target/debug/x");
    done(&house.run("cargo build").await);
    changes("gen.py");
    done(&house.run("python3 gen.py").await);
    for command in
        ["rm a.txt", "mv a.txt b.txt", "cp a.txt b.txt", "truncate -s 0 a.txt", "cat > a.txt", "cd src; rm x"]
    {
        refused_by(&house.run(command).await, RULE);
    }
    refused_by(&house.write("c.txt", "x\n").await, RULE);
    for command in ["rm -r target", "cp a.txt /tmp/b", "rm /tmp/b"] {
        done(&house.run(command).await);
    }
    changes("tests/snapshot");
    done(&house.run("cargo test").await);
    done(&house.write("c.txt", "x\n").await);
}

#[tokio::test]
async fn an_edit_that_failed_asks_for_no_test() {
    let house = house();
    let failed = house.call("edit_file", json!({ "path": "a.txt", "old_str": "absent", "new_str": "x" })).await;
    assert_eq!(failed.outcome, "failed");
    done(&house.write("b.txt", "x\n").await);
}

#[tokio::test]
async fn a_test_that_failed_is_none() {
    let house = house();
    done(&house.write("b.txt", "x\n").await);
    for _ in 0..64 {
        house.run("ls").await;
    }
    house.programs.then(Ok(finished(Exit::Code(1), "", "")));
    assert_eq!(house.run("pytest").await.outcome, "failed");
    refused_by(&house.write("c.txt", "x\n").await, RULE);
}

#[tokio::test]
async fn of_edits_side_by_side_one_is_made() {
    let house = house();
    let calls = (0..4).map(|n| ("write_file", json!({ "path": format!("f{n}"), "content": "x\n" }))).collect();
    let results = house.together(calls).await;
    assert_eq!(results.iter().filter(|result| result.success).count(), 1, "{results:?}");
}

#[tokio::test]
async fn the_operator_says_what_a_test_is() {
    let settings = GuardrailSettings {
        require_test_after_edit: true,
        test_commands: vec!["./scripts/check.sh".to_owned()],
        ..GuardrailSettings::default()
    };
    let house = House::new(&[("a.txt", "one\n")], &settings);
    done(&house.write("b.txt", "x\n").await);
    done(&house.run("cargo test").await);
    refused_by(&house.write("c.txt", "x\n").await, RULE);
    done(&house.run("./scripts/check.sh --all").await);
    done(&house.write("c.txt", "x\n").await);
}
