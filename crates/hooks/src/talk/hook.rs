//! A long-lived program around calls: approval first, then its interception, and approval again after a change.

use super::Talk;
use super::replies::{Action, OfApproval, OfTool, Spoken, read};
use crate::failure::Failure;
use crate::occasion::{OUTPUT_CHARS, first};
use crate::once::Effective;
use futures_util::future::BoxFuture;
use palanca_core::call::{Stage, ToolResult};
use palanca_core::gate::CheckedCall;
use palanca_core::message::Message;
use palanca_core::ports::{Hook, HookReply};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// The final approval: requested only for arguments that were not approved in this form.
pub(crate) struct Approval(pub(crate) Arc<Talk>);

#[derive(Debug, Default, Deserialize)]
struct OfResult {
    result: Option<Spoken>,
}

impl Talk {
    fn is_about(&self, call: &CheckedCall) -> bool {
        self.matcher.matches(&call.spec().name)
    }

    fn params(&self, call: &CheckedCall) -> Value {
        let origin = serde_json::to_value(call.origin()).unwrap_or_default();
        let effects: Vec<String> = call.effects().iter().map(ToString::to_string).collect();
        let step = origin.get("step").cloned().unwrap_or(json!(0));
        json!({
            "meta": {"SessionKey": self.around.session.as_str(), "Iteration": step, "Source": "palanca"},
            "tool": &*call.spec().name, "arguments": call.arguments(), "call": call.id(), "effects": effects,
            "origin": origin,
        })
    }

    /// None, or why it was refused.
    async fn approve(&self, call: &CheckedCall) -> Option<String> {
        if !self.approves() || self.remembers(call.id(), call.digest()) {
            return None;
        }
        let limit = (self.settings.approve_timeout, &self.around.cancel);
        let asked = self.ask("hook.approve_tool", self.params(call), limit).await;
        let answer = match asked.and_then(read::<OfApproval>) {
            Ok(answer) if answer.approved => {
                self.remember(call.id(), call.digest());
                Effective::Go { context: None, arguments: None }
            }
            Ok(answer) => Effective::Block(self.reason(&answer.reason)),
            // Any error means that approval was not given.
            Err(failure) => Effective::Block(self.required(&failure)),
        };
        match self.settle(call.id().as_str(), &call.spec().name, Ok(answer), Stage::PreHooks) {
            Effective::Block(reason) => Some(reason),
            Effective::Go { .. } => None,
        }
    }

    fn reason(&self, given: &str) -> String {
        if given.trim().is_empty() {
            self.around.render(&Message::new("hook-no-reason").with("name", self.name()))
        } else {
            given.trim().to_owned()
        }
    }

    async fn intercept(&self, call: &CheckedCall) -> HookReply {
        let limit = (self.settings.intercept_timeout, &self.around.cancel);
        let asked = self.ask("hook.before_tool", self.params(call), limit).await;
        let answer = asked.and_then(|value| if value.is_null() { Ok(OfTool::default()) } else { read(value) });
        let answer = answer.and_then(|reply: OfTool| self.of_tool(reply, &call.spec().name));
        match self.settle(call.id().as_str(), &call.spec().name, answer, Stage::PreHooks) {
            Effective::Go { arguments: Some(arguments), context } => HookReply::Change { arguments, note: context },
            Effective::Go { .. } => HookReply::Continue,
            Effective::Block(reason) => HookReply::Block(reason),
        }
    }

    fn of_tool(&self, reply: OfTool, tool: &str) -> Result<Effective, Failure> {
        match (reply.action, reply.call) {
            (Action::Continue, _) => Ok(Effective::Go { context: None, arguments: None }),
            (Action::Modify, Some(call)) if call.tool.as_deref().is_none_or(|name| name == tool) => {
                Ok(Effective::Go { context: None, arguments: Some(Value::Object(call.arguments)) })
            }
            (Action::Modify, Some(_)) => Err(Failure::Shape("a hook cannot exchange the tool".to_owned())),
            (Action::Modify, None) => Err(Failure::Shape("modify without a call".to_owned())),
            (Action::DenyTool, _) => Ok(Effective::Block(self.reason(&reply.reason))),
            (Action::Respond, _) => {
                let said = reply.result.unwrap_or_default().for_llm;
                Ok(Effective::Block(self.reason(if said.is_empty() { &reply.reason } else { &said })))
            }
            (Action::AbortTurn | Action::HardAbort, _) => {
                let reason = self.reason(&reply.reason);
                self.end_turn(&reason);
                Ok(Effective::Block(reason))
            }
        }
    }
}

impl Hook for Talk {
    fn name(&self) -> &str {
        &self.name
    }

    fn before<'a>(&'a self, call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        Box::pin(async move {
            if !self.is_about(call) {
                return HookReply::Continue;
            }
            if let Some(reason) = self.approve(call).await {
                return HookReply::Block(reason);
            }
            if self.has("tool") { self.intercept(call).await } else { HookReply::Continue }
        })
    }

    fn after<'a>(&'a self, call: &'a CheckedCall, result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        Box::pin(async move {
            if !self.is_about(call) {
                return None;
            }
            let mut params = self.params(call);
            let shown = first(&self.around.redactor.redact(&result.output), OUTPUT_CHARS);
            super::put(&mut params, "result", json!({"for_llm": shown, "is_error": !result.success}));
            let duration = u64::try_from(result.duration.as_millis()).unwrap_or(u64::MAX);
            super::put(&mut params, "duration", duration.into());
            let cancel = &self.around.cancel;
            if self.has("observe") {
                let mut seen = params.clone();
                super::put(&mut seen, "event", "post_tool_use".into());
                self.notify(json!({"event": seen}), cancel).await;
            }
            if !self.has("tool") {
                return None;
            }
            let asked = self.ask("hook.after_tool", params, (self.settings.intercept_timeout, cancel)).await;
            let answer = asked.and_then(|value| if value.is_null() { Ok(OfResult::default()) } else { read(value) });
            let answer = answer.map(|reply: OfResult| Effective::Go {
                context: reply.result.map(|said| said.for_llm).filter(|said| !said.trim().is_empty()),
                arguments: None,
            });
            match self.settle(call.id().as_str(), &call.spec().name, answer, Stage::PostHooks) {
                Effective::Go { context, .. } => context,
                Effective::Block(_) => None,
            }
        })
    }
}

impl Hook for Approval {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn before<'a>(&'a self, call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        Box::pin(async move {
            if !self.0.is_about(call) {
                return HookReply::Continue;
            }
            self.0.approve(call).await.map_or(HookReply::Continue, HookReply::Block)
        })
    }

    fn after<'a>(&'a self, _call: &'a CheckedCall, _result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        Box::pin(async { None })
    }
}
