//! The chat that a background task came from, where the answer is announced.
//!
//! The announcement is an ordinary call through the gate, which may be refused.

use super::pool::Inner;
use super::work::Order;
use palanca_core::Gate;
use palanca_core::call::{Call, CallId, Origin, RawArguments, Scope, Waiting};
use palanca_core::message::Message;
use palanca_core::ports::{TaskState, TaskStatus};
use palanca_core::registry::Toolset;
use serde_json::json;
use std::sync::Arc;

/// The tool that sends messages to people. If it is not offered, answers are not announced.
const MESSAGE: &str = "message";

pub(super) struct Home {
    gate: Arc<Gate>,
    toolset: Toolset,
    scope: Scope,
    origin: Origin,
}

impl Home {
    /// Where to announce the answer, if the task came from a chat and runs in the background.
    pub(super) fn of(order: &Order) -> Option<Self> {
        let parent = &order.parent;
        let in_chat = parent.scope.channel.is_some() && parent.scope.chat.is_some();
        (order.delegation.waiting == Waiting::Background && in_chat && parent.toolset.get(MESSAGE).is_some()).then(
            || Self {
                gate: Arc::clone(&order.gate),
                toolset: parent.toolset.clone(),
                scope: parent.scope.clone(),
                origin: Origin::Subagent { depth: order.worker.depth, task: order.worker.task.clone() },
            },
        )
    }

    /// Tells it. What comes of that is in the record of the call.
    pub(super) async fn tell(self, inner: &Inner, status: &TaskStatus) {
        let content = words(inner, status);
        let call = Call {
            id: CallId::new(format!("{}.announcement", status.id)),
            tool: MESSAGE.to_owned(),
            arguments: RawArguments::Json(json!({ "content": content })),
            origin: self.origin,
            scope: self.scope,
        };
        drop(self.gate.submit(&self.toolset, call).await);
    }
}

/// `Task 'count the files' completed.` and the answer.
fn words(inner: &Inner, status: &TaskStatus) -> String {
    let head = inner.parts.catalogue.render(&headline(status));
    format!("{head}\n\n{}", status.answer.as_deref().unwrap_or_default())
}

/// How a task ended, in a sentence.
pub fn headline(status: &TaskStatus) -> Message {
    let key = match status.state {
        TaskState::Done => "subagents-completed",
        TaskState::Stopped | TaskState::Waiting | TaskState::Running => "subagents-stopped",
        TaskState::Failed => "subagents-failed",
    };
    Message::new(key)
        .with("label", &status.task)
        .with("task", status.id.as_str())
        .with("reason", status.reason.as_deref().unwrap_or_default())
}
