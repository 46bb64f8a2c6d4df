//! What came as if from the messenger and belongs to no call, in the audit log. The first of a kind is recorded at once, those
//! after it as a number once a minute: a flood fills no log.

use super::line::Line;
use palanca_core::Message;
use palanca_core::call::Stage;
use palanca_core::ports::{StageDecision, StageRecord};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The time between two records of a kind.
const EACH: Duration = Duration::from_secs(60);

/// A delivery without the messenger's word, or with another.
pub(super) const UNSIGNED: &str = "delivery.unsigned";
/// A delivery that was taken before. A messenger that did not hear so brings it again, too.
pub(super) const REPEATED: &str = "delivery.repeated";

/// What was refused, by its rule.
#[derive(Debug, Default)]
pub(super) struct Refusals(BTreeMap<&'static str, Tally>);

#[derive(Debug, Default)]
struct Tally {
    /// How many are not recorded yet.
    count: u64,
    recorded: Option<Instant>,
}

impl Refusals {
    fn add(&mut self, rule: &'static str) {
        self.0.entry(rule).or_default().count += 1;
    }

    /// What is to be recorded now, or all at the end.
    fn due(&mut self, now: Option<Instant>) -> Vec<(&'static str, u64)> {
        let due = |tally: &Tally| {
            let is_early = tally.recorded.zip(now).is_some_and(|(last, now)| now.duration_since(last) < EACH);
            tally.count > 0 && !is_early
        };
        let mut found = Vec::new();
        for (rule, tally) in self.0.iter_mut().filter(|(_, tally)| due(tally)) {
            tally.recorded = now;
            found.push((*rule, std::mem::take(&mut tally.count)));
        }
        found
    }
}

impl Line {
    /// Counts what was refused, and records it if it is the first in a while.
    pub(super) fn refuse(&self, rule: &'static str) {
        self.refusals.lock().add(rule);
        self.record_refusals(Some(Instant::now()));
    }

    /// Records what was refused and not recorded yet: what is due now, or all at the end.
    pub(super) fn record_refusals(&self, now: Option<Instant>) {
        let due = self.refusals.lock().due(now);
        if due.is_empty() {
            return;
        }
        let (bot, channel) = (Arc::clone(&self.terms().bot), self.messenger.channel());
        let session = format!("{channel}-{}", bot.id);
        for (rule, count) in due {
            self.record(StageRecord {
                at_ms: now_ms(),
                call: "delivery",
                session: &session,
                tool: channel,
                stage: Stage::Guardrails,
                verdict: StageDecision::Deny,
                rule: Some(rule),
                evidence: Some(&format!("refused since the last record: {count}")),
                effects: &[],
                digest: None,
            });
            if rule == UNSIGNED {
                self.wrong(&Message::new("people-webhook-refused").with("count", count));
            }
        }
    }

    /// A record in the audit log.
    pub(super) fn record(&self, record: StageRecord<'_>) {
        self.terms().bot.agent.workspace().recorder().stages(&[record]);
    }
}

/// Milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{EACH, REPEATED, Refusals, UNSIGNED};
    use std::time::Instant;

    #[test]
    fn the_first_of_a_kind_is_recorded_at_once_and_a_flood_once_a_minute() {
        let (mut refusals, began) = (Refusals::default(), Instant::now());
        assert_eq!(refusals.due(Some(began)), []);
        refusals.add(UNSIGNED);
        assert_eq!(refusals.due(Some(began)), [(UNSIGNED, 1)]);
        (0..10_000).for_each(|_| refusals.add(UNSIGNED));
        refusals.add(REPEATED);
        assert_eq!(refusals.due(Some(began + EACH / 2)), [(REPEATED, 1)]);
        assert_eq!(refusals.due(Some(began + EACH)), [(UNSIGNED, 10_000)]);
        refusals.add(REPEATED);
        assert_eq!(refusals.due(Some(began + EACH)), []);
        assert_eq!(refusals.due(None), [(REPEATED, 1)]);
        assert_eq!(refusals.due(None), []);
    }
}
