//! The stage verdicts of one call, passed to the recorder before anything that takes time or changes the world.

use super::engine::Gate;
use super::order::Ticket;
use super::record;
use crate::call::{Call, CanonicalPath, Outcome, Phase, Stage, Timing};
use crate::message::Text;
use crate::ports::{CheckedCall, StageDecision, StageRecord, Verdict};
use std::time::Duration;

/// The trail of one call.
pub(super) struct Trail<'a> {
    gate: &'a Gate,
    call: &'a Call,
    /// The call's place among those of its turn.
    ticket: Option<&'a Ticket>,
    /// Verdicts that are not recorded yet.
    said: Vec<Said>,
    begun: Option<Begun>,
    /// Notes for the model, shown with the result.
    notes: Vec<Text>,
    start: Duration,
    /// How long a person took to answer.
    waited: Duration,
    /// The phases that took their time, and where the one under way began.
    timings: Vec<Timing>,
    phase: Duration,
}

/// What a call that began to run may do.
struct Begun {
    effects: Vec<String>,
    digest: String,
}

struct Said {
    stage: Stage,
    verdict: StageDecision,
    rule: Option<String>,
    evidence: Option<String>,
}

impl Said {
    const fn of(stage: Stage, verdict: StageDecision) -> Self {
        Self { stage, verdict, rule: None, evidence: None }
    }
}

impl<'a> Trail<'a> {
    /// As many as a call has that passes every stage.
    const STAGES: usize = 6;

    pub(super) fn of(gate: &'a Gate, call: &'a Call, ticket: Option<&'a Ticket>) -> Self {
        let start = gate.clock.elapsed();
        Self {
            gate,
            call,
            ticket,
            said: Vec::with_capacity(Self::STAGES),
            begun: None,
            notes: Vec::new(),
            start,
            waited: Duration::ZERO,
            timings: Vec::new(),
            phase: start,
        }
    }

