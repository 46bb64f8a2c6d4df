//! Judges a call without running it, by the same stages as a run.

use super::confirm::{catch_up, reasons};
use super::engine::Gate;
use super::guardrails::{Judgement, guardrails};
use super::resolve::resolve;
use super::trail::Trail;
use super::validate::validate;
use crate::call::{Call, Effect, Outcome, Stage, StopReason, ToolError};
use crate::ports::{CheckedCall, CommandClass, CommandReading, StageDecision, Verdict};
use crate::registry::Toolset;
use serde::Serialize;
use serde_json::Value;

/// The verdict of one stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageVerdict {
    /// The stage.
    pub stage: Stage,
    /// Its verdict.
    pub verdict: StageDecision,
    /// The rule's id or the error's code.
    pub rule: Option<String>,
    /// Why, in the reader's language.
    pub reason: Option<String>,
}

/// The reading of one program that a call would start or feed.
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
    /// The tool's name as requested.
    pub tool: String,
    /// The arguments after repair.
    pub arguments: Value,
    /// What the call would do, on canonical paths.
    pub effects: Vec<Effect>,
    /// The reading of each program that it would start.
    pub commands: Vec<ExplainedCommand>,
    /// SHA-256 of the checked arguments.
    pub digest: Option<String>,
    /// Each stage that was reached.
    pub stages: Vec<StageVerdict>,
    /// What an approval would show: the diff.
    pub diff: Option<String>,
}

impl Gate {
    /// Judges a call without running it: no hook, no person, no effect.
    pub async fn explain(&self, toolset: &Toolset, call: &Call) -> Explanation {
        let mut explanation = Explanation {
            tool: call.tool.clone(),
            arguments: Value::Null,
            effects: Vec::new(),
            commands: Vec::new(),
            digest: None,
            stages: Vec::new(),
            diff: None,
        };
        let trail = &mut Trail::of(self, call, None);
        let stages = &mut explanation.stages;
        let tool = match resolve(toolset, trail) {
            Ok(tool) => tool,
            Err(outcome) => {
                stages.push(self.told(Stage::Resolve, &outcome));
                return explanation;
            }
        };
        stages.push(allowed(Stage::Resolve));
        let checked = match validate(tool, &call.arguments, trail).await {
            Ok(ready) => ready.call,
            Err(outcome) => {
                stages.push(self.told(Stage::Validate, &outcome));
                return explanation;
            }
        };
        stages.push(allowed(Stage::Validate));
        explanation.arguments = checked.arguments().clone();
        explanation.commands = checked.commands().iter().map(|command| self.explained(command)).collect();
        explanation.effects = checked.effects().iter().cloned().collect();
        explanation.digest = Some(checked.digest().to_hex());
        match guardrails(&checked, trail) {
            Err(outcome) => stages.push(self.told(Stage::Guardrails, &outcome)),
            Ok(mut judgement) => {
                catch_up(&checked, &mut judgement, trail).await;
                let told = judgement.warnings.iter().chain(&judgement.asking).map(|verdict| self.said(verdict));
                stages.extend(told);
                stages.push(StageVerdict { rule: judgement.allowed.clone(), ..allowed(Stage::Guardrails) });
                stages.push(self.would_ask(&checked, &judgement));
                match checked.preview() {
                    Ok(preview) => explanation.diff = preview.map(|preview| preview.diff.clone()),
                    Err(error) => stages.push(self.told(Stage::Execute, &Outcome::Failed(ToolError::clone(error)))),
                }
            }
        }
        explanation
    }

    fn said(&self, verdict: &Verdict) -> StageVerdict {
        StageVerdict {
            stage: Stage::Guardrails,
            verdict: verdict.decision.into(),
            rule: Some(verdict.rule.clone()),
            reason: Some(self.catalogue.render(&verdict.to_model)),
        }
    }

    fn would_ask(&self, checked: &CheckedCall, judgement: &Judgement) -> StageVerdict {
        if self.run_mode.is_dry() {
            return allowed(Stage::DryRun);
        }
        match reasons(self.mode, checked, judgement).into_iter().next() {
            None => allowed(Stage::Confirm),
            Some(reason) => StageVerdict {
                stage: Stage::Confirm,
                verdict: StageDecision::Ask,
                rule: Some(reason.rule),
                reason: Some(self.catalogue.render(&reason.words)),
            },
        }
    }

    fn explained(&self, reading: &CommandReading) -> ExplainedCommand {
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
            Outcome::Refused(refusal) => {
                (StageDecision::Deny, refusal.rule.clone(), refusal.message.render(&*self.catalogue))
            }
            Outcome::Stopped(StopReason::Halted, error) => {
                (StageDecision::Halt, error.kind().facts().code.to_owned(), self.catalogue.render(error.message()))
            }
            Outcome::Failed(error) | Outcome::Stopped(_, error) => {
                (StageDecision::Fail, error.kind().facts().code.to_owned(), self.catalogue.render(error.message()))
            }
            Outcome::Done(_) | Outcome::Parked { .. } => return allowed(stage),
        };
        StageVerdict { stage, verdict, rule: Some(rule), reason: Some(reason) }
    }
}

const fn allowed(stage: Stage) -> StageVerdict {
    StageVerdict { stage, verdict: StageDecision::Allow, rule: None, reason: None }
}
