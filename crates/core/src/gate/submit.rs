//! The way of one call, as a table of stages; everything else in this folder is one row of it.

use super::checked::CheckedCall;
use super::confirm::{confirm, needs_person};
use super::engine::Gate;
use super::{RunMode, dry_run, execute, guardrails, hooks, record, resolve, validate};
use crate::call::{Call, CallId, Effect, Outcome, RawArguments, Scope, Stage, ToolError, ToolResult};
use crate::call::{ChannelId, ChatId, Origin, SessionId};
use crate::ports::{CommandClass, CommandReading};
use crate::registry::Toolset;
use crate::tool::Output;
use futures_util::stream::{self, StreamExt as _};
use serde::Serialize;
use serde_json::Value;

/// A call on its way, with what is known of it so far.
pub(super) struct Submitted<'a> {
    pub(super) call: &'a Call,
    pub(super) checked: Option<CheckedCall>,
}

/// What one stage would say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageVerdict {
    /// The stage.
    pub stage: Stage,
    /// `allow`, `ask`, `deny`, `fail`.
    pub verdict: &'static str,
    /// The rule's id or the error's code.
    pub rule: Option<String>,
    /// Why, in the reader's language.
    pub reason: Option<String>,
}

/// What was read of one program that a call would start or speak to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedCommand {
    /// `safe`, `dev`, `dangerous` or `blocked`.
    pub class: CommandClass,
    /// The rule that decided.
    pub rule: String,
    /// Why, in the reader's language.
    pub reason: String,
    /// Each simple command of a shell text, in reading order.
    pub parts: Vec<ExplainedPart>,
}

/// One simple command of a shell text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedPart {
    /// As written.
    pub source: String,
    /// Its class.
    pub class: CommandClass,
    /// The rule that decided.
    pub rule: String,
    /// Why, in the reader's language.
    pub reason: String,
}

/// A judgement without a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The tool as asked for.
    pub tool: String,
    /// The arguments after repair.
    pub arguments: Value,
    /// What the call would do, on canonical paths.
    pub effects: Vec<Effect>,
    /// What was read of each program that it would start.
    pub commands: Vec<ExplainedCommand>,
    /// SHA-256 of the checked arguments.
    pub digest: Option<String>,
    /// Each stage that was reached.
    pub stages: Vec<StageVerdict>,
    /// What an approval would show: the diff.
    pub diff: Option<String>,
}

impl Gate {
    /// Takes one call through all stages. Never panics, never fails: errors are results.
    pub async fn submit(&self, toolset: &Toolset, call: Call) -> ToolResult {
        let start = self.clock.elapsed();
        let mut submitted = Submitted { call: &call, checked: None };
        let outcome = match self.pass(toolset, &mut submitted).await {
            Ok(output) => Outcome::Done(output),
            Err(outcome) => *outcome,
        };
        let detail = match &outcome {
            Outcome::Failed(error) | Outcome::Stopped(_, error) => error.detail().map(str::to_owned),
            _ => None,
        };
        if let Some(checked) = &submitted.checked {
            self.guards.iter().for_each(|guard| guard.settle(checked, &outcome));
        }
        let ran = matches!(outcome, Outcome::Done(_) | Outcome::Failed(_));
        let mut result = record::result(self, &submitted, outcome, self.clock.elapsed().saturating_sub(start));
        if let (Some(checked), true, RunMode::Real) = (&submitted.checked, ran, self.run_mode) {
            hooks::after(&self.hooks, checked, &mut result).await;
        }
        record::record(self, &submitted, &result, detail.as_deref());
        result
    }

    /// Stages 1 to 7. A stage that ends the call returns its outcome as the error.
    async fn pass(&self, toolset: &Toolset, submitted: &mut Submitted<'_>) -> Result<Output, Box<Outcome>> {
        let call = submitted.call;
        let registered = resolve::resolve(toolset, &call.tool)?;
        let checked = submitted.checked.insert(validate::validate(&registered, call, self)?);
        let mut asking = guardrails::judge(&self.guards, checked)?;
        if self.run_mode == RunMode::Real {
            if let Some(changed) = hooks::before(&self.hooks, checked).await? {
                let again = Call { arguments: RawArguments::Json(changed), ..call.clone() };
                *checked = validate::validate(&registered, &again, self)?;
                asking = guardrails::judge(&self.guards, checked)?;
            }
            if let Some(rule) = needs_person(self.mode, checked, &asking) {
                confirm(self, checked, rule).await?;
            }
        }
        if self.run_mode == RunMode::DryRun && checked.effects().touches_programs() {
            return Ok(dry_run::command(checked));
        }
        let output = execute::execute(self, checked).await?;
        Ok(if self.run_mode == RunMode::DryRun { dry_run::describe(checked, output) } else { output })
    }

