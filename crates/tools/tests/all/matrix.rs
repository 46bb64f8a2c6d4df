//! Every tool of the list, in every toolset, through every stage of the gate.

mod origins;

use crate::support::{assert_said, options, search_address};
use palanca_core::arguments::contradiction;
use palanca_core::call::ArtifactId;
use palanca_core::call::RawArguments;
use palanca_core::ports::{Answer, Artifacts as _, HookReply, MemoryIndexes, NewArtifact, NewContent, wait};
use palanca_core::{CallId, ConfirmMode, Scope, ToolResult};
use palanca_store::MemoryFiles;
use palanca_testkit::web::page;
use palanca_testkit::{
    Answers, Deny, FakeActs, FakeChannels, FakeProcesses, FakeSubagents, FakeWeb, MemoryArtifacts, Said, TempWorkspace,
    TestGate, TestGateBuilder, TestHook,
};
use palanca_text::Locale;
use palanca_tools::{BUILT_IN, BuiltIn, Family, Permission, ToolOptions, ToolsetName, registry};
use serde_json::{Value, json};
use std::sync::Arc;

const DIFF: &str = "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n";

/// One tool of one toolset, and a workspace of its own.
struct Case {
    tool: &'static BuiltIn,
    toolset: ToolsetName,
    workspace: TempWorkspace,
    programs: Arc<FakeProcesses>,
    artifacts: Arc<MemoryArtifacts>,
    /// What is kept there.
    kept: ArtifactId,
    people: Arc<FakeChannels>,
    acts: Arc<FakeActs>,
}

fn listed() -> Vec<Case> {
    let both = BUILT_IN.iter().flat_map(|tool| ToolsetName::ALL.map(|toolset| (tool, toolset)));
    both.filter(|(tool, toolset)| tool.is_in(*toolset))
        .map(|(tool, toolset)| {
            let workspace = TempWorkspace::with(&[("src/a.txt", "one\ntwo\n"), (".env", "KEY=1\n")]);
            let programs = Arc::new(FakeProcesses::printing("out\n", ""));
            let artifacts = Arc::new(MemoryArtifacts::default());
            let (scope, call) = (Scope::session("test".into()), CallId::new("before"));
            let kept = wait(artifacts.keep(&NewArtifact {
                scope: &scope,
                call: &call,
                content: NewContent::Text("two\n"),
                foreign: None,
            }))
            .unwrap();
            Case {
                tool,
                toolset,
                workspace,
                programs,
                artifacts,
                kept,
                people: Arc::default(),
                acts: Arc::new(FakeActs::answering("done")),
            }
        })
        .collect()
}

impl Case {
    fn name(&self) -> String {
        format!("{} in {}", self.tool.name, self.toolset)
    }

    fn builder(&self) -> TestGateBuilder {
        let found = json!({"type": "search", "web": {"results": [
            {"title": "two", "url": "https://pages.example/two", "description": "two of them"}
        ]}});
        let web = FakeWeb::default()
            .at("https://pages.example/src/a.txt", page(200, "text/plain", "two\n"))
            .at(&search_address("src/a.txt"), page(200, "application/json", found.to_string()));
        TestGate::builder(&self.workspace, registry(self.toolset, &options()).unwrap())
            .processes(Arc::clone(&self.programs) as _)
            .with(|gate| {
                self.acts
                    .every_kind(gate.web(Arc::new(web)))
                    .channels(Arc::clone(&self.people) as _)
                    .subagents(Arc::new(FakeSubagents::answering("done").done_with("a task")))
                    .artifacts(Arc::clone(&self.artifacts) as _)
                    .door::<dyn MemoryIndexes>(Arc::new(MemoryFiles::nowhere()))
            })
            .mode(ConfirmMode::Yolo)
    }

    /// Starts what the case needs to be there, in the session of its calls.
    async fn prepare(self) -> Self {
        if self.tool.name == "process" {
            let gate = self.builder().build();
            let (tool, arguments) = match self.toolset {
                ToolsetName::Bots => ("exec", json!({"command": "cat", "background": true})),
                _ => ("run_command", json!({"command": "cat", "background": true})),
            };
            let started = gate.call(tool, arguments).await;
            assert!(started.output.contains("session-1"), "{}", started.for_model());
        }
        self
    }

