//! Models that go round in circles: the same call with the same result, over and over.
//!
//! A session's last calls are remembered as fingerprints: tool and arguments (whatever the order of their keys), and how the
//! call ended. The same call counts again when its result is the same as the last time, alone or in turn with others (A B A
//! B); a result that changed is progress, and so is a change that was made for the first time: what was tried before it may
//! well be tried again. Tools that watch something ([`Repetition::Watches`]) are left alone, and so are people and hooks.
//!
//! Calls that never became calls, because there is no such tool or the arguments do not fit, count like all others.

use crate::guardrails::PerSession;
use palanca_core::Message;
use palanca_core::call::{Call, Media, Origin, Outcome, RawArguments, Scope};
use palanca_core::gate::CheckedCall;
use palanca_core::message::{Catalogue as _, Keys};
use palanca_core::ports::{Decision, Guard, Verdict};
use palanca_core::tool::Repetition;
use serde_json::Value;
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

const WARN: &str = "loops.warn";
const REFUSE: &str = "loops.refuse";
const STOP: &str = "loops.stop";

/// Calls of a session that are remembered, at least.
const WINDOW: usize = 30;

/// The how-manieth same call meets what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopSettings {
    /// The model is told with the result.
    pub warn: u32,
    /// The call does not run.
    pub refuse: u32,
    /// The run ends.
    pub stop: u32,
}

impl Default for LoopSettings {
    fn default() -> Self {
        Self { warn: 3, refuse: 5, stop: 8 }
    }
}

/// Thresholds that make no sense together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "loops: warn {}, refuse {} and stop {} do not fit together: write 2 <= warn <= refuse <= stop <= 1000, such as 3, 5, 8",
    .0.warn, .0.refuse, .0.stop
)]
pub struct LoopError(pub LoopSettings);

/// Watches every session of a gate.
pub struct Loops {
    settings: LoopSettings,
    sessions: PerSession<Window>,
}

#[derive(Debug, Default)]
struct Window {
    seen: VecDeque<Seen>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    call: u64,
    ended: Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// With this result.
    With(u64),
    /// By making a change that was not made before.
    Progress(u64),
    /// It was refused here, so the outcome is unknown.
    Untried,
}

impl Window {
    /// How often this call was made in vain since something changed.
    fn repeated(&self, call: u64) -> u32 {
        let mut last = None;
        let mut times = 0;
        for seen in self.seen.iter().rev() {
            match (seen.call == call, seen.ended) {
                (true, Ended::Untried) => times += 1,
                (true, Ended::With(result) | Ended::Progress(result)) => {
                    if *last.get_or_insert(result) != result {
                        break;
                    }
                    times += 1;
                }
                (false, Ended::Progress(_)) => break,
                (false, _) => {}
            }
        }
        times
    }

    fn push(&mut self, seen: Seen, most: usize) {
        while self.seen.len() >= most {
            self.seen.pop_front();
        }
        self.seen.push_back(seen);
    }
}

impl Loops {
    /// Watches with these thresholds.
    ///
    /// # Errors
    /// When they are not in order.
    pub fn new(settings: LoopSettings) -> Result<Self, LoopError> {
        let LoopSettings { warn, refuse, stop } = settings;
        if 2 <= warn && warn <= refuse && refuse <= stop && stop <= 1000 {
            Ok(Self { settings, sessions: PerSession::default() })
        } else {
            Err(LoopError(settings))
        }
    }

    fn window(&self) -> usize {
        WINDOW.max(4 * self.settings.stop as usize)
    }

    fn verdict(&self, times: u32, tool: &str) -> Option<Verdict> {
        let LoopSettings { warn, refuse, stop } = self.settings;
        let (decision, rule, key) = match times {
            times if times >= stop => (Decision::Halt, STOP, "loop-stop"),
            times if times >= refuse => (Decision::Deny, REFUSE, "loop-refuse"),
            times if times >= warn => (Decision::Warn, WARN, "loop-warn"),
            _ => return None,
        };
        let to_model =
            Message::new(key).with("tool", tool).with("times", times).with("refuse", refuse).with("stop", stop);
        let to_operator = format!("the same call to '{tool}', {times} times without a change");
        Some(Verdict { decision, rule: rule.to_owned(), to_model, to_operator })
    }
}

