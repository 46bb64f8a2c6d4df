//! Programs in the background and `process`, with a door that starts nothing.

use crate::support::options;
use palanca_core::call::{BotId, Lifetime};
use palanca_core::ports::{Answer, Exit};
use palanca_core::{ConfirmMode, ToolResult};
use palanca_testkit::{Answers, FakeProcesses, TempWorkspace, TestGate};
use palanca_tools::{ToolsetName, registry};
use serde_json::{Value, json};
use std::sync::Arc;

struct Bots {
    door: Arc<FakeProcesses>,
    gate: TestGate,
    _workspace: TempWorkspace,
}

fn bots(toolset: ToolsetName) -> Bots {
    let workspace = TempWorkspace::new();
    let door = Arc::new(FakeProcesses::default());
    let gate = TestGate::builder(&workspace, registry(toolset, &options()).unwrap())
        .processes(Arc::clone(&door) as _)
        .mode(ConfirmMode::Yolo)
        .build();
    Bots { door, gate, _workspace: workspace }
}

impl Bots {
    async fn started(&self, command: &str) -> ToolResult {
        let tool = if self.gate.toolset.get("exec").is_some() { "exec" } else { "run_command" };
        self.gate.call(tool, json!({"command": command, "background": true})).await
    }

    async fn process(&self, arguments: Value) -> (bool, String) {
        let result = self.gate.call("process", arguments).await;
        (result.success, result.error.clone().unwrap_or(result.output))
    }

    async fn of(&self, action: &str) -> (bool, String) {
        self.process(json!({"action": action, "session_id": "session-1"})).await
    }
}

#[tokio::test]
async fn started_and_left() {
    for toolset in [ToolsetName::Bots, ToolsetName::Palanca] {
        let bots = bots(toolset);
        let result = bots.started("sleep 5").await;
        let text = "Started in the background.\nSession ID: session-1\nPID: 1001\nUse the tool `process`";
        assert!(result.success && result.output.starts_with(text), "{}", result.for_model());
        assert_eq!(result.data, Some(json!({"session_id": "session-1", "pid": 1001})));
        assert_eq!(bots.door.launches()[0].lifetime, Lifetime::Session);
        assert!(bots.door.limits().is_empty(), "nobody waits for it");
    }
}

#[tokio::test]
async fn without_process_a_command_is_waited_for() {
    let workspace = TempWorkspace::new();
    let door = Arc::new(FakeProcesses::default());
    let mut set = options();
    set.process.enabled = false;
    let registry = registry(ToolsetName::Bots, &set).unwrap();
    let gate =
        TestGate::builder(&workspace, registry).processes(Arc::clone(&door) as _).mode(ConfirmMode::Yolo).build();
    let result = gate.call("exec", json!({"command": "ls", "background": true})).await;
    assert!(result.success, "{}", result.for_model());
    assert_eq!(door.launches()[0].lifetime, Lifetime::Call);
}

#[tokio::test]
async fn every_action_in_its_words() {
    for toolset in [ToolsetName::Bots, ToolsetName::Palanca] {
        let bots = bots(toolset);
        let list = || bots.process(json!({"action": "list"}));
        assert_eq!(list().await, (true, "No background processes.".to_owned()));
        bots.started("python3 -i\n").await;
        bots.started("true").await;
        bots.door.ends("session-2", Exit::Code(7));
        let listed =
            "[RUNNING] session-1 — PID 1001 — 3s — python3 -i\\n\n[FINISHED] session-2 — PID 1002 — exit 7 — 3s — true";
        assert_eq!(list().await, (true, listed.to_owned()));

        assert_eq!(bots.of("poll").await, (true, "[RUNNING] PID 1001\n\n(no new output)".to_owned()));
        bots.door.prints("session-1", "\u{1b}[1m>>>\u{1b}[0m ñ\r\n");
        assert_eq!(bots.of("poll").await, (true, "[RUNNING] PID 1001\n\n>>> ñ".to_owned()));
        assert_eq!(bots.of("poll").await, (true, "[RUNNING] PID 1001\n\n(no new output)".to_owned()), "it is drained");

        let write = json!({"action": "write", "session_id": " session-1 ", "input": "1 + 1"});
        assert_eq!(bots.process(write).await, (true, "Sent 5 bytes to session-1.".to_owned()));
        assert_eq!(bots.door.sent("session-1"), "1 + 1", "no newline is added");

        assert_eq!(bots.of("clear").await, (false, "Session session-1 is still running. Kill it first.".to_owned()));
        let (killed, text) = bots.of("kill").await;
        assert!(killed && text.starts_with("Killed session-1 (PID 1001)"), "{text}");
        let write = json!({"action": "write", "session_id": "session-1", "input": "x"});
        let (written, text) = bots.process(write).await;
        assert!(!written && text.starts_with("Session session-1 has ended"), "{text}");
        bots.door.prints("session-1", "bye");
        assert_eq!(bots.of("poll").await, (true, "[FINISHED] PID 1001 — exit code killed\n\nbye".to_owned()));
        bots.door.ends("session-1", Exit::Code(1));
        assert_eq!(bots.of("poll").await, (true, "[FINISHED] PID 1001 — exit code 1\n\n(no new output)".to_owned()));
        assert_eq!(bots.of("clear").await, (true, "Cleared session-1.".to_owned()));
        let (found, text) = bots.of("poll").await;
        assert!(!found && text.starts_with("There is no background process 'session-1'"), "{text}");
    }
}

