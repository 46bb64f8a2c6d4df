//! The agent against a server: three wire formats, streamed in small pieces, through faults.

use crate::harness::{Bench, Ended};
use palanca_testkit::{Manner, ScriptedServer, Tools, Turn};
use serde_json::json;

/// Provider, the variable of its address, whether that ends in /v1.
const WIRES: [(&str, &str, bool); 3] = [
    ("openai:scripted", "OPENAI_BASE_URL", true),
    ("openai-responses:scripted", "OPENAI_BASE_URL", true),
    ("anthropic:scripted", "ANTHROPIC_BASE_URL", false),
];

fn run(bench: &Bench, server: &ScriptedServer, wire: (&str, &str, bool), more: &[&str]) -> Ended {
    let (model, variable, v1) = wire;
    let url = if v1 { server.openai_url() } else { server.url() };
    let mut command = bench.command(&["run", "Fix a.txt", "--mode", "yolo", "--model", model]);
    command.args(more).env(variable, url).env("OPENAI_API_KEY", "sk-canary").env("ANTHROPIC_API_KEY", "sk-canary");
    let ended = crate::harness::ended(command.output().unwrap());
    assert!(!format!("{}{}", ended.stdout, ended.stderr).contains("sk-canary"), "the key was shown");
    ended
}

fn script() -> Vec<Turn> {
    vec![
        Turn::calls([("read_file", json!({"path": "a.txt"})), ("grep", json!({"pattern": "one"}))])
            .with_text("Looking."),
        Turn::calls([("edit_file", json!({"path": "a.txt", "old_str": "one", "new_str": "uno ñ 😀"}))]),
        Turn::text("Done: a.txt is fixed, ñ 😀."),
    ]
}

#[test]
fn every_wire_works_in_pieces_of_1_7_and_20_bytes_and_whole() {
    for wire in WIRES {
        for (chunk, more) in [(1, &[][..]), (7, &[]), (20, &[]), (4096, &["--no-stream"])] {
            let bench = Bench::new(&[("a.txt", "one\ntwo\n")]);
            let server = ScriptedServer::spawn(script(), Manner { chunk, tools: Tools::Read });
            let ended = run(&bench, &server, wire, more).expect(0);
            assert!(ended.stdout.ends_with("Done: a.txt is fixed, ñ 😀.\n"), "{wire:?} {chunk}: {}", ended.stdout);
            assert_eq!(bench.read("a.txt"), "uno ñ 😀\ntwo\n", "{wire:?} {chunk}");
            assert_eq!(server.requests().len(), 3, "{wire:?} {chunk}");
        }
    }
}

#[test]
fn the_result_that_goes_back_holds_error_and_output() {
    for wire in WIRES {
        let bench = Bench::new(&[("a.txt", "one\n")]);
        let turns = vec![Turn::calls([("read_file", json!({"path": "b.txt"}))]), Turn::text("It is not there.")];
        let server = ScriptedServer::spawn(turns, Manner { chunk: 20, tools: Tools::Read });
        run(&bench, &server, wire, &[]).expect(0);
        let sent = server.requests()[1].body.to_string();
        assert!(sent.contains("b.txt") && sent.contains("a.txt"), "the neighbours are named: {sent}");
    }
}

#[test]
fn passing_faults_are_retried_and_lasting_ones_have_their_exit_code() {
    let check = |wire| {
        let bench = Bench::new(&[]);
        let spawn = |turns| ScriptedServer::spawn(turns, Manner { chunk: 20, tools: Tools::Read });
        let recovers = spawn(vec![Turn::rate_limited(0), Turn::status(500, "oops"), Turn::text("Here.")]);
        let ended = run(&bench, &recovers, wire, &[]).expect(0);
        assert!(ended.stdout.contains("Here."), "{wire:?}: {}", ended.stdout);

        let refused = spawn(vec![Turn::status(401, "bad key")]);
        let ended = run(&bench, &refused, wire, &[]).expect(4);
        assert!(ended.stderr.contains("API_KEY"), "{wire:?}: {}", ended.stderr);

        let nonsense = spawn(vec![Turn::text("half an answer").malformed()]);
        let ended = run(&bench, &nonsense, wire, &[]).expect(1);
        assert!(ended.stderr.contains("scripted"), "{wire:?}: {}", ended.stderr);

        let broken = spawn(vec![Turn::text("a longer answer that breaks off in the middle").disconnect_after(60)]);
        run(&bench, &broken, wire, &[]).expect(1);
    };
    // Each waits before it tries again.
    std::thread::scope(|threads| WIRES.into_iter().for_each(|wire| drop(threads.spawn(move || check(wire)))));
}

