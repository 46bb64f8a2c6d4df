//! Observes calls at the gate: which really begin, their verdicts, their changes.
//!
//! It judges nothing. The start of a call is stored before it starts, so that after a crash a call that never began can be told
//! from one that may have been done.

use super::event::{Begun, Changes, Entry};
use super::keep::Session;
use futures_util::future::BoxFuture;
use palanca_core::call::{Access, CallId, Effect, Origin, Outcome};
use palanca_core::gate::CheckedCall;
use palanca_core::message::Message;
use palanca_core::ports::{CommandClass, Guard, Record, Recorder, StageDecision, StageRecord, Verdict};
use palanca_core::tool::FileDelta;
use std::sync::Arc;

/// Listens to what the gate records.
pub(super) struct Witness {
    pub(super) session: Arc<Session>,
    pub(super) inner: Arc<dyn Recorder>,
}

impl Recorder for Witness {
    fn stages(&self, records: &[StageRecord<'_>]) {
        self.inner.stages(records);
        self.session.judged(records);
        let own = self.session.scope.session.as_str();
        for record in records.iter().filter(|record| record.verdict == StageDecision::Begin && record.session == own) {
            self.session.keep(&Entry::Begun(Begun {
                call: CallId::new(record.call),
                tool: record.tool.to_owned(),
                effects: record.effects.to_vec(),
                writes: self.session.writes(record.call),
            }));
        }
    }

    /// A call that ended already needs no row that says that it began.
    fn ended(&self, stages: &[StageRecord<'_>], record: &Record<'_>) {
        self.session.judged(stages);
        self.inner.ended(stages, record);
    }

    fn record(&self, record: &Record<'_>) {
        self.inner.record(record);
    }

    fn written(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.inner.written().await;
            self.session.stored().await;
        })
    }

    fn healthy(&self) -> bool {
        self.inner.healthy()
    }
}

/// As a guard it has nothing against any call: it learns what each has really done.
impl Guard for Session {
    fn judge(&self, _call: &CheckedCall) -> Option<Verdict> {
        None
    }

    fn begin(&self, call: &CheckedCall) -> Option<Verdict> {
        let writes: Vec<String> = written(call).collect();
        if call.scope().session == self.scope.session && !writes.is_empty() {
            self.lock().seen.entry(call.id().clone()).or_default().writes = writes;
        }
        None
    }

    fn settle(&self, call: &CheckedCall, outcome: &Outcome) -> Option<Message> {
        if call.scope().session != self.scope.session {
            return None;
        }
        let done = matches!(outcome, Outcome::Done(_));
        let by_programs = || call.edited_by_programs();
        let mut files: Vec<String> = written(call).filter(|_| done).collect();
        files.extend(by_programs().flat_map(FileDelta::names).map(ToString::to_string));
        files.sort();
        files.dedup();
        let diff = match outcome {
            Outcome::Done(output) => output.diff.as_deref().map_or(0, changed_lines),
            _ => 0,
        };
        let lines = diff + by_programs().map(|delta| (delta.added + delta.removed) as u64).sum::<u64>();
        let ran = !matches!(outcome, Outcome::Refused(_) | Outcome::Parked { .. });
        let commands = call.effects().iter().filter(|effect| ran && effect.is_command()).count() as u64;
        let mut live = self.lock();
        let changes = Changes { files, lines, commands };
        if !matches!(call.origin(), Origin::Model { .. } | Origin::Schedule { .. }) {
            live.seen.remove(call.id());
            live.below.add(changes);
            return None;
        }
        let seen = live.seen.entry(call.id().clone()).or_default();
        seen.changes = changes;
        seen.foreign = outcome.foreign(&call.spec().name).is_some() || brings_in(call);
        None
    }
}

/// The files that a call writes by its own hand.
fn written(call: &CheckedCall) -> impl Iterator<Item = String> {
    let paths = call.effects().iter().flat_map(Effect::paths);
    paths.filter(|(_, access)| *access == Access::Write).map(|(path, _)| path.to_string())
}

/// Whether the result may be foreign text although it is not marked as such. In doubt yes: it only decides how careful
/// a later process is.
fn brings_in(call: &CheckedCall) -> bool {
    let unknown = call.commands().iter().any(|command| command.class > CommandClass::Dev);
    call.effects().leaves_machine()
        || call.has_network()
        || (call.spec().annotations.open_world && !call.effects().has_commands())
        || (unknown && call.arguments().to_string().contains("://"))
}

/// Lines of a unified diff that came or went.
fn changed_lines(diff: &str) -> u64 {
    let changed = |line: &&str| {
        (line.starts_with('+') || line.starts_with('-')) && !line.starts_with("+++ ") && !line.starts_with("--- ")
    };
    diff.lines().filter(changed).count() as u64
}
