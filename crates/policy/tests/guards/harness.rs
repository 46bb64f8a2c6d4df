//! A gate with guardrails, and calls in few words.

use palanca_core::{CallId, ConfirmMode, Origin, Registry, ToolResult};
use palanca_files::Disk;
use palanca_policy::commands::{CommandJudge, Rules};
use palanca_policy::guardrails::{self, CodeRule, GuardrailSettings, Severity};
use palanca_policy::loops::{LoopSettings, Loops};
use palanca_policy::paths::PathRules;
use palanca_testkit::{FakeProcesses, TempWorkspace, TestGate};
use palanca_tools::{ToolOptions, ToolsetName, register_all};
use serde_json::{Value, json};
use std::sync::Arc;

pub struct Harness {
    pub workspace: TempWorkspace,
    pub gate: TestGate,
    pub programs: Arc<FakeProcesses>,
}

pub fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

pub fn rule(pattern: &str, severity: Severity) -> CodeRule {
    CodeRule { pattern: pattern.to_owned(), message: format!("no {pattern}"), severity }
}

impl Harness {
    pub fn new(files: &[(&str, &str)], settings: &GuardrailSettings) -> Self {
        let workspace = TempWorkspace::with(files);
        let registry = Registry::new();
        let options = ToolOptions { allow_delete: true, ..ToolOptions::default() };
        register_all(&registry, ToolsetName::Palanca, &options).unwrap();
        let globs = guardrails::files(settings).unwrap();
        let paths = PathRules::new(&[], &[], None).unwrap().guarding(Arc::clone(&globs));
        let door = Disk::open(&workspace.root(), &[], Arc::new(paths)).unwrap();
        let root = door.workspace().to_owned();
        let judge = CommandJudge::new(Rules::default(), (root.clone(), Vec::new()), None);
        let programs = Arc::new(FakeProcesses::printing("", ""));
        let gate = TestGate::builder(&workspace, registry)
            .mode(ConfirmMode::Yolo)
            .reader(judge)
            .processes(Arc::clone(&programs) as _)
            .with(|gate| gate.files(Arc::new(door)))
            .with(|gate| {
                let guards = guardrails::guards(settings, globs, root.into()).unwrap();
                guards.into_iter().fold(gate, |gate, guard| gate.guard(guard))
            })
            .guard(Loops::new(LoopSettings::default()).unwrap())
            .build();
        Self { workspace, gate, programs }
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> ToolResult {
        self.gate.call(tool, arguments).await
    }

    /// As a model would.
    pub async fn model(&self, tool: &str, arguments: Value) -> ToolResult {
        let call = self.gate.submission(tool, arguments);
        let call = palanca_core::Call { origin: Origin::Model { step: 1 }, ..call };
        self.gate.gate.submit(&self.gate.toolset, call).await
    }

    pub async fn run(&self, command: &str) -> ToolResult {
        self.call("run_command", json!({ "command": command })).await
    }

    pub async fn write(&self, path: &str, content: &str) -> ToolResult {
        self.call("write_file", json!({ "path": path, "content": content })).await
    }

    /// Several at once, side by side, each with an id of its own.
    pub async fn together(&self, calls: Vec<(&str, Value)>) -> Vec<ToolResult> {
        let calls = calls.into_iter().enumerate().map(|(number, (tool, arguments))| {
            let call = self.gate.submission(tool, arguments);
            palanca_core::Call { id: CallId::new(format!("p{number}")), ..call }
        });
        let each = calls.map(|call| self.gate.gate.submit(&self.gate.toolset, call));
        futures_util::future::join_all(each).await
    }
}

#[track_caller]
pub fn refused_by(result: &ToolResult, rule: &str) {
    assert_eq!((result.outcome.name(), result.code.as_deref()), ("refused", Some(rule)), "{result:?}");
}

#[track_caller]
pub fn done(result: &ToolResult) {
    assert_eq!(result.outcome.name(), "done", "{result:?}");
}