    /// Arguments that work, on this path.
    fn on(&self, path: &str) -> Value {
        match self.tool.name {
            "read_file" if self.toolset == ToolsetName::Picoclaw => json!({"file_path": path}),
            "write_file" if self.toolset == ToolsetName::Picoclaw => {
                json!({"file_path": path, "content": "one\nTWO\n"})
            }
            "edit_file" if self.toolset == ToolsetName::Picoclaw => {
                json!({"file_path": path, "old_string": "two", "new_string": "TWO"})
            }
            "search_code" if self.toolset == ToolsetName::Contracts => json!({"query": "two", "filePattern": path}),
            "todo_manager" => json!({"items": [{"content": path, "activeForm": "Reading", "status": "pending"}]}),
            "validate_output" => json!({"outputType": "domain_map", "data": path}),
            "read_file" | "delete_file" | "file_read" => json!({"path": path}),
            "save_memory" => json!({"fact": path}),
            "update_soul" => json!({"content": path}),
            "update_identity" => json!({"name": path}),
            "cron" => json!({"action": "add", "text": path, "schedule": {"kind": "every", "everyMs": 60_000}}),
            "memory_search" => json!({"query": path}),
            "create_tool" => {
                json!({"name": "shown", "description": path, "type": "command", "source": format!("cat -- {path}")})
            }
            "memory_get" => json!({"path": path}),
            "improve" => json!({"focus": "soul", "context": path}),
            "manage_goals" => json!({"action": "add", "goal": path}),
            "get_datetime" => json!({"timezone": "UTC"}),
            "file_edit" => json!({"path": path, "old_text": "two", "new_text": "TWO"}),
            "write_file" | "file_write" => json!({"path": path, "content": "one\nTWO\n"}),
            "edit_file" => json!({"path": path, "old_str": "two", "new_str": "TWO"}),
            "apply_patch" if self.toolset == ToolsetName::Palanca => {
                json!({"patch": format!("--- a/{path}\n+++ b/{path}\n{DIFF}")})
            }
            "apply_patch" => json!({"path": path, "patch": DIFF}),
            "list_dir" => json!({"path": path.strip_suffix("/a.txt").unwrap_or(path), "recursive": true}),
            "list_files" | "list_dirs" => json!({"path": path.strip_suffix("/a.txt").unwrap_or(path)}),
            "grep" | "search_code" => json!({"pattern": "two", "path": path}),
            "find_files" => json!({"pattern": "*.txt", "path": path.strip_suffix("/a.txt").unwrap_or(path)}),
            "echo" => json!({"message": path}),
            "spawn" if self.toolset == ToolsetName::Picoclaw => json!({"task": path}),
            "spawn" => json!({"task": path, "wait": true}),
            "delegate_to_bot" => json!({"targetBotId": "eva", "message": path}),
            "collaborate" => json!({"action": "send", "targetBotId": "eva", "message": path}),
            "dispatch_subagent" => json!({"task": path, "agent_type": "explore"}),
            "subagent_status" => json!({"id": "t1"}),
            "read_artifact" => json!({"id": self.kept.as_str()}),
            "message" => json!({"content": path, "channel": "ops", "to": "alerts"}),
            "phone_call" => json!({"action": "call", "contact": "+34600123456", "message": path}),
            "web_search" => json!({"query": path}),
            "web_fetch" => json!({"url": format!("https://pages.example/{path}")}),
            "run_command" => json!({"command": "make two", "cwd": path}),
            "exec" if self.toolset == ToolsetName::Bots => json!({"command": "make two", "workdir": path}),
            "exec" => json!({"command": "make two", "working_dir": path}),
            "process" => json!({"action": "write", "session_id": "session-1", "input": path}),
            other => panic!("the list has a new tool, {other}: give it arguments here"),
        }
    }

    fn usual(&self) -> Value {
        self.on("src/a.txt")
    }

    /// Whether an argument is a path.
    fn touches_files(&self) -> bool {
        let own = matches!(
            self.tool.name,
            "echo" | "process" | "message" | "phone_call" | "read_artifact" | "get_datetime" | "create_tool"
        ) || self.searches_all();
        !own && !matches!(self.tool.family, Family::Web | Family::Plan | Family::Team | Family::Soul)
    }

