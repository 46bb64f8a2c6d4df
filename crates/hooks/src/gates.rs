//! Quality gates: the operator's commands that must succeed before work is done.
//!
//! They run in the workspace like every hook, one after another, when calls have changed something since they passed. Only the
//! end of their output is kept, where test runners report failures. Nothing here decides what a failure means for a run.

mod changes;

use crate::around::{Around, HookRun, Note, Program, RunVerdict, evidence};
use crate::failure::{Failure, NOT_FOUND};
use crate::occasion;
use changes::Changes;
use palanca_core::call::{CallId, Stage};
use palanca_core::message::Message;
use palanca_core::ports::{Captured, Exit, Guard, Keep, StageDecision, Undoable};
use palanca_core::tool::Cancel;
use regex::Regex;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// Characters of stdout that are kept, from the end.
const OUTPUT: usize = 500;
/// Characters of stderr that are kept, from the end.
const ERROR: usize = 300;
/// Enough for both.
const KEEP: Keep = Keep { head: 0, tail: 8 << 10 };

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateSettings {
    /// Its name in reports.
    pub name: String,
    /// The shell text.
    pub command: String,
    /// Whether its failure means that the work is not done.
    pub need: Need,
    /// The time limit; reaching it is a failure.
    pub timeout: Duration,
}

/// Whether a gate must be passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Yes.
    Required,
    /// No: its failure is only reported.
    Optional,
}

/// How one gate ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateReport {
    /// Its name.
    pub name: String,
    /// Whether it must be passed.
    pub need: Need,
    /// Why it failed; none if it passed.
    pub failure: Option<Message>,
    /// Whether that is because its program is not there: no work of a model changes it.
    pub is_missing: bool,
    /// The end of its stdout, at most 500 characters.
    pub output: String,
    /// The end of its stderr, at most 300 characters.
    pub error: String,
    /// How long it took.
    pub time: Duration,
}

impl GateReport {
    /// Whether it failed and is required.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.failure.is_some() && self.need == Need::Required
    }

    /// Its output: stdout, or stderr if that is empty.
    #[must_use]
    pub fn said(&self) -> &str {
        if self.output.is_empty() { &self.error } else { &self.output }
    }

    /// The failure without times and addresses, so that equal texts mean the same failure.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        static TIMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(r"(?i)\d+(\.\d+)?\s?(ms|s|sec|secs|seconds?|minutes?)\b|\d+\.\d+|0x[0-9a-f]+").ok()
        });
        let failure = self.failure.as_ref().map(ToString::to_string).unwrap_or_default();
        let text = format!("{}\n{failure}\n{}\n{}", self.name, self.output, self.error);
        TIMES.as_ref().map_or(text.clone(), |times| times.replace_all(&text, "#").into_owned())
    }
}

/// The gates of one session.
#[derive(Clone)]
pub struct QualityGates {
    around: Arc<Around>,
    gates: Vec<GateSettings>,
    changes: Arc<Changes>,
}

impl QualityGates {
    /// These gates, in this order.
    #[must_use]
    pub fn new(around: Around, gates: Vec<GateSettings>) -> Self {
        // Where there are none, nothing need be known of the process door, which takes time to open.
        let changes =
            Changes::seen_by_door(!gates.is_empty() && !matches!(around.processes.undoable(), Undoable::No(_)));
        Self { around: Arc::new(around), gates, changes: Arc::new(changes) }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// Learns from the gate which calls change something.
    #[must_use]
    pub fn watch(&self) -> Arc<dyn Guard> {
        Arc::clone(&self.changes) as _
    }

    /// Whether anything was changed since they passed.
    #[must_use]
    pub fn are_due(&self) -> bool {
        !self.gates.is_empty() && self.changes.are_there()
    }

    /// What an earlier process changed has not passed them.
    pub fn make_due(&self) {
        self.changes.set();
    }

    /// Runs them, one after another, and tells of each as it ends. `cancel` ends the one that runs and those after it.
    pub async fn run(&self, cancel: &Cancel, mut ended: impl FnMut(&GateReport)) -> Vec<GateReport> {
        let mut reports = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let report = self.one(gate, cancel).await;
            ended(&report);
            reports.push(report);
        }
        if !reports.iter().any(GateReport::fails) {
            self.changes.clear();
        }
        reports
    }

