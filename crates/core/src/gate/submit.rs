//! The path of one call, as a table of stages; everything else in this folder is one row of it.

use super::checked::CheckedCall;
use super::confirm::{confirm, reasons};
use super::engine::Gate;
use super::guardrails::Judgement;
use super::order::{CallOrder, Ticket};
use super::trail::Trail;
use super::{ConfirmMode, RunMode, dry_run, execute, guardrails, hooks, record, resolve, validate};
use crate::call::{Call, CallId, Outcome, RawArguments, Scope, Stage, ToolResult};
use crate::call::{ChannelId, ChatId, Origin, SessionId};
use crate::message::Text;
use crate::ports::{Tail, Verdict};
use crate::registry::{Registered, Toolset};
use crate::tool::Output;
use futures_util::stream::{self, StreamExt as _};
use serde_json::Value;
use std::sync::Arc;

/// A call on its way, with what is known of it so far.
pub(super) struct Submitted<'a> {
    /// The call, without its arguments.
    pub(super) call: &'a Call,
    /// The arguments as they came; nothing once the call is a checked one, because they may be large.
    pub(super) raw: RawArguments,
    pub(super) checked: Option<CheckedCall>,
    /// The call's place among those of its turn.
    ticket: Option<&'a Ticket>,
    /// What the model is told beside the result.
    pub(super) notes: Vec<Text>,
    /// Of whoever watches.
    tail: Option<Tail>,
}

impl Gate {
    /// Takes one call through all stages. Never panics, never fails: errors are results.
    pub async fn submit(&self, toolset: &Toolset, call: Call) -> ToolResult {
        self.take((None, None), toolset, call).await
    }

    /// As [`Gate::submit`], as one of the calls of a turn: before it runs, it waits for the earlier ones that it meets.
    pub async fn submit_in_order(&self, ticket: Ticket, toolset: &Toolset, call: Call) -> ToolResult {
        self.take((Some(&ticket), None), toolset, call).await
    }

    /// As [`Gate::submit_in_order`]; what a program of the call prints goes to `tail` as it comes, raw: secrets are not taken
    /// out.
    pub async fn submit_watched(
        &self,
        ticket: Ticket,
        toolset: &Toolset,
        (call, tail): (Call, Option<Tail>),
    ) -> ToolResult {
        self.take((Some(&ticket), tail), toolset, call).await
    }

    async fn take(
        &self,
        (ticket, tail): (Option<&Ticket>, Option<Tail>),
        toolset: &Toolset,
        mut call: Call,
    ) -> ToolResult {
        let start = self.clock.elapsed();
        let raw = call.arguments.take();
        let call = &call;
        let mut submitted = Submitted { call, raw, checked: None, ticket, notes: Vec::new(), tail };
        let mut trail = Trail::of(self, call);
        let outcome = match self.pass(toolset, &mut submitted, &mut trail).await {
            Ok(output) => Outcome::Done(output),
            Err(outcome) => *outcome,
        };
        let detail = match &outcome {
            Outcome::Failed(error) | Outcome::Stopped(_, error) => error.detail().map(str::to_owned),
            _ => None,
        };
        if let Some(checked) = &submitted.checked {
            let guards = self.guards.iter().filter_map(|guard| guard.settle(checked, &outcome));
            submitted.notes.extend(guards.map(Text::from));
            self.has_changed(&call.scope.session, checked.changed_by_programs());
        }
        let foreign = outcome.foreign(&call.tool).map(|_| &*self.marker);
        let ran = matches!(outcome, Outcome::Done(_) | Outcome::Failed(_));
        let mut result = record::result(self, &mut submitted, outcome, trail.took(start));
        if let (Some(checked), true, RunMode::Real) = (&submitted.checked, ran, self.run_mode) {
            if !self.hooks.is_empty() {
                trail.keep();
            }
            hooks::after(&self.hooks, checked, &mut result, foreign).await;
        }
        record::clean(self, &mut result);
        record::record(&submitted, &trail, &result, detail.as_deref());
        result
    }