    /// Whether it searches the whole workspace, whatever it is told.
    fn searches_all(&self) -> bool {
        self.tool.name == "search_code" && self.toolset == ToolsetName::Contracts
    }

    fn touches_anything(&self) -> bool {
        !matches!(self.tool.name, "echo" | "subagent_status" | "get_datetime") && self.tool.family != Family::Plan
    }

    /// Whether a program gets JSON.
    fn gives_json(&self) -> bool {
        self.tool.name != "echo"
    }

    /// Whether a person is asked in the usual mode.
    fn asks(&self) -> bool {
        self.tool.permission == Permission::Ask
    }

    /// Whether it starts a program or speaks to one. What it does to files is the program's.
    fn commands(&self) -> bool {
        self.tool.family == Family::Shell
    }

    fn writes(&self) -> bool {
        self.asks() && !self.commands() && !self.tells()
    }

    /// Whether it says something to people, to a bot, or to whoever revises its files.
    fn tells(&self) -> bool {
        self.tool.family == Family::People || matches!(self.tool.name, "collaborate" | "improve")
    }

    /// How often a program was started or spoken to.
    fn commanded(&self) -> usize {
        match self.tool.name {
            "process" => self.programs.sent("session-1").matches("src/a.txt").count(),
            "message" => self.people.sent().len(),
            "phone_call" | "collaborate" | "improve" => self.acts.done.lock().len(),
            _ => self.programs.launches().len(),
        }
    }

    /// What its diff must have.
    fn changed(&self) -> &'static str {
        if self.is_of_a_bot() { "src/a.txt" } else { "-two" }
    }

    /// Whether it writes files of a bot's own.
    fn is_of_a_bot(&self) -> bool {
        self.tool.family == Family::Soul || self.tool.name == "create_tool"
    }

    /// How many files a bot has of its own.
    fn own_files(&self) -> usize {
        let own = ["config/soul/default/", "data/cron/default/", "data/tools/shown/meta.json"];
        self.workspace.everything().keys().filter(|path| own.iter().any(|folder| path.contains(folder))).count()
    }

    fn done_on_disk(&self) {
        match self.tool.name {
            "delete_file" => assert!(!self.workspace.has("src/a.txt")),
            _ if self.is_of_a_bot() => {
                assert_eq!(self.own_files(), usize::from(self.writes()), "{}", self.name());
            }
            _ if self.writes() => assert_eq!(self.workspace.text("src/a.txt"), "one\nTWO\n", "{}", self.name()),
            _ if self.commands() || self.tells() => assert_eq!(self.commanded(), 1, "{}", self.name()),
            _ => assert_eq!(self.workspace.text("src/a.txt"), "one\ntwo\n", "{}", self.name()),
        }
    }
}

/// Every case, each with what it needs.
async fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for case in listed() {
        cases.push(case.prepare().await);
    }
    cases
}

/// Submits one call and checks what holds for every call: nothing half said, and exactly one record of it.
async fn submit(case: &Case, gate: &TestGate, arguments: impl Into<RawArguments>) -> ToolResult {
    let before = gate.recorded.records().len();
    let result = gate.call(case.tool.name, arguments).await;
    assert_said(&result);
    let records = gate.recorded.records();
    assert_eq!(records.len(), before + 1, "{}: one record a call", case.name());
    let record = &records[before];
    assert_eq!(record["outcome"], result.outcome.name(), "{}", case.name());
    assert_eq!(record["call"], result.id.as_str(), "{}", case.name());
    assert_eq!(result.success, result.outcome.name() == "done", "{}", case.name());
    assert_eq!(result.error.is_none(), result.success, "{}", case.name());
    result
}

/// A call that must end like this, with nothing changed anywhere.
async fn ends(case: &Case, gate: &TestGate, arguments: impl Into<RawArguments>, how: (&str, &str)) -> ToolResult {
    let (before, commanded) = (case.workspace.everything(), case.commanded());
    let result = submit(case, gate, arguments).await;
    assert_eq!(case.commanded(), commanded, "{}: nothing was started", case.name());
    let told = (result.outcome.name(), result.code.as_deref().unwrap_or("-"));
    assert_eq!(told, how, "{}: {}", case.name(), result.for_model());
    assert_eq!(case.workspace.everything(), before, "{}", case.name());
    result
}

