//! What a session may change and run.

use crate::harness::{Harness, done, refused_by};
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::Exit;
use palanca_core::tool::FileDelta;
use palanca_policy::guardrails::GuardrailSettings;
use palanca_testkit::processes::finished;
use proptest::prelude::*;
use serde_json::json;

fn harness(files: Option<u32>, lines: Option<u32>, commands: Option<u32>) -> Harness {
    let settings = GuardrailSettings {
        max_files_modified: files,
        max_lines_changed: lines,
        max_commands_executed: commands,
        ..GuardrailSettings::default()
    };
    Harness::new(&[("a.txt", "one\ntwo\nthree\n")], &settings)
}

#[tokio::test]
async fn a_refused_or_failed_edit_costs_nothing() {
    let harness = harness(Some(1), None, None);
    for _ in 0..3 {
        let failed = harness.call("edit_file", json!({ "path": "a.txt", "old_str": "absent", "new_str": "x" })).await;
        assert_eq!(failed.outcome.name(), "failed");
    }
    done(&harness.write("a.txt", "1\n").await);
    done(&harness.write("a.txt", "2\n").await);
    for _ in 0..3 {
        refused_by(&harness.write("b.txt", "x").await, "guardrails.max_files_modified");
    }
    done(&harness.write("a.txt", "3\n").await);
    let patch = "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+x\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-3\n+4\n";
    refused_by(&harness.call("apply_patch", json!({ "patch": patch })).await, "guardrails.max_files_modified");
}

#[tokio::test]
async fn lines_are_those_of_the_real_diff() {
    let harness = harness(None, Some(4), None);
    // One line of three changes: one goes, one comes.
    done(&harness.write("a.txt", "one\nTWO\nthree\n").await);
    done(&harness.write("empty.txt", "").await);
    done(&harness.write("a.txt", "one\nTWO\nthree\n").await);
    refused_by(&harness.write("b.txt", "1\n2\n3\n").await, "guardrails.max_lines_changed");
    done(&harness.call("edit_file", json!({ "path": "a.txt", "old_str": "one\n", "new_str": "" })).await);
    refused_by(&harness.write("bin", "\u{0}\n1\n2\n").await, "guardrails.max_lines_changed");
    done(&harness.write("b.txt", "1\n").await);
    let refused = harness.call("delete_file", json!({ "path": "a.txt" })).await;
    refused_by(&refused, "guardrails.max_lines_changed");
    assert!(refused.error.unwrap().contains("4 of at most 4 lines"));
}

#[tokio::test]
async fn a_command_counts_when_it_ran_however_it_ended() {
    let harness = harness(None, None, Some(2));
    refused_by(&harness.run("rm -rf /").await, "shell.block.remove");
    done(&harness.run("ls").await);
    let failing =
        Harness::new(&[], &GuardrailSettings { max_commands_executed: Some(1), ..GuardrailSettings::default() });
    for _ in 0..64 {
        // The first scripted ends are all zero; this one comes after them.
        failing.programs.then(Ok(finished(Exit::Code(1), "", "")));
    }
    failing.run("false").await;
    refused_by(&failing.run("false").await, "guardrails.max_commands_executed");
    done(&harness.run("ls").await);
    refused_by(&harness.run("ls").await, "guardrails.max_commands_executed");
}

#[tokio::test]
async fn what_programs_change_is_counted_afterwards() {
    let harness = harness(Some(2), Some(100), None);
    let delta = |name: &str| FileDelta {
        path: CanonicalPath::new(Root::Workspace, name.into()),
        from: None,
        added: 1,
        removed: 0,
        before: None,
        after: Some(b"x\n".to_vec()),
    };
    harness.programs.changes(vec![delta("1"), delta("2"), delta("3")]);
    let result = harness.run("python3 gen.py").await;
    assert!(result.output.contains("3 files are changed and 2 are allowed"), "{}", result.output);
    refused_by(&harness.write("b.txt", "x").await, "guardrails.max_files_modified");
    refused_by(&harness.run("python3 gen.py").await, "guardrails.max_files_modified");
    done(&harness.run("cargo test").await);
    done(&harness.write("1", "y\n").await);
}

#[tokio::test]
async fn a_move_counts_under_both_names_and_what_tools_keep_does_not() {
    let harness = harness(Some(2), Some(100), None);
    let delta = |from: Option<&str>, name: &str| FileDelta {
        path: CanonicalPath::new(Root::Workspace, name.into()),
        from: from.map(|name| CanonicalPath::new(Root::Workspace, name.into())),
        added: 99,
        removed: 0,
        before: None,
        after: Some(b"x\n".to_vec()),
    };
    let made = [".git/index", "target/debug/x", "web/node_modules/x/y.js", "__pycache__/a.pyc"];
    harness.programs.changes(made.iter().map(|name| delta(None, name)).collect());
    assert!(!harness.run("make").await.output.contains("Guardrail"));
    harness.programs.changes(vec![FileDelta { added: 0, ..delta(Some("a.txt"), "b.txt") }]);
    done(&harness.run("mv a.txt b.txt").await);
    refused_by(&harness.write("c.txt", "x").await, "guardrails.max_files_modified");
    harness.programs.changes(vec![delta(Some("target/out.js"), "c.js")]);
    let result = harness.run("cargo test").await;
    assert!(result.output.contains("4 files are changed and 2 are allowed"), "{}", result.output);
}

#[tokio::test]
async fn sessions_do_not_share_their_limits() {
    let harness = harness(Some(1), None, None);
    done(&harness.write("a.txt", "1\n").await);
    let mut call = harness.gate.submission("write_file", json!({ "path": "b.txt", "content": "x" }));
    call.scope = palanca_core::Scope::session("other".into());
    done(&harness.gate.gate.submit(&harness.gate.toolset, call).await);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn calls_side_by_side_never_exceed_a_limit(limit in 0_u32..6, calls in 1_usize..12, shared in 1_usize..5) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
        runtime.block_on(async {
            let harness = harness(Some(limit), None, None);
            let write = |number: usize| ("write_file", json!({ "path": format!("f{}", number % (calls.div_ceil(shared))), "content": format!("{number}\n") }));
            let results = harness.together((0..calls).map(write).collect()).await;
            let names = harness.workspace.everything().keys().filter(|name| name.contains("/f")).count();
            assert!(names <= limit as usize, "{names} of {limit}");
            // As many as fit were really let through.
            let wanted = calls.div_ceil(shared).min(calls);
            assert_eq!(names, wanted.min(limit as usize), "{results:?}");
        });
    }

    #[test]
    fn commands_side_by_side_never_exceed_a_limit(limit in 0_u32..5, calls in 1_usize..10) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
        runtime.block_on(async {
            let harness = harness(None, None, Some(limit));
            harness.together((0..calls).map(|_| ("run_command", json!({ "command": "ls" }))).collect()).await;
            assert_eq!(harness.programs.launches().len(), calls.min(limit as usize));
        });
    }
}