    async fn one(&self, gate: &GateSettings, cancel: &Cancel) -> GateReport {
        let around = &*self.around;
        let call = CallId::new("quality_gate");
        let mut variables = Vec::new();
        occasion::add(&mut variables, "EVENT", "quality_gate");
        let begun = around.clock.elapsed();
        let ended = around
            .run(Program {
                command: &gate.command,
                variables,
                input: b"",
                time: gate.timeout,
                keep: KEEP,
                call: &call,
                cancel,
            })
            .await;
        let time = around.clock.elapsed().saturating_sub(begun);
        let (failure, output, error) = match ended {
            Ok(finished) => {
                let (output, error) = (end_of(&finished.stdout, OUTPUT), end_of(&finished.stderr, ERROR));
                let failure = match finished.exit {
                    Exit::Code(0) => None,
                    Exit::Code(NOT_FOUND) => Some(Failure::NotThere(gate.command.clone())),
                    exit => Some(Failure::of_exit(exit, gate.timeout, String::new())),
                };
                (failure, output, error)
            }
            Err(error) => (Some(Failure::Start(error)), String::new(), String::new()),
        };
        let is_missing = matches!(failure, Some(Failure::NotThere(_)));
        let failure = failure.as_ref().map(Failure::message);
        let (output, error) =
            (around.redactor.redact(&output).into_owned(), around.redactor.redact(&error).into_owned());
        let how = failure.as_ref().map_or_else(|| "passed".to_owned(), ToString::to_string);
        around.note(&Note {
            stage: Stage::PostHooks,
            call: "quality_gate",
            tool: "quality_gate",
            name: &gate.name,
            verdict: if failure.is_none() { StageDecision::Allow } else { StageDecision::Fail },
            evidence: evidence(&gate.command, &how, time),
        });
        let verdict = failure.clone().map_or(RunVerdict::Passed, RunVerdict::Failed);
        around.watcher.ended(&HookRun { name: &gate.name, event: "quality_gate", verdict, time });
        GateReport { name: gate.name.clone(), need: gate.need, failure, is_missing, output, error, time }
    }
}

/// The last characters of a stream.
fn end_of(stream: &Captured, characters: usize) -> String {
    let text = [stream.head.as_slice(), &stream.tail].concat();
    let text = String::from_utf8_lossy(&text);
    let text = text.trim();
    let skipped = text.chars().count().saturating_sub(characters);
    text.chars().skip(skipped).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    fn report(output: &str) -> GateReport {
        GateReport {
            name: "tests".into(),
            need: Need::Required,
            failure: Some(Failure::Exit(1, String::new()).message()),
            is_missing: false,
            output: output.into(),
            error: String::new(),
            time: Duration::ZERO,
        }
    }

    #[test]
    fn the_same_failure_is_known_although_the_time_differs() {
        let same = |one: &str, other: &str| report(one).fingerprint() == report(other).fingerprint();
        assert!(same("2 failed in 0.03s", "2 failed in 1.27s"));
        assert!(same("took 12 ms at 0xff01", "took 7 ms at 0xee00"));
        assert!(!same("3 failed in 0.03s", "2 failed in 0.03s"));
        assert!(!same("test_a failed", "test_b failed"));
    }

    #[test]
    fn the_end_is_kept() {
        let stream = Captured { tail: format!("{}end\n", "x".repeat(900)).into(), ..Captured::default() };
        let end = end_of(&stream, 500);
        assert!(end.ends_with("xend") && end.chars().count() == 500, "{end}");
    }
}