#[tokio::test]
async fn resolve() {
    for case in cases().await {
        let gate = case.builder().build();
        let wrong = format!("{}x", case.tool.name);
        let result = gate.call(&wrong, case.usual()).await;
        assert_eq!((result.outcome.name(), result.code.as_deref()), ("failed", Some("unknown_tool")));
        let error = result.error.unwrap();
        assert!(error.starts_with(&format!("Tool not found: '{wrong}'")) && error.contains(case.tool.name), "{error}");
        assert_eq!(gate.recorded.records().len(), 1);
        let (none, _) = gate.toolset.restrict([]);
        let hidden = gate.gate.submit(&none, gate.submission(case.tool.name, case.usual())).await;
        assert_eq!(hidden.code.as_deref(), Some("unknown_tool"), "what a turn does not offer cannot run");
    }
}

#[tokio::test]
async fn validate() {
    for case in cases().await {
        let gate = case.builder().build();
        let broken = RawArguments::Text("{\"path\": ".to_owned());
        let invalid = ("failed", "invalid_arguments");
        let result = ends(&case, &gate, broken, invalid).await;
        assert!(result.error.unwrap().starts_with("Invalid arguments: "));
        ends(&case, &gate, RawArguments::Text("[1]".to_owned()), invalid).await;
        let mut extra = case.usual();
        extra["nonsense"] = json!(1);
        let error = ends(&case, &gate, extra, invalid).await.error.unwrap();
        assert!(error.contains("nonsense"), "{error}");
        let wrong: serde_json::Map<_, _> =
            case.usual().as_object().unwrap().keys().map(|key| (key.clone(), json!({"a": 1}))).collect();
        // An answer may be anything.
        let keys: Vec<String> = wrong.keys().filter(|key| *key != "data").cloned().collect();
        let error = ends(&case, &gate, Value::Object(wrong), invalid).await.error.unwrap();
        assert!(keys.iter().all(|key| error.contains(key.as_str())), "all errors at once: {error}");
    }
}

#[tokio::test]
async fn paths() {
    for case in cases().await.into_iter().filter(Case::touches_files) {
        let gate = case.builder().build();
        std::fs::write(case.workspace.outside().join("a.txt"), "one\ntwo\n").unwrap();
        case.workspace.link("../..", "up");
        for path in ["../a.txt", "/etc/a.txt", "up/a.txt", "src/../../a.txt"] {
            ends(&case, &gate, case.on(path), ("refused", "paths.outside_workspace")).await;
        }
        case.workspace.link(".env", "plain");
        for path in [".env", "plain", "src/../.env"] {
            // A name is removed itself, and a link has no content that could be shown.
            if path == "plain" && case.tool.name == "delete_file" {
                continue;
            }
            let result = ends(&case, &gate, case.on(path), ("refused", "paths.secret_file")).await;
            assert!(!result.for_model().contains("KEY"), "{}", result.for_model());
        }
    }
}

#[tokio::test]
async fn guardrails() {
    for case in cases().await {
        let guard = Deny { tool: case.tool.name.to_owned(), reason: "not on my watch".to_owned() };
        let hook = Arc::new(TestHook::default());
        let gate = case.builder().guard(guard).hook(Arc::clone(&hook) as _).build();
        let result = ends(&case, &gate, case.usual(), ("refused", "test.deny")).await;
        assert_eq!(result.error.as_deref(), Some("Guardrail: not on my watch"));
        assert!(hook.seen().is_empty(), "a guardrail comes before every hook");
    }
}

