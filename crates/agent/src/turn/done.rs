//! When the model has finished, the quality gates decide whether the run is done.
//!
//! The model's answer enters the conversation before the gates' output, so that it knows what it said. The same failure three
//! times in a row ends the run: a fourth attempt would only cost.

use super::course::Course;
use crate::answer::{AnswerForm, json_in};
use crate::event::{Event, Level};
use crate::prompt;
use crate::report::StopReason;
use crate::session::{Entry, GateTried};
use palanca_core::message::{Catalogue, Message};
use palanca_core::tool::Cancel;
use palanca_hooks::{AgentComplete, GateReport, Need, Occasion};
use palanca_models::Message as Said;
use std::pin::pin;
use std::time::Duration;

/// The same failure so often is enough.
const ENOUGH: u32 = 3;
/// Characters of a gate's output that the model is shown.
const SHOWN_CHARS: usize = 200;
/// Characters of the model's words that hooks are shown.
const TEXT_CHARS: usize = 2000;
/// Grace period for a cancelled gate.
const CANCEL_GRACE: Duration = Duration::from_secs(1);

/// How the gates failed so far.
#[derive(Debug, Default)]
pub(super) struct GateFailures {
    /// The last failure, without what differs each time.
    last: String,
    /// How often in a row.
    times: u32,
    /// The gates of it.
    names: Vec<String>,
    /// Gates whose programs are not there.
    not_there: Vec<String>,
}

impl GateFailures {
    /// Counts a failure.
    fn count(&mut self, failing: &[&GateReport]) -> u32 {
        let prints: Vec<String> = failing.iter().map(|report| report.fingerprint()).collect();
        let print = prints.join("\n\n");
        self.times = if print == self.last { self.times + 1 } else { 1 };
        self.last = print;
        self.names = failing.iter().map(|report| report.name.clone()).collect();
        self.times
    }

    fn why(&self) -> Message {
        if self.names.is_empty() {
            Message::new("agent-gates-not-there").with("names", self.not_there.join(", "))
        } else {
            Message::new("agent-gates-gave-up").with("times", self.times).with("names", self.names.join(", "))
        }
    }

    pub(super) fn why_not_done(&self, words: String, catalogue: &dyn Catalogue) -> String {
        let why = catalogue.render(&self.why());
        if words.trim().is_empty() { why } else { format!("{words}\n\n{why}") }
    }
}

impl Course<'_> {
    /// Whether it is done: why the run ends, or nothing when the model must go on.
    pub(super) async fn says_done(&mut self) -> Option<StopReason> {
        if self.turn.agent.answer == AnswerForm::Json {
            match json_in(&self.last.words).map(str::to_owned) {
                Some(answer) => self.last.words = answer,
                None if self.last.asked_for_json => {
                    self.turn.notice(Level::Warning, StopReason::AnswerNotJson.message());
                    return Some(StopReason::AnswerNotJson);
                }
                None => {
                    self.last.asked_for_json = true;
                    self.turn.notice(Level::Warning, Message::new("agent-json-again"));
                    self.append(Said::user(prompt::json_again()));
                    return None;
                }
            }
        }
        let reports = match self.gates_now().await {
            Ok(reports) => reports,
            Err(reason) => return Some(reason),
        };
        let (failing, not_there): (Vec<&GateReport>, Vec<&GateReport>) =
            reports.iter().filter(|report| report.fails()).partition(|report| !report.is_missing);
        if failing.is_empty() && !not_there.is_empty() {
            self.gates.names.clear();
            self.turn.notice(Level::Warning, self.gates.why());
            return Some(StopReason::QualityGates);
        }
        if failing.is_empty() {
            let cost = self.purse.ledger.spent().total_cost_usd;
            let occasion = Occasion::AgentComplete(AgentComplete {
                status: StopReason::LlmDone.status().name().to_owned(),
                steps: self.step,
                output: self.last.words.chars().take(TEXT_CHARS).collect(),
                cost,
                total_cost: cost,
            });
            return Some(self.tell_hooks(occasion).await.unwrap_or(StopReason::LlmDone));
        }
        let times = self.gates.count(&failing);
        let words = self.words_on(&failing, times);
        self.append(Said::user(words));
        if times < ENOUGH {
            return None;
        }
        self.turn.notice(Level::Warning, self.gates.why());
        Some(StopReason::QualityGates)
    }

    /// Every gate if anything was changed, each told of as it ends, unless the run must end meanwhile.
    async fn gates_now(&mut self) -> Result<Vec<GateReport>, StopReason> {
        let only_reads = || self.offered.toolset.iter().all(|tool| tool.spec().annotations.read_only);
        let Some(gates) = self.turn.gates.filter(|gates| gates.are_due() && !only_reads()) else {
            return Ok(Vec::new());
        };
        let cancel = Cancel::new();
        let halt = std::sync::Arc::clone(&self.halt);
        let (turn, not_there) = (self.turn, &mut self.gates.not_there);
        let mut running = pin!(gates.run(&cancel, |report| {
            // Nobody can do anything about it in this run: it is told once, to people.
            if report.is_missing {
                if not_there.contains(&report.name) {
                    return;
                }
                not_there.push(report.name.clone());
            }
            turn.keep(|| {
                Entry::GateTried(GateTried {
                    name: report.name.clone(),
                    passed: report.failure.is_none(),
                    required: report.need == Need::Required,
                    duration_us: u64::try_from(report.time.as_micros()).unwrap_or(u64::MAX),
                })
            });
            turn.sink.event(&Event::QualityGate { report });
        }));
        tokio::select! {
            biased;
            reports = &mut running => Ok(reports),
            reason = halt.end_of_work() => {
                cancel.cancel();
                // ignored: dropping a gate that takes longer ends it.
                let _ = tokio::time::timeout(CANCEL_GRACE, running).await;
                Err(reason)
            }
        }
    }

    /// For the model: each gate with the beginning of what it printed.
    fn words_on(&self, failing: &[&GateReport], times: u32) -> String {
        let catalogue = self.turn.catalogue;
        let mut words = catalogue.render(&Message::new("agent-gates-failed"));
        for report in failing {
            let said: String = report.said().chars().take(SHOWN_CHARS).collect();
            let why = report.failure.as_ref().map(|why| catalogue.render(why)).unwrap_or_default();
            let said = if said.is_empty() { why } else { said };
            words.push_str(&format!("\n- {}: {said}", report.name));
        }
        if times > 1 {
            words.push('\n');
            words.push_str(&catalogue.render(&Message::new("agent-gates-again").with("times", times)));
        }
        words
    }
}
