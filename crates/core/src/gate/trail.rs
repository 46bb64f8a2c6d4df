//! What the stages said of one call, handed to the recorder as it is said.

use super::checked::CheckedCall;
use super::engine::Gate;
use super::record;
use crate::call::{Call, Outcome, Stage};
use crate::ports::{Decision, StageRecord, Verdict};
use std::time::UNIX_EPOCH;

/// The trail of one call.
pub(super) struct Trail<'a> {
    gate: &'a Gate,
    call: &'a Call,
    kept: Kept,
}

/// Whether anything is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Yes,
    No,
}

/// What is written beside the stage and its verdict.
#[derive(Default)]
struct Details<'a> {
    rule: Option<&'a str>,
    evidence: Option<&'a str>,
    effects: &'a [String],
    digest: Option<String>,
}

impl<'a> Trail<'a> {
    pub(super) const fn of(gate: &'a Gate, call: &'a Call) -> Self {
        Self { gate, call, kept: Kept::Yes }
    }

    /// The trail of a judgement that leads to nothing.
    pub(super) const fn unkept(gate: &'a Gate, call: &'a Call) -> Self {
        Self { gate, call, kept: Kept::No }
    }

    pub(super) fn verdict(&self, stage: Stage, verdict: &Verdict) {
        let details = Details { rule: Some(&verdict.rule), evidence: Some(&verdict.to_operator), ..Details::default() };
        self.write(stage, name(verdict.decision), details);
    }

    /// A stage that has nothing against the call, or that says something in one word.
    pub(super) fn passed(&self, stage: Stage, verdict: &str, rule: Option<&str>, evidence: Option<&str>) {
        self.write(stage, verdict, Details { rule, evidence, ..Details::default() });
    }

    /// A stage that ended the call.
    pub(super) fn ended(&self, stage: Stage, outcome: &Outcome) {
        match outcome {
            Outcome::Refused(refusal) => self.passed(stage, "deny", Some(&refusal.rule), None),
            Outcome::Failed(error) | Outcome::Stopped(_, error) => {
                self.passed(stage, "fail", Some(error.kind().facts().code), error.detail());
            }
            Outcome::Done(_) | Outcome::Parked { .. } => {}
        }
    }

    /// The run begins, with these effects.
    pub(super) fn begins(&self, call: &CheckedCall) {
        let effects = record::effects(self.gate, call);
        let details = Details { effects: &effects, digest: Some(call.digest().to_hex()), ..Details::default() };
        self.write(Stage::Execute, "begin", details);
    }

    fn write(&self, stage: Stage, verdict: &str, details: Details<'_>) {
        if self.kept == Kept::No {
            return;
        }
        let at = self.gate.clock.now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let evidence = details.evidence.filter(|words| !words.is_empty()).map(|words| self.gate.redactor.redact(words));
        self.gate.recorder.stage(&StageRecord {
            at_ms: u64::try_from(at.as_millis()).unwrap_or(u64::MAX),
            call: self.call.id.as_str(),
            session: self.call.scope.session.as_str(),
            tool: &self.call.tool,
            stage,
            verdict,
            rule: details.rule,
            evidence: evidence.as_deref(),
            effects: details.effects,
            digest: details.digest,
        });
    }
}

pub(super) const fn name(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow",
        Decision::Warn => "warn",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
        Decision::Halt => "halt",
    }
}