#[tokio::test]
async fn hooks_before() {
    for case in cases().await {
        let block = Said { before: Some(HookReply::Block("not today".to_owned())), after: Some("after".to_owned()) };
        let hook = Arc::new(TestHook::new(block));
        let gate = case.builder().hook(Arc::clone(&hook) as _).build();
        let result = ends(&case, &gate, case.usual(), ("refused", "hook.test-hook")).await;
        assert_eq!(result.error.as_deref(), Some("Blocked by hook: not today"));
        assert_eq!(hook.seen(), ["before"], "nothing ran, so nothing comes after it");

        let change = |to: Value| {
            let hook =
                TestHook::new(Said { before: Some(HookReply::Change { arguments: to, note: None }), after: None });
            case.builder().hook(Arc::new(hook)).build()
        };
        let invalid = change(json!({"nonsense": 1}));
        ends(&case, &invalid, case.usual(), ("failed", "invalid_arguments")).await;
        if case.touches_files() {
            let escaping = change(case.on("../a.txt"));
            ends(&case, &escaping, case.usual(), ("refused", "paths.outside_workspace")).await;
            let secret = change(case.on(".env"));
            ends(&case, &secret, case.usual(), ("refused", "paths.secret_file")).await;
        }
        let changed = change(case.usual());
        let result = submit(&case, &changed, case.on("not/there.txt")).await;
        assert!(result.success, "{}: {}", case.name(), result.for_model());
        assert_eq!(result.input, case.usual(), "what ran is what the hook said");
        case.done_on_disk();
    }
}

#[tokio::test]
async fn confirm() {
    for case in cases().await {
        let with = |answers: Answers| case.builder().mode(ConfirmMode::ConfirmAll).answers(answers).build();
        let nobody = with(Answers::nobody());
        let result = ends(&case, &nobody, case.usual(), ("refused", "confirm.no_terminal")).await;
        assert!(result.error.unwrap().contains("--dry-run"));
        let no = with(Answers::always(Answer::No));
        ends(&case, &no, case.usual(), ("refused", "confirm.declined")).await;
        let abort = with(Answers::always(Answer::Abort));
        ends(&case, &abort, case.usual(), ("stopped", "cancelled")).await;

        let sensitive = case.builder().mode(ConfirmMode::ConfirmSensitive).answers(Answers::always(Answer::No)).build();
        let result = submit(&case, &sensitive, case.usual()).await;
        assert_eq!(result.success, !case.asks(), "{}: the list says when a person is asked", case.name());
        assert_eq!(sensitive.answers.asked().len(), usize::from(case.asks()));

        let yes = with(Answers::always(Answer::Yes));
        let result = submit(&case, &yes, case.usual()).await;
        assert!(result.success, "{}: {}", case.name(), result.for_model());
        case.done_on_disk();
        let asked = yes.answers.asked();
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0].arguments, case.usual());
        assert_eq!(asked[0].commands.len(), usize::from(case.commands()), "{}", case.name());
        assert_eq!(asked[0].isolation, case.commands().then_some("full"), "{}", case.name());
        if case.writes() {
            let shown = asked[0].diff.as_deref().unwrap_or_default();
            assert_eq!(Some(shown), result.diff.as_deref(), "{}: what was agreed to is what was done", case.name());
            assert!(shown.contains(case.changed()), "{}: {shown}", case.name());
        }
    }
}

#[tokio::test]
async fn dry_run() {
    for case in cases().await {
        let gate =
            case.builder().mode(ConfirmMode::ConfirmAll).answers(Answers::nobody()).dry_run(&case.workspace).build();
        let before = case.workspace.everything();
        let result = submit(&case, &gate, case.usual()).await;
        assert!(result.success, "{}: {}", case.name(), result.for_model());
        assert_eq!(case.workspace.everything(), before, "{}", case.name());
        assert_eq!(gate.recorded.records()[0]["dry_run"], true);
        if case.commands() {
            assert_eq!(case.commanded(), 0, "{}: a command is not rehearsed", case.name());
            let start = format!("[DRY-RUN] Would run: {}({{", case.tool.name);
            assert!(result.output.starts_with(&start) && result.output.contains("dangerous"), "{}", result.output);
            continue;
        }
        let start = format!("[DRY-RUN] Would run: {}({{", case.tool.name);
        if case.tells() {
            assert_eq!(case.commanded(), 0, "{}: nobody is told", case.name());
            let told = if case.tool.name == "message" { "ops:alerts" } else { "src/a.txt" };
            assert!(result.output.starts_with(&start) && result.output.contains(told), "{}", result.output);
        } else if case.writes() {
            assert!(result.output.starts_with(&start) && result.output.contains(case.changed()), "{}", result.output);
        } else {
            assert!(!result.output.contains("DRY-RUN"), "reads are real: {}", result.output);
        }
        if gate.toolset.get("read_file").is_none() {
            continue;
        }
        let later = gate.call("read_file", json!({"path": "src/a.txt"})).await;
        match case.tool.name {
            "delete_file" => assert!(!later.success, "{}", later.output),
            _ if case.writes() => assert!(later.output.contains("TWO"), "{}: {}", case.name(), later.output),
            _ => assert!(later.output.contains("two"), "{}", later.output),
        }
    }
}

