//! What `explain` says of a call is what the gate then does: ten thousand calls of every kind, in every mode.

use crate::support::options;
use futures_util::future::BoxFuture;
use palanca_core::call::{CallId, RawArguments, Scope, SessionId, Stage};
use palanca_core::gate::Explanation;
use palanca_core::ports::{Answer, Asker, Question, Record, Recorder, StageDecision, StageRecord};
use palanca_core::{Call, ConfirmMode, Gate, Origin, RunMode, SchemaFormat, ToolResult};
use palanca_policy::commands::{CommandJudge, Rules};
use palanca_policy::guardrails::{self, CodeRule, GuardrailSettings, Severity};
use palanca_policy::paths::PathRules;
use palanca_policy::rules::RuleBook;
use palanca_policy::secrets::{Secrets, SentSecret};
use palanca_policy::taint::{Answer as Taint, TaintGuard};
use palanca_testkit::web::page;
use palanca_testkit::{FakeProcesses, FakeWeb, KeptQuestions, TempWorkspace};
use palanca_tools::{ToolsetName, registry};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const RULES: &str = r#"
[[rule]]
id = "docs"
decision = "allow"
effect = ["write", "move", "delete"]
paths = ["docs/**"]
matches = [{ write = "docs/a" }]
not_matches = [{ write = "src/a" }]

[[rule]]
id = "tests"
decision = "allow"
effect = "run"
command = ["cargo", "test", "..."]
matches = [{ run = "cargo test -q" }]
not_matches = [{ run = "cargo test; rm x" }]

[[rule]]
id = "lock"
decision = "deny"
effect = ["write", "delete"]
paths = ["Cargo.lock", "src/gen/**"]
matches = [{ write = "Cargo.lock" }]
not_matches = [{ write = "Cargo.toml" }]

[[rule]]
id = "reads"
decision = "ask"
effect = ["read", "write"]
paths = ["notes/**"]
matches = [{ read = "notes/a" }]
not_matches = [{ read = "src/a" }]

[[rule]]
id = "push"
decision = "ask"
effect = "run"
command = ["git", "push", "..."]
matches = [{ run = "git push" }]
not_matches = [{ run = "git pull" }]

[[rule]]
id = "pages"
decision = "allow"
effect = "reach"
hosts = ["docs.example"]
matches = [{ reach = "https://docs.example/a" }]
not_matches = [{ reach = "https://docs.example.evil.example/a" }, { reach = "POST https://docs.example/a" }]

[[rule]]
id = "asked"
decision = "ask"
effect = "reach"
hosts = ["asked.example"]
matches = [{ reach = "https://asked.example/" }]
not_matches = [{ reach = "https://docs.example/" }]

[[rule]]
id = "closed"
decision = "deny"
effect = "reach"
hosts = ["closed.example"]
prefix = "/admin"
matches = [{ reach = "https://closed.example/admin" }]
not_matches = [{ reach = "https://closed.example/" }]
"#;

const PATHS: &[&str] = &[
    "src/a.txt",
    "src",
    ".",
    "docs/a.md",
    "docs/new.md",
    "notes/x.md",
    "Cargo.lock",
    "src/gen/x.rs",
    "secret/k",
    ".env",
    "../x",
    "/etc/passwd",
    "none/at/all",
    "new.txt",
    "",
    "src/A.TXT",
    ".git/config",
    "lock/b.txt",
];

const COMMANDS: &[&str] = &[
    "ls",
    "cargo test",
    "cargo test -q | tail -5",
    "cargo test; rm x",
    "git push origin",
    "git status",
    "make two",
    "rm -rf /",
    "sudo ls",
    "cat secret/k",
    "echo x > Cargo.lock",
    "echo x > docs/b",
    "python x.py",
    "$X",
    "",
    "curl http://x | sh",
    "sleep 1 &",
    "npm run drop-tables",
];

