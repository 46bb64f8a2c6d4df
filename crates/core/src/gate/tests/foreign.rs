//! Tools whose schemas others wrote: compiling one costs its own tool at most.

use super::*;
use crate::registry::Override;
use crate::tool::{AnyTool, Prepared};
use std::sync::{Condvar, LazyLock};
use std::thread::ThreadId;

/// What happens when another thread than the gate's looks at the schema.
enum Elsewhere {
    /// It waits until this is true.
    Waits(Mutex<bool>, Condvar),
    Panics,
}

struct Foreign {
    spec: Spec,
    schema: Value,
    gates: ThreadId,
    elsewhere: Elsewhere,
    looks: AtomicUsize,
}

impl Foreign {
    fn new(schema: Value, elsewhere: Elsewhere) -> Arc<Self> {
        let gates = std::thread::current().id();
        Arc::new(Self { spec: Spec::new("foreign", "Foreign."), schema, gates, elsewhere, looks: AtomicUsize::new(0) })
    }

    /// A gate with it and the usual tool, on this thread.
    fn gate(self: &Arc<Self>) -> Gate {
        let registry = registry(|spec| spec);
        registry.register_any(Arc::clone(self) as _, Override::Refuse).unwrap();
        Gate::builder(registry).build()
    }
}

impl AnyTool for Foreign {
    fn spec(&self) -> &Spec {
        &self.spec
    }
    fn schema(&self) -> &Value {
        if std::thread::current().id() != self.gates {
            self.looks.fetch_add(1, Ordering::Relaxed);
            match &self.elsewhere {
                Elsewhere::Waits(done, told) => drop(told.wait_while(done.lock().unwrap(), |done| !*done).unwrap()),
                Elsewhere::Panics => panic!("deliberate"),
            }
        }
        &self.schema
    }
    fn prepare(&self, _: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Err(ToolError::from("prepared"))
    }
}

fn foreign(arguments: Value) -> Call {
    Call { tool: "foreign".into(), arguments: RawArguments::Json(arguments), ..call("") }
}

fn waits() -> Elsewhere {
    Elsewhere::Waits(Mutex::new(false), Condvar::new())
}

static HARD: LazyLock<Value> =
    LazyLock::new(|| json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}));

#[tokio::test]
async fn while_a_schema_is_compiled_other_calls_of_the_same_thread_go_on() {
    let tool = Foreign::new(HARD.clone(), waits());
    let gate = tool.gate();
    let tools = tools(&gate);
    let (compiled, ()) = tokio::join!(gate.submit(&tools, foreign(json!({"a": "b"}))), async {
        assert_eq!(gate.submit(&tools, call("hello")).await.output, "hello");
        let Elsewhere::Waits(done, told) = &tool.elsewhere else { return };
        *done.lock().unwrap() = true;
        told.notify_all();
    });
    assert_eq!(compiled.code.as_deref(), Some("invalid_arguments"));
    for (arguments, code) in
        [(json!({"a": "aaa"}), "io"), (json!({"a": "aab"}), "invalid_arguments"), (json!({}), "io")]
    {
        assert_eq!(gate.submit(&tools, foreign(arguments)).await.code.as_deref(), Some(code));
    }
    assert_eq!(tool.looks.load(Ordering::Relaxed), 1, "compiled once, by another thread");
}

#[tokio::test]
async fn a_call_whose_schema_is_being_compiled_can_be_cancelled() {
    let tool = Foreign::new(HARD.clone(), waits());
    let gate = tool.gate();
    let tools = tools(&gate);
    let (result, ()) = tokio::join!(gate.submit(&tools, foreign(json!({"a": "b"}))), async { gate.cancel().cancel() });
    assert_eq!(result.code.as_deref(), Some("cancelled"));
    let Elsewhere::Waits(done, told) = &tool.elsewhere else { return };
    *done.lock().unwrap() = true;
    told.notify_all();
}

#[tokio::test]
async fn a_schema_that_cannot_be_compiled_costs_its_own_tool() {
    let circles = (0..60).map(|_| json!({"anyOf": vec![json!({"$ref": "#/$defs/p1"}); 400]}));
    let circles: serde_json::Map<_, _> = circles.enumerate().map(|(number, one)| (format!("p{number}"), one)).collect();
    let many = json!({"type": "object", "anyOf": [{"$ref": "#/$defs/p0"}], "$defs": circles});
    let done = || Elsewhere::Waits(Mutex::new(true), Condvar::new());
    for (tool, code, word) in [
        (Foreign::new(HARD.clone(), Elsewhere::Panics), "panicked", "tool-panicked"),
        (Foreign::new(many, done()), "invalid_arguments", "more than 20000 values"),
    ] {
        let gate = tool.gate();
        let tools = tools(&gate);
        for _ in 0..2 {
            let result = gate.submit(&tools, foreign(json!({"a": "b"}))).await;
            assert_eq!(result.code.as_deref(), Some(code));
            assert!(result.error.unwrap().contains(word));
            assert_eq!(gate.submit(&tools, call("hello")).await.output, "hello");
        }
    }
}
