//! Sessions taken up again: the whole program from its start to the end of one more answer, by the length of the session;
//! beside Python reading a session file of the same length.

use crate::stat::row;
use palanca_agent::Source;
use palanca_agent::session::{Answered, CallEnded, Changes, Entry, Keeper, Prompt, Session, Terms};
use palanca_core::call::{OutcomeKind, Speaker};
use palanca_core::ports::{AsItIs, SystemClock, wait};
use palanca_core::{ConfirmMode, Scope, call::SessionId};
use palanca_models::{Message, ToolCall, Usage};
use palanca_store::Database;
use serde_json::json;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Prints the time in seconds and the most memory in KiB of a program.
const MEASURE: &str = "import resource, subprocess, sys, time
begun = time.time()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
assert done.returncode == 0, done.stderr
print(time.time() - begun, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";

pub fn bench() {
    for turns in [100, 1000, 10_000] {
        let folder = tempfile::tempdir().unwrap();
        let (home, workspace) = (folder.path().join("home"), folder.path().join("ws"));
        std::fs::create_dir_all(&home).unwrap();
        std::fs::create_dir_all(&workspace).unwrap();
        fill(&home, &workspace, turns);
        std::fs::write(folder.path().join("r.jsonl"), "{\"content\": \"Done.\"}\n").unwrap();
        let model = format!("replay:{}", folder.path().join("r.jsonl").display());
        let program = env!("CARGO_BIN_EXE_palanca");
        let ours = measured(&home, &[program, "sessions", "resume", "latest", "More", "--model", &model]);
        row(&format!("resume, {turns} turns, all in the conversation"), &ours, "≤ 1 s, ≤ 100 MB");
        let file = folder.path().join("architect.json");
        std::fs::write(&file, architect(turns)).unwrap();
        let load = format!("import json; json.load(open({:?}))", file.display().to_string());
        row(
            &format!("Python reads {turns} turns of an architect session file"),
            &measured(&home, &["python3", "-c", &load]),
            "–",
        );
    }
}

fn measured(home: &Path, words: &[&str]) -> String {
    let output = Command::new("python3")
        .args(["-c", MEASURE])
        .args(words)
        .env("PALANCA_HOME", home)
        .env("PALANCA_CONTEXT_MAX_CONTEXT_TOKENS", "0")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut numbers = text.split_whitespace().map(|number| number.parse::<f64>().unwrap());
    let (Some(seconds), Some(kib)) = (numbers.next(), numbers.next()) else {
        panic!("{}", String::from_utf8_lossy(&output.stderr))
    };
    format!("{:.0} ms, {:.0} MB", seconds * 1000.0, kib / 1024.0)
}

fn result(turn: usize) -> String {
    format!("File: src/file{turn}.rs (12 lines)\n{}", "    1 | let value = compute(input)?; // as before\n".repeat(12))
}

fn fill(home: &Path, workspace: &Path, turns: usize) {
    let keeper = Keeper {
        store: Arc::new(Database::lazy(home)),
        redactor: Arc::new(AsItIs),
        clock: Arc::new(SystemClock::default()),
    };
    let session = Session::new(keeper, Scope::session(SessionId::new("0199-bench")));
    let terms = Terms {
        agent: "build".into(),
        model: Some("openai:gpt-4o".into()),
        mode: ConfirmMode::Yolo,
        toolset: "palanca".into(),
        workspace: workspace.display().to_string(),
        ..Terms::default()
    };
    wait(session.begin("A long task", terms, None)).unwrap();
    session.keep(&Entry::Prompt(Prompt {
        text: "A long task".into(),
        speaker: Speaker::User,
        message: None,
        parts: Vec::new(),
    }));
    for turn in 0..turns {
        let call = ToolCall {
            id: format!("call_{turn}").as_str().into(),
            name: "read_file".into(),
            arguments: json!({"path": format!("src/file{turn}.rs")}).to_string(),
        };
        session.keep(&Entry::Answered(Answered {
            step: turn as u32 + 1,
            source: Source::Agent,
            message: Some(Message::calling("I look at the next file.", vec![call.clone()])),
            usage: Usage { input: 1000, output: 20, ..Usage::default() },
            dollars: Some(0.002),
            cut: false,
            withheld: Vec::new(),
        }));
        session.keep(&Entry::CallEnded(CallEnded {
            call: call.id,
            tool: call.name,
            content: result(turn),
            parts: Vec::new(),
            success: true,
            outcome: OutcomeKind::Done,
            code: None,
            error: None,
            verdicts: Vec::new(),
            duration_us: 900,
            timings: Vec::new(),
            diff: None,
            changes: Changes::default(),
            artifact: None,
            foreign: false,
        }));
    }
    wait(session.stored());
    assert!(session.fault().is_none());
}

fn architect(turns: usize) -> String {
    let mut messages = vec![json!({"role": "user", "content": "A long task"})];
    for turn in 0..turns {
        let function =
            json!({"name": "read_file", "arguments": json!({"path": format!("src/file{turn}.rs")}).to_string()});
        messages.push(json!({"role": "assistant", "content": "I look at the next file.", "tool_calls":
            [{"id": format!("call_{turn}"), "type": "function", "function": function}]}));
        messages.push(json!({"role": "tool", "tool_call_id": format!("call_{turn}"), "content": result(turn)}));
    }
    json!({"session_id": "20260101-000000-abcdef", "task": "A long task", "agent": "build", "model": "gpt-4o",
        "status": "partial", "steps_completed": turns, "messages": messages, "files_modified": [], "total_cost": 0.1,
        "started_at": 1.0, "updated_at": 2.0, "stop_reason": null, "metadata": {}})
    .to_string()
}