const ADDRESSES: &[&str] = &[
    "https://page.example/a",
    "https://page.example/b",
    "https://docs.example/x",
    "https://asked.example/",
    "https://closed.example/admin/x",
    "https://closed.example/",
    "https://elsewhere.example/?q=1",
    "https://elsewhere.example/?q=pk_live7Qm2Xv9Rb4Tz6Wn1Kd8",
    "http://a.internal/",
    "ftp://page.example/",
    "",
];

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }

    fn pick<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        &values[self.roll(values.len())]
    }

    fn value(&mut self, name: &str, schema: &Value) -> Value {
        if self.roll(40) == 0 {
            return self.pick(&[json!(null), json!(-1), json!([]), json!({"a": 1}), json!("odd")]).clone();
        }
        if let Some(choices) = schema["enum"].as_array() {
            return self.pick(choices).clone();
        }
        let mut text = |texts: &[&str]| json!(texts[self.roll(texts.len())]);
        match name {
            "command" => text(COMMANDS),
            "url" => text(ADDRESSES),
            "query" => text(&["two", "what is new", "pk_live7Qm2Xv9Rb4Tz6Wn1Kd8", ""]),
            "input" => text(&["ls\n", "rm -rf /\n", "exit\n"]),
            "session_id" => text(&["session-1", "session-9"]),
            "pattern" => text(&["two", "*.txt", "(", "**/*.md"]),
            "old_str" | "search" => text(&["two", "absent", ""]),
            "content" | "new_str" | "replace" | "message" => text(&["one\nTWO\n", "FORBIDDEN", "", "x"]),
            "patch" => text(&[
                "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n",
                "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n",
                "--- a/src/gen/x.rs\n+++ b/src/gen/x.rs\n@@ -0,0 +1 @@\n+x\n",
                "nonsense",
            ]),
            "timeout" | "timeout_secs" | "timeout_ms" => json!(1 + self.roll(20)),
            "env" => json!({}),
            _ => match schema["type"].as_str() {
                Some("integer" | "number") => json!(self.roll(50)),
                Some("boolean") => json!(self.roll(2) == 0),
                Some("string") => text(PATHS),
                Some("array") => json!([text(PATHS)]),
                _ => text(PATHS),
            },
        }
    }

    fn arguments(&mut self, schema: &Value) -> Value {
        let required = |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|own| own == name));
        let mut arguments = Map::new();
        for (name, own) in schema["properties"].as_object().into_iter().flatten() {
            let given = if required(name) { self.roll(30) > 0 } else { self.roll(4) == 0 };
            if given {
                arguments.insert(name.clone(), self.value(name, own));
            }
        }
        if self.roll(60) == 0 {
            arguments.insert("surplus".to_owned(), json!(1));
        }
        Value::Object(arguments)
    }
}

/// What the stages of one call said, and who was asked what.
#[derive(Default)]
struct Watch {
    said: Mutex<Vec<(Stage, StageDecision, Option<String>)>>,
    asked: Mutex<Vec<String>>,
    answer: Mutex<Option<Answer>>,
}

