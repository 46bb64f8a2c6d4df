//! One call's path through the stages: each is one function in the file of its name, in this order, and
//! [`explain`](super::explain) calls the same ones.

use super::confirm::confirm;
use super::dry_run::dry_run;
use super::engine::Gate;
use super::execute::execute;
use super::guardrails::{self, guardrails};
use super::hooks::{post_hooks, pre_hooks};
use super::order::{self, Ticket};
use super::record::{record, render};
use super::resolve::resolve;
use super::trail::Trail;
use super::validate::{Ready, validate};
use crate::call::{
    Call, CallId, ChannelId, ChatId, Origin, Outcome, Output, RawArguments, Scope, SessionId, ToolResult,
};
use crate::registry::Toolset;
use serde_json::Value;

/// A call on its way.
pub(super) struct Submitted<'a> {
    pub(super) toolset: &'a Toolset,
    /// The call's place among those of its turn.
    pub(super) ticket: Option<&'a Ticket>,
    /// The arguments as received; taken once the call is ready, because they may be large.
    pub(super) raw: RawArguments,
    /// The call, once resolved and validated.
    pub(super) ready: Option<Ready>,
}

impl Gate {
    /// Runs one call through all stages. Never panics, never fails: errors are results.
    pub async fn submit(&self, toolset: &Toolset, call: Call) -> ToolResult {
        self.take(None, toolset, call).await
    }

    /// As [`Gate::submit`], as one of a turn's calls: before it runs, it waits for earlier conflicting ones.
    pub async fn submit_in_order(&self, ticket: Ticket, toolset: &Toolset, call: Call) -> ToolResult {
        self.take(Some(&ticket), toolset, call).await
    }

    async fn take(&self, ticket: Option<&Ticket>, toolset: &Toolset, mut call: Call) -> ToolResult {
        let raw = call.arguments.take();
        let mut trail = Trail::of(self, &call);
        let mut submitted = Submitted { toolset, ticket, raw, ready: None };
        let outcome = match self.pass(&mut submitted, &mut trail).await {
            Ok(output) => Outcome::Done(output),
            Err(outcome) => *outcome,
        };
        if let Some(ready) = &submitted.ready {
            guardrails::settle(&ready.call, &outcome, &mut trail);
        }
        let ran = matches!(outcome, Outcome::Done(_) | Outcome::Failed(_));
        let detail = outcome.detail().map(str::to_owned);
        let mut result = render(&submitted, outcome, &mut trail);
        if let Some(ready) = submitted.ready.as_ref().filter(|_| ran) {
            post_hooks(&ready.call, &mut result, &mut trail).await;
        }
        record(&submitted, &mut result, detail.as_deref(), &trail);
        result
    }

    /// Stages 1 to 7. A stage that ends the call returns its outcome as the error.
    async fn pass(&self, submitted: &mut Submitted<'_>, trail: &mut Trail<'_>) -> Result<Output, Box<Outcome>> {
        let read = resolve(submitted.toolset, trail).and_then(|tool| validate(tool, &submitted.raw, trail));
        let ready = match read {
            Ok(ready) => ready,
            Err(outcome) => return Err(guardrails::unreadable(&mut submitted.raw, outcome, trail)),
        };
        drop(submitted.raw.take());
        let ready = submitted.ready.insert(ready);
        let ticket = submitted.ticket;
        order::announce(ticket, &ready.call);
        let mut judgement = guardrails(&ready.call, trail)?;
        if !self.run_mode.is_dry() {
            judgement = pre_hooks(ready, ticket, judgement, trail).await?;
            confirm(&ready.call, &judgement, trail).await?;
        }
        guardrails::warn(judgement, trail);
        order::wait(ticket, &ready.call, &self.cancel).await?;
        guardrails::begin(&ready.call, trail)?;
        if let Some(described) = dry_run(&ready.call, trail) {
            return Ok(described);
        }
        execute(ready, submitted.toolset, ticket, trail).await
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