#[tokio::test]
async fn execute_and_return() {
    for case in cases().await {
        let gate = case.builder().build();
        let result = submit(&case, &gate, case.usual()).await;
        assert!(result.success, "{}: {}", case.name(), result.for_model());
        case.done_on_disk();
        assert!(!result.output.is_empty(), "{}", case.name());
        assert_eq!(result.data.is_some(), case.gives_json(), "{}: programs get JSON", case.name());
        assert_eq!(result.diff.is_some(), case.writes(), "{}", case.name());

        let text = Value::from(result.output.clone());
        let shape = |shape| result.to_json(shape);
        let whole = shape(ToolsetName::Palanca);
        assert_eq!((&whole["success"], &whole["output"], &whole["outcome"]), (&json!(true), &text, &json!("done")));
        assert_eq!(shape(ToolsetName::Architect), json!({"success": true, "output": text, "error": null}));
        assert_eq!(shape(ToolsetName::Bots), json!({"success": true, "content": text}));
        assert_eq!(shape(ToolsetName::Picoclaw), text);
        let output = result.data.clone().unwrap_or(text);
        assert_eq!(
            shape(ToolsetName::Contracts),
            json!({"name": case.tool.name, "input": case.usual(), "output": output})
        );

        let failed = gate.call(case.tool.name, json!({"nonsense": 1})).await;
        let error = Value::from(failed.error.clone().unwrap());
        assert_eq!(failed.to_json(ToolsetName::Architect), json!({"success": false, "output": error, "error": error}));
        assert_eq!(failed.to_json(ToolsetName::Bots), json!({"success": false, "content": error}));
        assert_eq!(failed.to_json(ToolsetName::Picoclaw), json!({"error": error}));
        let contracts = failed.to_json(ToolsetName::Contracts);
        assert_eq!((&contracts["name"], &contracts["error"]), (&json!(case.tool.name), &error));
    }
}

#[tokio::test]
async fn hooks_after() {
    for case in cases().await {
        let hook = Arc::new(TestHook::new(Said { before: None, after: Some("[Hook test: note]".to_owned()) }));
        let gate = case.builder().hook(Arc::clone(&hook) as _).build();
        let result = submit(&case, &gate, case.usual()).await;
        assert!(result.success && result.output.ends_with("\n[Hook test: note]"), "{}: {}", case.name(), result.output);
        assert_eq!(hook.seen(), ["before", "after"]);
    }
}

#[tokio::test]
async fn both_languages() {
    for case in cases().await {
        let gate = case.builder().locale(Locale::Es).build();
        let result = submit(&case, &gate, case.usual()).await;
        assert!(result.success, "{}: {}", case.name(), result.for_model());
        let error = gate.call(case.tool.name, json!({"nonsense": 1})).await.error.unwrap();
        assert!(error.starts_with("Argumentos inválidos: "), "{error}");
        let error = gate.call("nothing", json!({})).await.error.unwrap();
        assert!(error.starts_with("Tool no encontrada"), "{error}");
    }
}

#[tokio::test]
async fn explained_without_a_run() {
    for case in cases().await {
        let gate = case.builder().mode(ConfirmMode::ConfirmSensitive).build();
        let before = case.workspace.everything();
        let explanation = gate.gate.explain(&gate.toolset, &gate.submission(case.tool.name, case.usual())).await;
        assert_eq!(case.workspace.everything(), before);
        let verdicts: Vec<&str> = explanation.stages.iter().map(|stage| stage.verdict.name()).collect();
        let last = if case.asks() { "ask" } else { "allow" };
        assert_eq!(verdicts, ["allow", "allow", "allow", last], "{}", case.name());
        assert_eq!(explanation.diff.is_some(), case.writes(), "{}", case.name());
        assert_eq!(explanation.effects.is_empty(), !case.touches_anything(), "{}", case.name());
        assert_eq!(explanation.commands.len(), usize::from(case.commands()), "{}", case.name());
        assert_eq!(case.commanded(), 0, "{}", case.name());
        assert!(gate.recorded.records().is_empty());
    }
}

