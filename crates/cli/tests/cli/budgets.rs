//! Budgets, prices, long conversations, long results and answers in JSON, as somebody at a terminal has them.

use crate::harness::{Bench, Ended, ended};
use palanca_testkit::{Manner, ScriptedServer, Tools, Turn};
use serde_json::{Value, json};

fn serve(turns: impl IntoIterator<Item = Turn>) -> ScriptedServer {
    ScriptedServer::spawn(turns.into_iter().collect(), Manner { chunk: usize::MAX, tools: Tools::Read })
}

fn run(bench: &Bench, server: &ScriptedServer, arguments: &[&str]) -> Ended {
    let mut command = bench.command(&["run", "Do it"]);
    command.args(["--mode", "yolo"]).args(arguments);
    command.env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", "k");
    ended(command.output().unwrap())
}

fn look(count: usize) -> impl Iterator<Item = Turn> {
    (0..count).map(|at| Turn::calls([("read_file", json!({"path": "a.txt", "start_line": at + 1}))]))
}

fn lines(count: usize) -> String {
    (0..count).map(|line| format!("line {line}\n")).collect()
}

#[test]
fn a_run_never_uses_more_tokens_than_it_may() {
    let bench = Bench::new(&[("a.txt", &lines(60))]);
    for limit in [20_000, 40_000] {
        let server = serve(look(40));
        let ended = run(
            &bench,
            &server,
            &["--model", "openai:gpt-4o", "--json", "--max-tokens", &limit.to_string(), "--max-steps", "100"],
        );
        let report = ended.expect(2).json();
        assert_eq!((&report["status"], &report["stop_reason"]), (&json!("partial"), &json!("budget_exceeded")));
        let total = report["costs"]["total_tokens"].as_u64().unwrap();
        assert!(total <= limit && total > limit / 2, "{total} of {limit}");
        assert!(server.requests().len() > 1);
        for request in server.requests() {
            let most = &request.body["max_tokens"];
            assert!(most.as_u64().is_some_and(|most| most <= 8192), "{most}");
        }
    }
    let server = serve(look(1));
    let ended = run(&bench, &server, &["--model", "openai:gpt-4o", "--json", "--max-tokens", "100"]);
    assert_eq!(ended.expect(2).json()["steps"], 0);
    assert!(server.requests().is_empty(), "what is too little for the question is not asked");
}

#[test]
fn contracts_reports_speak_the_documents_words() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let list = || Turn::calls([("list_files", json!({"path": "."}))]);
    for (turns, more, status, code) in [
        (vec![Turn::text("ok")], vec![], "completed", 0),
        (vec![list(), Turn::text("so far")], vec!["--max-steps", "1"], "max_turns", 2),
        (vec![list()], vec!["--max-tokens", "200"], "budget_exceeded", 2),
        (vec![Turn::status(400, "no")], vec![], "failed", 1),
    ] {
        let server = serve(turns);
        let mut arguments = vec!["--model", "openai:gpt-4o", "--json", "--toolset", "contracts"];
        arguments.extend(more);
        let ended = run(&bench, &server, &arguments).expect(code);
        assert_eq!(ended.json()["status"], status);
    }
}