#[test]
fn the_exit_code_follows_the_kind_of_a_failure_and_not_its_words() {
    let words = "authentication unauthorized: invalid api key, auth timeout";
    for (turn, code) in [
        (Turn::status(400, words), 1),
        (Turn::status(404, words), 1),
        (Turn::status(401, "timeout"), 4),
        (Turn::status(403, "no"), 4),
    ] {
        for wire in WIRES {
            let bench = Bench::new(&[]);
            let server = ScriptedServer::spawn(vec![turn.clone()], Manner { chunk: 20, tools: Tools::Read });
            run(&bench, &server, wire, &[]).expect(code);
        }
    }
    let bench = Bench::new(&[]);
    bench.run(&["call", "read_file", r#"{"path": "auth/timeout.txt"}"#]).expect(1);
    bench.run(&["run", "authenticate", "--model", "replay:auth-timeout.jsonl"]).expect(3);
    bench.run(&["run", "x", "--agent", "auth-timeout"]).expect(3);
}

#[test]
fn no_connection_and_no_answer_are_distinguished() {
    let bench = Bench::new(&[]);
    let mut command = bench.command(&["run", "x", "--model", "openai:m", "--api-base", "http://127.0.0.1:9/v1"]);
    let nobody = crate::harness::ended(command.env("PALANCA_LLM_RETRIES", "0").output().unwrap()).expect(1);
    assert!(nobody.stderr.contains("127.0.0.1:9"), "{}", nobody.stderr);
    let missing = bench.run(&["run", "x", "--model", "openai:gpt-4.1"]).expect(4);
    assert!(missing.stderr.contains("OPENAI_API_KEY"), "{}", missing.stderr);
}

#[test]
fn a_server_that_ignores_tools_is_told_of_and_asked_otherwise_where_that_is_set() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let server =
        ScriptedServer::spawn(vec![Turn::text("I cannot use tools.")], Manner { chunk: 20, tools: Tools::Ignored });
    let ended = run(&bench, &server, WIRES[0], &[]).expect(0);
    assert!(ended.stderr.contains("set llm.tools to json"), "{}", ended.stderr);
    assert_eq!(server.requests().len(), 1);
    let call = json!({"tool": "read_file", "arguments": {"path": "a.txt"}}).to_string();
    let turns = vec![Turn::text(&call), Turn::text(&json!({"final": "It says one."}).to_string())];
    let server = ScriptedServer::spawn(turns, Manner { chunk: 20, tools: Tools::Ignored });
    bench.write("palanca.yaml", "llm:\n  tools: json\n");
    let ended = run(&bench, &server, WIRES[0], &["--json", "--config", "palanca.yaml"]);
    let report = ended.expect(0).json();
    assert_eq!(report["tools_used"][0]["name"], "read_file", "{report}");
    assert!(server.requests().iter().all(|request| request.body.get("tools").is_none()));
}

#[test]
fn the_whole_run_has_a_time_limit() {
    let bench = Bench::new(&[]);
    let server = ScriptedServer::spawn(vec![Turn::hang()], Manner { chunk: 20, tools: Tools::Read });
    run(&bench, &server, WIRES[0], &["--timeout", "0.5"]).expect(5);
}

#[test]
fn calls_in_text_are_made_where_they_end_the_answer_and_broken_ones_fail_the_run() {
    let call = r#"<tool_call>{"name": "write_file", "arguments": {"path": "b.txt", "content": "1.10"}}</tool_call>"#;
    let coder = "<tool_call><function=write_file><parameter=path>b.txt</parameter><parameter=content>1.10</parameter></function></tool_call>";
    let fenced = format!("Like this:\n```json\n{}\n```\nShall I?", &call[11..call.len() - 12]);
    let cut = &call[..50];
    for (answers, code, written) in [
        (vec![format!("I write. {call}"), "Done.".to_owned()], 0, true),
        (vec![coder.to_owned(), "Done.".to_owned()], 0, true),
        (vec![fenced], 0, false),
        (vec![format!("<think>Perhaps {call}</think>Which file?")], 0, false),
        (vec![format!("{call} would write it. Shall I?")], 0, false),
        (vec![cut.to_owned(), call.to_owned(), "Done.".to_owned()], 0, true),
        (vec![cut.to_owned(), cut.to_owned()], 1, false),
        (vec![call.replace("write_file", "write_all"), cut.to_owned()], 1, false),
        (vec![format!("{call}</tool_c").replace("</tool_call>", ""), cut.to_owned()], 1, false),
    ] {
        for chunk in [7, 4096] {
            let bench = Bench::new(&[("a.txt", "one\n")]);
            let turns = answers.iter().map(|answer| Turn::text(answer)).collect();
            let server = ScriptedServer::spawn(turns, Manner { chunk, tools: Tools::Read });
            let ended = run(&bench, &server, WIRES[0], &[]).expect(code);
            assert_eq!(bench.workspace().join("b.txt").exists(), written, "{answers:?}");
            assert_eq!(server.requests().len(), answers.len(), "{answers:?}");
            assert!(code == 0 || ended.stderr.contains("unreadable tool call"), "{}", ended.stderr);
            if written {
                assert_eq!(bench.read("b.txt"), "1.10");
                assert!(!ended.stdout.contains("tool_call"), "{}", ended.stdout);
            }
        }
    }
}
