//! Guardrails and loop detection, from the configuration to the exit code, with the real doors and the real sandbox.

use crate::harness::{Bench, Ended, ended};
use palanca_testkit::{Manner, ScriptedServer, Tools, Turn};
use serde_json::{Value, json};

fn bench(rules: &str, files: &[(&str, &str)]) -> Bench {
    let bench = Bench::new(files);
    bench.write("palanca.yaml", &format!("guardrails:\n  {}\n", rules.replace('\n', "\n  ")));
    bench
}

fn call(bench: &Bench, tool: &str, arguments: &Value) -> Ended {
    bench.run(&["call", tool, &arguments.to_string(), "--mode", "yolo", "--json"])
}

fn run(bench: &Bench, command: &str) -> Ended {
    call(bench, "run_command", &json!({ "command": command }))
}

#[track_caller]
fn refused(ended: Ended, rule: &str) {
    let ended = ended.expect(6);
    assert_eq!(ended.json()["code"], rule, "{}", ended.stdout);
}

#[test]
fn sensitive_files_are_closed_to_tools_and_programs() {
    let files = [("notes.private", "SECRETMARK\n"), ("deep/down/x.private", "SECRETMARK\n"), ("a.txt", "SECRETLIKE\n")];
    let bench = bench("sensitive_files: ['*.private']", &files);
    std::os::unix::fs::symlink("notes.private", bench.workspace().join("innocent")).unwrap();
    refused(call(&bench, "read_file", &json!({"path": "innocent"})), "guardrails.sensitive_files");
    refused(run(&bench, "cat notes.private"), "guardrails.sensitive_files");
    refused(run(&bench, "python3 -c \"print(open('notes.private').read())\""), "guardrails.sensitive_files");
    // Nothing here names the file: the kernel keeps it closed.
    for command in ["cat innocent", "cat *", "cat deep/down/*", "grep -r SECRET .", "tar cf - . | tr -d '\\0'"] {
        let ended = run(&bench, command);
        assert!(!ended.stdout.contains("SECRETMARK"), "{command}: {}", ended.stdout);
    }
    let found = call(&bench, "grep", &json!({"pattern": "SECRET"})).expect(0);
    assert!(found.stdout.contains("SECRETLIKE") && !found.stdout.contains("SECRETMARK"), "{}", found.stdout);
}

#[test]
fn protected_files_are_kept_from_tools_and_programs() {
    let bench = bench("protected_files: ['*.frozen']", &[("a.frozen", "as it was\n"), ("b.txt", "x\n")]);
    refused(call(&bench, "write_file", &json!({"path": "a.frozen", "content": "x"})), "guardrails.protected_files");
    refused(run(&bench, "echo x > a.frozen"), "guardrails.protected_files");
    run(&bench, "cat a.frozen").expect(0);
    for command in [
        "f=$(ls | head -1); echo x > \"$f\"",
        "find . -name '*.frozen' -exec sh -c 'echo x > \"$1\"' _ {} \\;",
        "for f in *; do echo x >> $f; done",
        "find . -name 'a.fro*' -delete",
    ] {
        run(&bench, command);
        assert_eq!(bench.read("a.frozen"), "as it was\n", "{command}");
    }
}

/// `HEAD`, `refs` and `objects` make a repository of a folder, and its `config` runs programs.
#[test]
fn no_file_tool_plants_a_repository_at_the_top() {
    let bench = Bench::new(&[("docs/a.md", "x\n")]);
    let head = |code: i32, tool: &str, arguments: &Value| {
        let ended = call(&bench, tool, arguments).expect(code);
        let said = (ended.stdout + &ended.stderr).to_lowercase();
        assert!(code == 0 || (said.contains("head") && said.contains("protected")), "{said}");
    };
    for path in ["HEAD", "./HEAD", "docs/../HEAD", "head"] {
        head(6, "write_file", &json!({"path": path, "content": "ref: refs/heads/main\n"}));
    }
    let all = "--- /dev/null\n+++ b/refs/heads/main\n@@ -0,0 +1 @@\n+x\n--- /dev/null\n+++ b/HEAD\n@@ -0,0 +1 @@\n+ref: refs/heads/main\n";
    head(6, "apply_patch", &json!({"patch": all}));
    assert!(!bench.workspace().join("refs").exists() && !bench.workspace().join("HEAD").exists());
    for path in ["refs/heads/main", "objects/aa/x", "config", "docs/HEAD", "HEAD.md"] {
        head(0, "write_file", &json!({"path": path, "content": "x\n"}));
    }
}