    pub(super) const fn gate(&self) -> &'a Gate {
        self.gate
    }

    /// The call, without its arguments.
    pub(super) const fn call(&self) -> &'a Call {
        self.call
    }

    pub(super) const fn ticket(&self) -> Option<&'a Ticket> {
        self.ticket
    }

    /// Ends when the gate's work or this call alone is cancelled.
    pub(super) async fn cancelled(&self) {
        match self.ticket.and_then(Ticket::cancel) {
            Some(own) => tokio::select! {
                () = own.cancelled() => {}
                () = self.gate.cancel.cancelled() => {}
            },
            None => self.gate.cancel.cancelled().await,
        }
    }

    /// Adds a note for the model, shown with the result.
    pub(super) fn note(&mut self, words: impl Into<Text>) {
        self.notes.push(words.into());
    }

    pub(super) fn take_notes(&mut self) -> Vec<Text> {
        std::mem::take(&mut self.notes)
    }

    /// Adds the time that a person took to answer.
    pub(super) fn waited(&mut self, time: Duration) {
        self.waited += time;
    }

    /// How long the call has taken, without the time that a person took to answer.
    pub(super) fn took(&self) -> Duration {
        self.gate.clock.elapsed().saturating_sub(self.start).saturating_sub(self.waited)
    }

    /// A phase ends that began where the one before it ended.
    pub(super) fn spent(&mut self, phase: Phase, name: Option<&str>) {
        let now = self.gate.clock.elapsed();
        let (from, took) = (self.phase.saturating_sub(self.start), now.saturating_sub(self.phase));
        self.phase = now;
        if took < Timing::LEAST {
            return;
        }
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let (from_us, took_us) = (micros(from), micros(took));
        let is_same = |last: &&mut Timing| last.phase == phase && last.name.as_deref() == name;
        if let Some(last) = self.timings.last_mut().filter(is_same) {
            last.took_us = (from_us + took_us).saturating_sub(last.from_us);
        } else if self.timings.len() < Timing::MOST {
            self.timings.push(Timing { phase, name: name.map(str::to_owned), from_us, took_us });
        }
    }

    pub(super) fn take_timings(&mut self) -> Vec<Timing> {
        std::mem::take(&mut self.timings)
    }

    /// A stage allows the call.
    pub(super) fn passed(&mut self, stage: Stage) {
        self.said.push(Said::of(stage, StageDecision::Allow));
    }

    /// One verdict of several.
    pub(super) fn verdict(&mut self, stage: Stage, verdict: &Verdict) {
        let evidence = self.gate.redactor.redact(&verdict.to_operator).into_owned();
        let said = Said::of(stage, verdict.decision.into());
        self.said.push(Said { rule: Some(verdict.rule.clone()), evidence: Some(evidence), ..said });
    }

    /// Another verdict of a stage.
    pub(super) fn says(&mut self, stage: Stage, verdict: StageDecision, rule: Option<&str>, evidence: Option<&str>) {
        let evidence = evidence.map(|words| self.gate.redactor.redact(words).into_owned());
        self.said.push(Said { rule: rule.map(str::to_owned), evidence, ..Said::of(stage, verdict) });
    }

    /// A stage allows the call, or ends it.
    pub(super) fn ends<T>(&mut self, stage: Stage, said: Result<T, Box<Outcome>>) -> Result<T, Box<Outcome>> {
        match &said {
            Ok(_) => self.passed(stage),
            Err(outcome) => self.ended(stage, outcome),
        }
        said
    }

    /// A stage ended the call.
    pub(super) fn ended(&mut self, stage: Stage, outcome: &Outcome) {
        match outcome {
            Outcome::Refused(refusal) => self.says(stage, StageDecision::Deny, Some(&refusal.rule), None),
            Outcome::Failed(error) | Outcome::Stopped(_, error) => {
                self.says(stage, StageDecision::Fail, Some(error.kind().facts().code), error.detail());
            }
            Outcome::Done(_) | Outcome::Parked { .. } => {}
        }
    }

    /// The run begins with these effects. This is recorded before the run, except for pure local reads: a read
    /// interrupted by a crash had no effect.
    pub(super) async fn begins(&mut self, call: &CheckedCall) {
        self.begun = Some(Begun { effects: record::effects(self.gate, call), digest: call.digest().to_hex() });
        self.said.push(Said::of(Stage::Execute, StageDecision::Begin));
        let effects = call.effects();
        let reads = effects.is_read_only() && !effects.leaves_machine() && !effects.delegates();
        if !reads || call.spec().annotations.open_world {
            self.keep().await;
        }
    }

    /// A person allowed a running program one more file.
    pub(super) fn may_change(&mut self, path: &CanonicalPath) {
        let effect = self.gate.redactor.redact(&format!("may change {path}")).into_owned();
        self.begun.iter_mut().for_each(|begun| begun.effects.push(effect.clone()));
    }

    /// The call's effects and digest as recorded when it began to run, if it did.
    pub(super) fn begun(&self) -> Option<(&[String], &str)> {
        self.begun.as_ref().map(|begun| (begun.effects.as_slice(), begun.digest.as_str()))
    }

    /// Passes the verdicts since the last time to the recorder, and waits until they are written.
    pub(super) async fn keep(&mut self) {
        if !self.said.is_empty() {
            self.gate.recorder.stages(&self.records(record::now_ms(self.gate)));
            self.said.clear();
            self.gate.recorder.written().await;
            self.spent(Phase::Store, None);
        }
    }

    /// The verdicts since the last time.
    pub(super) fn records(&self, at_ms: u64) -> Vec<StageRecord<'_>> {
        let call = self.call;
        let records = self.said.iter().map(|said| {
            let begun = self.begun().filter(|_| said.verdict == StageDecision::Begin);
            StageRecord {
                at_ms,
                session: call.scope.session.as_str(),
                call: call.id.as_str(),
                tool: &call.tool,
                stage: said.stage,
                verdict: said.verdict,
                rule: said.rule.as_deref(),
                evidence: said.evidence.as_deref().filter(|words| !words.is_empty()),
                effects: begun.map_or(&[], |(effects, _)| effects),
                digest: begun.map(|(_, digest)| digest),
            }
        });
        records.collect()
    }
}
