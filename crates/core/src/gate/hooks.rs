//! Stages 4 and 8: the operator's programs around a tool.

use super::checked::CheckedCall;
use crate::call::{Outcome, Refusal, Stage, ToolResult};
use crate::message::Message;
use crate::ports::{Hook, HookReply, Marker};
use serde_json::Value;
use std::sync::Arc;

/// What one hook before a tool wants.
pub(super) enum Wish {
    /// Nothing, or that the model is told something.
    GoOn(Option<String>),
    /// Other arguments.
    Change(Value, Option<String>),
}

/// Asks one hook.
pub(super) async fn before(hook: &Arc<dyn Hook>, call: &CheckedCall) -> Result<Wish, Box<Outcome>> {
    match hook.before(call).await {
        HookReply::Continue => Ok(Wish::GoOn(None)),
        HookReply::Note(note) => Ok(Wish::GoOn(Some(note))),
        HookReply::Change { arguments, note } => Ok(Wish::Change(arguments, note)),
        HookReply::Block(reason) => Err(Box::new(Outcome::Refused(Refusal {
            stage: Stage::PreHooks,
            rule: format!("hook.{}", hook.name()),
            message: Message::new("hook-blocked").with("reason", reason).into(),
            others: Vec::new(),
        }))),
    }
}

/// Runs the hooks after a tool; what they say is added to the result. Beside foreign text it may quote that text, so it is
/// marked, too.
pub(super) async fn after(
    hooks: &[Arc<dyn Hook>],
    call: &CheckedCall,
    result: &mut ToolResult,
    foreign: Option<&dyn Marker>,
) {
    for hook in hooks {
        if let Some(context) = hook.after(call, result).await {
            match foreign {
                Some(marker) => result.add_line(&marker.mark(&context, &format!("hook {}", hook.name()))),
                None => result.add_line(&context),
            }
        }
    }
}
