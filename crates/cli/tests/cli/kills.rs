//! The process is killed at every boundary between two stages of a call. Whatever the moment: the audit log is sound, the next
//! start leaves no call without an end, a question is open or settled, and a file is old or new.

use futures_util::future::BoxFuture;
use palanca_core::call::{RawArguments, SessionId};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{
    Answer, Asker, Hook, HookReply, Pending, Question, Questions, Record, Recorder, RuleDraft, Ruling, StageDecision,
    StageRecord, wait,
};
use palanca_core::{Call, CallId, ConfirmMode, Gate, Message, Origin, Registry, Scope, ToolResult};
use palanca_files::Disk;
use palanca_policy::paths::PathRules;
use palanca_store::{Approvals as _, Audit, AuditSettings, Database, Desk, QuestionState, Which, verify};
use palanca_tools::{ToolOptions, ToolsetName, register_all};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const KILL_AT: &str = "PALANCA_TEST_KILL_AT";
const FOLDER: &str = "PALANCA_TEST_FOLDER";

static POINT: AtomicU32 = AtomicU32::new(0);

/// One boundary. The process ends here if it is the chosen one.
fn boundary() {
    let chosen: u32 = std::env::var(KILL_AT).unwrap().parse().unwrap();
    if POINT.fetch_add(1, Ordering::SeqCst) == chosen {
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).unwrap();
    }
}

/// The same, with a boundary before and after each thing that it does.
struct Fragile<T>(T);

impl Recorder for Fragile<Audit> {
    fn stages(&self, records: &[StageRecord<'_>]) {
        boundary();
        self.0.stages(records);
        boundary();
    }

    fn record(&self, record: &Record<'_>) {
        boundary();
        self.0.record(record);
        boundary();
    }
}

impl Questions for Fragile<Desk> {
    fn open(&self, question: &mut Question) -> Pending<Result<(), Message>> {
        boundary();
        let opened = wait(self.0.open(question));
        boundary();
        Pending::now(opened)
    }

    fn ruled(&self, question: &Question) -> Pending<Result<Option<Ruling>, Message>> {
        self.0.ruled(question)
    }

    fn ruling<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Ruling> {
        self.0.ruling(question)
    }

    fn settle(&self, question: &Question, answer: Answer) -> Pending<Result<Ruling, Message>> {
        boundary();
        let ruling = wait(self.0.settle(question, answer));
        boundary();
        Pending::now(ruling)
    }

    fn spend(&self, question: &Question) -> Pending<Result<(), Message>> {
        boundary();
        let spent = wait(self.0.spend(question));
        boundary();
        Pending::now(spent)
    }

    fn remember(&self, draft: &RuleDraft, question: &Question) -> Pending<Result<(), Message>> {
        self.0.remember(draft, question)
    }
}

impl Hook for Fragile<()> {
    fn name(&self) -> &str {
        "fragile"
    }

    fn before<'a>(&'a self, _call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        boundary();
        Box::pin(async { HookReply::Continue })
    }

    fn after<'a>(&'a self, _call: &'a CheckedCall, _result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        boundary();
        Box::pin(async { None })
    }
}

impl Asker for Fragile<Answer> {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        boundary();
        Box::pin(async { Some(self.0.clone()) })
    }
}

fn desk(home: &Path) -> Desk {
    Desk::new(Arc::new(Database::lazy(home)), Duration::from_secs(600))
}

/// Not a test of its own: what the killed process does.
#[test]
fn the_process_that_is_killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let (workspace, home) = (Path::new(&folder).join("ws"), Path::new(&folder).join("home"));
    let registry = Registry::new();
    register_all(&registry, ToolsetName::Palanca, &ToolOptions::default()).unwrap();
    let gate = Gate::builder(Arc::new(registry))
        .files(Arc::new(Disk::open(&workspace, &[], Arc::new(PathRules::new(&[], &[], None).unwrap())).unwrap()))
        .recorder(Arc::new(Fragile(Audit::new(&home, AuditSettings::default()))))
        .questions(Arc::new(Fragile(desk(&home))))
        .asker(Arc::new(Fragile(Answer::Yes)))
        .hook(Arc::new(Fragile(())))
        .mode(ConfirmMode::ConfirmAll)
        .build();
    let call = Call {
        id: CallId::new("1"),
        tool: "write_file".to_owned(),
        arguments: RawArguments::Json(serde_json::json!({"path": "a.txt", "content": "new"})),
        origin: Origin::Person,
        scope: Scope::session(SessionId::new("killed")),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let result = runtime.block_on(gate.submit(&gate.registry().snapshot(), call));
    assert!(result.success, "{result:?}");
}

#[test]
fn a_process_that_is_killed_anywhere_leaves_nothing_undecided() {
    for chosen in 0..100 {
        let folder = tempfile::tempdir().unwrap();
        let (workspace, home) = (folder.path().join("ws"), folder.path().join("home"));
        std::fs::create_dir(&workspace).unwrap();
        std::fs::create_dir(&home).unwrap();
        std::fs::write(workspace.join("a.txt"), "old").unwrap();
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kills::the_process_that_is_killed", "--nocapture"])
            .env(KILL_AT, chosen.to_string())
            .env(FOLDER, folder.path())
            .output()
            .unwrap();
        let killed = child.status.signal() == Some(9);
        assert!(killed || child.status.success(), "{chosen}: {child:?}");
        let content = std::fs::read_to_string(workspace.join("a.txt")).unwrap();
        let before = verify(&home, AuditSettings::default()).unwrap();
        assert!(before.is_sound(), "{chosen}: {before:?}");
        let begun = before.orphans == 1 || outcomes(&home) == ["done"];
        assert!(content == if begun { "new" } else { "old" } || (content == "old" && killed), "{chosen}: {content}");
        // The next start says how the call ended, if nobody did.
        Audit::new(&home, AuditSettings::default()).stages(&[line("resolve")]);
        let after = verify(&home, AuditSettings::default()).unwrap();
        assert!(after.is_sound() && after.orphans == 0, "{chosen}: {after:?}");
        assert_eq!(after.interrupted, before.orphans, "{chosen}");
        let questions = wait(desk(&home).questions(Which::All)).unwrap();
        assert!(questions.len() <= 1, "{chosen}: {questions:?}");
        // Whatever ran was allowed by a yes that is spent.
        let spent = questions.iter().any(|question| matches!(question.state, QuestionState::Spent { .. }));
        assert!(spent || !begun, "{chosen}: {questions:?}");
        if !killed {
            assert!(chosen > 15, "there are fewer boundaries than stages: {chosen}");
            assert_eq!(content, "new");
            return;
        }
    }
    panic!("the call never ended by itself");
}

fn line(call: &str) -> StageRecord<'_> {
    StageRecord {
        at_ms: 0,
        call,
        session: "next",
        tool: "none",
        stage: palanca_core::Stage::Resolve,
        verdict: StageDecision::Allow,
        rule: None,
        evidence: None,
        effects: &[],
        digest: None,
    }
}

fn outcomes(home: &Path) -> Vec<String> {
    let mut outcomes = Vec::new();
    palanca_store::entries(home, |entry| outcomes.extend(entry.text("outcome").map(str::to_owned))).unwrap();
    outcomes
}
