//! The suites' tools: foreign ones that read a state which outsiders write to, and foreign ones that only remember what they
//! were told to do.

use crate::suite::{Step, ToolRow};
use futures_util::future::BoxFuture;
use palanca_core::call::{Claims, Scope, ToolError};
use palanca_core::registry::Override;
use palanca_core::tool::{Annotations, AnyTool, Prepared, PreviewCx};
use palanca_core::{Output, Preview, Registry, Spec, ToolCx};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// What was done.
pub type Done = Arc<Mutex<Vec<Step>>>;

struct Scripted {
    spec: Spec,
    schema: Value,
    row: ToolRow,
    state: Arc<Value>,
    done: Done,
}

struct Running {
    name: String,
    output: Output,
    acts: Option<(Done, Value)>,
}

/// These tools over this state.
pub fn registry(tools: &BTreeMap<String, ToolRow>, state: Value, done: &Done) -> Registry {
    let registry = Registry::new();
    let state = Arc::new(state);
    for (name, row) in tools {
        let kind = |kind: &str| match kind {
            "strings" => json!({"type": "array", "items": {"type": "string"}}),
            kind => json!({ "type": kind }),
        };
        let read = row.key.iter().chain(&row.by).map(|argument| (argument.clone(), kind("string")));
        let does = row.does.iter().map(|(argument, type_)| (argument.clone(), kind(type_)));
        let properties: serde_json::Map<String, Value> = read.chain(does).collect();
        let annotations = Annotations { open_world: true, read_only: row.reads.is_some(), ..Annotations::READ_ONLY };
        let tool = Scripted {
            spec: Spec::new(name.clone(), "Part of a suite.").annotated(annotations),
            schema: json!({"type": "object", "properties": properties}),
            row: row.clone(),
            state: Arc::clone(&state),
            done: Arc::clone(done),
        };
        registry.register_any(Arc::new(tool), Override::Refuse).unwrap();
    }
    registry
}

impl Scripted {
    fn read(&self, table: &str, arguments: &Value) -> Value {
        let table = &self.state[table];
        let argument =
            |name: &Option<String>| name.as_ref().and_then(|name| arguments[name].as_str()).map(str::to_owned);
        match (argument(&self.row.key), argument(&self.row.by)) {
            (Some(key), _) => table[key].clone(),
            (_, Some(text)) => {
                let rows = table.as_array().into_iter().flatten();
                rows.filter(|row| row.to_string().to_lowercase().contains(&text.to_lowercase())).cloned().collect()
            }
            _ => table.clone(),
        }
    }
}

impl AnyTool for Scripted {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn prepare(&self, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let name = self.spec.name.clone().into_owned();
        Ok(Box::new(match &self.row.reads {
            Some(table) => {
                let found = self.read(table, arguments);
                let text = found.as_str().map_or_else(|| found.to_string(), str::to_owned);
                let output = Output::text(text).foreign(name.clone());
                Running { name, output, acts: None }
            }
            None => {
                let acts = Some((Arc::clone(&self.done), arguments.clone()));
                Running { name, output: Output::text("done"), acts }
            }
        }))
    }
}

impl Prepared for Running {
    fn claims(&self, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    fn preview(&self, _cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        Ok(None)
    }

    fn run(self: Box<Self>, _cx: ToolCx) -> BoxFuture<'static, Result<Output, ToolError>> {
        if let Some((done, arguments)) = self.acts {
            done.lock().unwrap().push((self.name, arguments));
        }
        let output = self.output;
        Box::pin(async move { Ok(output) })
    }
}
