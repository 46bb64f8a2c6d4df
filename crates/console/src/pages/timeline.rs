//! What happened in a session, in the order in which it ended, as the templates show it.

use super::Frame;
use super::view::{diff, status};
use super::waterfall::{Waterfall, phases};
use crate::console::Shared;
use crate::moment::utc;
use crate::problem::Problem;
use minijinja::{Value, context};
use palanca_agent::session::{Answered, CallEnded, Entry, entry};
use palanca_agent::{arguments_line, headline};
use palanca_core::Message;
use palanca_core::call::{OutcomeKind, SessionId, shown_time};
use palanca_core::ports::{EventNumber, Sessions as _, StoredSession};
use palanca_models::Message as Said;
use std::collections::HashMap;

/// Events of a page: the last ones.
const SHOWN: u64 = 400;
/// Characters of an output.
const OUTPUT: usize = 4000;

/// The rows of a page, and how many events before them are left out.
pub(super) async fn read(shared: &Shared, frame: &Frame, kept: &StoredSession) -> Result<(Vec<Value>, u64), Problem> {
    let before = kept.last.0.saturating_sub(SHOWN);
    let id = &kept.began.scope.session;
    let limit = usize::try_from(SHOWN).unwrap_or(usize::MAX);
    let events = shared.database.events(id, EventNumber(before), limit).await?;
    let mut rows = Rows { frame, id, open: HashMap::new(), rows: Vec::new(), falls: Waterfall::default() };
    for event in events {
        // A row that a newer program wrote is none for us.
        if let Ok(Some(read)) = entry(id, &event) {
            rows.take(read, event.at_ms);
        }
    }
    rows.close();
    rows.falls.draw(&mut rows.rows);
    Ok((rows.rows, before))
}

struct Rows<'a> {
    frame: &'a Frame,
    id: &'a SessionId,
    /// Calls that have not ended: tool, arguments, when they were asked for.
    open: HashMap<String, (String, String, u64)>,
    rows: Vec<Value>,
    falls: Waterfall,
}

impl Rows<'_> {
    fn take(&mut self, entry: Entry, at_ms: u64) {
        let (at, frame) = (utc(at_ms), self.frame);
        let clock = at.get(11..19).unwrap_or_default().to_owned();
        self.falls.seen(&entry, at_ms);
        let note = |text: String| context! { kind => "note", bar => (), text };
        let row = match entry {
            Entry::Prompt(prompt) => context! { kind => "prompt", at, clock, text => prompt.text },
            Entry::Answered(answered) => return self.answered(answered, (at_ms, at, clock)),
            Entry::CallEnded(ended) => self.ended(&ended, at_ms),
            Entry::Resumed(_) => note(frame.say(&Message::new("session-line-resumed"))),
            Entry::SubagentEnded(ended) => note(frame.say(&headline(&ended.task))),
            Entry::Notice(notice) => note(notice.text),
            Entry::GateTried(gate) => {
                self.falls.gate(self.rows.len(), gate.duration_us);
                let (mark, time) = (if gate.passed { "✓" } else { "✗" }, shown_time(gate.duration_us));
                note(format!("{mark} {} · {time}", gate.name))
            }
            Entry::Compacted(snapshot) => {
                let count = snapshot.conversation.left_out;
                note(frame.say(&Message::new("session-line-compacted").with("count", count)))
            }
            Entry::Ended(ended) => {
                let name = ended.status.name();
                // The answer stands above.
                let text =
                    if name == "success" { String::new() } else { format!("{}: {}", ended.stop_reason, ended.output) };
                context! { kind => "ended", at, clock, status => name, status_word => frame.say(&status(name)), text }
            }
            _ => return,
        };
        self.rows.push(row);
    }

    fn answered(&mut self, answered: Answered, (at_ms, at, clock): (u64, String, String)) {
        let Some(Said::Assistant { text, calls, .. }) = answered.message else { return };
        for call in calls {
            self.open.insert(call.id.to_string(), (call.name, call.arguments, at_ms));
        }
        if !text.trim().is_empty() {
            let meta = answered.dollars.map(|dollars| format!("${dollars:.4}")).unwrap_or_default();
            self.rows.push(context! { kind => "answer", at, clock, text, meta });
        }
    }

    fn ended(&mut self, ended: &CallEnded, at_ms: u64) -> Value {
        let asked = self.open.remove(ended.call.as_str());
        let asked_ms = asked.as_ref().map_or(at_ms, |(.., asked_ms)| *asked_ms);
        self.falls.call(self.frame, self.rows.len(), (asked_ms, ended));
        let waits = ended.timings.iter().filter(|timing| timing.phase.is_wait());
        let waited = waits.map(|timing| timing.took_us).sum::<u64>() / 1_000_000;
        let waited = (waited > 0).then(|| self.frame.say(&Message::new("page-waited").with("seconds", waited)));
        let arguments = asked.map(|(_, arguments, _)| arguments).unwrap_or_default();
        let (outcome, mark, word) = outcome(ended.success, ended.outcome);
        let verdict = |judged: &palanca_agent::session::Judged| {
            let rule = judged.rule.as_deref().unwrap_or_default();
            format!("{} {} {rule}", judged.stage.name(), judged.verdict.name()).trim_end().to_owned()
        };
        let (content, more) = cut(self.frame, &ended.content);
        let whole = serde_json::from_str::<serde_json::Value>(&arguments);
        context! {
            kind => "call", outcome, mark, outcome_word => self.frame.say(&word), tool => ended.tool.clone(),
            line => arguments_line(&arguments), took => shown_time(ended.duration_us), waited, error => ended.error.clone(),
            verdicts => ended.verdicts.iter().map(verdict).collect::<Vec<_>>(),
            phases => phases(self.frame, &ended.timings), diff => ended.diff.as_deref().map(diff), content, more,
            arguments => whole.and_then(|value| serde_json::to_string_pretty(&value)).unwrap_or(arguments),
        }
    }

    /// Calls that have not ended, the oldest first.
    fn close(&mut self) {
        let mut open: Vec<_> = self.open.drain().collect();
        open.sort_by(|one, other| (one.1.2, &one.0).cmp(&(other.1.2, &other.0)));
        let word = self.frame.say(&Message::new("session-line-open"));
        for (call, (tool, arguments, asked_ms)) in open {
            self.falls.open(self.rows.len(), asked_ms);
            let id = format!("{} {call}", self.id);
            self.rows.push(context! {
                kind => "call", outcome => "open", mark => "…", outcome_word => word.clone(), tool, id,
                line => arguments_line(&arguments), took => "", waited => (), error => (), verdicts => (), phases => (), diff => (), content => "",
                more => (), arguments,
            });
        }
    }
}

/// An outcome: its class, its mark, its word.
pub(super) const fn outcome(success: bool, outcome: OutcomeKind) -> (&'static str, &'static str, Message) {
    match (success, outcome) {
        (true, _) => ("done", "✓", Message::new("page-outcome-done")),
        (false, OutcomeKind::Refused) => ("refused", "⊘", Message::new("page-outcome-refused")),
        (false, _) => ("failed", "✗", Message::new("page-outcome-failed")),
    }
}

/// The beginning of an output, and what to say of its length.
pub(super) fn cut(frame: &Frame, text: &str) -> (String, Option<String>) {
    let shown: String = text.chars().take(OUTPUT).collect();
    let more = (shown.len() < text.len()).then(|| {
        let all = text.chars().count();
        frame.say(&Message::new("page-output-more").with("shown", OUTPUT).with("all", all))
    });
    (shown, more)
}
