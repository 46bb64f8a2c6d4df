//! What watches a run sees no secret: the model's text and the arguments of calls pass the redactor; results have passed it
//! in the gate.

use palanca_agent::{Event, Sink};
use palanca_core::ports::{RedactStream, Redactor};
use palanca_models::ToolCall;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// Somebody who watches, behind the redactor.
pub struct Redacted<'a> {
    inner: &'a dyn Sink,
    redactor: Arc<dyn Redactor>,
    text: Mutex<Box<dyn RedactStream>>,
}

impl<'a> Redacted<'a> {
    pub fn new(inner: &'a dyn Sink, redactor: Arc<dyn Redactor>) -> Self {
        let text = Mutex::new(redactor.stream());
        Self { inner, redactor, text }
    }

    /// Gives out what was held back, since the text is over.
    fn end_text(&self, keep: Keep) {
        let mut text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = text.finish();
        *text = self.redactor.stream();
        drop(text);
        if keep == Keep::Rest && !rest.is_empty() {
            self.inner.event(&Event::TextDelta { text: &rest });
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Rest,
    Nothing,
}

impl Sink for Redacted<'_> {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::TextDelta { text } => {
                let shown = self.text.lock().unwrap_or_else(PoisonError::into_inner).push(text);
                if !shown.is_empty() {
                    self.inner.event(&Event::TextDelta { text: &shown });
                }
            }
            Event::TextVoided => {
                self.end_text(Keep::Nothing);
                self.inner.event(event);
            }
            Event::ReasoningDelta { text } => {
                self.inner.event(&Event::ReasoningDelta { text: &self.redactor.redact(text) });
            }
            Event::ToolStarted { call } => {
                self.end_text(Keep::Rest);
                let arguments = self.redactor.redact(&call.arguments).into_owned();
                let call = ToolCall { id: call.id.clone(), name: call.name.clone(), arguments };
                self.inner.event(&Event::ToolStarted { call: &call });
            }
            _ => {
                self.end_text(Keep::Rest);
                self.inner.event(event);
            }
        }
    }
}

/// Every string of a value without secrets.
pub fn without_secrets(redactor: &dyn Redactor, value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(clean) = redactor.redact(text) {
                *text = clean;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without_secrets(redactor, item)),
        Value::Object(map) => map.values_mut().for_each(|item| without_secrets(redactor, item)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
