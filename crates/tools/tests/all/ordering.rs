//! Several calls of one turn: what comes after a write sees it, whatever reads and however long the write waits.

use crate::support::{builder, options};
use futures_util::future::BoxFuture;
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{Hook, HookReply};
use palanca_core::{ConfirmMode, Gate, ToolResult};
use palanca_testkit::{TempWorkspace, TestGate};
use palanca_tools::ToolsetName;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Lets everything else go first before a call that changes something.
struct Late;

impl Hook for Late {
    fn name(&self) -> &str {
        "late"
    }

    fn before<'a>(&'a self, call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        Box::pin(async move {
            if !call.effects().is_read_only() {
                for _ in 0..200 {
                    tokio::task::yield_now().await;
                }
            }
            HookReply::Continue
        })
    }

    fn after<'a>(&'a self, _call: &'a CheckedCall, _result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        Box::pin(async { None })
    }
}

async fn all(gate: &TestGate, calls: &[(&str, Value)]) -> Vec<ToolResult> {
    let calls = calls.iter().map(|(tool, arguments)| gate.submission(tool, arguments.clone())).collect();
    gate.turn(calls).await
}

#[tokio::test]
async fn every_read_after_a_write_sees_it() {
    for (mode, late) in [(ConfirmMode::Yolo, false), (ConfirmMode::ConfirmAll, false), (ConfirmMode::Yolo, true)] {
        for (tool, arguments, expected) in [
            ("read_file", json!({"path": "sub/new.txt"}), "hello"),
            ("list_files", json!({"path": "sub"}), "sub/new.txt"),
            ("list_files", json!({"recursive": true}), "sub/new.txt"),
            ("find_files", json!({"pattern": "new.*"}), "sub/new.txt"),
            ("search_code", json!({"pattern": "hel+o"}), "hello"),
            ("grep", json!({"pattern": "hello", "path": "sub"}), "sub/new.txt:1:hello"),
        ] {
            let workspace = TempWorkspace::with(&[("sub/old.txt", "old\n")]);
            let gate = builder(&workspace, ToolsetName::Palanca, &options()).mode(mode);
            let gate = if late { gate.hook(Arc::new(Late)) } else { gate }.build();
            let write = ("write_file", json!({"path": "sub/new.txt", "content": "hello\n"}));
            let results = all(&gate, &[write, (tool, arguments.clone())]).await;
            assert!(results[1].output.contains(expected), "{mode:?} {tool}: {:?}", results[1]);
        }
    }
}

#[tokio::test]
async fn a_read_before_a_write_sees_what_was_there() {
    let workspace = TempWorkspace::with(&[("a.txt", "one\n")]);
    let gate = builder(&workspace, ToolsetName::Palanca, &options()).mode(ConfirmMode::Yolo).build();
    let calls = [
        ("read_file", json!({"path": "a.txt"})),
        ("write_file", json!({"path": "a.txt", "content": "two\n"})),
        ("read_file", json!({"path": "a.txt"})),
        ("delete_file", json!({"path": "a.txt"})),
        ("find_files", json!({"pattern": "a.txt"})),
        ("write_file", json!({"path": "a.txt", "content": "three\n"})),
        ("grep", json!({"pattern": "t"})),
    ];
    let results = all(&gate, &calls).await;
    let told: Vec<bool> = results.iter().map(|result| result.success).collect();
    assert_eq!(told, [true; 7], "{results:?}");
    for (at, expected) in [(0, "one"), (2, "two"), (4, "No file"), (6, "a.txt:1:three")] {
        assert!(results[at].output.contains(expected), "{at}: {}", results[at].output);
    }
}

/// Holds every call until all of them have come.
struct Together(tokio::sync::Barrier);

impl Hook for Together {
    fn name(&self) -> &str {
        "together"
    }

    fn before<'a>(&'a self, _call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        Box::pin(async { HookReply::Continue })
    }

    fn after<'a>(&'a self, _call: &'a CheckedCall, _result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        Box::pin(async {
            self.0.wait().await;
            None
        })
    }
}

#[tokio::test]
async fn reads_and_writes_of_other_files_run_side_by_side() {
    let workspace = TempWorkspace::with(&[("a/1", "x"), ("b/1", "y")]);
    let calls = [
        ("read_file", json!({"path": "a/1"})),
        ("grep", json!({"pattern": "y", "path": "b"})),
        ("write_file", json!({"path": "c", "content": "z"})),
        ("list_files", json!({"path": "a"})),
    ];
    let together = Arc::new(Together(tokio::sync::Barrier::new(calls.len())));
    let gate = builder(&workspace, ToolsetName::Palanca, &options()).mode(ConfirmMode::Yolo).hook(together).build();
    let ended = tokio::time::timeout(Duration::from_secs(60), all(&gate, &calls)).await;
    let results = ended.expect("one call waits for the end of another");
    assert!(results.iter().all(|result| result.success), "{results:?}");
}

#[tokio::test]
async fn a_call_that_waits_for_another_ends_when_the_gate_is_cancelled() {
    let workspace = TempWorkspace::new();
    let gate = builder(&workspace, ToolsetName::Palanca, &options()).mode(ConfirmMode::Yolo).build();
    let order = palanca_core::gate::CallOrder::new();
    let (_first, second) = (order.ticket(), order.ticket());
    let call = gate.submission("list_files", json!({}));
    let cancel = async {
        tokio::task::yield_now().await;
        Gate::cancel(&gate.gate).cancel();
    };
    let (result, ()) = tokio::join!(gate.gate.submit_in_order(second, &gate.toolset, call), cancel);
    assert_eq!(result.outcome.name(), "stopped", "{result:?}");
}
