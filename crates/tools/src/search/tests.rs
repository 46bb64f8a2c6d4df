#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use palanca_core::call::{Claims, Effect, Scope as CallScope};
use palanca_core::ports::{Files, FilesHandle};
use palanca_core::registry::Override;
use palanca_core::tool::{Prepared, PreviewCx};
use palanca_core::{AnyTool, Gate, Output, Preview, Registry, Spec, ToolCx, ToolError};
use palanca_core::{Call, CallId, Origin};
use serde_json::{Value, json};
use std::pin::Pin;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};

type Ask<T> = Arc<dyn Fn(&FilesHandle) -> T + Send + Sync>;

/// A tool that hands its files to a test: there is no other way to a handle.
struct Probe<T> {
    spec: Spec,
    schema: Value,
    ask: Ask<T>,
    answer: Mutex<Sender<T>>,
    granted: &'static str,
}

struct Asked<T> {
    ask: Ask<T>,
    answer: Sender<T>,
    granted: &'static str,
}

impl<T: Send + 'static> AnyTool for Probe<T> {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn prepare(&self, _arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let answer = self.answer.lock().unwrap().clone();
        Ok(Box::new(Asked { ask: Arc::clone(&self.ask), answer, granted: self.granted }))
    }
}

impl<T: Send + 'static> Prepared for Asked<T>
where
    Sender<T>: Sync,
{
    fn claims(&self, _scope: &CallScope) -> Result<Claims, ToolError> {
        Ok(Effect::ReadTree(self.granted.to_owned()).into())
    }

    fn preview(&self, _cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        Ok(None)
    }

    fn run(self: Box<Self>, cx: ToolCx) -> Pin<Box<dyn Future<Output = Result<Output, ToolError>> + Send>> {
        self.answer.send((self.ask)(cx.files())).unwrap();
        Box::pin(std::future::ready(Ok(Output::text("asked"))))
    }
}

/// Asks a door as a permitted call would, one that may read below `granted`.
pub(super) fn ask_within<T: Send + 'static>(
    door: Arc<dyn Files>,
    granted: &'static str,
    ask: impl Fn(&FilesHandle) -> T + Send + Sync + 'static,
) -> T {
    let (answer, answers) = channel();
    let schema = json!({"type": "object"});
    let spec = Spec::new("probe", "hands its files to a test");
    let probe = Probe { spec, schema, ask: Arc::new(ask), answer: Mutex::new(answer), granted };
    let registry = Arc::new(Registry::new());
    registry.register_any(Arc::new(probe), Override::Refuse).unwrap();
    let gate = Gate::builder(Arc::clone(&registry)).files(door).build();
    let call = Call {
        id: CallId::new("1"),
        tool: "probe".to_owned(),
        arguments: json!({}).into(),
        origin: Origin::Person,
        scope: CallScope::session("test".into()),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let result = runtime.block_on(gate.submit(&registry.snapshot(), call));
    assert!(result.success, "{result:?}");
    answers.recv().unwrap()
}

/// Asks a door about the whole workspace.
pub(super) fn ask<T: Send + 'static>(
    door: Arc<dyn Files>,
    ask: impl Fn(&FilesHandle) -> T + Send + Sync + 'static,
) -> T {
    ask_within(door, ".", ask)
}

/// All levels, without what ignore files hide, hidden names shown.
pub(super) const ALL: Scope<'static> = Scope {
    walk: WalkOptions { max_depth: usize::MAX, ignore_files: Visit::Hide, hidden: Visit::Show },
    skip: &[],
    dotted: Visit::Show,
};
