#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use palanca_core::call::{Origin, Scope, SessionId};

fn record(recorder: &JsonLines, call: &str) {
    recorder.record(&Record {
        at_ms: 1,
        call,
        tool: "read_file",
        origin: &Origin::Person,
        scope: &Scope::session(SessionId::from("s")),
        arguments: &serde_json::json!({"path": "two\nlines"}),
        effects: &["read x".to_owned()],
        digest: None,
        outcome: "done",
        code: None,
        detail: None,
        output_bytes: 3,
        dry_run: false,
        duration_us: 4,
    });
}

#[test]
fn one_line_a_call_from_many_threads() {
    let top = tempfile::tempdir().unwrap();
    let state = StateDirectory::open(top.path()).unwrap();
    let recorder = JsonLines::open(&state, "calls.jsonl").unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let recorder = &recorder;
            scope.spawn(move || (0..500).for_each(|call| record(recorder, &format!("{thread}-{call}"))));
        }
    });
    let text = state.read("calls.jsonl", 1 << 30).unwrap();
    let mut calls: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["call"].as_str().unwrap().to_owned())
        .collect();
    calls.sort();
    calls.dedup();
    assert_eq!(calls.len(), 2_000);
    assert!(recorder.healthy());
}

#[test]
fn a_recorder_that_cannot_write_says_so() {
    let recorder =
        JsonLines { log: Log::at(std::path::Path::new("/dev/full")).unwrap(), healthy: AtomicBool::new(true) };
    assert!(recorder.healthy());
    record(&recorder, "c");
    assert!(!recorder.healthy());
}
