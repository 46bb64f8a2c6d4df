//! The gate's own time for one call, in process, with the recorder on.

use crate::stat::row;
use palanca_core::call::{RawArguments, SessionId};
use palanca_core::{Call, CallId, ConfirmMode, Gate, Origin, Registry, Scope};
use palanca_files::{Disk, StateDirectory};
use palanca_policy::paths::PathRules;
use palanca_store::{Audit, AuditSettings};
use palanca_text::{FluentCatalogue, Locale};
use palanca_tools::{ToolOptions, ToolsetName, register_all};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub fn bench() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "one\ntwo\n").unwrap();
    let state = StateDirectory::open(&folder.path().join("state")).unwrap();
    let rules = Arc::new(PathRules::new(&[], &[], None).unwrap());
    let registry = Registry::new();
    register_all(&registry, ToolsetName::Palanca, &ToolOptions::default()).unwrap();
    let gate = Gate::builder(Arc::new(registry))
        .files(Arc::new(Disk::open(folder.path(), &[], rules).unwrap()))
        .recorder(Arc::new(Audit::new(state.path(), AuditSettings::default())))
        .catalogue(Arc::new(FluentCatalogue::new(Locale::En)))
        .mode(ConfirmMode::Yolo)
        .build();
    let gate = Arc::new(gate);
    let one_thread = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let two_threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    for (runtime, place) in [(one_thread, "one thread"), (two_threads, "two threads")] {
        for (tool, arguments) in [("echo", json!({"message": "hi"})), ("read_file", json!({"path": "a.txt"}))] {
            let gate = Arc::clone(&gate);
            let median = runtime
                .block_on(async { tokio::spawn(async move { one(&gate, tool, &arguments).await }).await.unwrap() });
            let aim = if tool == "echo" { "≤ 25 µs" } else { "–" };
            row(&format!("gate, `{tool}`, audit log on, {place}, median"), &format!("{median:.1?}"), aim);
        }
    }
}

async fn one(gate: &Gate, tool: &str, arguments: &serde_json::Value) -> Duration {
    let toolset = gate.registry().snapshot();
    let mut times = Vec::new();
    for _ in 0..20_000 {
        let call = Call {
            id: CallId::new("1"),
            tool: tool.to_owned(),
            arguments: RawArguments::Json(arguments.clone()),
            origin: Origin::Person,
            scope: Scope::session(SessionId::new("bench")),
        };
        let start = Instant::now();
        let result = gate.submit(&toolset, call).await;
        times.push(start.elapsed());
        assert!(result.success, "{result:?}");
    }
    times.sort_unstable();
    times[times.len() / 2]
}