#[test]
fn prices_come_from_a_file_first() {
    let bench = Bench::new(&[
        ("p.json", r#"{"acme*": {"input": 1000, "output": 2000}}"#),
        ("c.yaml", "costs: {prices_file: p.json}"),
    ]);
    let with = |model: &str, more: &[&str]| {
        let server = serve([Turn::text("ok").with_usage(1000, 100)]);
        let mut arguments = vec!["-c", "c.yaml", "--json", "--model", model];
        arguments.extend(more);
        run(&bench, &server, &arguments)
    };
    let cost = |ended: Ended| ended.expect(0).json()["cost"].clone();
    assert_eq!(cost(with("openai:acme-large", &[])), json!(1.2));
    assert_eq!(cost(with("openai:gpt-4o", &[])), json!(0.0035));
    let unknown = with("openai:other", &[]).expect(0);
    assert_eq!(unknown.json()["cost"], Value::Null);
    assert_eq!(unknown.stderr.matches("price of 'openai:other' is not known").count(), 1, "{}", unknown.stderr);
    let refused = with("openai:other", &["--budget", "5"]).expect(3);
    assert!(refused.stderr.contains("openai:other") && refused.stderr.contains("prices_file"), "{}", refused.stderr);
    assert_eq!(with("openai:acme", &["--budget", "0.001"]).expect(2).json()["stop_reason"], "budget_exceeded");
    bench.write("c.yaml", "costs: {enabled: false}");
    assert_eq!(with("openai:gpt-4o", &[]).expect(0).json()["cost"], Value::Null);
    assert!(with("openai:gpt-4o", &["--budget", "5"]).expect(3).stderr.contains("costs.enabled"));
}

#[test]
fn models_shows_providers_and_prices_with_their_date() {
    let bench = Bench::new(&[
        ("p.json", r#"{"acme*": {"input": 7, "output": 9}}"#),
        ("c.yaml", "costs: {prices_file: p.json}"),
    ]);
    let asked = |arguments: &[&str]| {
        let mut command = bench.command(&["-c", "c.yaml", "models"]);
        command.args(arguments).env("ANTHROPIC_API_KEY", "sk-never-shown").env("OLLAMA_HOST", "127.0.0.1:1");
        command.env_remove("OPENAI_API_KEY").env_remove("PALANCA_MODEL");
        ended(command.output().unwrap()).expect(0)
    };
    let page = asked(&[]).stdout;
    for expected in ["OPENAI_API_KEY", "acme*", "claude-sonnet-4-5", "uses anthropic:claude-sonnet-4-6", "on 2026-"] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    let json = asked(&["--json"]).json();
    assert!(!json.to_string().contains("sk-never-shown"), "{json}");
    assert_eq!(json["model"], "anthropic:claude-sonnet-4-6");
    let ready = |name: &str| {
        let providers = json["providers"].as_array().unwrap().iter();
        providers.clone().find(|provider| provider["name"] == name).unwrap()["ready"].as_bool().unwrap()
    };
    assert_eq!((ready("openai"), ready("anthropic"), ready("ollama"), ready("replay")), (false, true, false, true));
    let rows = json["prices"]["models"].as_array().unwrap();
    let price = |name: &str| rows.iter().find(|row| row["model"] == name).unwrap();
    assert_eq!(
        price("claude-opus-4-6"),
        &json!({"model": "claude-opus-4-6", "input": 5.0, "output": 25.0, "cached_input": 0.5, "cache_write": 6.25,
            "origin": "anthropic"})
    );
    assert_eq!(price("acme*")["origin"], "prices_file");
}

#[test]
fn a_bad_file_of_prices_is_named() {
    let bench = Bench::new(&[("c.yaml", "costs: {prices_file: p.json}")]);
    let server = serve([]);
    let said = || run(&bench, &server, &["-c", "c.yaml", "--model", "openai:gpt-4o"]).expect(3).stderr;
    assert!(said().contains("p.json"), "missing");
    for (text, expected) in [
        ("{\n \"a\": {\"input\": 1,}}", "Line 2"),
        ("[1]", "object of models"),
        (r#"{"a": {"input": 1, "output": -2}}"#, "'a.output'"),
        (r#"{"a": {"inptu": 1, "output": 2}}"#, "'a.inptu'"),
        (r#"{"a": {"input": 1}}"#, "'a.output' is missing"),
    ] {
        bench.write("p.json", text);
        let said = said();
        assert!(said.contains("p.json") && said.contains(expected), "{text}: {said}");
    }
    assert!(server.requests().is_empty());
}

#[test]
fn a_long_conversation_is_summarised_and_goes_on() {
    let bench = Bench::new(&[("a.txt", &lines(120)), ("c.yaml", "context: {max_context_tokens: 5000}")]);
    // Where the summary is asked for depends on how long the results are: the first request without tools.
    let first = serve(look(30));
    run(&bench, &first, &["-c", "c.yaml", "--json", "--model", "openai:gpt-4o"]);
    let without_tools = |request: &palanca_testkit::Received| request.body.get("tools").is_none();
    let steps = first.requests().iter().position(without_tools).unwrap();
    let turns = look(steps).chain([Turn::text("SUMMARY OF ALL")]).chain(look(1)).chain([Turn::text("Done.")]);
    let server = serve(turns);
    let ended = run(&bench, &server, &["-c", "c.yaml", "--json", "--model", "openai:gpt-4o"]).expect(0);
    let report = ended.json();
    assert_eq!((&report["output"], &report["steps"]), (&json!("Done."), &json!(steps + 2)));
    assert!(report["costs"]["by_source"]["summary"].as_f64().unwrap() > 0.0);
    let requests = server.requests();
    let after = &requests[steps + 1].body["messages"];
    assert_eq!((&after[0]["role"], &after[1]["content"]), (&json!("system"), &json!("Do it")));
    assert!(after[2]["content"].as_str().unwrap().ends_with("SUMMARY OF ALL"), "{after}");
    assert!(
        requests.iter().all(|request| request.body["messages"][0] == requests[0].body["messages"][0]
            || request.body.get("tools").is_none())
    );
}

#[test]
fn a_range_that_was_asked_for_reaches_the_model_whole() {
    let bench = Bench::new(&[("a.txt", &lines(3000))]);
    for (toolset, arguments) in [
        ("palanca", json!({"path": "a.txt", "start_line": 300, "end_line": 700})),
        ("architect", json!({"path": "a.txt", "start_line": 300, "end_line": 700})),
        ("picoclaw", json!({"file_path": "a.txt", "offset": 299, "limit": 401})),
    ] {
        let server = serve([Turn::calls([("read_file", arguments)]), Turn::text("Long.")]);
        run(&bench, &server, &["--model", "openai:gpt-4o", "--toolset", toolset]).expect(0);
        let told = server.requests()[1].body["messages"][3]["content"].as_str().unwrap().to_owned();
        let first =
            told.find("line 300").or_else(|| told.find("line 299")).unwrap_or_else(|| panic!("{toolset}: {told}"));
        assert!(told[first..].lines().count() >= 400 && !told.contains("omitted"), "{toolset}: {told}");
    }
}

#[test]
fn what_is_cut_is_kept_and_read_page_by_page() {
    let bench = Bench::new(&[("a.txt", &lines(3000))]);
    let server = serve([Turn::calls([("read_file", json!({"path": "a.txt"}))]), Turn::text("Long.")]);
    let ended = run(&bench, &server, &["--model", "openai:gpt-4o"]).expect(0);
    let told = server.requests()[1].body["messages"][3]["content"].as_str().unwrap().to_owned();
    let marker = told.lines().find(|line| line.contains("read_artifact")).unwrap_or_else(|| panic!("{told}"));
    let id = marker.split('\'').nth(1).unwrap();
    let offset: u64 = marker.split("offset ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let session = ended.stderr.split_whitespace().find(|word| word.len() > 30 && word.contains('-')).map(str::to_owned);
    let page = Turn::calls([("read_artifact", json!({"id": id, "offset": offset}))]);
    let server = serve([page, Turn::text("Read.")]);
    let session = session.unwrap_or_else(|| "latest".to_owned());
    let session = session.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    run(&bench, &server, &["--model", "openai:gpt-4o", "--session", session]).expect(0);
    let sent = server.requests();
    let messages = sent[1].body["messages"].as_array().unwrap();
    let text = messages.last().unwrap()["content"].as_str().unwrap();
    let last = told.split("\n[...").next().unwrap().rsplit("| line ").next().unwrap().to_owned();
    let missing: u64 = last.trim().parse::<u64>().unwrap() + 1;
    assert!(text.contains(&format!("line {missing}\n")), "{missing}: {text}");
    assert!(text.contains("continue with offset") && !text.contains("omitted here"), "{text}");
}

#[test]
fn an_answer_in_json_is_json_and_nothing_else() {
    let bench = Bench::new(&[]);
    for (turns, code, stdout) in [
        (vec![Turn::text("Sure:\n```json\n{\"a\": [1]}\n```\nBye")], 0, "{\"a\": [1]}\n"),
        (vec![Turn::text("I did it."), Turn::text("{\"done\": true}")], 0, "{\"done\": true}\n"),
        (vec![Turn::text("I did it."), Turn::text("{\"a\": 1,}")], 2, ""),
    ] {
        let server = serve(turns);
        let ended = run(&bench, &server, &["--model", "openai:gpt-4o", "--answer", "json"]).expect(code);
        assert_eq!(ended.stdout, stdout, "{}", ended.stderr);
        assert_eq!(ended.stderr.contains("no valid JSON"), server.requests().len() == 2, "{}", ended.stderr);
    }
    let server = serve([Turn::text("no"), Turn::text("no")]);
    let report = run(&bench, &server, &["--model", "openai:gpt-4o", "--answer", "json", "--json"]).expect(2).json();
    assert_eq!((&report["status"], &report["stop_reason"]), (&json!("partial"), &json!("answer_not_json")));
    bench.write("c.yaml", "agents: {build: {answer: json}}");
    let server = serve([Turn::text("It is [2, 3].")]);
    let ended = run(&bench, &server, &["-c", "c.yaml", "--model", "openai:gpt-4o"]).expect(0);
    assert_eq!(ended.stdout, "[2, 3]\n");
}
