//! Whoever asks, and whatever kind of tool it is: no call escapes a stage.

use super::*;
use palanca_core::call::{Claims, Origin, Scope, ToolError, WriteKind};
use palanca_core::ports::{Guard, Verdict};
use palanca_core::registry::Override;
use palanca_core::tool::{AnyTool, Prepared, PreviewCx};
use palanca_core::{Effect, Output, Preview, Registry, Spec, ToolCx};
use std::sync::Mutex;

fn origins() -> [Origin; 4] {
    [
        Origin::Person,
        Origin::Model { step: 3 },
        Origin::Subagent { depth: 2, task: "t1".into() },
        Origin::Hook { name: "formatter".to_owned() },
    ]
}

/// Remembers who it judged.
#[derive(Clone, Default)]
struct Watches(Arc<Mutex<Vec<Origin>>>);

impl Guard for Watches {
    fn judge(&self, call: &palanca_core::gate::CheckedCall) -> Option<Verdict> {
        self.0.lock().unwrap().push(call.origin().clone());
        None
    }
}

/// Submits one call and checks that every stage has seen it.
async fn passes_every_stage(
    name: &str,
    (builder, mode, origin): (TestGateBuilder, ConfirmMode, &Origin),
    (tool, arguments, asks): (&str, Value, bool),
) {
    let (guard, hook) = (Watches::default(), Arc::new(TestHook::default()));
    let gate = builder.mode(mode).guard(guard.clone()).hook(Arc::clone(&hook) as _).build();
    let mut call = gate.submission(tool, arguments);
    call.origin = origin.clone();
    let result = gate.gate.submit(&gate.toolset, call).await;
    let place = format!("{name}, {mode:?}, {origin:?}");
    assert!(result.success, "{place}: {}", result.for_model());
    assert_eq!(*guard.0.lock().unwrap(), std::slice::from_ref(origin), "{place}: guardrails");
    assert_eq!(hook.seen(), ["before", "after"], "{place}: hooks");
    let asked: Vec<Origin> = gate.answers.asked().iter().map(|question| question.origin.clone()).collect();
    let expected = mode == ConfirmMode::ConfirmAll || (mode == ConfirmMode::ConfirmSensitive && asks);
    assert_eq!(asked, if expected { vec![origin.clone()] } else { Vec::new() }, "{place}: who asks is said");
    let records = gate.recorded.records();
    assert_eq!(records.len(), 1, "{place}: recorded once");
    assert_eq!(records[0]["origin"], serde_json::to_value(origin).unwrap(), "{place}: recorded as whose it is");
}

const MODES: [ConfirmMode; 3] = [ConfirmMode::Yolo, ConfirmMode::ConfirmSensitive, ConfirmMode::ConfirmAll];

#[tokio::test]
async fn every_tool_of_the_list_in_every_mode_for_every_origin() {
    for mode in MODES {
        for origin in origins() {
            for case in cases().await {
                let asks = case.asks();
                let call = (case.tool.name, case.usual(), asks);
                passes_every_stage(&case.name(), (case.builder(), mode, &origin), call).await;
                case.done_on_disk();
            }
        }
    }
}

/// A tool that came from elsewhere: its schema is not ours, its effects are what it claims.
struct Foreign {
    spec: Spec,
    schema: Value,
}

impl Foreign {
    fn new() -> Self {
        let schema =
            json!({"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"], "x-theirs": 1});
        Self { spec: Spec::new("theirs__save", "Saves."), schema }
    }
}

impl AnyTool for Foreign {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn prepare(&self, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Ok(Box::new(Saving(arguments["to"].as_str().unwrap().to_owned())))
    }
}

struct Saving(String);

impl Prepared for Saving {
    fn claims(&self, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Effect::WriteFile { path: self.0.clone(), kind: WriteKind::Replace }.into())
    }

    fn preview(&self, _cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        Ok(None)
    }

    fn run(self: Box<Self>, _cx: ToolCx) -> std::pin::Pin<Box<dyn Future<Output = Result<Output, ToolError>> + Send>> {
        Box::pin(async { Ok("saved".into()) })
    }
}

#[tokio::test]
async fn a_foreign_tool_is_judged_like_any_other() {
    let workspace = TempWorkspace::with(&[]);
    let builder = || {
        let registry = Registry::new();
        registry.register_any(Arc::new(Foreign::new()), Override::Refuse).unwrap();
        TestGate::builder(&workspace, registry)
    };
    for mode in MODES {
        for origin in origins() {
            let call = ("theirs__save", json!({"to": "a.txt"}), true);
            passes_every_stage("a foreign tool", (builder(), mode, &origin), call).await;
        }
    }
    let gate = builder().mode(ConfirmMode::Yolo).build();
    for (path, code) in
        [("../a", "paths.outside_workspace"), (".env", "paths.secret_file"), (".git/config", "paths.protected_file")]
    {
        let result = gate.call("theirs__save", json!({"to": path})).await;
        assert_eq!((result.outcome.name(), result.code.as_deref()), ("refused", Some(code)), "{path}");
    }
}