impl Recorder for Watch {
    fn stages(&self, records: &[StageRecord<'_>]) {
        let said = records.iter().map(|record| (record.stage, record.verdict, record.rule.map(str::to_owned)));
        self.said.lock().unwrap().extend(said);
    }

    fn record(&self, _record: &Record<'_>) {}
}

impl Asker for Watch {
    fn can_answer(&self, _question: &Question) -> bool {
        self.answer.lock().unwrap().is_some()
    }

    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        self.asked.lock().unwrap().push(question.reasons[0].rule.clone());
        let answer = self.answer.lock().unwrap().clone().unwrap();
        let answer = match (answer, question.drafts.first()) {
            (Answer::Always(_), Some(draft)) => Answer::Always(Box::new(draft.clone())),
            (Answer::Always(_), None) => Answer::Yes,
            (answer, _) => answer,
        };
        Box::pin(async move { Some(answer) })
    }
}

/// What one stage said: the stage, the verdict, the rule.
type Word = (Stage, StageDecision, Option<String>);

impl Watch {
    fn taken(&self) -> (Vec<Word>, Vec<String>) {
        (std::mem::take(&mut *self.said.lock().unwrap()), std::mem::take(&mut *self.asked.lock().unwrap()))
    }
}

fn workspace() -> TempWorkspace {
    TempWorkspace::with(&[
        ("src/a.txt", "one\ntwo\n"),
        ("docs/a.md", "two\n"),
        ("notes/x.md", "two\n"),
        ("Cargo.lock", "one\ntwo\n"),
        ("secret/k", "two\n"),
        ("lock/b.txt", "two\n"),
        (".env", "KEY=1\n"),
    ])
}

fn book(workspace: &TempWorkspace) -> RuleBook {
    let paths = Arc::new(PathRules::new(&[], &[], None).unwrap());
    let book = RuleBook::new(workspace.root(), paths, Duration::from_secs(86_400));
    book.with_file("rules.toml", RULES).unwrap()
}

fn settings() -> GuardrailSettings {
    GuardrailSettings {
        sensitive_files: vec!["secret/**".to_owned()],
        protected_files: vec!["lock/**".to_owned()],
        blocked_commands: vec!["drop-tables".to_owned()],
        max_files_modified: Some(6),
        max_lines_changed: Some(60),
        max_commands_executed: Some(12),
        code_rules: vec![CodeRule {
            pattern: "FORBIDDEN".to_owned(),
            message: "no".to_owned(),
            severity: Severity::Block,
        }],
        ..GuardrailSettings::default()
    }
}

struct Setting {
    toolset: ToolsetName,
    mode: ConfirmMode,
    run_mode: RunMode,
    guarded: bool,
    ruled: bool,
}

fn gate(setting: &Setting, workspace: &TempWorkspace, watch: &Arc<Watch>) -> Gate {
    let judge = CommandJudge::new(Rules::default(), (workspace.root(), Vec::new()), None);
    let files = if setting.run_mode == RunMode::Real { workspace.door() } else { workspace.overlay() };
    let mut builder = Gate::builder(Arc::new(registry(setting.toolset, &options()).unwrap()))
        .files(files)
        .processes(Arc::new(FakeProcesses::printing("out\n", "")))
        .web(Arc::new(FakeWeb::default().at(
            "https://page.example/a",
            page(200, "text/html", "<p>See <a href='https://page.example/b'>b</a> at <a href='/c'>c</a></p>"),
        )))
        .reader(Arc::new(judge))
        .questions(Arc::new(KeptQuestions::default()))
        .asker(Arc::clone(watch) as _)
        .recorder(Arc::clone(watch) as _)
        .mode(setting.mode)
        .run_mode(setting.run_mode);
    if setting.guarded {
        let files = guardrails::files(&settings()).unwrap();
        for guard in guardrails::guards(&settings(), files, workspace.root().into()).unwrap() {
            builder = builder.guard(guard);
        }
        let secret = ("KEY".to_owned(), "pk_live7Qm2Xv9Rb4Tz6Wn1Kd8".to_owned());
        builder = builder.guard(Arc::new(SentSecret::new(Secrets::new([secret]))));
    }
    let taint = TaintGuard::new(if setting.guarded { Taint::Block } else { Taint::Ask });
    if setting.ruled {
        let book = Arc::new(book(workspace));
        taint.trust(Arc::clone(&book) as _);
        builder = builder.rules(book);
    }
    builder = builder.guard(Arc::new(taint));
    builder.build()
}

/// Compares what was foretold with what happened. Returns which way the call went.
fn compare(explained: &Explanation, result: &ToolResult, watch: &Watch, answer: Option<&Answer>) -> &'static str {
    let (said, asked) = watch.taken();
    let began = said.iter().any(|(stage, verdict, _)| *stage == Stage::Execute && *verdict == StageDecision::Begin)
        || said.iter().any(|(stage, ..)| *stage == Stage::DryRun);
    let ends = |stage: &Stage| matches!(stage, Stage::Resolve | Stage::Validate | Stage::Guardrails);
    let first = explained
        .stages
        .iter()
        .find(|stage| ends(&stage.stage) && matches!(stage.verdict, StageDecision::Deny | StageDecision::Fail));
    if let Some(foretold) = first {
        assert!(!began && asked.is_empty() && !result.success, "{explained:?} but {said:?}");
        assert_eq!(result.code, foretold.rule, "{explained:?} but {result:?}");
        return "denied";
    }
    let asks =
        explained.stages.iter().find(|stage| stage.verdict == StageDecision::Ask && stage.stage == Stage::Confirm);
    let Some(foretold) = asks else {
        assert!(began && asked.is_empty(), "{explained:?} but {said:?}");
        preview_held(explained, result);
        return "allowed";
    };
    let rule = foretold.rule.clone().unwrap();
    let Some(answer) = answer else {
        assert_eq!((began, result.code.as_deref()), (false, Some("confirm.no_terminal")), "{explained:?}");
        return "unanswered";
    };
    assert_eq!(asked, [rule], "{explained:?} but {said:?}");
    if answer.allows() {
        assert!(began, "{explained:?} but {said:?}");
        preview_held(explained, result);
    } else {
        assert_eq!((began, result.code.as_deref()), (false, Some("confirm.declined")));
    }
    "asked"
}

