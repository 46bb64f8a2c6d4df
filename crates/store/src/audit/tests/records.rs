//! What one record holds, and that reading gives back what was recorded, by this version or an earlier one.

use super::*;
use palanca_core::ports::Recorder as _;
use serde_json::json;

const SESSION: &str = "01a209d0-9d03-74a8-a8b8-a7b9562beef2";
const DIGEST: &str = "3ab74cedc14eca3e18b03cb400852412cfc84ee47b7331474fdd74bbb8ed53af";

/// A call as a model makes it: of a file, with an id of a common length.
struct Read {
    effects: [String; 1],
    arguments: Value,
    scope: Scope,
}

impl Read {
    fn new() -> Self {
        let path = "crates/store/src/audit/line.rs";
        let scope = Scope::session(SessionId::new(SESSION));
        Self { effects: [format!("read {path}")], arguments: json!({"path": path}), scope }
    }

    fn stage(&self, stage: Stage, verdict: StageDecision) -> StageRecord<'_> {
        let begins = verdict == StageDecision::Begin;
        StageRecord {
            at_ms: 1_795_460_996_380,
            call: "call_Abcdefghijklmnopqrstuvwx",
            session: SESSION,
            tool: "read_file",
            stage,
            verdict,
            rule: None,
            evidence: None,
            effects: if begins { &self.effects } else { &[] },
            digest: begins.then_some(DIGEST),
        }
    }

    fn passed(&self) -> Vec<StageRecord<'_>> {
        let stages = [Stage::Resolve, Stage::Validate, Stage::Guardrails, Stage::Confirm];
        let passed = stages.map(|stage| self.stage(stage, StageDecision::Allow));
        passed.into_iter().chain([self.stage(Stage::Execute, StageDecision::Begin)]).collect()
    }

    fn record(&self) -> Record<'_> {
        Record {
            at_ms: 1_795_460_996_380,
            call: "call_Abcdefghijklmnopqrstuvwx",
            tool: "read_file",
            origin: &Origin::Model { step: 3 },
            scope: &self.scope,
            arguments: &self.arguments,
            effects: &self.effects,
            changed: &[],
            digest: Some(DIGEST.to_owned()),
            outcome: OutcomeKind::Done,
            code: None,
            detail: None,
            output_bytes: 1200,
            artifact: None,
            dry_run: false,
            read_only: true,
            duration_us: 140,
        }
    }
}

fn shown(home: &Path) -> Vec<Value> {
    let mut shown = Vec::new();
    entries(home, |entry| {
        let mut fields = entry.fields;
        assert!(fields.remove("hash").is_some());
        fields.insert("seq".to_owned(), entry.seq.into());
        fields.insert("kind".to_owned(), entry.kind.name().into());
        shown.push(Value::Object(fields));
    })
    .unwrap();
    shown
}

#[test]
fn a_call_that_passed_every_stage_is_one_short_line_and_reads_as_its_stages_and_its_outcome() {
    let home = TempDir::new().unwrap();
    let audit = Audit::new(home.path(), AuditSettings::default());
    let audit = audit.workspace(Some("/home/someone/projects/palanca".to_owned()));
    let read = Read::new();
    audit.ended(&read.passed(), &read.record());
    let text = fs::read_to_string(home.path().join(CURRENT)).unwrap();
    assert!(text.lines().count() == 1 && text.len() <= 600, "{} bytes: {text}", text.len());

    let of_call = json!({
        "seq": 1, "at_ms": 1_795_460_996_380_u64, "call": "call_Abcdefghijklmnopqrstuvwx", "session": SESSION,
        "tool": "read_file",
    });
    let with = |more: Value| {
        let mut fields = of_call.as_object().unwrap().clone();
        fields.extend(more.as_object().unwrap().clone());
        Value::Object(fields)
    };
    let passed = |stage: &str| with(json!({"kind": "stage", "stage": stage, "verdict": "allow"}));
    let (pid, started) = orphans::ourselves();
    let expected = [
        passed("resolve"),
        passed("validate"),
        passed("guardrails"),
        passed("confirm"),
        with(json!({
            "kind": "stage", "stage": "execute", "verdict": "begin", "effects": read.effects, "digest": DIGEST,
            "pid": pid, "started": started,
        })),
        with(json!({
            "kind": "outcome", "origin": {"kind": "model", "step": 3}, "arguments": read.arguments,
            "effects": read.effects, "digest": DIGEST, "outcome": "done", "code": null, "detail": null,
            "output_bytes": 1200, "dry_run": false, "duration_us": 140, "workspace": "/home/someone/projects/palanca",
        })),
    ];
    assert_eq!(shown(home.path()), expected);
}