    /// Takes several calls of one turn through the gate. Results come in call order; readers run side by side, writers of
    /// the same path one after another, in call order.
    pub async fn submit_all(&self, toolset: &Toolset, calls: Vec<Call>) -> Vec<ToolResult> {
        let width = self.limits.parallel.max(1);
        stream::iter(calls).map(|call| self.submit(toolset, call)).buffered(width).collect().await
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

    /// Judges a call without running it: no hook, no person, no effect.
    #[must_use]
    pub fn explain(&self, toolset: &Toolset, call: &Call) -> Explanation {
        let mut explanation = Explanation {
            tool: call.tool.clone(),
            arguments: Value::Null,
            effects: Vec::new(),
            commands: Vec::new(),
            digest: None,
            stages: Vec::new(),
            diff: None,
        };
        let stages = &mut explanation.stages;
        let registered = match resolve::resolve(toolset, &call.tool) {
            Ok(registered) => registered,
            Err(outcome) => {
                stages.push(self.told(Stage::Resolve, &outcome));
                return explanation;
            }
        };
        stages.push(allowed(Stage::Resolve));
        let checked = match validate::validate(&registered, call, self) {
            Ok(checked) => checked,
            Err(outcome) => {
                stages.push(self.told(Stage::Validate, &outcome));
                return explanation;
            }
        };
        stages.push(allowed(Stage::Validate));
        explanation.arguments = checked.arguments().clone();
        explanation.commands = checked.commands().iter().map(|command| self.read(command)).collect();
        explanation.effects = checked.effects().iter().cloned().collect();
        explanation.digest = Some(checked.digest().to_hex());
        match guardrails::judge(&self.guards, &checked) {
            Err(outcome) => stages.push(self.told(Stage::Guardrails, &outcome)),
            Ok(asking) => {
                stages.push(allowed(Stage::Guardrails));
                stages.push(match needs_person(self.mode, &checked, &asking) {
                    _ if self.run_mode == RunMode::DryRun => allowed(Stage::DryRun),
                    Some(rule) => {
                        StageVerdict { stage: Stage::Confirm, verdict: "ask", rule: Some(rule), reason: None }
                    }
                    None => allowed(Stage::Confirm),
                });
                match checked.preview() {
                    Ok(preview) => explanation.diff = preview.map(|preview| preview.diff.clone()),
                    Err(error) => stages.push(self.told(Stage::Execute, &Outcome::Failed(ToolError::clone(error)))),
                }
            }
        }
        explanation
    }

    fn read(&self, reading: &CommandReading) -> ExplainedCommand {
        let part = |part: &crate::ports::CommandPart| ExplainedPart {
            source: part.source.clone(),
            class: part.class,
            rule: part.rule.clone(),
            reason: self.catalogue.render(&part.reason),
        };
        ExplainedCommand {
            class: reading.class,
            rule: reading.rule.clone(),
            reason: self.catalogue.render(&reading.reason),
            parts: reading.parts.iter().map(part).collect(),
        }
    }

    fn told(&self, stage: Stage, outcome: &Outcome) -> StageVerdict {
        let (verdict, rule, reason) = match outcome {
            Outcome::Refused(refusal) => ("deny", refusal.rule.clone(), refusal.message.render(&*self.catalogue)),
            Outcome::Failed(error) | Outcome::Stopped(_, error) => {
                ("fail", error.kind().facts().code.to_owned(), self.catalogue.render(error.message()))
            }
            Outcome::Done(_) | Outcome::Parked { .. } => return allowed(stage),
        };
        StageVerdict { stage, verdict, rule: Some(rule), reason: Some(reason) }
    }
}

const fn allowed(stage: Stage) -> StageVerdict {
    StageVerdict { stage, verdict: "allow", rule: None, reason: None }
}
