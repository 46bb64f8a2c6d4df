//! What spans and lines say of a run, and what they must not say.

use crate::house::{House, block_on};
use palanca_agent::session::{State, Terms};
use palanca_config::{Config, TelemetryExporter};
use palanca_core::ConfirmMode;
use palanca_host::agent::model;
use palanca_host::traces::Traces;
use palanca_host::{Drained, GRACE, Keeping, Session, SessionSettings, configuration};
use palanca_testkit::{Manner, ScriptedServer, Turn, again};
use serde_json::{Value, json};
use std::process::Command;
use std::sync::Arc;

const LINES: &str = "PALANCA_TEST_LINES";
/// In arguments, outputs, answers, headers, names: in no span and in no line.
const CANARY: &str = "canary7f3a";

/// Not a test of its own: the program that is traced.
pub fn the_program_that_is_traced() {
    let Ok(lines) = std::env::var(LINES) else { return };
    let house = House::new();
    let change = |config: &mut Config| {
        config.llm.model = Some("openai:scripted".to_owned());
        config.telemetry.enabled = true;
        config.telemetry.exporter = TelemetryExporter::JsonFile;
        config.telemetry.trace_file = Some(lines);
    };
    let mut config = Config::default();
    change(&mut config);
    let agent = house.agent("work", |built| *built = Config { workspace: built.workspace.clone(), ..config.clone() });
    std::fs::write(house.path("work/a.txt"), format!("{CANARY}\n")).unwrap();
    house.host.trace(&config, Traces::of(&config, Arc::new(|_| ())).unwrap());
    let settings = SessionSettings { mode: ConfirmMode::Yolo, keeping: Keeping::New, ..SessionSettings::default() };
    let session = Session::new(&agent, settings).unwrap();
    let roles = configuration::agents(&config);
    let drained = block_on(async {
        let model = model::model(&house.host, &config, 0).await.unwrap();
        let terms = Terms { workspace: "/w".to_owned(), ..Terms::default() };
        session.kept().unwrap().begin(CANARY, terms, None).await.unwrap();
        let turn = session.turn(&*model, roles.get("build").unwrap());
        let (ended, _) = turn.resume(Default::default(), State::default(), Some(CANARY)).await;
        assert!(ended.answer.unwrap().contains(CANARY));
        let drained = house.host.drain(GRACE).await;
        // On a very busy machine one attempt may not be enough.
        let mut said = usize::MAX;
        while said != house.heard.keys().len() {
            said = house.heard.keys().len();
            house.host.flush_traces().await;
        }
        drained
    });
    assert_eq!(drained, Drained::default());
}

/// The spans that a collector was sent.
fn spans(collector: &ScriptedServer) -> Vec<Value> {
    let bodies = collector.requests().into_iter().map(|sent| sent.body);
    bodies.flat_map(|body| body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone()).collect()
}

fn attribute<'s>(span: &'s Value, name: &str) -> Option<&'s Value> {
    let all = span["attributes"].as_array().unwrap();
    all.iter().find(|attribute| attribute["key"] == name).and_then(|found| found["value"].as_object()?.values().next())
}

pub fn a_collector_gets_the_spans_of_a_run_and_no_word_of_it() {
    let collector =
        ScriptedServer::spawn((0..20).map(|_| Turn::raw("application/json", "{}")).collect(), Manner::default());
    let calls = [
        ("read_file", json!({"path": "a.txt"})),
        ("run_command", json!({"command": format!("echo {CANARY}; exit 3")})),
        ("read_file", json!({"path": format!("{CANARY}.txt")})),
        (CANARY, json!({"a": 1})),
    ];
    let turns = vec![Turn::calls(calls).with_usage(100, 20), Turn::text(CANARY).with_usage(120, 5)];
    let provider = ScriptedServer::spawn(turns, Manner::default());
    let folder = tempfile::tempdir().unwrap();
    let lines = folder.path().join("lines.jsonl");
    let mut program = Command::new(std::env::current_exe().unwrap());
    program
        .env(LINES, &lines)
        .env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", format!("{}/v1/messages", collector.url()))
        .env("OTEL_EXPORTER_OTLP_HEADERS", format!("authorization=Bearer%20{CANARY}"))
        // A request that is given up would be sent again.
        .env("OTEL_EXPORTER_OTLP_TIMEOUT", "600000")
        .env("OTEL_SERVICE_NAME", "tested")
        .env("OPENAI_BASE_URL", provider.openai_url())
        .env("OPENAI_API_KEY", CANARY);
    again("the traced program", &mut program, &["--exact", "traced::the_program_that_is_traced"]);

    let sent = collector.requests();
    assert_eq!(sent[0].header("authorization"), Some(&*format!("Bearer {CANARY}")));
    assert!(sent[0].body.to_string().contains("\"tested\""));
    let all = spans(&collector);
    let one = |name: &str| all.iter().filter(|span| span["name"] == name).collect::<Vec<_>>();
    let (agent, chats) = (one("invoke_agent build")[0], one("chat scripted"));
    let command = one("execute_tool run_command")[0];
    assert!(agent.get("parentSpanId").is_none() && all.iter().all(|span| span["traceId"] == agent["traceId"]));
    let within = |span: &Value, parent: &Value| span["parentSpanId"] == parent["spanId"];
    let tools = [one("execute_tool read_file"), one("execute_tool run_command"), one("execute_tool unknown")].concat();
    assert_eq!((chats.len(), tools.len()), (2, 4));
    assert!(chats.iter().chain(&tools).all(|span| within(span, agent)));
    assert!(one("process").iter().all(|span| within(span, command)) && one("process").len() == 1);
    assert!(one("POST").iter().all(|post| chats.iter().any(|chat| within(post, chat))) && one("POST").len() == 2);
    for (span, expected) in [
        (
            agent,
            json!({
                "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "build", "gen_ai.provider.name": "openai",
                "gen_ai.request.model": "scripted", "gen_ai.usage.input_tokens": "220", "gen_ai.usage.output_tokens": "25",
                "palanca.steps": "2", "palanca.stop_reason": "llm_done", "palanca.outcome": "success",
            }),
        ),
        (
            chats[0],
            json!({
                "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "scripted",
                "gen_ai.usage.input_tokens": "100", "gen_ai.usage.output_tokens": "20", "palanca.outcome": "tool_calls",
                "palanca.step": "1",
            }),
        ),
        (
            command,
            json!({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "run_command", "palanca.outcome": "failed"}),
        ),
        (one("execute_tool unknown")[0], json!({"error.type": "unknown_tool", "palanca.outcome": "failed"})),
        (one("process")[0], json!({"process.exit.code": "3"})),
        (
            one("POST")[0],
            json!({"http.request.method": "POST", "server.address": "127.0.0.1", "http.response.status_code": "200"}),
        ),
    ] {
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(attribute(span, name), Some(value), "{name} of {span}");
        }
    }
    assert!(tools.iter().all(|span| attribute(span, "gen_ai.tool.call.id").is_some()));

    let written = std::fs::read_to_string(&lines).unwrap();
    let logged: Vec<Value> = written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(logged.iter().filter(|line| line["event"] == "span").count(), all.len());
    assert!(!written.contains(CANARY), "{written}");
    let bodies: String = sent.iter().map(|sent| sent.body.to_string()).collect();
    assert!(!bodies.contains(CANARY), "{bodies}");
}