    /// Stages 1 to 7. A stage that ends the call returns its outcome as the error.
    async fn pass(
        &self,
        toolset: &Toolset,
        submitted: &mut Submitted<'_>,
        trail: &mut Trail<'_>,
    ) -> Result<Output, Box<Outcome>> {
        let (registered, checked) = match self.read(toolset, submitted, trail) {
            Ok(read) => read,
            Err(outcome) => {
                let whole = Call { arguments: submitted.raw.take(), ..submitted.call.clone() };
                let (outcome, warnings) = guardrails::unreadable(self, &whole, outcome);
                submitted.raw = whole.arguments;
                submitted.notes.extend(warnings.into_iter().map(|verdict| verdict.to_model.into()));
                return Err(outcome);
            }
        };
        drop(submitted.raw.take());
        let ticket = submitted.ticket;
        let checked = submitted.checked.insert(checked);
        let notes = &mut submitted.notes;
        if let Some(ticket) = ticket {
            ticket.touches(checked);
        }
        let mut judgement = guardrails::judge(self, checked, trail)?;
        if !self.run_mode.is_dry() {
            judgement = self.ask_hooks((&registered, submitted.call), checked, (judgement, notes), trail).await?;
            if let Some(ticket) = ticket.filter(|_| !self.hooks.is_empty()) {
                ticket.touches(checked);
            }
            let reasons = reasons(self.mode, checked, &judgement);
            if reasons.is_empty() {
                trail.passed(Stage::Confirm);
            } else {
                notes.extend(
                    confirm(self, checked, reasons, trail)
                        .await
                        .inspect_err(|outcome| trail.ended(Stage::Confirm, outcome))?
                        .into_iter()
                        .map(Text::from),
                );
            }
        }
        notes.extend(self.warnings(judgement).map(|verdict| verdict.to_model.into()));
        if let Some(ticket) = ticket {
            tokio::select! {
                () = ticket.turn() => {}
                () = self.cancel.cancelled() => return Err(execute::cancelled(checked.spec())),
            }
        }
        guardrails::begin(self, checked, trail)?;
        if dry_run::only_described(self.run_mode, checked) {
            trail.passed(Stage::DryRun);
            return Ok(dry_run::command(self, checked));
        }
        trail.begins(checked);
        let output = execute::execute(self, toolset, checked, submitted.tail.take()).await?;
        Ok(if self.run_mode.is_dry() { dry_run::describe(self, checked, output) } else { output })
    }

    /// Stages 1 and 2.
    fn read(
        &self,
        toolset: &Toolset,
        submitted: &Submitted<'_>,
        trail: &mut Trail<'_>,
    ) -> Result<(Arc<Registered>, CheckedCall), Box<Outcome>> {
        let registered = resolve::resolve(toolset, &submitted.call.tool)
            .inspect_err(|outcome| trail.ended(Stage::Resolve, outcome))?;
        trail.passed(Stage::Resolve);
        let checked = validate::validate(&registered, submitted.call, &submitted.raw, self)
            .inspect_err(|outcome| trail.ended(Stage::Validate, outcome))?;
        trail.passed(Stage::Validate);
        Ok((registered, checked))
    }

    /// Stage 4: each hook sees what the one before it left, validated and judged again.
    async fn ask_hooks(
        &self,
        (registered, call): (&Arc<Registered>, &Call),
        checked: &mut CheckedCall,
        (mut judgement, notes): (Judgement, &mut Vec<Text>),
        trail: &mut Trail<'_>,
    ) -> Result<Judgement, Box<Outcome>> {
        for hook in &self.hooks {
            trail.keep();
            let wish = hooks::before(hook, checked).await;
            let note = match wish.inspect_err(|outcome| trail.ended(Stage::PreHooks, outcome))? {
                hooks::Wish::GoOn(note) => note,
                hooks::Wish::Change(arguments, note) => {
                    trail.says(Stage::PreHooks, "change", Some(hook.name()), None);
                    *checked = validate::validate(registered, call, &RawArguments::Json(arguments), self)
                        .inspect_err(|outcome| trail.ended(Stage::Validate, outcome))?;
                    judgement = guardrails::judge(self, checked, trail)?;
                    note
                }
            };
            notes.extend(note.map(Text::from));
        }
        Ok(judgement)
    }

    /// What the model is told: every warning, and where nobody is ever asked, what a person would have been asked.
    fn warnings(&self, judgement: Judgement) -> impl Iterator<Item = Verdict> + use<> {
        let unasked = if self.mode == ConfirmMode::Yolo { judgement.asking } else { Vec::new() };
        judgement.warnings.into_iter().chain(unasked)
    }

    /// Takes several calls of one turn through the gate. Results come in call order; readers run side by side, and a call
    /// that meets what an earlier one writes waits for it (see [`CallOrder`]).
    pub async fn submit_all(&self, toolset: &Toolset, calls: Vec<Call>) -> Vec<ToolResult> {
        let width = self.limits.parallel.max(1);
        let order = CallOrder::new();
        let submit = |call| self.submit_in_order(order.ticket(), toolset, call);
        stream::iter(calls).map(submit).buffered(width).collect().await
    }

    /// Runs a registered tool by name, as a person, in a session of its own.
    pub async fn execute(&self, name: &str, arguments: Value) -> ToolResult {
        self.execute_in(Scope::session(SessionId::new("direct")), name, arguments).await
    }

    /// As [`Gate::execute`], in this conversation of this channel: the context is the call's, not the tool's.
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