#[test]
fn a_stage_that_says_more_keeps_all_of_it_in_its_place() {
    let log = Log::new(16 << 20);
    let read = Read::new();
    let mut stages = read.passed();
    let asked = StageRecord { rule: Some("confirm.all"), ..read.stage(Stage::Confirm, StageDecision::Ask) };
    let answered = StageRecord { evidence: Some("q-1"), ..read.stage(Stage::Confirm, StageDecision::Yes) };
    stages.splice(3..4, [asked, answered]);
    let warned = StageRecord { rule: Some("loop"), ..read.stage(Stage::Guardrails, StageDecision::Allow) };
    stages.insert(2, warned);
    log.audit.stages(&stages);
    let said: Vec<_> = shown(log.home.path())
        .iter()
        .map(|entry| ["stage", "verdict", "rule", "evidence"].map(|name| entry[name].as_str().unwrap_or("").to_owned()))
        .collect();
    let expected = [
        ["resolve", "allow", "", ""],
        ["validate", "allow", "", ""],
        ["guardrails", "allow", "loop", ""],
        ["guardrails", "allow", "", ""],
        ["confirm", "ask", "confirm.all", ""],
        ["confirm", "yes", "", "q-1"],
        ["execute", "begin", "", ""],
    ];
    assert_eq!(said, expected.map(|row| row.map(str::to_owned)));
    assert_eq!(log.lines().len(), 1);
}

/// Lines as version 0.1 wrote them: one for each stage, each with the hash of the one before.
fn earlier(count: u64) -> Vec<String> {
    let mut prev = Hash::GENESIS;
    let line = |seq| {
        let body = match seq % 2 {
            1 => {
                json!({"kind": "stage", "at_ms": 1, "call": "c", "session": "s", "tool": "write_file", "stage": "execute",
                "verdict": "begin", "digest": DIGEST, "pid": 4_194_305, "started": 1})
            }
            _ => {
                json!({"kind": "outcome", "at_ms": 2, "call": "c", "tool": "write_file", "session": "s", "code": null})
            }
        };
        let covered =
            format!("\"prev\":\"{}\",\"seq\":{seq},{}", prev.as_str(), body.to_string().trim_start_matches('{'));
        prev = Hash::of(covered.as_bytes());
        format!("{{\"hash\":\"{}\",{covered}", prev.as_str())
    };
    (1..=count).map(line).collect()
}

#[test]
fn lines_of_an_earlier_version_are_read_and_verified_and_the_chain_goes_on() {
    let log = Log::new(16 << 20);
    let lines = earlier(3);
    log.rewrite(&lines);
    let last = line::hash_of(&lines[2]).unwrap().0;
    let size = fs::metadata(log.path()).unwrap().len();
    let head = head::Head { seq: 3, hash: last, size, generation: 0, open: 1 };
    head::HeadFile::open(log.home.path()).unwrap().lock().unwrap().write(&head).unwrap();
    let verified = log.verified();
    assert!(verified.is_sound() && verified.orphans == 1, "{verified:?}");
    calls(&log.audit, 0..2);
    let verified = log.verified();
    assert!(verified.is_sound() && verified.interrupted == 1 && verified.lines == 8, "{verified:?}");
    assert_eq!(shown(log.home.path())[0]["verdict"], "begin");
    let lines = log.lines();
    for (changed, what) in [(1, "changed"), (3, "changed"), (4, "changed")] {
        let mut damaged = lines.clone();
        damaged[changed] = damaged[changed].replace("write_file", "read_file");
        log.rewrite(&damaged);
        assert_eq!(log.problems(), [what], "line {changed}");
    }
    for removed in 1..5 {
        let mut damaged = lines.clone();
        damaged.remove(removed);
        log.rewrite(&damaged);
        assert_eq!(log.problems(), ["out_of_chain"], "line {removed}");
    }
}

#[test]
fn a_first_line_behind_removed_files_can_still_be_verified() {
    let log = Log::new(1_000);
    let few = Audit::new(log.home.path(), AuditSettings { file_bytes: 1_000, files: 1 });
    calls(&few, 0..12);
    assert!(log.verified_keeping(1).is_sound());
    let oldest = entry::put_aside(log.home.path()).unwrap().remove(0);
    let text = fs::read_to_string(&oldest).unwrap();
    fs::write(&oldest, text.replacen("\"file\":\"audit.", "\"file\":\"other.", 1)).unwrap();
    let problems: Vec<_> = log.verified_keeping(1).problems.iter().map(|problem| problem.what).collect();
    assert_eq!(problems, ["changed"]);
}
