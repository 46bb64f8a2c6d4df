//! Repairs a truncated history: one result per call, one call per result.

use palanca_core::CallId;
use palanca_core::message::{Catalogue, Message};
use palanca_models::{Message as Said, ToolCall};

/// The messages with what is missing put in and what belongs to nothing left out.
pub(super) fn mend(messages: Vec<Said>, catalogue: &dyn Catalogue) -> Vec<Said> {
    let mut whole = Vec::with_capacity(messages.len());
    let mut open: Vec<ToolCall> = Vec::new();
    for message in messages {
        match message {
            Said::Tool { ref call_id, .. } => {
                if let Some(at) = open.iter().position(|call| call.id == *call_id) {
                    open.remove(at);
                    whole.push(message);
                }
            }
            other => {
                close(&mut whole, &mut open, catalogue);
                if let Said::Assistant { calls, .. } = &other {
                    open.clone_from(calls);
                }
                whole.push(other);
            }
        }
    }
    close(&mut whole, &mut open, catalogue);
    whole
}

fn close(whole: &mut Vec<Said>, open: &mut Vec<ToolCall>, catalogue: &dyn Catalogue) {
    for call in open.drain(..) {
        whole.push(lost(call.id, call.name, catalogue));
    }
}

fn lost(call_id: CallId, name: String, catalogue: &dyn Catalogue) -> Said {
    let reason = catalogue.render(&Message::new("agent-reason-lost"));
    Said::Tool {
        call_id,
        name,
        content: catalogue.render(&Message::new("agent-call-not-run").with("reason", reason)).into(),
        is_error: true,
        parts: Vec::new(),
    }
}
