//! The contract with hooks as JSON Schemas, generated from the types that are written and read.

use crate::answer::Reply;
use crate::event::Event;
use crate::occasion::{
    AgentComplete, BudgetWarning, ContextCompress, OnError, Payload, PostLlmCall, PostToolUse, PreLlmCall, PreToolUse,
    SessionEnd, SessionStart,
};
use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};

/// The stdin of every event and the allowed stdout, by file name without extension.
#[must_use]
pub fn schemas() -> Vec<(&'static str, Value)> {
    let mut all: Vec<(&'static str, Value)> = Event::ALL.iter().map(|event| (event.name(), of(*event))).collect();
    all.push(("reply", schema_for!(Reply).to_value()));
    all
}

fn of(event: Event) -> Value {
    match event {
        Event::PreToolUse => payload::<PreToolUse>(event),
        Event::PostToolUse | Event::PostEdit => payload::<PostToolUse>(event),
        Event::PreLlmCall => payload::<PreLlmCall>(event),
        Event::PostLlmCall => payload::<PostLlmCall>(event),
        Event::SessionStart => payload::<SessionStart>(event),
        Event::SessionEnd => payload::<SessionEnd>(event),
        Event::OnError => payload::<OnError>(event),
        Event::BudgetWarning => payload::<BudgetWarning>(event),
        Event::ContextCompress => payload::<ContextCompress>(event),
        Event::AgentComplete => payload::<AgentComplete>(event),
    }
}

fn payload<T: JsonSchema>(event: Event) -> Value {
    let mut schema = schema_for!(Payload<'static, T>).to_value();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("title".to_owned(), json!(format!("stdin of a hook at {event}")));
    }
    schema
}