impl Guard for Loops {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        if !watched(call) {
            return None;
        }
        let key = fingerprint(&call.spec().name, call.arguments());
        let times = self.sessions.with(&call.scope().session, |window| window.repeated(key));
        self.verdict(times + 1, &call.spec().name)
    }

    fn settle(&self, call: &CheckedCall, outcome: &Outcome) -> Option<Message> {
        if watched(call) {
            let key = fingerprint(&call.spec().name, call.arguments());
            let ended = ended(call, outcome);
            self.sessions.with(&call.scope().session, |window| {
                let known = window.seen.iter().any(|seen| seen.call == key);
                let ended = match ended {
                    Ended::Progress(result) if known => Ended::With(result),
                    ended => ended,
                };
                window.push(Seen { call: key, ended }, self.window());
            });
        }
        None
    }

    fn leave(&self, scope: &Scope) {
        self.sessions.leave(&scope.session);
    }

    fn unreadable(&self, call: &Call, outcome: &Outcome) -> Option<Verdict> {
        if spared(&call.origin) {
            return None;
        }
        let key = fingerprint_of_raw(call);
        let times = self.sessions.with(&call.scope.session, |window| {
            window.push(Seen { call: key, ended: Ended::With(result(outcome)) }, self.window());
            window.repeated(key)
        });
        let verdict = self.verdict(times, &call.tool)?;
        // It did not run anyway.
        Some(match verdict.decision {
            Decision::Deny => Verdict { decision: Decision::Warn, ..verdict },
            _ => verdict,
        })
    }
}

const fn spared(origin: &Origin) -> bool {
    // Whoever calls a script over and over is noticed by the script's own call.
    origin.is_person() || matches!(origin, Origin::Hook { .. } | Origin::Script { .. })
}

fn watched(call: &CheckedCall) -> bool {
    call.spec().repetition == Repetition::Stuck && !spared(call.origin())
}

/// Tool and arguments, whatever the order of their keys.
fn fingerprint(tool: &str, arguments: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    (tool, arguments).hash(&mut hasher);
    hasher.finish()
}

fn fingerprint_of_raw(call: &Call) -> u64 {
    match &call.arguments {
        RawArguments::Json(value) => fingerprint(&call.tool, value),
        RawArguments::Text(text) => match serde_json::from_str::<Value>(text) {
            Ok(value) => fingerprint(&call.tool, &value),
            Err(_) => fingerprint(&call.tool, text),
        },
    }
}

fn ended(call: &CheckedCall, outcome: &Outcome) -> Ended {
    match outcome {
        Outcome::Refused(refusal) if refusal.rule == REFUSE => Ended::Untried,
        Outcome::Stopped(palanca_core::call::StopReason::Halted, _) => Ended::Untried,
        Outcome::Done(_) if changes(call) => Ended::Progress(result(outcome)),
        _ => Ended::With(result(outcome)),
    }
}

/// Whether something is not as it was before.
fn changes(call: &CheckedCall) -> bool {
    let shown = || match call.preview() {
        Ok(Some(preview)) => !preview.files.is_empty(),
        _ => true,
    };
    !call.changed_by_programs().is_empty() || (!call.effects().changes_no_files() && shown())
}

/// How a call ended, and all that it said.
fn result(outcome: &Outcome) -> u64 {
    let mut hasher = DefaultHasher::new();
    outcome.kind().name().hash(&mut hasher);
    match outcome {
        Outcome::Done(output) => {
            output.text.render(&Keys).hash(&mut hasher);
            for part in &output.parts {
                part.texts().for_each(|text| text.hash(&mut hasher));
                part.media().map(Media::bytes).hash(&mut hasher);
            }
        }
        Outcome::Failed(error) | Outcome::Stopped(_, error) => {
            error.kind().facts().code.hash(&mut hasher);
            Keys.render(error.message()).hash(&mut hasher);
            error.output().map(|text| text.render(&Keys)).hash(&mut hasher);
        }
        Outcome::Refused(refusal) => refusal.rule.hash(&mut hasher),
        Outcome::Parked { .. } => {}
    }
    hasher.finish()
}
