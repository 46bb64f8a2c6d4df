//! One call's path through the stages: each is one function in the file of its name, in this order, and
//! [`explain`](super::explain) calls the same ones.

use super::admit::admit;
use super::confirm::{catch_up, confirm};
use super::dry_run::dry_run;
use super::engine::Gate;
use super::execute::{self, execute};
use super::guardrails::{self, guardrails};
use super::hooks::{post_hooks, pre_hooks};
use super::order::{self, Ticket};
use super::record::{Rendering, record, render};
use super::resolve::resolve;
use super::traced;
use super::trail::Trail;
use super::validate::{Ready, validate};
use crate::call::{
    Call, CallId, ChannelId, ChatId, Origin, Outcome, Output, Phase, RawArguments, Scope, SessionId, ToolResult,
};
use crate::registry::Toolset;
use serde_json::Value;
use tracing::{Instrument as _, Span};

/// What is known of a call on its way.
pub(super) struct Submitted<'a> {
    pub(super) toolset: &'a Toolset,
    /// The arguments as received; taken once the call is ready, because they may be large.
    pub(super) raw: RawArguments,
    /// The call, once resolved and validated.
    pub(super) ready: Option<Ready>,
}

/// A call on its way through the gate, and what came of it: settled and recorded exactly once, also when its caller goes.
struct Course<'a> {
    submitted: Submitted<'a>,
    trail: Trail<'a>,
    span: &'a Span,
    ended: Option<Ended>,
    is_recorded: bool,
}

/// The result of a call, and its private detail.
struct Ended {
    rendering: Rendering,
    detail: Option<String>,
}

impl Course<'_> {
    fn record(&mut self) -> ToolResult {
        let mut ended = self.ended.take().unwrap_or_else(|| {
            let gone = *execute::cancelled(&self.trail.call().tool);
            end(&self.submitted, gone, &mut self.trail)
        });
        ended.rendering.finish(None, &mut self.trail);
        let (mut result, detail) = (ended.rendering.result, ended.detail);
        result.timings = self.trail.take_timings();
        record(&self.submitted, &mut result, detail.as_deref(), &self.trail);
        self.is_recorded = true;
        traced::ended(self.span, &result);
        result
    }
}

impl Drop for Course<'_> {
    fn drop(&mut self) {
        if !self.is_recorded && !std::thread::panicking() {
            drop(self.record());
        }
    }
}

/// Tells the guards of the outcome, and renders it.
fn end(submitted: &Submitted<'_>, outcome: Outcome, trail: &mut Trail<'_>) -> Ended {
    if let Some(ready) = &submitted.ready {
        guardrails::settle(&ready.call, &outcome, trail);
    }
    let detail = outcome.detail().map(str::to_owned);
    Ended { rendering: render(submitted, outcome, trail), detail }
}

impl Gate {
    /// Runs one call through all stages. Never panics, never fails: errors are results. When the future is dropped, the
    /// call ends as cancelled: its tool and programs are ended, and it is recorded once, as every call is.
    pub async fn submit(&self, toolset: &Toolset, call: Call) -> ToolResult {
        self.take(None, toolset, call).await
    }

    /// As [`Gate::submit`], as one of a turn's calls: before it runs, it waits for earlier conflicting ones.
    pub async fn submit_in_order(&self, ticket: Ticket, toolset: &Toolset, call: Call) -> ToolResult {
        self.take(Some(&ticket), toolset, call).await
    }

    async fn take(&self, ticket: Option<&Ticket>, toolset: &Toolset, call: Call) -> ToolResult {
        let span = traced::span(self, toolset, &call);
        self.carry_out((ticket, &span), toolset, call).instrument(span.clone()).await
    }

    async fn carry_out(
        &self,
        (ticket, span): (Option<&Ticket>, &Span),
        toolset: &Toolset,
        mut call: Call,
    ) -> ToolResult {
        let _underway = self.intake.begin();
        if toolset.get(&call.tool).is_none() {
            // The name of no tool may hold anything, and is told and recorded like one.
            call.tool = self.redactor.redact(&call.tool).into_owned();
        }
        let raw = call.arguments.take();
        let submitted = Submitted { toolset, raw, ready: None };
        let trail = Trail::of(self, &call, ticket);
        let mut course = Course { submitted, trail, span, ended: None, is_recorded: false };
        let outcome = match self.pass(&mut course.submitted, &mut course.trail).await {
            Ok(output) => Outcome::Done(output),
            Err(outcome) => *outcome,
        };
        let ran = matches!(outcome, Outcome::Done(_) | Outcome::Failed(_));
        let Ended { rendering, .. } = course.ended.insert(end(&course.submitted, outcome, &mut course.trail));
        let artifact = rendering.spilled().await;
        let result = rendering.finish(artifact, &mut course.trail);
        if let Some(ready) = course.submitted.ready.as_ref().filter(|_| ran) {
            post_hooks(&ready.call, result, &mut course.trail).await;
        }
        course.record()
    }

    /// Stages 1 to 7. A stage that ends the call returns its outcome as the error.
    async fn pass(&self, submitted: &mut Submitted<'_>, trail: &mut Trail<'_>) -> Result<Output, Box<Outcome>> {
        if self.intake.is_closed() {
            return Err(execute::not_taken(&trail.call().tool));
        }
        let read = match resolve(submitted.toolset, trail) {
            Ok(tool) => validate(tool, &submitted.raw, trail).await,
            Err(outcome) => Err(outcome),
        };
        let ready = match read {
            Ok(ready) => ready,
            Err(outcome) => return Err(guardrails::unreadable(&mut submitted.raw, outcome, trail)),
        };
        drop(submitted.raw.take());
        let ready = submitted.ready.insert(ready);
        order::announce(trail.ticket(), &ready.call);
        let mut judgement = guardrails(&ready.call, trail)?;
        trail.spent(Phase::Judge, None);
        judgement = pre_hooks(ready, judgement, trail).await?;
        if !self.run_mode.is_dry() {
            catch_up(&ready.call, &mut judgement, trail).await;
            confirm(&ready.call, &judgement, trail).await?;
        }
        guardrails::warn(judgement, trail);
        let turn = order::wait(&ready.call, trail).await;
        trail.spent(Phase::Order, None);
        turn?;
        guardrails::begin(&ready.call, trail)?;
        if let Some(described) = dry_run(&ready.call, trail) {
            return Ok(described);
        }
        let output = execute(ready, submitted.toolset, trail).await?;
        Ok(admit(output, &ready.tool))
    }

    /// Runs a registered tool by name, as a person, in a new session.
    pub async fn execute(&self, name: &str, arguments: Value) -> ToolResult {
        self.execute_in(Scope::session(SessionId::new("direct")), name, arguments).await
    }

    /// As [`Gate::execute`], in this conversation of this channel: the context belongs to the call, not the tool.
    pub async fn execute_with_context(
        &self,
        name: &str,
        arguments: Value,
        channel: ChannelId,
        chat: ChatId,
    ) -> ToolResult {
        self.execute_in(Scope::session(SessionId::new("direct")).in_chat(channel, chat), name, arguments).await
    }

    async fn execute_in(&self, scope: Scope, name: &str, arguments: Value) -> ToolResult {
        let call = Call {
            id: CallId::new("1"),
            tool: name.to_owned(),
            arguments: RawArguments::Json(arguments),
            origin: Origin::Person,
            scope,
        };
        self.submit(&self.registry.snapshot(), call).await
    }
}
