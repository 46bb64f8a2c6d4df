//! Secrets are in nothing that a run shows or keeps; text from elsewhere is marked.

use crate::harness::{Bench, ended};
use std::path::Path;

const CANARY: &str = "cAn4ry-7f3a/Zz+91kQq!";

fn holds(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            holds(&path, found);
        } else if std::fs::read(&path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains("cAn4ry-7f3a")) {
            found.push(path.display().to_string());
        }
    }
}

#[test]
fn no_secret_in_output_logs_audit_or_state() {
    let said = format!(
        "{}\n{}\n{}\n",
        serde_json::json!({"content": format!("reading {CANARY} now"), "tool_calls": [{"name": "read_file", "arguments": {"path": "a.txt"}}, {"name": "search_code", "arguments": {"pattern": CANARY}}]}),
        serde_json::json!({"content": "", "tool_calls": [{"name": "write_file", "arguments": {"path": "b.txt", "content": "x [REDACTED:CANARY_TOKEN]\n"}}]}),
        serde_json::json!({"content": format!("it says {CANARY}")}),
    );
    let bench = Bench::new(&[("a.txt", &format!("the key is {CANARY}\n"))]);
    let replay = bench.workspace().parent().unwrap().join("replay.jsonl");
    std::fs::write(&replay, said).unwrap();
    let model = format!("replay:{}", replay.display());
    let log = bench.home().parent().unwrap().join("log.jsonl");
    for more in [&["-vvv"][..], &["--json", "-vvv"]] {
        let mut arguments = vec!["run", "-m", "yolo", "--model", &model, "--log-file", log.to_str().unwrap()];
        arguments.extend(more);
        arguments.push("read it");
        let mut command = bench.command(&arguments);
        let run = ended(command.env("CANARY_TOKEN", CANARY).output().unwrap());
        assert!(!run.stdout.contains("cAn4ry-7f3a"), "{}", run.stdout);
        assert!(!run.stderr.contains("cAn4ry-7f3a"), "{}", run.stderr);
        assert!(run.stdout.contains("[REDACTED:CANARY_TOKEN]"), "{}\n{}", run.stdout, run.stderr);
    }
    let kept = std::fs::read_to_string(&log).unwrap();
    assert!(kept.contains("secrets.redaction_mark") && !kept.contains("cAn4ry-7f3a"), "{kept}");
    let mut found = Vec::new();
    holds(&bench.home(), &mut found);
    assert_eq!(found, Vec::<String>::new());
    assert!(!bench.workspace().join("b.txt").exists(), "a mark was written");
}