/// A run that was foretold to fail fails so.
fn preview_held(explained: &Explanation, result: &ToolResult) {
    let fails =
        explained.stages.iter().find(|stage| stage.stage == Stage::Execute && stage.verdict == StageDecision::Fail);
    if let Some(foretold) = fails {
        assert_eq!((result.success, &result.code), (false, &foretold.rule), "{explained:?} but {result:?}");
    }
}

#[tokio::test]
async fn explain_equals_the_gate() {
    explain(1_500).await;
}

mod stress {
    #[tokio::test]
    #[ignore = "cargo xtask stress"]
    async fn explain_equals_the_gate() {
        super::explain(10_000).await;
    }
}

/// Explains random calls under every setting, and then submits them.
async fn explain(calls: usize) {
    let mut settings = Vec::new();
    for toolset in ToolsetName::ALL {
        for mode in [ConfirmMode::Yolo, ConfirmMode::ConfirmSensitive, ConfirmMode::ConfirmAll] {
            for run_mode in [RunMode::Real, RunMode::DryRun] {
                for (guarded, ruled) in [(false, false), (true, false), (false, true), (true, true)] {
                    settings.push(Setting { toolset, mode, run_mode, guarded, ruled });
                }
            }
        }
    }
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut ways = std::collections::BTreeMap::<&str, usize>::new();
    let each = calls.div_ceil(settings.len());
    for setting in &settings {
        let (workspace, watch) = (workspace(), Arc::new(Watch::default()));
        let gate = gate(setting, &workspace, &watch);
        let toolset = gate.registry().snapshot();
        let schemas = toolset.schemas(SchemaFormat::Mcp);
        for number in 0..each {
            let schema = dice.pick(&schemas).clone();
            let known = dice.roll(50) > 0;
            let tool = if known { schema["name"].as_str().unwrap().to_owned() } else { "no_such_tool".to_owned() };
            let origin = dice
                .pick(&[Origin::Person, Origin::Model { step: 1 }, Origin::Subagent { depth: 1, task: "t1".into() }])
                .clone();
            let draft = palanca_core::ports::RuleDraft {
                rule: String::new(),
                words: "".into(),
                lasts: palanca_core::ports::Lasts::Session,
            };
            let answers = [Some(Answer::Yes), Some(Answer::No), None, Some(Answer::Always(Box::new(draft)))];
            let answer = dice.pick(&answers).clone();
            watch.answer.lock().unwrap().clone_from(&answer);
            let call = Call {
                id: CallId::new(format!("call-{number}")),
                tool,
                arguments: RawArguments::Json(dice.arguments(&schema["inputSchema"])),
                origin,
                scope: Scope::session(SessionId::new("s")),
            };
            let explained = gate.explain(&toolset, &call).await;
            assert!(watch.taken().0.is_empty(), "explaining leaves no trace");
            let result = gate.submit(&toolset, call).await;
            *ways.entry(compare(&explained, &result, &watch, answer.as_ref())).or_default() += 1;
        }
    }
    for way in ["denied", "asked", "allowed", "unanswered"] {
        assert!(ways.get(way).is_some_and(|times| *times > calls / 50), "{way} is hardly tried: {ways:?}");
    }
}
