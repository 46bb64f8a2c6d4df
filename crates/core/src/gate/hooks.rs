//! Stages 4 and 8: the operator's programs around a tool.

use super::checked::CheckedCall;
use crate::call::{Outcome, Refusal, Stage, ToolResult};
use crate::message::Message;
use crate::ports::{Hook, HookReply};
use serde_json::Value;
use std::sync::Arc;

/// Runs the hooks before a tool, in declared order. Returns the arguments that the last change left, if any changed them.
pub(super) async fn before(hooks: &[Arc<dyn Hook>], call: &CheckedCall) -> Result<Option<Value>, Box<Outcome>> {
    let mut changed = None;
    for hook in hooks {
        match hook.before(call).await {
            HookReply::Continue => {}
            HookReply::Change(arguments) => changed = Some(arguments),
            HookReply::Block(reason) => {
                let message = Message::new("hook-blocked").with("reason", reason);
                return Err(Box::new(Outcome::Refused(Refusal {
                    stage: Stage::PreHooks,
                    rule: format!("hook.{}", hook.name()),
                    message: message.into(),
                    others: Vec::new(),
                })));
            }
        }
    }
    Ok(changed)
}

/// Runs the hooks after a tool; what they say is added to the result.
pub(super) async fn after(hooks: &[Arc<dyn Hook>], call: &CheckedCall, result: &mut ToolResult) {
    for hook in hooks {
        if let Some(context) = hook.after(call, result).await {
            result.output.push('\n');
            result.output.push_str(&context);
        }
    }
}