#[tokio::test]
async fn what_is_missing_or_wrong_is_said() {
    for toolset in [ToolsetName::Bots, ToolsetName::Palanca] {
        let bots = bots(toolset);
        bots.started("cat").await;
        for action in ["poll", "write", "kill", "clear"] {
            for missing in
                [json!({"action": action, "input": "x"}), json!({"action": action, "session_id": " ", "input": "x"})]
            {
                let (success, text) = bots.process(missing).await;
                assert!(!success && text.starts_with("Missing session_id"), "{action}: {text}");
            }
            let (success, text) = bots.process(json!({"action": action, "session_id": "nobody's", "input": "x"})).await;
            assert!(!success && text.starts_with("There is no background process 'nobody's'"), "{action}: {text}");
        }
        for write in [
            json!({"action": "write", "session_id": "session-1"}),
            json!({"action": "write", "session_id": "session-1", "input": ""}),
        ] {
            let (success, text) = bots.process(write).await;
            assert!(!success && text.starts_with("Missing input"), "{text}");
        }
        let (success, text) = bots.process(json!({"action": "explode"})).await;
        assert!(!success && text.contains("action: \"explode\" is none of \"list\""), "{text}");
    }
}

#[tokio::test]
async fn keys_are_sent_as_bytes() {
    let bots = bots(ToolsetName::Palanca);
    bots.started("vim").await;
    let keys = |keys: Value| json!({"action": "send_keys", "session_id": "session-1", "keys": keys});
    let (success, text) = bots.process(keys(json!(["text:ihello", "escape", ":", "w", "enter", "c-c"]))).await;
    assert!(success, "{text}");
    assert_eq!(bots.door.sent("session-1"), "ihello\u{1b}:w\r\u{3}");
    assert!(bots.process(keys(json!("enter"))).await.0, "one key needs no list");
    let (success, text) = bots.process(keys(json!(["c-"]))).await;
    assert!(!success && text.starts_with("'c-' is not a key. Use enter, tab"), "{text}");
    let (success, text) = bots.process(json!({"action": "send_keys", "session_id": "session-1"})).await;
    assert!(!success && text.starts_with("Missing keys"), "{text}");
    assert!(bots.door.sent("session-1").ends_with("\r"));
}

#[tokio::test]
async fn a_process_of_another_bot_is_unreachable() {
    let bots = bots(ToolsetName::Bots);
    let call = async |bot: &str, tool: &str, arguments: Value| {
        let mut call = bots.gate.submission(tool, arguments);
        call.scope.bot = Some(BotId::new(bot));
        bots.gate.gate.submit(&bots.gate.toolset, call).await
    };
    let started = call("ada", "exec", json!({"command": "cat", "background": true})).await;
    assert!(started.success, "{}", started.for_model());
    bots.door.prints("session-1", "ada's secret");
    assert_eq!(call("bea", "process", json!({"action": "list"})).await.output, "No background processes.");
    for action in ["poll", "write", "kill", "clear"] {
        let arguments = json!({"action": action, "session_id": "session-1", "input": "x"});
        let result = call("bea", "process", arguments).await;
        assert_eq!(result.code.as_deref(), Some("not_found"), "{action}: {}", result.for_model());
        assert!(!result.for_model().contains("secret"));
    }
    assert_eq!(bots.door.sent("session-1"), "");
    let polled = call("ada", "process", json!({"action": "poll", "session_id": "session-1"})).await;
    assert_eq!(polled.output, "[RUNNING] PID 1001\n\nada's secret");
}

#[tokio::test]
async fn reading_needs_no_approval_and_input_does() {
    let workspace = TempWorkspace::new();
    let door = Arc::new(FakeProcesses::default());
    let build = |answers: Answers, mode: ConfirmMode| {
        let registry = registry(ToolsetName::Bots, &options()).unwrap();
        TestGate::builder(&workspace, registry).processes(Arc::clone(&door) as _).answers(answers).mode(mode).build()
    };
    let yolo = build(Answers::nobody(), ConfirmMode::Yolo);
    assert!(yolo.call("exec", json!({"command": "cat", "background": true})).await.success);
    let gate = build(Answers::always(Answer::No), ConfirmMode::ConfirmSensitive);
    for (action, runs) in [("list", true), ("poll", true), ("write", false), ("kill", true), ("clear", true)] {
        let result = gate.call("process", json!({"action": action, "session_id": "session-1", "input": "x"})).await;
        assert_eq!(result.success, runs, "{action}: {}", result.for_model());
    }
    assert_eq!(gate.answers.asked().len(), 1);
}
