//! Stages 4 and 8: the operator's programs around a tool.

use super::guardrails::{Judgement, guardrails};
use super::order;
use super::trail::Trail;
use super::validate::{Ready, validate};
use crate::call::{Outcome, Phase, RawArguments, Refusal, Stage, ToolResult};
use crate::message::{Arg, Message};
use crate::ports::{CheckedCall, Hook, HookReply, StageDecision};
use std::sync::Arc;

/// Each hook sees the call as the previous one left it, validated and judged again.
pub(super) async fn pre_hooks(
    ready: &mut Ready,
    mut judgement: Judgement,
    trail: &mut Trail<'_>,
) -> Result<Judgement, Box<Outcome>> {
    for hook in &trail.gate().hooks {
        trail.keep().await;
        let reply = hook.before(&ready.call).await;
        trail.spent(Phase::PreHook, Some(hook.name()));
        let note = match reply {
            HookReply::Continue => None,
            HookReply::Note(note) => Some(note),
            HookReply::Change { arguments, note } => {
                trail.says(Stage::PreHooks, StageDecision::Change, Some(hook.name()), None);
                *ready = validate(Arc::clone(&ready.tool), &RawArguments::Json(arguments), trail).await?;
                order::announce(trail.ticket(), &ready.call);
                judgement = guardrails(&ready.call, trail)?;
                note
            }
            HookReply::Block(reason) => return trail.ends(Stage::PreHooks, Err(blocked(&**hook, reason))),
        };
        note.into_iter().for_each(|note| trail.note(note));
    }
    Ok(judgement)
}

/// The same while the call's program runs: a hook may block, but no longer change the call.
pub(super) async fn hooks_meanwhile(call: &CheckedCall, trail: &mut Trail<'_>) -> Result<(), Box<Outcome>> {
    for hook in &trail.gate().hooks {
        trail.keep().await;
        let reply = hook.before(call).await;
        trail.spent(Phase::PreHook, Some(hook.name()));
        let reason: Arg = match reply {
            HookReply::Continue => continue,
            HookReply::Note(note) => {
                trail.note(note);
                continue;
            }
            HookReply::Change { arguments, .. } if arguments == *call.arguments() => continue,
            HookReply::Change { .. } => Message::new("hook-changes-running").into(),
            HookReply::Block(reason) => reason.into(),
        };
        return trail.ends(Stage::PreHooks, Err(blocked(&**hook, reason)));
    }
    Ok(())
}

fn blocked(hook: &dyn Hook, reason: impl Into<Arg>) -> Box<Outcome> {
    Box::new(Outcome::Refused(Refusal {
        stage: Stage::PreHooks,
        rule: format!("hook.{}", hook.name()),
        message: Message::new("hook-blocked").with("reason", reason).into(),
        others: Vec::new(),
    }))
}

/// Runs the hooks after a tool that really ran, and adds their answers to the result. If the result is foreign text,
/// they may quote it, so they are marked, too.
pub(super) async fn post_hooks(call: &CheckedCall, result: &mut ToolResult, trail: &mut Trail<'_>) {
    let gate = trail.gate();
    if gate.run_mode.is_dry() || gate.hooks.is_empty() {
        return;
    }
    trail.keep().await;
    for hook in &gate.hooks {
        let added = hook.after(call, result).await;
        trail.spent(Phase::PostHook, Some(hook.name()));
        if let Some(context) = added {
            let marked = result.foreign.then(|| gate.marker.mark(&context, &format!("hook {}", hook.name())));
            result.add_line(marked.as_deref().unwrap_or(&context));
        }
    }
}
