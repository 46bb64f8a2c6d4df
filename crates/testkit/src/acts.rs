//! Acts as a tool, and somebody who performs them: the kinds of acts are tried with it behind the real gate.

use futures_util::future::BoxFuture;
use palanca_core::call::{Act, ActKind, Cancel, Claims, Effect, Scope, ToolError};
use palanca_core::gate::GateBuilder;
use palanca_core::ports::Acts;
use palanca_core::tool::{AnyTool, Prepared, PreviewCx};
use palanca_core::{Output, Preview, Spec, ToolCx};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::sync::Arc;

/// The tool `act`: claims an [`Act`] with the arguments `kind`, `target` and `content`, and performs it; with `instead`, it
/// tries another content than it claimed.
#[derive(Clone, Debug)]
pub struct ActTool {
    spec: Spec,
    schema: Value,
}

impl Default for ActTool {
    fn default() -> Self {
        let text = json!({"type": "string"});
        let properties = json!({"kind": text, "target": text, "content": text, "instead": text});
        let schema = json!({"type": "object", "properties": properties, "required": ["kind", "target", "content"]});
        Self { spec: Spec::new("act", "Do something through a door of another room."), schema }
    }
}

impl AnyTool for ActTool {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn prepare(&self, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let text = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
        let act = serde_json::from_value(arguments.clone()).expect("an act");
        Ok(Box::new(Doing { act, instead: Some(text("instead")).filter(|text| !text.is_empty()) }))
    }
}

struct Doing {
    act: Act,
    instead: Option<String>,
}

impl Prepared for Doing {
    fn claims(&self, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Effect::Act(Box::new(self.act.clone())).into())
    }

    fn preview(&self, _cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        Ok(None)
    }

    fn run(self: Box<Self>, cx: ToolCx) -> BoxFuture<'static, Result<Output, ToolError>> {
        Box::pin(async move {
            let content = self.instead.unwrap_or_else(|| self.act.content.clone());
            cx.acts().perform(&Act { content, ..self.act }).await
        })
    }
}

/// Performs acts by writing them down, and answers with the same text each time.
#[derive(Debug, Default)]
pub struct FakeActs {
    /// What was done.
    pub done: Mutex<Vec<Act>>,
    /// The answer.
    pub answer: String,
}

impl FakeActs {
    /// With this answer.
    #[must_use]
    pub fn answering(answer: &str) -> Self {
        Self { answer: answer.to_owned(), ..Self::default() }
    }

    /// Lets this performer do acts of every kind in a gate.
    pub fn every_kind(self: &Arc<Self>, gate: GateBuilder) -> GateBuilder {
        ActKind::all().fold(gate, |gate, kind| gate.acts(kind, Arc::clone(self) as _))
    }
}

impl Acts for FakeActs {
    fn perform<'a>(
        &'a self,
        act: &'a Act,
        _scope: &'a Scope,
        _cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async {
            self.done.lock().push(act.clone());
            Ok(Output::text(self.answer.clone()).with_data(json!({"response": self.answer})))
        })
    }
}
