//! What happened in a session, in the order in which it ended, as the templates show it.

use super::Frame;
use super::view::{diff, status};
use crate::console::Shared;
use crate::moment::utc;
use crate::problem::Problem;
use minijinja::{Value, context};
use palanca_agent::session::{Answered, CallEnded, Entry, entry};
use palanca_agent::{arguments_line, headline};
use palanca_core::Message;
use palanca_core::call::{OutcomeKind, SessionId};
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
    let mut rows = Rows { frame, id, open: HashMap::new(), rows: Vec::new(), falls: Falls::default() };
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
    falls: Falls,
}

impl Rows<'_> {
    fn take(&mut self, entry: Entry, at_ms: u64) {
        let (at, frame) = (utc(at_ms), self.frame);
        let clock = at.get(11..19).unwrap_or_default().to_owned();
        self.falls.seen(&entry, at_ms);
        let note = |text: String| context! { kind => "note", text };
        let row = match entry {
            Entry::Prompt(prompt) => context! { kind => "prompt", at, clock, text => prompt.text },
            Entry::Answered(answered) => return self.answered(answered, (at_ms, at, clock)),
            Entry::CallEnded(ended) => self.ended(&ended, at_ms),
            Entry::Resumed(_) => note(frame.say(&Message::new("session-line-resumed"))),
            Entry::SubagentEnded(ended) => note(frame.say(&headline(&ended.task))),
            Entry::Notice(notice) => note(notice.text),
            Entry::GateTried(gate) => note(format!("{} {}", if gate.passed { "✓" } else { "✗" }, gate.name)),
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
        let from = asked.as_ref().map_or(at_ms, |(.., asked_ms)| *asked_ms);
        let run_ms = (ended.duration_us / 1000).min(at_ms.saturating_sub(from));
        self.falls.call(self.rows.len(), (from, at_ms), run_ms);
        let waited = at_ms.saturating_sub(from + run_ms) / 1000;
        let waited = (waited > 0).then(|| self.frame.say(&Message::new("page-waited").with("seconds", waited)));
        let arguments = asked.map(|(_, arguments, _)| arguments).unwrap_or_default();
        let (outcome, mark, word) = outcome(ended.success, ended.outcome);
        let verdict = |judged: &palanca_agent::session::Judged| {
            let rule = judged.rule.as_deref().unwrap_or_default();
            format!("{} {} {rule}", judged.stage.name(), judged.verdict.name()).trim_end().to_owned()
        };
        let (content, more) = cut(self.frame, &ended.content);
        let whole = serde_json::from_str::<serde_json::Value>(&arguments);
        let millis = ended.duration_us as f64 / 1000.0;
        context! {
            kind => "call", outcome, mark, outcome_word => self.frame.say(&word), tool => ended.tool.clone(),
            line => arguments_line(&arguments), took => format!("{millis:.0} ms"), waited, error => ended.error.clone(),
            verdicts => ended.verdicts.iter().map(verdict).collect::<Vec<_>>(),
            diff => ended.diff.as_deref().map(diff), content, more,
            arguments => whole.and_then(|value| serde_json::to_string_pretty(&value)).unwrap_or(arguments),
        }
    }

    /// Calls that have not ended, the oldest first.
    fn close(&mut self) {
        let mut open: Vec<_> = self.open.drain().collect();
        open.sort_by(|one, other| (one.1.2, &one.0).cmp(&(other.1.2, &other.0)));
        let word = self.frame.say(&Message::new("session-line-open"));
        for (call, (tool, arguments, asked_ms)) in open {
            self.falls.call(self.rows.len(), (asked_ms, self.falls.now), 0);
            let id = format!("{} {call}", self.id);
            self.rows.push(context! {
                kind => "call", outcome => "open", mark => "…", outcome_word => word.clone(), tool, id,
                line => arguments_line(&arguments), took => "", waited => (), error => (), verdicts => (), diff => (), content => "",
                more => (), arguments,
            });
        }
    }
}

/// The waterfall: when each call of a turn was asked for, how long it waited, and how long it ran, as parts of the turn.
#[derive(Default)]
struct Falls {
    /// When each turn began and when it was last heard of.
    turns: Vec<(u64, u64)>,
    /// Row, turn, when it was asked for and when it ended, how long it ran.
    calls: Vec<(usize, usize, (u64, u64), u64)>,
    now: u64,
    /// The turn, at the end of the last event.
    ended: bool,
}

/// The width of a turn, in the picture's own units.
const WIDTH: u64 = 1000;

impl Falls {
    /// A turn begins with a prompt, or with whatever comes after the end of the one before.
    fn seen(&mut self, entry: &Entry, at_ms: u64) {
        let begins = self.ended || matches!(entry, Entry::Prompt(_));
        (self.now, self.ended) = (at_ms, matches!(entry, Entry::Ended(_)));
        match self.turns.last_mut().filter(|_| !begins) {
            Some((_, until)) => *until = at_ms,
            None => self.turns.push((at_ms, at_ms)),
        }
    }

    fn call(&mut self, row: usize, times: (u64, u64), run_ms: u64) {
        self.calls.push((row, self.turns.len().saturating_sub(1), times, run_ms));
    }

    /// Gives the rows of calls their bars.
    fn draw(&self, rows: &mut [Value]) {
        for (row, turn, (from, until), run_ms) in &self.calls {
            let (Some(row), Some((began, ended))) = (rows.get_mut(*row), self.turns.get(*turn)) else { continue };
            let whole = ended.saturating_sub(*began);
            let part = |ms: u64| ms.min(whole).saturating_mul(WIDTH).checked_div(whole).unwrap_or_default();
            let (x, runs) = (part(from.saturating_sub(*began)), part(until.saturating_sub(began + run_ms)));
            // A short one can still be seen.
            let bar = context! { x, waits => runs.saturating_sub(x), runs, width => part(*run_ms).max(WIDTH / 250) };
            *row = context! { bar => (whole > 0).then_some(bar), ..row.clone() };
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
