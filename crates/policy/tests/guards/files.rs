//! Protected and sensitive files, by every tool and every spelling.

use crate::harness::{Harness, done, refused_by, strings};
use palanca_core::ports::StageDecision;
use palanca_policy::guardrails::GuardrailSettings;
use serde_json::json;

fn harness() -> Harness {
    let settings = GuardrailSettings {
        protected_files: strings(&["*.lock", "ci/**", "Straße.txt"]),
        sensitive_files: strings(&["secrets.*", "vault", "data/private/*.csv"]),
        ..GuardrailSettings::default()
    };
    let files = [
        ("a.txt", "needle\n"),
        ("Cargo.lock", "needle locked\n"),
        ("ci/deep/build.yml", "steps\n"),
        ("secrets.yaml", "needle SECRETMARK\n"),
        ("sub/Secrets.YAML", "needle SECRETMARK\n"),
        ("vault/inner/x.txt", "needle SECRETMARK\n"),
        ("data/private/p.csv", "needle SECRETMARK\n"),
        ("data/public/p.csv", "needle fine\n"),
        ("my_secrets.py", "needle fine\n"),
        ("straße.txt", "x"),
    ];
    let harness = Harness::new(&files, &settings);
    harness.workspace.link("secrets.yaml", "innocent");
    harness.workspace.link("vault/inner", "folder");
    harness
}

#[tokio::test]
async fn sensitive_files_are_closed_to_every_tool_and_spelling() {
    let harness = harness();
    for path in [
        "secrets.yaml",
        "./secrets.yaml",
        "sub/../secrets.yaml",
        "SECRETS.yaml",
        "sub/Secrets.YAML",
        "innocent",
        "folder/x.txt",
        "vault/inner/x.txt",
        "data/private/p.csv",
        "secrets.new",
    ] {
        let read = harness.call("read_file", json!({ "path": path })).await;
        // A name in other letters is another file here, and the same one elsewhere.
        refused_by(&read, "guardrails.sensitive_files");
        refused_by(&harness.write(path, "x").await, "guardrails.sensitive_files");
        let edit = harness.call("edit_file", json!({ "path": path, "old_str": "needle", "new_str": "x" })).await;
        refused_by(&edit, "guardrails.sensitive_files");
    }
    for path in ["data/public/p.csv", "my_secrets.py", "a.txt"] {
        done(&harness.call("read_file", json!({ "path": path })).await);
    }
    for (tool, arguments) in [
        ("grep", json!({ "pattern": "needle" })),
        ("search_code", json!({ "pattern": "needle" })),
        ("search_code", json!({ "pattern": "SECRET.*", "path": "vault" })),
        ("grep", json!({ "pattern": "SECRET", "path": "data" })),
    ] {
        let found = harness.call(tool, arguments).await;
        assert!(!format!("{found:?}").contains("SECRETMARK"), "{found:?}");
    }
}

#[tokio::test]
async fn protected_files_are_read_and_never_changed() {
    let harness = harness();
    let before = harness.workspace.everything();
    for path in ["Cargo.lock", "CARGO.LOCK", "ci/deep/build.yml", "ci/new.yml", "new.lock", "STRASSE.lock"] {
        refused_by(&harness.write(path, "x").await, "guardrails.protected_files");
        refused_by(&harness.call("delete_file", json!({ "path": path })).await, "guardrails.protected_files");
    }
    for patch in [
        "--- a/Cargo.lock\n+++ b/Cargo.lock\n@@ -1 +1 @@\n-needle locked\n+x\n",
        "diff --git a/Cargo.lock b/free.txt\nsimilarity index 100%\nrename from Cargo.lock\nrename to free.txt\n",
        "diff --git a/a.txt b/a.lock\nsimilarity index 100%\nrename from a.txt\nrename to a.lock\n",
        "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-needle\n+y\n--- a/ci/deep/build.yml\n+++ /dev/null\n@@ -1 +0,0 @@\n-steps\n",
    ] {
        let result = harness.call("apply_patch", json!({ "patch": patch })).await;
        assert_eq!(result.outcome.name(), "refused", "{patch}: {result:?}");
    }
    refused_by(&harness.write("straße.txt", "x").await, "guardrails.protected_files");
    done(&harness.call("read_file", json!({ "path": "Cargo.lock" })).await);
    assert_eq!(harness.workspace.everything(), before);
}

#[tokio::test]
async fn a_folder_with_a_closed_file_in_it_stays() {
    let harness = harness();
    for path in ["ci", "ci/deep", "vault", "data"] {
        let result = harness.call("delete_file", json!({ "path": path, "recursive": true })).await;
        assert!(!result.success, "{path}: {result:?}");
    }
    assert!(harness.workspace.has("data/private/p.csv") && harness.workspace.has("ci/deep/build.yml"));
}

#[tokio::test]
async fn the_refusal_names_the_rule_and_the_glob() {
    let harness = harness();
    let read = harness.call("read_file", json!({ "path": "innocent" })).await;
    assert!(read.error.unwrap().contains("guardrails.sensitive_files(secrets.*)"));
    let write = harness.gate.submission("write_file", json!({ "path": "Cargo.lock", "content": "" }));
    let explained = harness.gate.gate.explain(&harness.gate.toolset, &write).await;
    let denied = explained.stages.iter().find(|stage| stage.verdict == StageDecision::Deny).unwrap();
    assert_eq!(denied.rule.as_deref(), Some("guardrails.protected_files"));
}

#[test]
fn a_glob_that_is_none_is_named() {
    for (glob, said) in [("a[", "guardrails.protected_files"), ("", "names nothing"), ("./", "names nothing")] {
        let settings = GuardrailSettings { protected_files: strings(&[glob]), ..GuardrailSettings::default() };
        let error = palanca_policy::guardrails::files(&settings).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}
