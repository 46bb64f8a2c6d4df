//! Hooks through the real binary: every documented example, and every way in which a hook misbehaves.

use crate::harness::{Bench, Ended, until_gone};
use palanca_testkit::{Manner, ScriptedServer, Tools, Turn};
use serde_json::{Value, json};

/// A workspace, and a configuration outside of it that counts as the operator's word.
struct Hooked {
    bench: Bench,
    config: String,
}

impl Hooked {
    fn new(files: &[(&str, &str)], yaml: &str) -> Self {
        let bench = Bench::new(files);
        let config = bench.home().with_extension("hooks.yaml");
        std::fs::write(&config, yaml).unwrap();
        Self { bench, config: config.display().to_string() }
    }

    fn call(&self, tool: &str, arguments: &Value) -> Ended {
        self.call_with(tool, arguments, &[])
    }

    fn call_with(&self, tool: &str, arguments: &Value, more: &[&str]) -> Ended {
        let arguments = arguments.to_string();
        let mut all = vec!["-c", &self.config, "--mode", "yolo", "call", tool, &arguments, "--json"];
        all.extend(more);
        self.bench.run(&all)
    }

    fn write(&self, path: &str, content: &str) -> Ended {
        self.call("write_file", &json!({"path": path, "content": content}))
    }

    /// Too long for an argument.
    fn write_much(&self, bytes: usize) -> Ended {
        let arguments = json!({"path": "a.txt", "content": "y".repeat(bytes)}).to_string();
        self.bench.run_with(&["-c", &self.config, "--mode", "yolo", "call", "write_file", "-", "--json"], &arguments)
    }

    /// The task is a task, the model is the script.
    fn run(&self, turns: Vec<Turn>, more: &[&str]) -> (Ended, Vec<Value>) {
        let server = ScriptedServer::spawn(turns, Manner { chunk: usize::MAX, tools: Tools::Read });
        let mut all =
            vec!["-c", &self.config, "run", "Fix a.txt", "--mode", "yolo", "--model", "openai:scripted", "--json"];
        all.extend(more);
        let mut command = self.bench.command(&all);
        command.env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", "sk-canary-9d1f");
        let ended = crate::harness::ended(command.output().unwrap());
        (ended, server.requests().into_iter().map(|request| request.body).collect())
    }
}

fn output(ended: &Ended) -> String {
    ended.json()["output"].as_str().unwrap().to_owned()
}

#[test]
fn the_documented_exchange_before_a_call() {
    let guard = r#"
hooks:
  pre_tool_use:
    - {name: guard, command: "cat > seen.json; env | sort > seen.txt", matcher: "run_command|write_file", timeout: 10}
"#;
    let hooked = Hooked::new(&[], guard);
    hooked.write("a.py", "x\n").expect(0);
    let seen: Value = serde_json::from_str(&hooked.bench.read("seen.json")).unwrap();
    assert_eq!(seen["tool_name"], "write_file");
    assert_eq!(seen["tool_input"], json!({"path": "a.py", "content": "x\n"}));
    assert_eq!((&seen["event"], &seen["files"]), (&json!("pre_tool_use"), &json!(["a.py"])));
    assert_eq!(seen["effects"], json!(["write a.py"]));
    let environment = hooked.bench.read("seen.txt");
    for line in [
        "ARCHITECT_EVENT=pre_tool_use",
        "PALANCA_EVENT=pre_tool_use",
        "ARCHITECT_TOOL_NAME=write_file",
        "ARCHITECT_FILE_PATH=a.py",
        &format!("ARCHITECT_WORKSPACE={}", hooked.bench.workspace().display()),
    ] {
        assert!(environment.lines().any(|known| known == line), "{line}: {environment}");
    }
    hooked.call("run_command", &json!({"command": "echo hi"})).expect(0);
    assert!(hooked.bench.read("seen.txt").contains("ARCHITECT_COMMAND=echo hi\n"));
}

#[test]
fn a_hook_gets_none_of_our_secrets() {
    let hooked = Hooked::new(&[], "hooks: {session_start: [{command: \"env > seen.txt\"}]}");
    hooked.run(vec![Turn::text("Done.")], &[]).0.expect(0);
    let environment = hooked.bench.read("seen.txt");
    assert!(environment.contains("ARCHITECT_TASK=Fix a.txt") && environment.contains("ARCHITECT_AGENT=build"));
    assert!(!environment.contains("canary") && !environment.contains("OPENAI"), "{environment}");
}

#[test]
fn exit_2_refuses_with_the_reason_and_stops_later_hooks() {
    let hooked = Hooked::new(
        &[],
        r#"
hooks:
  pre_tool_use:
    - {name: no, command: "echo 'not on Fridays' >&2; exit 2"}
    - {name: later, command: "touch later"}
"#,
    );
    let ended = hooked.write("a.txt", "x").expect(6);
    let result = ended.json();
    assert_eq!(result["error"], "Blocked by hook: not on Fridays");
    assert_eq!((&result["outcome"], &result["code"]), (&json!("refused"), &json!("hook.no")));
    assert!(!hooked.bench.workspace().join("a.txt").exists() && !hooked.bench.workspace().join("later").exists());
    let spanish = hooked.call_with("write_file", &json!({"path": "a.txt", "content": "x"}), &["--lang", "es"]);
    assert_eq!(spanish.json()["error"], "Bloqueado por hook: not on Fridays");
}

