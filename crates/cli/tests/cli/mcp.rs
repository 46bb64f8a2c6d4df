//! `palanca mcp`, as a client's program sees it.

use crate::harness::Bench;
use palanca_testkit::until;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};

/// A client that speaks line by line.
struct Client {
    server: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Client {
    fn of(bench: &Bench, arguments: &[&str]) -> Self {
        let mut command = bench.command(&[arguments, &["mcp", "serve"]].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let lines = BufReader::new(server.stdout.take().unwrap());
        let mut client = Self { server, lines };
        let us = json!({"name": "test", "version": "1"});
        let begin = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": us});
        assert_eq!(client.ask(0, "initialize", &begin)["result"]["serverInfo"]["name"], "palanca");
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.server.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, id: u64, method: &str, params: &Value) -> Value {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn call(&mut self, id: u64, tool: &str, arguments: Value) -> Value {
        self.ask(id, "tools/call", &json!({"name": tool, "arguments": arguments}))["result"].take()
    }

    /// Closes the pipes. The exit code, and what was said on stderr.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.server.stdin.take());
        let ended = self.server.wait_with_output().unwrap();
        (ended.status.code(), String::from_utf8(ended.stderr).unwrap())
    }
}

#[test]
fn a_client_is_served_until_it_closes_the_pipes() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let mut client = Client::of(&bench, &[]);
    let tools = client.ask(1, "tools/list", &json!({}));
    assert!(tools["result"]["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "run_command"), "{tools}");
    let read = client.call(2, "read_file", json!({"path": "a.txt"}));
    assert!(read["isError"] == false && read["content"][0]["text"].as_str().unwrap().contains("one"), "{read}");
    let ran = client.call(3, "run_command", json!({"command": "wc -l a.txt"}));
    assert!(ran["content"][0]["text"].as_str().unwrap().contains("1 a.txt"), "{ran}");
    let refused = client.call(4, "write_file", json!({"path": "b.txt", "content": "x"}));
    assert!(refused["isError"] == true && !bench.workspace().join("b.txt").exists(), "{refused}");
    assert_eq!(client.end(), (Some(0), String::new()));
    let recorded = bench.run(&["audit", "show", "--json"]).expect(0).stdout;
    assert_eq!(recorded.matches("\"client\"").count(), 3, "{recorded}");
}

#[test]
fn what_is_too_old_goes_while_it_is_served() {
    let bench = Bench::new(&[("m.jsonl", "{\"content\": \"Done.\"}\n")]);
    bench.run(&["run", "hi", "--model", "replay:m.jsonl"]).expect(0);
    let listed = || bench.run(&["sessions", "list", "--json"]).expect(0).json();
    let old = listed()[0]["id"].clone();
    let database = rusqlite::Connection::open(bench.home().join("palanca.db")).unwrap();
    assert_eq!(database.execute("UPDATE sessions SET updated_ms = 1", []).unwrap(), 1);
    drop(database);
    let mut client = Client::of(&bench, &[]);
    client.call(1, "echo", json!({"message": "x"}));
    until("it is gone", || listed().as_array().unwrap().iter().all(|session| session["id"] != old));
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn servers_that_cannot_be_reached_are_listed_and_told_of() {
    let bench = Bench::new(&[("calls.jsonl", "")]);
    let own = bench.home().join("own.yaml");
    std::fs::write(&own, "mcp: {servers: [{name: gone, command: /no/such/program}]}\n").unwrap();
    let with = |more: &[&str]| bench.run(&[&["-c", own.to_str().unwrap()], more].concat());
    let listed = with(&["mcp", "list", "--json"]).expect(1).json();
    assert!(listed[0]["connected"] == false && listed[0]["error"].as_str().unwrap().contains("/no/such/program"));
    let tells = |more: &[&str]| with(more).stderr.contains("'gone' is not connected");
    assert!(
        tells(&["call", "mcp_gone_x"])
            && tells(&["explain", "mcp_gone_x"])
            && tells(&["call", "--batch", "calls.jsonl"])
    );
    assert!(!tells(&["call", "echo", "message=x"]) && !tells(&["explain", "echo"]) && !tells(&["config", "check"]));
    with(&["mcp", "trust", "gone"]).expect(0);
    assert!(with(&["mcp", "trust", "other"]).expect(3).stderr.contains("'other'"));
    bench.run(&["mcp", "list"]).expect(0);
}

#[test]
fn servers_of_other_programs_are_taken_over() {
    let file = r#"{"mcpServers": {
        "my files": {"command": "/no/such/files", "args": ["--stdio"], "env": {"A": "b"}, "autoApprove": []},
        "asks": {"command": "x", "args": ["${input:key}"]}
    }}"#;
    let bench = Bench::new(&[("mcp.json", file)]);
    let dry = bench.run(&["--dry-run", "mcp", "import", "mcp.json"]).expect(0);
    assert!(dry.stdout.contains("- name: my-files") && dry.stderr.contains("would be written"), "{}", dry.stderr);
    let listed = || bench.run(&["mcp", "list", "--json"]).json();
    assert_eq!(listed(), json!([]));
    let told = bench.run(&["mcp", "import", "mcp.json"]).expect(0).stderr;
    assert!(told.contains("autoApprove") && told.contains("${input:key}") && told.contains("palanca.yaml"), "{told}");
    assert_eq!(listed()[0]["name"], "my-files");
    let tested = bench.run(&["mcp", "test", "my-files"]).expect(1).stdout;
    assert!(tested.contains("/no/such/files"), "{tested}");
    assert!(bench.run(&["mcp", "test", "other"]).expect(3).stderr.contains("'other'"));
    bench.run(&["mcp", "call", "my-files", "read", "path=a"]).expect(1);
    let again = bench.run(&["mcp", "import", "mcp.json"]).expect(1).stderr;
    assert!(again.contains("configured already"), "{again}");
    bench.write("more.json", r#"{"servers": {"web": {"url": "https://example.com/mcp"}}}"#);
    let by_hand = bench.run(&["mcp", "import", "more.json"]).expect(3);
    assert!(
        by_hand.stdout.contains("https://example.com/mcp") && by_hand.stderr.contains("by hand"),
        "{}",
        by_hand.stderr
    );
    let project = bench.run(&["mcp", "import", "more.json", "--project"]).expect(0).stderr;
    assert!(project.contains("config trust") && bench.read("palanca.yaml").contains("- name: web"), "{project}");
    let servers = || {
        let config = bench.run(&["config", "show", "--json"]).expect(0).json();
        let servers = config["mcp"]["servers"].as_array().unwrap().clone();
        servers.iter().map(|server| server["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(servers(), ["my-files"], "nobody has trusted the workspace's yet");
    bench.run(&["config", "trust"]).expect(0);
    assert_eq!(servers(), ["my-files", "web"]);
    bench.write("palanca.yaml", "");
    bench.run(&["mcp", "import", "mcp.json", "--project"]).expect(0);
    assert!(bench.read("palanca.yaml").contains("- name: my-files"), "each file has its own");
    let secret = r#"{"mcpServers": {"kept": {"command": "/no/such", "env": {"SOME_TOKEN": "hunter2hunter2"}}}}"#;
    bench.write("secret.json", secret);
    bench.write("palanca.yaml", "");
    let shared = bench.run(&["mcp", "import", "secret.json", "--project"]).expect(0);
    let written = bench.read("palanca.yaml");
    assert!(written.contains("${SOME_TOKEN}") && shared.stdout.contains("${SOME_TOKEN}"), "{written}");
    std::fs::remove_file(bench.workspace().join("palanca.yaml")).unwrap();
    let own = bench.run(&["mcp", "import", "secret.json"]).expect(3);
    assert!(own.stdout.contains("***") && own.stderr.contains("write ${SOME_TOKEN}"), "{}{}", own.stdout, own.stderr);
    assert!(![own.stdout, own.stderr, shared.stdout, shared.stderr, written].concat().contains("hunter2"));
    for (text, words) in [("{", "no JSON"), ("{}", "mcpServers")] {
        bench.write("bad.json", text);
        assert!(bench.run(&["mcp", "import", "bad.json"]).expect(3).stderr.contains(words));
    }
}

/// A server as a script: its one tool is described by the file beside it, and answers nothing.
const SERVER: &str = r#"while read -r line; do
    id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case $line in
        *'"initialize"'*) answer='"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
        *'"tools/list"'*) answer='"result":{"tools":[{"name":"find","description":"'$(cat words.txt)'","inputSchema":{"type":"object"}}]}' ;;
        *'"id"'*) answer='"error":{"code":-32601,"message":"no"}' ;;
        *) continue ;;
    esac
    printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$answer"
done
"#;

#[test]
fn what_changed_is_shown_and_off_until_somebody_agrees() {
    let bench = Bench::new(&[("server.sh", SERVER), ("words.txt", "finds"), ("m.jsonl", "{\"content\": \"Done.\"}\n")]);
    let own = bench.home().join("own.json");
    let configure = |more: &[&str]| {
        let args: Vec<_> = ["server.sh"].iter().chain(more).collect();
        let server = json!({"name": "s", "command": "sh", "args": args, "reads": ["."]});
        std::fs::write(&own, json!({"mcp": {"servers": [server]}}).to_string()).unwrap();
    };
    let with = |more: &[&str]| bench.run(&[&["-c", own.to_str().unwrap()], more].concat());
    // A call waits for its server, and this one answers nothing.
    let run = || with(&["call", "mcp_s_find", "--mode", "yolo"]).expect(1).stderr;
    let is_on = || !["agreed", "off"].iter().any(|word| run().contains(word));
    configure(&[]);
    let first = with(&["run", "hi", "--model", "replay:m.jsonl"]).expect(0).stderr;
    assert!(first.contains("'s' is agreed to as it is now, with one tool"), "{first}");
    assert!(is_on());
    bench.write("words.txt", "finds and sends");
    let told = run();
    assert!(told.contains("these tools are off") && told.contains(": find.") && told.contains("mcp trust s"), "{told}");
    let listed = with(&["mcp", "list"]).expect(0).stdout;
    assert!(listed.contains("    -finds\n    +finds and sends\n") && !listed.contains("mcp_s_find"), "{listed}");
    let asked = |reply| [("[y/N]", reply)];
    let at_a_terminal = |reply| {
        let ended = bench.run_at_a_terminal(&["-c", own.to_str().unwrap(), "mcp", "trust", "s"], &asked(reply));
        assert!(ended.stdout.contains("+finds and sends"), "{}", ended.stdout);
        ended.code
    };
    with(&["--dry-run", "mcp", "trust", "s"]).expect(0);
    assert_eq!(at_a_terminal("n\n"), 1);
    assert!(run().contains("these tools are off"));
    assert_eq!(at_a_terminal("y\n"), 0);
    assert!(is_on());
    configure(&["--more"]);
    let told = run();
    assert!(told.contains("'s' is not connected: it is off") && told.contains("mcp trust s"), "{told}");
    let listed = with(&["mcp", "test", "s", "--json"]).expect(1).json();
    assert!(listed[0]["changes"][0]["diff"].as_str().unwrap().contains("+arg: --more"), "{listed}");
    assert!(with(&["mcp", "trust", "s"]).expect(0).stdout.contains("+arg: --more"));
    assert!(is_on());
}

mod peers {
    use super::*;
    use crate::npm::installed;

    #[test]
    #[ignore = "cargo xtask peers"]
    fn servers_of_the_protocols_authors_are_used() {
        let everything = installed("@modelcontextprotocol/server-everything@2026.8.31", "mcp-server-everything");
        let files = installed("@modelcontextprotocol/server-filesystem@2026.8.31", "mcp-server-filesystem");
        let (Some(everything), Some(files)) = (everything, files) else { return };
        let bench = Bench::new(&[("a.txt", "one\n")]);
        let folder = |program: &std::path::Path| program.ancestors().nth(3).unwrap().to_owned();
        let servers = json!({"mcp": {"servers": [
            {"name": "all", "command": everything, "reads": [folder(&everything)]},
            {"name": "files", "command": files, "args": [bench.workspace()], "reads": [folder(&files), "."]},
        ]}});
        std::fs::write(bench.home().join("own.json"), servers.to_string()).unwrap();
        let own = bench.home().join("own.json").display().to_string();
        let with = |more: &[&str]| bench.run(&[&["-c", &own, "--mode", "yolo"], more].concat());
        let listed = with(&["mcp", "list", "--json"]).expect(0).json();
        assert!(listed.as_array().unwrap().iter().all(|server| server["tools"].as_array().unwrap().len() > 10));
        assert!(with(&["mcp", "call", "all", "echo", "message=hi"]).expect(0).stdout.contains("Echo: hi"));
        let data =
            with(&["mcp", "call", "all", "get-structured-content", "location=Chicago", "--json"]).expect(0).json();
        assert!(data["data"]["temperature"].is_number(), "{data}");
        let path = format!("path={}", bench.workspace().join("a.txt").display());
        assert!(with(&["mcp", "call", "files", "read_text_file", &path]).expect(0).stdout.contains("one"));
        let refused = with(&["mcp", "call", "files", "write_file", &path, "content=x"]).expect(1);
        assert!(refused.stdout.contains("EROFS") && bench.read("a.txt") == "one\n", "{}", refused.stdout);
    }
}