#[test]
fn rules_judge_every_command_of_the_binary() {
    let rules = "blocked_commands: ['git\\s+push']\nmax_files_modified: 1\ncode_rules: [{pattern: 'eval\\(', message: no eval, severity: block}, {pattern: 'print\\(', message: log it}]";
    let bench = bench(rules, &[]);
    refused(run(&bench, "g=git; $g 'push'"), "guardrails.blocked_commands");
    refused(call(&bench, "write_file", &json!({"path": "a.py", "content": "eval(1)"})), "guardrails.code_rules");
    refused(run(&bench, "echo 'eval(1)' > a.py"), "guardrails.code_rules");
    let warned = call(&bench, "write_file", &json!({"path": "a.py", "content": "print(1)\n"})).expect(0);
    assert!(warned.stdout.contains("guardrails.code_rules[1]"), "{}", warned.stdout);
    let explained = bench.run(&["explain", "write_file", r#"{"path": "b.py", "content": "eval(1)"}"#]).expect(0);
    assert!(explained.stdout.contains("guardrails.code_rules"), "{}", explained.stdout);
    let lines: String = (1..=4)
        .map(|n| json!({"tool": "write_file", "args": {"path": format!("n{n}"), "content": "x"}}).to_string() + "\n")
        .collect();
    let batch = bench.run_with(&["call", "--batch", "-", "--mode", "yolo", "--jobs", "4"], &lines).expect(6);
    assert_eq!(batch.stdout.matches("guardrails.max_files_modified").count() / 2, 3, "{}", batch.stdout);
}

#[test]
fn what_a_command_wrote_is_told() {
    let bench =
        bench("code_rules: [{pattern: 'eval\\(', message: no eval}]\nmax_files_modified: 1", &[("a.txt", "e\n")]);
    let ended = run(&bench, "printf 'ev%s(1)\\n' al > b.py; cp b.py c.py").expect(0);
    assert!(
        ended.stdout.contains("guardrails.code_rules[0]") && ended.stdout.contains("max_files_modified"),
        "{}",
        ended.stdout
    );
}

#[test]
fn bad_rules_are_configuration_errors_with_their_place() {
    for (rules, said) in [
        ("blocked_commands: [fine, 'a(b']", "guardrails.blocked_commands[1]"),
        ("code_rules: [{pattern: '[', message: x}]", "guardrails.code_rules[0]"),
        ("protected_files: ['a[']", "guardrails.protected_files"),
    ] {
        let ended = bench(rules, &[]).run(&["call", "echo", r#"{"message": "x"}"#]).expect(3);
        assert!(ended.stderr.contains(said), "{}", ended.stderr);
    }
    let bench = Bench::new(&[("palanca.yaml", "loops: {warn: 5, refuse: 3}\n")]);
    let ended = bench.run(&["config", "trust"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let ended = bench.run(&["call", "echo", r#"{"message": "x"}"#]).expect(3);
    assert!(ended.stderr.contains("warn <= refuse <= stop"), "{}", ended.stderr);
}

#[test]
fn switched_off_they_say_so() {
    let bench = Bench::new(&[("a.lock", "x")]);
    let config = bench.home().parent().unwrap().join("own.yaml");
    std::fs::write(&config, "guardrails: {enabled: false, protected_files: ['*.lock']}\n").unwrap();
    let write = r#"{"path": "a.lock", "content": "y"}"#;
    let ended = bench.run(&["call", "write_file", write, "--mode", "yolo", "-c", config.to_str().unwrap()]).expect(0);
    assert!(ended.stderr.contains("guardrails.enabled is false"), "{}", ended.stderr);
}

fn agent(bench: &Bench, server: &ScriptedServer) -> Ended {
    let mut command = bench.command(&["run", "Do it", "--mode", "yolo", "--model", "openai:scripted", "--json"]);
    ended(command.env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", "k").output().unwrap())
}

#[test]
fn a_run_that_goes_in_circles_ends_as_partial() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let mut turns = vec![Turn::calls([("read_file", json!({"path": "a.txt"}))]); 8];
    turns.push(Turn::text("I was stuck."));
    let server = ScriptedServer::spawn(turns, Manner { chunk: 4096, tools: Tools::Read });
    let ended = agent(&bench, &server);
    let report = ended.json();
    assert_eq!((&report["status"], &report["stop_reason"]), (&json!("partial"), &json!("loop_detected")), "{report}");
    assert_eq!(report["steps"], 8);
    assert!(report["output"].as_str().unwrap().contains("I was stuck."), "{report}");
    let requests = server.requests();
    assert!(requests[4].body.to_string().contains("Do something else"), "warned after the third");
    assert!(requests[6].body.to_string().contains("loops.refuse"), "refused from the fifth");
}

#[test]
fn a_model_is_under_the_same_rules_in_every_mode() {
    let bench = bench("require_test_after_edit: true\nprotected_files: ['*.lock']", &[("a.lock", "x\n")]);
    let write = |path: &str| ("write_file", json!({"path": path, "content": "y\n"}));
    let turns = vec![Turn::calls([write("a.lock")]), Turn::calls([write("b"), write("c")]), Turn::text("Done.")];
    let server = ScriptedServer::spawn(turns, Manner { chunk: 4096, tools: Tools::Read });
    agent(&bench, &server).expect(0);
    assert_eq!(bench.read("a.lock"), "x\n");
    assert_eq!(["b", "c"].iter().filter(|name| bench.workspace().join(name).exists()).count(), 1);
}