#[test]
fn changes_are_chained_and_contexts_are_kept() {
    let hooked = Hooked::new(
        &[("one.json", r#"{"updatedInput":{"path":"b.txt","content":"one"},"additionalContext":"moved to b"}"#)],
        r#"
hooks:
  pre_tool_use:
    - {name: one, command: "cat one.json"}
    - {name: two, command: "sed 's/.*/seen & /' > two.seen; grep -q 'b.txt' two.seen && echo 'two saw b'"}
"#,
    );
    let ended = hooked.write("a.txt", "zero").expect(0);
    let text = output(&ended);
    assert!(text.contains("moved to b") && text.contains("two saw b"), "{text}");
    assert_eq!(hooked.bench.read("b.txt"), "one");
    assert!(!hooked.bench.workspace().join("a.txt").exists());
}

#[test]
fn changed_arguments_are_validated_and_judged_again() {
    for (reply, code) in [
        (r#"{"updatedInput":{"path":".env","content":"KEY=1"}}"#, "paths.secret"),
        (r#"{"updatedInput":{"path":"../out.txt","content":"x"}}"#, "outside"),
        (r#"{"updatedInput":{"content":7}}"#, "invalid_arguments"),
        (r#"{"updatedInput":{"path":"locked.txt","content":"x"}}"#, "protected"),
    ] {
        let yaml = "{guardrails: {protected_files: [locked.txt]}, hooks: {pre_tool_use: [{name: h, command: \"cat reply.json\"}]}}";
        let hooked = Hooked::new(&[("reply.json", reply)], yaml);
        let ended = hooked.write("a.txt", "x");
        assert_ne!(ended.code, 0, "{reply}: {}", ended.stdout);
        let result = ended.json();
        let said = format!("{} {}", result["code"], result["error"]);
        assert!(said.contains(code) || said.to_lowercase().contains("escapes"), "{reply}: {said}");
        for path in [".env", "../out.txt", "a.txt", "locked.txt"] {
            assert!(!hooked.bench.workspace().join(path).exists(), "{reply}: {path}");
        }
    }
}

#[test]
fn a_failing_hook_allows_and_a_required_one_refuses() {
    for (command, timeout, named) in [
        ("exit 1", 120, "exit code 1"),
        ("exit 127", 120, "exit code 127"),
        ("echo '{broken'", 120, "not valid JSON"),
        ("echo '{\\\"updatedInput\\\": 3}'", 120, "does not match the schema"),
        ("echo '{\\\"updateInput\\\": {}}'", 120, "does not match the schema"),
        ("sleep 60", 1, "ended after 1 second"),
        ("kill -9 $$", 120, "signal 9"),
    ] {
        let yaml = |required: &str| {
            let hook = format!("{{name: h, command: \"{command}\", timeout: {timeout}, required: {required}}}");
            format!("hooks: {{pre_tool_use: [{hook}]}}")
        };
        let hooked = Hooked::new(&[], &yaml("false"));
        let ended = hooked.write("a.txt", "x").expect(0);
        assert!(ended.stderr.contains(named), "{command}: {}", ended.stderr);
        assert_eq!(hooked.bench.read("a.txt"), "x");

        let hooked = Hooked::new(&[], &yaml("true"));
        let ended = hooked.write("a.txt", "x").expect(6);
        let error = ended.json()["error"].to_string();
        assert!(error.contains("'h' is required") && error.contains(named), "{command}: {error}");
        assert!(!hooked.bench.workspace().join("a.txt").exists());
    }
}

#[test]
fn a_hook_that_hangs_ends_with_everything_that_it_started() {
    let child = format!("sleep 3000.{}", std::process::id());
    let yaml = format!("hooks: {{pre_tool_use: [{{name: h, command: \"{child} & sleep 600\", timeout: 2}}]}}");
    let hooked = Hooked::new(&[], &yaml);
    hooked.write("a.txt", "x").expect(0);
    until_gone(&child);
}

#[test]
fn a_hook_that_prints_10_mb_or_never_reads_its_stdin_holds_nothing_up() {
    let yaml =
        "hooks: {pre_tool_use: [{name: loud, command: \"head -c 10000000 /dev/zero | tr '\\\\0' x\", timeout: 120}]}";
    let hooked = Hooked::new(&[], yaml);
    let ended = hooked.write_much(1 << 20).expect(0);
    let text = output(&ended);
    assert!(text.contains("characters omitted") && text.len() < 20_000, "{} bytes", text.len());
    let hooked = Hooked::new(&[], "hooks: {pre_tool_use: [{name: deaf, command: \"sleep 0.2\"}]}");
    hooked.write_much(4 << 20).expect(0);
}

#[test]
fn after_the_fact_exit_2_is_a_note() {
    let yaml =
        "hooks: {post_tool_use: [{name: late, command: \"cat > post.json; echo 'should not have' >&2; exit 2\"}]}";
    let hooked = Hooked::new(&[], yaml);
    let ended = hooked.write("a.txt", "x").expect(0);
    assert!(output(&ended).contains("should not have"), "{}", ended.stdout);
    assert_eq!(ended.json()["success"], true);
    assert_eq!(hooked.bench.read("a.txt"), "x");
    let seen: Value = serde_json::from_str(&hooked.bench.read("post.json")).unwrap();
    assert_eq!((&seen["tool_name"], &seen["success"]), (&json!("write_file"), &json!(true)));
    assert!(seen["tool_output"].as_str().unwrap().chars().count() <= 2000);
}

#[test]
fn a_tools_output_reaches_hooks_in_2000_characters_and_failures_say_so() {
    let yaml = "hooks: {post_tool_use: [{name: p, command: \"cat > post.json; echo $ARCHITECT_TOOL_RESULT_SUCCESS > post.txt\"}]}";
    let hooked = Hooked::new(&[("long.txt", &"ñandú\n".repeat(3000))], yaml);
    hooked.call("read_file", &json!({"path": "long.txt"})).expect(0);
    let seen: Value = serde_json::from_str(&hooked.bench.read("post.json")).unwrap();
    assert_eq!(seen["tool_output"].as_str().unwrap().chars().count(), 2000);
    assert_eq!(hooked.bench.read("post.txt"), "True\n");
    hooked.call("run_command", &json!({"command": "exit 3"})).expect(1);
    assert_eq!(hooked.bench.read("post.txt"), "False\n");
}

#[test]
fn file_patterns_need_a_file_and_see_its_name_and_path() {
    let yaml = r#"
hooks:
  post_tool_use:
    - {name: fmt, command: "echo \"$ARCHITECT_FILE_PATH\" >> ran", matcher: "write_file|edit_file|run_command", file_patterns: ["*.py"]}
"#;
    let hooked = Hooked::new(&[("sub/x.txt", "")], yaml);
    hooked.call("run_command", &json!({"command": "echo a.py"})).expect(0);
    hooked.write("a.txt", "x").expect(0);
    assert!(!hooked.bench.workspace().join("ran").exists());
    hooked.write("./sub/../sub/b.py", "x").expect(0);
    hooked.write("--all.py", "x").expect(0);
    assert_eq!(hooked.bench.read("ran"), "sub/b.py\n./--all.py\n");
}

#[test]
fn post_edit_adds_the_documented_text_and_file_is_quoted() {
    let yaml = r#"
hooks:
  post_edit:
    - {name: python-lint, command: "cat {file}; echo $ARCHITECT_EDITED_FILE; exit 1", file_patterns: ["*.py"], timeout: 15}
    - {name: fine, command: "true", file_patterns: ["*.py"]}
    - {name: off, command: "touch off", enabled: false}
"#;
    let hooked = Hooked::new(&[], yaml);
    let text = output(&hooked.write("a.py", "F841 unused\n").expect(0));
    assert!(text.contains("[Hook python-lint: FALLO (exit 1)]\nF841 unused\na.py"), "{text}");
    assert!(text.contains("[Hook fine: OK]"), "{text}");
    let text = output(&hooked.write("x $(touch hacked);'.py", "quoted\n").expect(0));
    assert!(text.contains("FALLO (exit 1)]\nquoted"), "{text}");
    assert!(!hooked.bench.workspace().join("hacked").exists() && !hooked.bench.workspace().join("off").exists());
    // Neither a read nor a failed edit is an edit.
    let read = hooked.call("read_file", &json!({"path": "a.py"})).expect(0);
    assert!(!read.stdout.contains("[Hook"), "{}", read.stdout);
    let failed = hooked.call("edit_file", &json!({"path": "a.py", "old_str": "none", "new_str": "x"}));
    assert!(!failed.stdout.contains("[Hook"), "{}", failed.stdout);
    // A patch is an edit of every file that it writes.
    let patch = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-F841 unused\n+used\n";
    let patched = hooked.call("apply_patch", &json!({"path": "a.py", "patch": patch}));
    assert!(patched.stdout.contains("[Hook python-lint"), "{} {}", patched.stdout, patched.stderr);
    // So is a command, of every file that it leaves behind.
    let ran = hooked.call("run_command", &json!({"command": "echo made > b.py; rm a.py; echo x > c.txt"})).expect(0);
    let text = output(&ran);
    assert!(text.contains("[Hook python-lint: FALLO (exit 1)]\nmade\nb.py"), "{text}");
    let looked = output(&hooked.call("run_command", &json!({"command": "cat b.py"})).expect(0));
    assert!(!looked.contains("[Hook"), "{looked}");
}

#[test]
fn post_edit_output_is_cut_and_a_timeout_is_exit_minus_one() {
    let yaml = r#"
hooks:
  post_edit:
    - {name: long, command: "printf 'A%.0s' $(seq 700); printf 'B%.0s' $(seq 700)"}
    - {name: slow, command: "echo begun; sleep 60", timeout: 1}
"#;
    let hooked = Hooked::new(&[], yaml);
    let text = output(&hooked.write("a.txt", "x").expect(0));
    assert!(text.contains(&format!("[Hook long: OK]\n{}\n", "A".repeat(500))), "{text}");
    assert!(text.contains(&format!("\n{}\n", "B".repeat(250))) && !text.contains(&"B".repeat(251)), "{text}");
    assert!(text.contains("[Hook slow: FALLO (exit -1)]"), "{text}");
}

#[test]
fn a_background_hook_holds_nothing_up() {
    // It ends only when the call that it stands before has written: a call that waited for it would see it time out.
    let (_, ended) = in_the_background();
    assert!(!ended.stderr.contains("ended after"), "{}", ended.stderr);
}

fn in_the_background() -> (Hooked, Ended) {
    let yaml = r#"
hooks:
  pre_tool_use:
    - {name: slow, command: "until test -e a.txt; do sleep 0.05; done; touch done; exit 2", async: true, timeout: 120}
"#;
    let hooked = Hooked::new(&[], yaml);
    let ended = hooked.write("a.txt", "x").expect(0);
    (hooked, ended)
}

mod stress {
    #[test]
    #[ignore = "cargo xtask stress"]
    fn a_background_hook_is_given_a_moment_at_the_end() {
        assert!(super::in_the_background().0.bench.workspace().join("done").exists());
    }
}

#[test]
fn what_cannot_be_a_hook_is_a_configuration_error_with_its_place() {
    for (yaml, parts) in [
        (
            "hooks: {pre_tool_use: [{command: \"true\"}, {name: bad, command: \"true\", matcher: \"write_file(\"}]}",
            &["pre_tool_use[1]", "bad", "matcher", "write_file("][..],
        ),
        (
            "hooks: {post_edit: [{name: p, command: \"true\", file_patterns: [\"[\"]}]}",
            &["post_edit[0]", "file_patterns"],
        ),
        ("hooks: {on_error: [{name: e, command: \" \"}]}", &["on_error[0]", "command"]),
        ("hooks: {processes: [{command: \"true\", modes: [all]}]}", &["processes[0]", "modes", "approve"]),
        ("hooks: {pre_tool_use: [{command: \"true\", timeout: 301}]}", &["timeout", "300"]),
        ("hooks: {pre_tool_usage: []}", &["pre_tool_usage", "pre_tool_use"]),
    ] {
        let ended = Hooked::new(&[], yaml).write("a.txt", "x").expect(3);
        for part in parts {
            assert!(ended.stderr.contains(part), "{part}: {}", ended.stderr);
        }
    }
}

#[test]
fn a_hostile_repositorys_hooks_do_not_run() {
    let yaml = r#"
hooks:
  pre_tool_use: [{command: "touch hacked"}]
  processes: [{command: "touch hacked", modes: [observe]}]
  session_start: [{command: "touch hacked"}]
guardrails:
  quality_gates: [{name: g, command: "touch hacked"}]
"#;
    let bench = Bench::new(&[("palanca.yaml", yaml)]);
    let arguments = json!({"path": "a.txt", "content": "x"}).to_string();
    let ended = bench.run(&["--mode", "yolo", "call", "write_file", &arguments]).expect(0);
    assert!(ended.stderr.contains("hooks.pre_tool_use") && ended.stderr.contains("trust"), "{}", ended.stderr);
    assert!(!bench.workspace().join("hacked").exists());
    bench.run(&["config", "trust"]).expect(0);
    bench.run(&["--mode", "yolo", "call", "write_file", &arguments]).expect(0);
    assert!(bench.workspace().join("hacked").exists());
}

#[test]
fn a_hook_is_kept_in_like_a_command() {
    let yaml = "hooks: {pre_tool_use: [{name: h, command: \"cat .env; cat $OLDPWD/x; touch /etc/palanca-was-here; (echo > /dev/tcp/127.0.0.1/9) 2>&1; true\"}]}";
    let hooked = Hooked::new(&[(".env", "KEY=canary-77")], yaml);
    let ended = hooked.write("a.txt", "x").expect(0);
    assert!(!ended.stdout.contains("canary-77"), "{}", ended.stdout);
    assert!(!std::path::Path::new("/etc/palanca-was-here").exists());
}

#[test]
fn a_dry_run_asks_the_hooks_before_calls_alone_and_says_so() {
    let yaml = r#"
hooks:
  pre_tool_use: [{name: guard, command: "echo asked; grep -q secret && { echo not this file >&2; exit 2; }; true"}]
  post_tool_use: [{command: "touch ran"}]
  session_start: [{command: "touch ran"}]
guardrails: {quality_gates: [{name: g, command: "touch ran"}]}
"#;
    let hooked = Hooked::new(&[], yaml);
    let write = |path: &str| hooked.call_with("write_file", &json!({"path": path, "content": "x"}), &["--dry-run"]);
    let ended = write("a.txt").expect(0);
    assert!(ended.stderr.contains("of the hooks only pre_tool_use runs"), "{}", ended.stderr);
    assert!(output(&ended).contains("asked"), "{}", ended.stdout);
    let refused = write("secret.txt");
    assert!(refused.code != 0 && refused.stdout.contains("not this file"), "{}", refused.stdout);
    let (ended, _) = hooked.run(vec![Turn::text("Done.")], &["--dry-run"]);
    ended.expect(0);
    assert_eq!(std::fs::read_dir(hooked.bench.workspace()).unwrap().count(), 0);
}

#[test]
fn what_hooks_say_is_in_the_audit() {
    let hooked = Hooked::new(&[], "hooks: {pre_tool_use: [{name: auditor, command: \"true\"}]}");
    hooked.write("a.txt", "x").expect(0);
    let shown = hooked.bench.run(&["audit", "show", "--stages"]).expect(0);
    assert!(shown.stdout.contains("auditor"), "{}", shown.stdout);
}

#[test]
fn every_event_of_a_run_in_its_order() {
    let event = |name: &str| {
        format!(
            "  {name}: [{{name: {name}, command: \"echo $ARCHITECT_EVENT $ARCHITECT_STEP$ARCHITECT_STEPS $ARCHITECT_HAS_TOOL_CALLS$ARCHITECT_STATUS >> events\"}}]\n"
        )
    };
    let names = [
        "session_start",
        "pre_llm_call",
        "post_llm_call",
        "pre_tool_use",
        "post_tool_use",
        "agent_complete",
        "session_end",
        "on_error",
    ];
    let yaml = format!("hooks:\n{}", names.map(event).concat());
    let hooked = Hooked::new(&[("a.txt", "one\n")], &yaml);
    let turns = vec![Turn::calls([("read_file", json!({"path": "a.txt"}))]), Turn::text("Done.")];
    hooked.run(turns, &[]).0.expect(0);
    let seen: Vec<String> = hooked.bench.read("events").lines().map(|line| line.trim().to_owned()).collect();
    assert_eq!(
        seen,
        [
            "session_start",
            "pre_llm_call 1",
            "post_llm_call 1 True",
            "pre_tool_use",
            "post_tool_use",
            "pre_llm_call 2",
            "post_llm_call 2 False",
            "agent_complete 2 success",
            "session_end 2 success",
        ]
    );
    let failing = Hooked::new(&[], &yaml);
    failing.run(vec![Turn::status(401, "no")], &[]).0.expect(4);
    let seen = failing.bench.read("events");
    assert!(seen.contains("on_error 1") && seen.contains("session_end 1 failed"), "{seen}");
}

#[test]
fn contexts_join_the_conversation_before_the_next_model_call() {
    let yaml = r#"
hooks:
  session_start: [{command: "echo start"}]
  pre_llm_call: [{command: "echo before $ARCHITECT_STEP"}]
  post_llm_call: [{command: "echo '{\"additionalContext\": \"after\"}'"}]
"#;
    let hooked = Hooked::new(&[("a.txt", "one\n")], yaml);
    let turns = vec![Turn::calls([("read_file", json!({"path": "a.txt"}))]), Turn::text("Done.")];
    let (ended, requests) = hooked.run(turns, &[]);
    ended.expect(0);
    let users = |request: &Value| -> Vec<String> {
        let messages = request["messages"].as_array().unwrap().iter();
        let users = messages.filter(|message| message["role"] == "user");
        users.map(|message| message["content"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(users(&requests[0])[1..], ["[Hook context]: start", "[Hook context]: before 1"]);
    assert_eq!(users(&requests[1])[3..], ["[Hook context]: after", "[Hook context]: before 2"]);
}

#[test]
fn a_hook_before_the_model_call_can_end_the_turn() {
    let yaml = "hooks: {pre_llm_call: [{name: clock, command: \"echo 'closed at night' >&2; exit 2\"}], session_end: [{command: \"echo $ARCHITECT_STATUS > end\"}]}";
    let hooked = Hooked::new(&[], yaml);
    let (ended, requests) = hooked.run(vec![Turn::text("Done.")], &[]);
    let report = ended.json();
    assert_eq!((&report["status"], &report["stop_reason"]), (&json!("partial"), &json!("hook_blocked")));
    assert!(report["output"].as_str().unwrap().contains("closed at night"), "{report}");
    assert!(requests.is_empty() && ended.code != 0);
    assert_eq!(hooked.bench.read("end"), "partial\n");
}

#[test]
fn a_failing_gate_sends_the_model_back_with_its_own_words_kept() {
    let yaml = r#"
guardrails:
  quality_gates:
    - {name: tests, command: "grep -q two a.txt || { echo '1 failed in 0.03s'; exit 1; }", required: true, timeout: 120}
    - {name: style, command: "echo ugly; exit 1", required: false}
"#;
    let hooked = Hooked::new(&[("a.txt", "one\n")], yaml);
    let turns = vec![written("three\n"), Turn::text("I am done."), written("two\n"), Turn::text("Now it is.")];
    let (ended, requests) = hooked.run(turns, &[]);
    let ended = ended.expect(0);
    let report = ended.json();
    assert_eq!((&report["status"], &report["stop_reason"]), (&json!("success"), &json!("llm_done")));
    let sent = requests[2]["messages"].as_array().unwrap();
    let (said, told) = (&sent[sent.len() - 2], &sent[sent.len() - 1]);
    assert_eq!((&said["role"], &said["content"]), (&json!("assistant"), &json!("I am done.")));
    let told = told["content"].as_str().unwrap();
    assert!(told.contains("- tests: 1 failed in 0.03s") && !told.contains("ugly"), "{told}");
    assert!(ended.stderr.contains("style"), "optional ones are only shown: {}", ended.stderr);
}

/// The model writes.
fn written(content: &str) -> Turn {
    Turn::calls([("write_file", json!({"path": "a.txt", "content": content}))])
}

#[test]
fn gates_run_where_something_was_changed_and_may_be_left_out() {
    let yaml = "commands: {enabled: true}\nguardrails: {quality_gates: [{name: g, command: \"echo ran >> ../ran; exit 1\", required: false}]}\n";
    let calls = |command: &str| Turn::calls([("run_command", json!({ "command": command }))]);
    for (turn, more, times) in [
        (Some(Turn::calls([("read_file", json!({"path": "a.txt"}))])), &[][..], 0),
        (None, &[], 0),
        (Some(calls("ls")), &[], 0),
        (Some(calls("mkdir -p __pycache__ && echo x > __pycache__/a.pyc")), &[], 0),
        (Some(calls("echo two > b.txt")), &[], 1),
        (Some(written("two\n")), &[], 1),
        (Some(written("two\n")), &["--no-gates"], 0),
        (Some(written("two\n")), &["--agent", "review"], 0),
        (Some(written("two\n")), &["--dry-run"], 0),
    ] {
        let hooked = Hooked::new(&[("a.txt", "one\n")], yaml);
        let (ended, _) = hooked.run(turn.into_iter().chain([Turn::text("Done.")]).collect(), more);
        let ran = ended.stderr.matches("🧪 g: ✗").count();
        assert_eq!(ran, times, "{more:?}: {}", ended.stderr);
    }
}

#[test]
fn what_hooks_and_gates_write_is_undone_with_the_rest_and_caches_stop_nothing() {
    let yaml = r#"
commands: {enabled: true}
hooks: {post_edit: [{name: format, command: "echo formatted >> {file}"}]}
guardrails:
  quality_gates: [{name: tests, command: "mkdir -p .pytest_cache; echo 1 > .pytest_cache/ids; echo ok > report.txt"}]
"#;
    let command = "mkdir -p __pycache__; echo x > __pycache__/a.pyc; echo log > out.log; echo more > b.txt";
    for (theirs, code, left, undone) in [
        (&[][..], 0, &[][..], true),
        (&[".pytest_cache/ids", "out.log"], 2, &[".pytest_cache/ids", "out.log"], true),
        (&["__pycache__/a.pyc", "a.txt"], 1, &[], false),
    ] {
        let hooked = Hooked::new(&[("a.txt", "one\n"), (".gitignore", "*.log\n")], yaml);
        let (ended, _) = hooked.run(
            vec![written("two\n"), Turn::calls([("run_command", json!({ "command": command }))]), Turn::text("Done.")],
            &[],
        );
        ended.expect(0);
        assert_eq!(hooked.bench.read("a.txt"), "two\nformatted\n");
        theirs.iter().for_each(|path| hooked.bench.write(path, "theirs\n"));
        let ended = hooked.bench.run(&["sessions", "undo", "latest"]).expect(code);
        let there = |path: &str| hooked.bench.workspace().join(path).exists();
        let expected = if undone { "one\n" } else { "theirs\n" };
        assert_eq!(hooked.bench.read("a.txt"), expected, "{theirs:?}");
        assert_eq!(
            (there("report.txt"), there("b.txt"), there(".pytest_cache")),
            (!undone, !undone, !undone || code == 2)
        );
        for path in left {
            assert!(ended.stderr.contains(path) && hooked.bench.read(path) == "theirs\n", "{path}: {}", ended.stderr);
        }
        if undone {
            let not_shown = format!("not shown: {} ", 3 - left.len());
            assert!(ended.stdout.contains("-formatted") && ended.stdout.contains("-more"), "{}", ended.stdout);
            assert!(ended.stdout.contains(&not_shown) && !ended.stdout.contains("pyc"), "{}", ended.stdout);
        }
        if code == 2 {
            let again = hooked.bench.run(&["sessions", "undo", "latest", "--force", "--json"]).expect(0).json();
            assert_eq!(again["left"], json!([]));
            assert!(!there("out.log"));
        }
    }
}

#[test]
fn gates_are_run_by_the_run_that_takes_an_unchecked_one_up() {
    let yaml = "guardrails: {quality_gates: [{name: g, command: \"grep -q two a.txt\"}]}\n";
    let hooked = Hooked::new(&[("a.txt", "one\n")], yaml);
    let turns = vec![written("three\n"), Turn::text("Done."), Turn::text("Done."), Turn::text("Done.")];
    let (ended, _) = hooked.run(turns, &[]);
    assert_eq!(ended.json()["stop_reason"], "quality_gates");
    let (ended, requests) = hooked.run(vec![Turn::text("Yes."); 3], &["--session", "latest"]);
    assert_eq!((ended.json()["stop_reason"].as_str(), requests.len()), (Some("quality_gates"), 3));
    hooked.bench.write("a.txt", "two\n");
    let (ended, _) = hooked.run(vec![Turn::text("Yes.")], &["--session", "latest"]);
    assert_eq!(ended.expect(0).json()["stop_reason"], "llm_done");
}

#[test]
fn the_same_failure_three_times_ends_the_run_as_partial() {
    let yaml = "guardrails: {quality_gates: [{name: tests, command: \"date +%N | sed 's/^/failed in 0./; s/$/ s/'; exit 1\"}]}";
    let hooked = Hooked::new(&[], yaml);
    let said = (0..9).map(|_| Turn::text("Done, I think."));
    let (ended, requests) = hooked.run([written("x")].into_iter().chain(said).collect(), &[]);
    let report = ended.json();
    assert_eq!((&report["status"], &report["stop_reason"]), (&json!("partial"), &json!("quality_gates")));
    assert_eq!(requests.len(), 4);
    let output = report["output"].as_str().unwrap();
    assert!(output.contains("Done, I think.") && output.contains("tests"), "{output}");
    assert_ne!(ended.code, 0);
}

#[test]
fn a_gate_or_hook_that_hangs_cannot_outlive_the_runs_time() {
    let check = |yaml: &str| {
        let hooked = Hooked::new(&[("a.txt", "")], yaml);
        let turns = vec![written("x"), Turn::text("Done."), Turn::text("Bye.")];
        let (ended, _) = hooked.run(turns, &["--timeout", "3"]);
        assert_eq!(ended.json()["stop_reason"], "timeout", "{yaml}: {}", ended.stderr);
        assert!(!hooked.bench.workspace().join("outlived").exists(), "{yaml}");
    };
    std::thread::scope(|threads| {
        for yaml in [
            "guardrails: {quality_gates: [{name: g, command: \"sleep 60; touch outlived\"}]}",
            "hooks: {pre_llm_call: [{command: \"sleep 60; touch outlived\", timeout: 300}]}",
            "hooks: {pre_tool_use: [{command: \"sleep 60; touch outlived\", timeout: 300}]}",
        ] {
            threads.spawn(|| check(yaml));
        }
    });
}

/// A program that answers as this Python text says: `answer(method, params)`.
fn speaking(answer: &str) -> String {
    format!(
        r#"import json, sys
print("hello from stderr and stdout, which is no answer")
def out(**message):
    print(json.dumps(dict(jsonrpc="2.0", **message)), flush=True)
{answer}
for line in sys.stdin:
    message = json.loads(line)
    with open("heard", "a") as heard:
        heard.write(message["method"] + "\n")
    if "id" not in message:
        continue
    if message["method"] == "hook.hello":
        out(id=message["id"], result={{"ok": True, "name": "p"}})
        continue
    result = answer(message["method"], message["params"])
    if result is not None:
        out(id=message["id"], result=result)
"#
    )
}

fn process(answer: &str, more: &str) -> Hooked {
    let yaml = format!("hooks: {{processes: [{{name: p, command: \"python3 p.py\", {more}}}]}}");
    Hooked::new(&[("p.py", &speaking(answer)), ("a.txt", "one\n")], &yaml)
}

#[test]
fn a_long_lived_program_approves_changes_and_adds() {
    let answer = r#"
def answer(method, params):
    if method == "hook.approve_tool":
        return {"approved": params["arguments"].get("path") != "no.txt", "reason": "not this one"}
    if method == "hook.before_tool" and params["arguments"].get("path") == "a.txt":
        return {"action": "modify", "call": {"tool": params["tool"], "arguments": {"path": "b.txt", "content": "changed"}}}
    if method == "hook.before_tool" and params["arguments"].get("path") == "sly.txt":
        return {"action": "modify", "call": {"arguments": {"path": "no.txt", "content": "changed"}}}
    if method == "hook.before_tool" and params["arguments"].get("path") == "secret.txt":
        return {"action": "modify", "call": {"arguments": {"path": ".env", "content": "changed"}}}
    if method == "hook.before_tool" and params["arguments"].get("path") == "said.txt":
        return {"action": "respond", "result": {"for_llm": "I have written it for you"}}
    if method == "hook.after_tool":
        return {"action": "continue", "result": {"for_llm": "seen"}}
    return {"action": "continue"}
"#;
    let hooked = process(answer, "");
    let ended = hooked.write("a.txt", "zero").expect(0);
    assert!(output(&ended).contains("seen"), "{}", ended.stdout);
    assert_eq!((hooked.bench.read("a.txt"), hooked.bench.read("b.txt")), ("one\n".into(), "changed".into()));
    assert_eq!(
        hooked.bench.read("heard").lines().collect::<Vec<_>>(),
        [
            "hook.hello",
            "hook.approve_tool",
            "hook.before_tool",
            "hook.approve_tool",
            "hook.runtime_event",
            "hook.after_tool",
        ]
    );
    for (path, said) in [
        ("no.txt", "not this one"),
        // Changed after it was approved: approved again.
        ("sly.txt", "not this one"),
        ("secret.txt", ".env"),
        // Words in a tool's place are a refusal.
        ("said.txt", "I have written it for you"),
    ] {
        let ended = hooked.write(path, "x").expect(6);
        assert!(ended.json()["error"].to_string().contains(said), "{path}: {}", ended.stdout);
        for path in [path, "no.txt", ".env"] {
            assert!(!hooked.bench.workspace().join(path).exists(), "{path}");
        }
    }
}

#[test]
fn an_approval_that_fails_is_a_refusal_and_an_interceptor_that_fails_is_passed_over() {
    let (slow, nonsense) =
        ("def answer(method, params):\n    return None\n", "def answer(method, params):\n    return [1]\n");
    let check = |answer: &str| {
        let hooked = process(answer, "modes: [approve], approve_timeout_ms: 800");
        let ended = hooked.write("b.txt", "x").expect(6);
        assert!(ended.json()["error"].to_string().contains("'p' is required"), "{}", ended.stdout);
        let hooked = process(answer, "modes: [tool, observe], intercept_timeout_ms: 800");
        let ended = hooked.write("b.txt", "x").expect(0);
        assert!(ended.stderr.contains("Hook p"), "{}", ended.stderr);
        let hooked = process(answer, "modes: [tool], intercept_timeout_ms: 800, required: true");
        hooked.write("b.txt", "x").expect(6);
    };
    std::thread::scope(|threads| {
        for answer in [slow, nonsense, "def answer(method, params):\n    sys.exit(1)\n"] {
            threads.spawn(|| check(answer));
        }
    });
    let command = "sleep 60; touch outlived";
    let process = format!("{{name: s, command: \"{command}\", modes: [approve], approve_timeout_ms: 500}}");
    let silent = Hooked::new(&[], &format!("hooks: {{processes: [{process}]}}"));
    silent.write("b.txt", "x").expect(6);
    assert!(!silent.bench.workspace().join("outlived").exists(), "the greeting has a limit of its own");
}

#[test]
fn a_long_lived_program_hears_the_run_and_can_end_the_turn() {
    let answer = r#"
def answer(method, params):
    if method == "hook.before_tool":
        return {"action": "abort_turn", "reason": "enough"}
    return {"action": "continue", "additionalContext": "ctx " + method}
"#;
    let hooked = process(answer, "modes: [llm, tool, observe]");
    let (ended, requests) =
        hooked.run(vec![Turn::calls([("read_file", json!({"path": "a.txt"}))]), Turn::text("Done.")], &[]);
    let report = ended.json();
    assert_eq!((&report["stop_reason"], &report["status"]), (&json!("hook_blocked"), &json!("partial")), "{report}");
    assert_eq!(requests.len(), 1);
    assert!(requests[0].to_string().contains("[Hook context]: ctx hook.before_llm"), "{}", requests[0]);
    let heard = hooked.bench.read("heard");
    for method in ["hook.before_llm", "hook.after_llm", "hook.before_tool", "hook.runtime_event"] {
        assert!(heard.contains(method), "{heard}");
    }
}

#[test]
fn passing_the_mark_of_costs_and_leaving_old_messages_are_told_once_each() {
    let yaml = r#"
costs: {warn_at_usd: 0.000001}
context: {max_context_tokens: 3000, max_tool_result_tokens: 0}
hooks:
  budget_warning: [{command: "cat > budget.json; echo once >> budget.count"}]
  context_compress: [{command: "cat > compress.json"}]
"#;
    let long = "word ".repeat(1000);
    let hooked = Hooked::new(&[("a.txt", &long)], yaml);
    let read = || Turn::calls([("read_file", json!({"path": "a.txt"}))]);
    let server = ScriptedServer::spawn(
        vec![read(), read(), read(), read(), read(), Turn::text("Done.")],
        Manner { chunk: usize::MAX, tools: Tools::Read },
    );
    let mut command =
        hooked.bench.command(&["-c", &hooked.config, "run", "t", "--mode", "yolo", "--model", "openai:gpt-4o"]);
    command.env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", "k");
    crate::harness::ended(command.output().unwrap());
    let json = |name: &str| serde_json::from_str::<Value>(&hooked.bench.read(name)).unwrap();
    assert_eq!(
        (&json("budget.json")["event"], &json("budget.json")["warn_at"]),
        (&json!("budget_warning"), &json!(1e-6))
    );
    assert_eq!(hooked.bench.read("budget.count"), "once\n");
    assert!(json("compress.json")["left_out"].as_u64().unwrap() > 0);
}

#[test]
fn hooks_see_every_tool() {
    let yaml = "hooks: {pre_tool_use: [{name: all, command: \"echo $ARCHITECT_TOOL_NAME >> before\"}], post_tool_use: [{command: \"echo $ARCHITECT_TOOL_NAME >> after\"}]}";
    let hooked = Hooked::new(&[("a.txt", "one\ntwo\n"), ("b.txt", "x\n")], yaml);
    let calls = [
        ("read_file", json!({"path": "a.txt"})),
        ("write_file", json!({"path": "c.txt", "content": "c"})),
        ("edit_file", json!({"path": "a.txt", "old_str": "one", "new_str": "uno"})),
        ("apply_patch", json!({"path": "a.txt", "patch": "@@ -2 +2 @@\n-two\n+dos\n"})),
        ("list_files", json!({})),
        ("grep", json!({"text": "uno"})),
        ("search_code", json!({"pattern": "uno"})),
        ("find_files", json!({"pattern": "*.txt"})),
        ("run_command", json!({"command": "true"})),
    ];
    for (tool, arguments) in &calls {
        hooked.call_with(tool, arguments, &["--toolset", "architect"]).expect(0);
    }
    let names: Vec<&str> = calls.iter().map(|(tool, _)| *tool).collect();
    for list in ["before", "after"] {
        assert_eq!(hooked.bench.read(list).lines().collect::<Vec<_>>(), names, "{list}");
    }
}

#[test]
fn the_lint_example_tells_the_model_and_a_failed_gate_tells_people() {
    let hooked = Hooked::new(
        &[],
        "hooks: {post_tool_use: [{name: python-lint, command: 'echo \"{file}:15:5 F841\"; exit 1', file_patterns: ['*.py']}]}\n",
    );
    let said = output(&hooked.write("main.py", "x = 1\n"));
    assert!(said.contains("[Hook python-lint: FALLO (exit 1)]\n") && said.contains("main.py:15:5 F841"), "{said}");
    let gate =
        "guardrails: {quality_gates: [{name: tests, command: 'echo first; echo 2 failed; exit 1', required: false}]}\n";
    let (ended, _) = Hooked::new(&[], gate).run(vec![written("x"), Turn::text("Done.")], &[]);
    assert!(ended.stderr.contains("   2 failed"), "{}", ended.stderr);
}

#[test]
fn no_name_of_a_file_is_read_as_shell_text() {
    let name = "n\ntouch PWNED\n.py";
    for command in ["true # {file}", "echo \\\"{file}\\\"", "sh -c '{file}'", "echo {file}", "cat {file} | wc -l"] {
        let yaml = format!("hooks: {{post_edit: [{{name: f, command: \"{command}\"}}]}}\n");
        let hooked = Hooked::new(&[], &yaml);
        hooked.write(name, "x\n").expect(0);
        assert!(!hooked.bench.workspace().join("PWNED").exists(), "{command}");
    }
}
