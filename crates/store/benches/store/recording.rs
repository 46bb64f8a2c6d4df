//! What the audit log costs one call: its five stages and its outcome handed over at once, as for a call that only reads, and
//! in two parts, as for one that changes something; by one thread and by two. Beside it six plain lines, neither hashed nor
//! chained.

use palanca_core::call::{Origin, OutcomeKind, Scope, SessionId, Stage};
use palanca_core::ports::{Record, Recorder, StageDecision, StageRecord};
use palanca_store::{Audit, AuditSettings};
use serde_json::json;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const CALLS: usize = 20_000;

pub fn bench(folder: &Path) {
    let home = |name: &str| {
        let home = folder.join(name);
        std::fs::create_dir(&home).unwrap();
        home
    };
    let audit = |name: &str| Audit::new(&home(name), AuditSettings::default());
    let (at_once, in_parts, shared) = (audit("once"), audit("parts"), audit("shared"));
    let plain = std::fs::File::options().create(true).append(true).open(home("plain").join("lines.jsonl")).unwrap();
    let plain = Plain(Mutex::new(plain));
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..CALLS {
        // In turn, so that a noisy moment hits all.
        times[0].push(timed(|| call(&plain, Parts::One)));
        times[1].push(timed(|| call(&at_once, Parts::One)));
        times[2].push(timed(|| call(&in_parts, Parts::Two)));
    }
    let [plain, once, parts] = &mut times;
    crate::row("a call's stages and outcome, six lines of plain JSON in one write", plain);
    crate::row("the same as one record, hashed and chained", once);
    crate::row("the same in two parts, as of a call that changes something", parts);
    let mut both: Vec<Duration> = std::thread::scope(|scope| {
        let thread = || (0..CALLS).map(|_| timed(|| call(&shared, Parts::One))).collect::<Vec<_>>();
        let threads = [scope.spawn(thread), scope.spawn(thread)];
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    crate::row("a call's record, hashed and chained, two threads on one log", &mut both);
    assert!(at_once.healthy() && in_parts.healthy() && shared.healthy());
    let verified = palanca_store::verify(&folder.join("shared"), AuditSettings::default()).unwrap();
    assert!(verified.is_sound() && verified.lines >= 2 * CALLS as u64, "{verified:?}");
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

/// In how many parts a call is handed over.
#[derive(Clone, Copy)]
enum Parts {
    One,
    Two,
}

fn call(recorder: &dyn Recorder, parts: Parts) {
    let effects = ["read src/main.rs".to_owned()];
    let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    let stage = |stage, verdict| StageRecord {
        at_ms: 1_763_728_524_000,
        session: "019aa6c2-5b51-7f33-b0b5-1d4bd0a3c9c1",
        call: "call-1",
        tool: "read_file",
        stage,
        verdict,
        rule: None,
        evidence: None,
        effects: if verdict == StageDecision::Begin { &effects } else { &[] },
        digest: (verdict == StageDecision::Begin).then_some(digest),
    };
    let stages = [
        stage(Stage::Resolve, StageDecision::Allow),
        stage(Stage::Validate, StageDecision::Allow),
        stage(Stage::Guardrails, StageDecision::Allow),
        stage(Stage::Confirm, StageDecision::Allow),
        stage(Stage::Execute, StageDecision::Begin),
    ];
    let (arguments, scope) = (json!({"path": "src/main.rs"}), Scope::session(SessionId::new(stages[0].session)));
    let record = Record {
        at_ms: 1_763_728_524_000,
        call: "call-1",
        tool: "read_file",
        origin: &Origin::Model { step: 3 },
        scope: &scope,
        arguments: &arguments,
        effects: &effects,
        digest: Some(digest.to_owned()),
        outcome: OutcomeKind::Done,
        code: None,
        detail: None,
        output_bytes: 1200,
        artifact: None,
        dry_run: false,
        read_only: true,
        changed: &[],
        duration_us: 40,
    };
    match parts {
        Parts::One => recorder.ended(&stages, &record),
        Parts::Two => {
            recorder.stages(&stages);
            recorder.ended(&[], &record);
        }
    }
}

/// Lines without hashes, from one process alone.
struct Plain(Mutex<std::fs::File>);

impl Recorder for Plain {
    fn ended(&self, stages: &[StageRecord<'_>], record: &Record<'_>) {
        let mut lines = Vec::new();
        for stage in stages {
            serde_json::to_writer(&mut lines, stage).unwrap();
            lines.push(b'\n');
        }
        serde_json::to_writer(&mut lines, record).unwrap();
        lines.push(b'\n');
        self.0.lock().unwrap().write_all(&lines).unwrap();
    }

    fn record(&self, record: &Record<'_>) {
        self.ended(&[], record);
    }
}