#[tokio::test]
async fn a_tool_that_is_switched_off_says_what_switches_it_on() {
    let workspace = TempWorkspace::new();
    let off = |change: fn(&mut ToolOptions)| {
        let mut changed = options();
        change(&mut changed);
        changed
    };
    for (toolset, tool, options, setting) in [
        (ToolsetName::Palanca, "web_fetch", off(|on| on.web.enabled = false), "webTools.enabled: true"),
        (ToolsetName::Bots, "web_search", off(|on| on.web.enabled = false), "webTools.enabled: true"),
        (ToolsetName::Picoclaw, "web_search", off(|on| on.web.enabled = false), "webTools.enabled: true"),
        (ToolsetName::Picoclaw, "web_fetch", off(|on| on.web.enabled = false), "webTools.enabled: true"),
        (ToolsetName::Bots, "web_search", off(|on| on.web.search.providers.clear()), "webTools.search.apiKey"),
        (ToolsetName::Bots, "delegate_to_bot", off(|on| on.bots.others.clear()), "bots: at least two"),
        (ToolsetName::Architect, "run_command", off(|on| on.commands.enabled = false), "commands.enabled: true"),
        (ToolsetName::Picoclaw, "exec", off(|on| on.commands.enabled = false), "commands.enabled: true"),
        (ToolsetName::Palanca, "process", off(|on| on.commands.enabled = false), "commands.enabled: true"),
        (ToolsetName::Bots, "exec", off(|on| on.exec.enabled = false), "exec.enabled: true"),
        (ToolsetName::Bots, "process", off(|on| on.process.enabled = false), "processTools.enabled: true"),
        (ToolsetName::Palanca, "spawn", off(|on| on.subagents.enabled = false), "subagents.enabled: true"),
        (ToolsetName::Palanca, "message", off(|on| on.message.channels.clear()), "channels"),
    ] {
        let gate = TestGate::builder(&workspace, registry(toolset, &options).unwrap()).build();
        let given = match (toolset, tool) {
            // Offered all the same, so their arguments are read first.
            (ToolsetName::Picoclaw, "web_search") => json!({"query": "x"}),
            (ToolsetName::Picoclaw, "web_fetch") => json!({"url": "http://x.example"}),
            _ => json!({"command": "x", "url": "x"}),
        };
        let result = gate.call(tool, given.clone()).await;
        let error = result.error.unwrap();
        assert!(error.contains(tool) && error.contains("switched off") && error.contains(setting), "{error}");
        assert_eq!(result.input, given, "{tool}");
    }
    let gate = TestGate::builder(&workspace, registry(ToolsetName::Palanca, &options()).unwrap()).build();
    let (plan, _) = gate.toolset.restrict(["read_file"]);
    let result = gate.gate.submit(&plan, gate.submission("write_file", json!({}))).await;
    let error = result.error.unwrap();
    assert!(error.contains("not on this agent's list") && error.ends_with("read_file"), "{error}");
}

#[test]
fn the_list_itself() {
    for toolset in ToolsetName::ALL {
        let registry = registry(toolset, &options()).unwrap();
        let listed: Vec<&str> = BUILT_IN.iter().filter(|tool| tool.is_in(toolset)).map(|tool| tool.name).collect();
        assert_eq!(registry.count(), listed.len());
        let options = Arc::new(options());
        for tool in BUILT_IN.iter().filter(|tool| tool.is_in(toolset)) {
            let built = tool.build(toolset, &options).unwrap();
            assert_eq!(built.spec().name, tool.name);
            assert_eq!(built.spec().annotations.read_only, tool.permission == Permission::Allow, "{}", tool.name);
            let schema = built.schema();
            assert_eq!((contradiction(schema), &schema["type"]), (None, &json!("object")), "{}", tool.name);
            assert_eq!(schema["additionalProperties"], false);
            for (name, property) in schema["properties"].as_object().unwrap() {
                assert!(property["description"].is_string(), "{toolset}: {}.{name} needs a description", tool.name);
            }
        }
    }
}
