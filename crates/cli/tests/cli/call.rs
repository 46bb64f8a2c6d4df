//! `call` and `explain`.

use crate::harness::{Bench, ended};
use serde_json::{Value, json};

#[test]
fn a_read_prints_the_text_and_nothing_else() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\n")]);
    let ended = bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(0);
    assert!(ended.stdout.contains("one") && ended.stdout.contains("two"), "{}", ended.stdout);
    assert_eq!(ended.stderr, "");
}

#[test]
fn a_write_without_a_terminal_is_refused_with_remedies() {
    let bench = Bench::new(&[]);
    let ended = bench.run(&["call", "write_file", r#"{"path": "a.txt", "content": "x"}"#]).expect(6);
    assert!(ended.stderr.contains("--mode yolo") && ended.stderr.contains("--dry-run"), "{}", ended.stderr);
    assert!(!bench.workspace().join("a.txt").exists());
}

#[test]
fn yolo_writes_and_the_shapes_are_the_documented_ones() {
    let bench = Bench::new(&[]);
    let write = r#"{"path": "a.txt", "content": "x"}"#;
    let architect = bench.run(&["call", "write_file", write, "--mode", "yolo", "--toolset", "architect", "--json"]);
    let value = architect.expect(0).json();
    assert_eq!(value.as_object().unwrap().keys().collect::<Vec<_>>(), ["success", "output", "error"]);
    assert_eq!(bench.read("a.txt"), "x");
    let bots = bench.run(&["call", "read_file", r#"{"path": "none"}"#, "--shape", "bots"]).expect(1).json();
    assert_eq!(bots["success"], json!(false));
}

#[test]
fn a_dry_run_shows_the_diff_and_changes_nothing() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let edit = r#"{"path": "a.txt", "old_str": "one", "new_str": "two"}"#;
    let ended = bench.run(&["call", "edit_file", edit, "--dry-run"]).expect(0);
    assert!(ended.stdout.contains("-one") && ended.stdout.contains("+two"), "{}", ended.stdout);
    assert_eq!(bench.read("a.txt"), "one\n");
}

#[test]
fn bad_input_names_the_thing_and_the_remedy() {
    let bench = Bench::new(&[("main.rs", "fn main() {}\n"), (".env", "KEY=SECRETMARK\n")]);
    for (tool, arguments, code, said) in [
        ("read_fil", "{}", 1, "read_file"),
        ("read_file", "{", 1, "line 1, column 1: "),
        ("read_file", "{", 1, "one JSON object, such as {\"path\":\"…\"}"),
        ("read_file", "[1]", 1, "and not an array"),
        ("read_file", "main.rs", 3, "palanca call read_file path=main.rs"),
        ("read_file", "main.rs", 3, "palanca call read_file '{\"path\":\"main.rs\"}'"),
        ("read_file", "it's here", 3, r"'path=it'\''s here'"),
        ("edit_file", "=x", 3, "path=… old_str=… new_str=…"),
        ("read_fil", "main.rs", 1, "read_file"),
        ("read_file", r#"{"path": 5, "start_line": "x"}"#, 1, "start_line"),
        ("read_file", r#"{"path": "main.r"}"#, 1, "main.rs"),
        ("read_file", r#"{"path": "../x"}"#, 6, "../x"),
        ("read_file", r#"{"path": ".env"}"#, 6, ".env"),
        ("delete_file", r#"{"path": "main.rs"}"#, 6, "allow_delete"),
        ("search_code", r#"{"pattern": "("}"#, 1, "("),
    ] {
        let ended = bench.run(&["call", tool, arguments, "--mode", "yolo"]);
        assert_eq!(ended.code, code, "{tool} {arguments}: {}", ended.stderr);
        let whole = format!("{}{}", ended.stdout, ended.stderr);
        assert!(whole.contains(said), "{tool} {arguments}: {whole}");
        assert!(!ended.stdout.contains("SECRETMARK"));
    }
}

#[test]
fn arguments_can_be_typed_one_by_one() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\nthree\n"), ("-x", "dash\n"), ("7", "seven\n")]);
    for (arguments, said, not) in [
        (&["read_file", "path=a.txt"][..], "two", "warning"),
        (&["read_file", "path=a.txt", "start_line=2", "end_line=2"], "two", "three"),
        (&["read_file", "path=-x"], "dash", "warning"),
        // A text stays a text, whatever it looks like.
        (&["read_file", "path=7"], "seven", "warning"),
        (&["echo", "message=a=b, {c}"], "a=b, {c}", "warning"),
        (&["echo", "message="], "", "warning"),
        (&["read_file", "file_path=a.txt"], "use 'path'", "no such"),
    ] {
        for command in ["call", "explain"] {
            let ended = bench.run(&[&[command], arguments].concat()).expect(0);
            let whole = format!("{}{}", ended.stdout, ended.stderr);
            assert!(!whole.contains("invalid_arguments") && !whole.contains(not), "{command} {arguments:?}: {whole}");
            assert!(command == "explain" || whole.contains(said), "{arguments:?}: {whole}");
        }
    }
    for (arguments, code, said) in [
        (&["read_file", "path=a.txt", "path=b.txt"][..], 3, "'path' is given twice"),
        (&["read_file", "path=a.txt", "2"], 3, "read_file path=…"),
        (&["read_file", "path=a.txt", "-"], 3, "'-' is neither"),
        (&["read_file", "{}", "path=a.txt"], 3, "'{}' is neither"),
        (&["read_file", "path=a.txt", "start_line=two"], 1, "start_line"),
        (&["read_file", "path=a.txt", "nope=1"], 1, "nope"),
    ] {
        let ended = bench.run(&[&["call"], arguments].concat()).expect(code);
        assert!(ended.stderr.contains(said), "{arguments:?}: {}", ended.stderr);
    }
    let ended = bench.run_with(&["call", "read_file", "-"], r#"{"path": "a.txt"}"#).expect(0);
    assert!(ended.stdout.contains("three"), "{}", ended.stdout);
}

/// On whichever way the arguments come, a number for a text is the digits that were sent.
#[test]
fn a_number_for_a_text_is_written_as_it_was_sent() {
    for digits in ["1.10", "1e3", "12345678901234567890123", "-0", "0.1000000000000000055", "42"] {
        let bench = Bench::new(&[]);
        bench.run(&["-m", "yolo", "call", "write_file", &format!(r#"{{"path": "a", "content": {digits}}}"#)]).expect(0);
        bench.run(&["-m", "yolo", "call", "write_file", "path=b", &format!("content={digits}")]).expect(0);
        let line = format!(r#"{{"tool": "write_file", "args": {{"path": "c", "content": {digits}}}}}"#);
        bench.run_with(&["-m", "yolo", "call", "--batch", "-"], &line).expect(0);
        let said = format!(
            r#"{{"tool_calls": [{{"name": "write_file", "arguments": {{"path": "d", "content": {digits}}}}}]}}
{{"content": "done"}}"#
        );
        bench.write("replay", &said);
        bench.run(&["-m", "yolo", "run", "x", "--model", "replay:replay"]).expect(0);
        for name in ["a", "b", "c", "d"] {
            assert_eq!(bench.read(name), digits, "{name}");
        }
    }
    let bench = Bench::new(&[("a.txt", "x")]);
    for (arguments, said) in [
        (r#"{"path": "a.txt", "start_line": "007"}"#, "007 would be read as 7"),
        (r#"{"path": "a.txt", "start_line": 12345678901234567890123}"#, "beyond 64 bits"),
    ] {
        let ended = bench.run(&["call", "read_file", arguments]).expect(1);
        assert!(ended.stderr.contains(said), "{}", ended.stderr);
    }
}

/// What was typed, and what of it the answer must name: the thing and what to do.
#[test]
fn mistyped_command_lines_are_put_right() {
    let bench = Bench::new(&[("a.txt", "x")]);
    for (typed, said) in [
        (&["run", "hi", "--modle", "x"][..], &["'--model'"][..]),
        (&["--modle", "x", "run", "hi"], &["'--model' comes after its command: palanca run --model"]),
        (&["--model", "x", "run", "hi"], &["palanca run --model"]),
        (&["run", "hi", "--yolo"], &["--mode yolo"]),
        (&["call", "--jsn", "echo"], &["'--json'"]),
        (&["sessions", "--lats", "list"], &["palanca sessions list --last"]),
        (&["run", "fix", "it"], &["needs quotes"]),
        (&["fix the bug"], &["palanca run \"fix the bug\""]),
        (&["sesions"], &["'sessions'"]),
        (&["run", "hi", "--budget", "-1"], &["'-1'", "such as 2.50"]),
        (&["run", "hi", "--budget", "nan"], &["'nan'", "such as 2.50"]),
        (&["run", "hi", "--timeout", "0"], &["'0'", "above 0"]),
        (&["run", "hi", "--timeout", "inf"], &["'inf'", "such as 600"]),
        (&["-w", "a.txt", "call", "list_files"], &["a.txt", "not a folder", "--workspace"]),
        (&["-w", "a.txt", "config", "show"], &["a.txt", "not a folder", "--workspace"]),
        (&["man", "sessions", "nope"], &["palanca sessions", "'nope'", "undo"]),
        (&["completions", "cmd"], &["bash", "fish"]),
        (&["skills", "show", "nope"], &["'nope'", "skills create"]),
        (&["call", "--batch", "."], &["cannot read .", "it is a directory"]),
        (&["check", "paths", "."], &["cannot read .", "it is a directory"]),
    ] {
        let ended = bench.run(typed).expect(3);
        assert_eq!(ended.stdout, "", "{typed:?}");
        said.iter().for_each(|part| assert!(ended.stderr.contains(part), "{typed:?}: {part}: {}", ended.stderr));
    }
}

#[test]
fn a_home_that_cannot_be_one_is_named() {
    let bench = Bench::new(&[("a.txt", "x")]);
    let at =
        |home: &str, arguments: &[&str]| ended(bench.command(arguments).env("PALANCA_HOME", home).output().unwrap());
    for arguments in [&["call", "read_file", "path=a.txt"][..], &["doctor"], &["sessions", "list"], &["config", "show"]]
    {
        let ended = at("state", arguments).expect(3);
        assert!(ended.stderr.contains("PALANCA_HOME is 'state'"), "{arguments:?}: {}", ended.stderr);
    }
    let file = bench.workspace().join("a.txt").display().to_string();
    let ended = at(&file, &["call", "read_file", "path=a.txt"]).expect(0);
    assert!(ended.stderr.contains(&format!("{file}: it is not a folder")), "{}", ended.stderr);
}

#[test]
fn completions_and_pages_know_every_command() {
    let bench = Bench::new(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = bench.run(&["completions", shell]).expect(0).stdout;
        assert!(script.contains("audit") && script.contains("max-steps"), "{shell}");
    }
    // Bash itself has the last word: what it would offer behind `palanca sessions re`.
    let script = bench.run(&["completions", "bash"]).expect(0).stdout;
    bench.write("complete.bash", &script);
    let words = "source ./complete.bash; COMP_WORDS=(palanca sessions re); COMP_CWORD=2; _palanca palanca re sessions; \
        echo \"${COMPREPLY[@]}\"";
    let offered =
        std::process::Command::new("bash").args(["-c", words]).current_dir(bench.workspace()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&offered.stdout).trim(), "resume");
    assert!(bench.run(&["man"]).expect(0).stdout.contains(".TH palanca 1"));
    let page = bench.run(&["man", "sessions", "undo"]).expect(0).stdout;
    assert!(page.contains(".TH palanca-sessions-undo 1") && page.contains("force"), "{page}");
}

#[test]
fn usage_errors_are_code_3() {
    let bench = Bench::new(&[]);
    for arguments in
        [&["call"][..], &["no-such-command"], &["call", "x", "--mode", "never"], &["check", "weather", "-"]]
    {
        bench.run(arguments).expect(3);
    }
    bench.run(&["call", "read_file", "{}", "-w", "no/such/folder"]).expect(3);
    bench.run(&["call", "echo", "{}", "--toolset", "architect", "-c", "missing.yaml"]).expect(3);
    for arguments in [&["--help"][..], &["call", "--help"], &["--version"]] {
        bench.run(arguments).expect(0);
    }
}

#[test]
fn a_batch_answers_every_line_in_order() {
    let bench = Bench::new(&[("a.txt", "1")]);
    let lines = concat!(
        "{\"id\": \"first\", \"tool\": \"read_file\", \"args\": {\"path\": \"a.txt\"}}\n",
        "not json\n\n",
        "{\"tool\": \"echo\", \"args\": {\"message\": \"hello\"}}\n",
        "{\"id\": 7, \"tool\": \"echo\", \"args\": {}}\n",
    );
    for jobs in ["1", "4"] {
        let ended = bench.run_with(&["call", "--batch", "-", "--jobs", jobs], lines).expect(1);
        let rows: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let seen: Vec<_> = rows.iter().map(|row| (row["id"].clone(), row["success"].as_bool().unwrap())).collect();
        assert_eq!(seen, [(json!("first"), true), (json!(2), false), (json!(4), true), (json!(7), false)], "{rows:?}");
        assert_eq!(rows[2]["output"], "hello");
    }
}

#[test]
fn a_batch_reads_what_its_earlier_lines_wrote() {
    let lines = [
        json!({"tool": "write_file", "args": {"path": "new/n.txt", "content": "hello\n"}}),
        json!({"tool": "find_files", "args": {"pattern": "n.txt"}}),
        json!({"tool": "list_files", "args": {"recursive": true}}),
        json!({"tool": "search_code", "args": {"pattern": "hel+o"}}),
        json!({"tool": "run_command", "args": {"command": "cat new/n.txt"}}),
        json!({"tool": "run_command", "args": {"command": "cp new/n.txt new/m.txt"}}),
        json!({"tool": "find_files", "args": {"pattern": "m.txt"}}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let bench = Bench::new(&[]);
    let ended = bench.run_with(&["call", "--batch", "-", "--jobs", "4", "--mode", "yolo"], &text).expect(0);
    let outputs: Vec<String> = ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["output"].as_str().unwrap().to_owned())
        .collect();
    for (at, expected) in [(1, "new/n.txt"), (2, "new/n.txt"), (3, "hello"), (4, "hello"), (6, "new/m.txt")] {
        assert!(outputs[at].contains(expected), "{at}: {outputs:?}");
    }
}

#[test]
fn what_was_asked_is_in_every_result() {
    let bench = Bench::new(&[]);
    for (tool, arguments, input) in [
        ("nope", r#"{"a": 1}"#, json!({"a": 1})),
        ("read_file", r#"{"pat": "x"}"#, json!({"pat": "x"})),
        ("read_file", r#"{"path": "#, json!(r#"{"path": "#)),
        ("web_fetch", r#"{"url": "https://example.com"}"#, json!({"url": "https://example.com"})),
    ] {
        let ended = bench.run(&["call", tool, arguments, "--toolset", "contracts", "--json"]).expect(1).json();
        assert_eq!((&ended["name"], &ended["input"]), (&json!(tool), &input), "{ended}");
    }
}

#[test]
fn a_time_that_is_too_long_is_an_error() {
    let bench = Bench::new(&[]);
    for (toolset, tool) in [("picoclaw", "exec"), ("architect", "run_command"), ("palanca", "run_command")] {
        let arguments = r#"{"command": "true", "timeout": 601}"#;
        let ended = bench.run(&["call", tool, arguments, "--toolset", toolset, "--mode", "yolo"]).expect(1);
        assert!(ended.stderr.contains("601 is greater than the maximum of 600"), "{}", ended.stderr);
    }
}

#[test]
fn lists_of_tools_name_what_a_run_has() {
    let bench = Bench::new(&[]);
    for toolset in ["palanca", "architect", "picoclaw", "contracts", "bots"] {
        for command in [&["tools", "list"][..], &["tools", "schema"], &["agents"]] {
            let ended = bench.run(&[command, &["--toolset", toolset]].concat()).expect(0);
            let has_more = ended.stdout.contains("read_artifact");
            assert_eq!(has_more, toolset != "contracts", "{toolset} {command:?}: {}", ended.stdout);
        }
    }
    bench.write("own.yaml", "toolset: contracts\ncontracts: {artifacts: true}\n");
    let seven = bench.run(&["-c", "own.yaml", "tools", "list"]).expect(0).stdout;
    assert_eq!((seven.lines().count(), seven.contains("read_artifact")), (7, true), "{seven}");
    let six = bench.run(&["--toolset", "contracts", "tools", "show", "read_artifact"]);
    assert!(six.stderr.contains("contracts.artifacts: true"), "{}", six.stderr);
    let ended = bench.run(&["tools", "show", "web_fetch"]);
    assert!(ended.stderr.contains("webTools.enabled: true"), "{}", ended.stderr);
}

#[test]
fn a_batch_keeps_every_concurrent_edit() {
    let text: String = (0..40).map(|number| format!("line {number} old\n")).collect();
    let bench = Bench::new(&[("a.txt", &text)]);
    let lines: String = (0..40)
        .map(|number| {
            let args = json!({"path": "a.txt", "old_str": format!("line {number} old"), "new_str": format!("line {number} new")});
            format!("{}\n", json!({"id": number, "tool": "edit_file", "args": args}))
        })
        .collect();
    bench.run_with(&["call", "--batch", "-", "--jobs", "40", "--mode", "yolo"], &lines).expect(0);
    assert_eq!(bench.read("a.txt"), text.replace("old", "new"));
}

#[test]
fn explain_says_what_would_happen_and_does_nothing() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let edit = r#"{"file_path": "a.txt", "old_str": "one", "new_str": "two"}"#;
    let value = bench.run(&["explain", "edit_file", edit, "--json"]).expect(0).json();
    assert_eq!(value["arguments"]["path"], "a.txt");
    assert!(value["diff"].as_str().unwrap().contains("+two"), "{value}");
    let confirm = value["stages"].as_array().unwrap().iter().find(|stage| stage["stage"] == "confirm").unwrap();
    assert_eq!((&confirm["verdict"], &confirm["rule"]), (&json!("ask"), &json!("confirm.sensitive")));
    assert_eq!(bench.read("a.txt"), "one\n");
    let denied = bench.run(&["explain", "read_file", r#"{"path": ".env"}"#]).expect(0);
    assert!(denied.stdout.contains("deny"), "{}", denied.stdout);
}

#[test]
fn every_call_leaves_one_record() {
    let bench = Bench::new(&[("a.txt", "1")]);
    bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(0);
    bench.run(&["call", "read_file", r#"{"path": "../x"}"#]).expect(6);
    let records = std::fs::read_to_string(bench.home().join("audit.jsonl")).unwrap();
    let records = records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let outcomes: Vec<Value> = records.map(|record| record["outcome"].clone()).collect();
    assert_eq!(outcomes, ["done", "refused"]);
}

#[test]
fn spanish_says_what_the_documents_say() {
    let bench = Bench::new(&[("a.txt", "aa")]);
    for (arguments, said) in [
        (&["call", "nada", "{}"][..], "Tool no encontrada"),
        (&["call", "read_file", "{\"path\": 1, \"x\": 2}"], "Argumentos inválidos: "),
        (&["call", "write_file", r#"{"path": "b", "content": ""}"#], "No hay TTY para confirmar"),
        (
            &["call", "edit_file", r#"{"path": "a.txt", "old_str": "b", "new_str": ""}"#, "--mode", "yolo"],
            "old_str no encontrado",
        ),
        (
            &["call", "edit_file", r#"{"path": "a.txt", "old_str": "a", "new_str": ""}"#, "--mode", "yolo"],
            "old_str no es único",
        ),
        (&["call", "delete_file", r#"{"path": "a.txt"}"#, "--mode", "yolo"], "allow_delete=False en WorkspaceConfig"),
    ] {
        let mut arguments = arguments.to_vec();
        arguments.extend(["--lang", "es", "--toolset", "architect"]);
        let ended = bench.run(&arguments);
        assert!(
            format!("{}{}", ended.stdout, ended.stderr).contains(said),
            "{arguments:?}: {} {}",
            ended.stdout,
            ended.stderr
        );
    }
}

#[test]
fn a_task_that_no_model_can_do_is_not_promised() {
    let bench = Bench::new(&[]);
    for wait in ["true", "false"] {
        let spawn = format!(r#"{{"task": "x", "wait": {wait}}}"#);
        let mut command = bench.command(&["call", "spawn", &spawn, "--mode", "yolo"]);
        let ended = ended(command.env("OLLAMA_HOST", "127.0.0.1:9").output().unwrap()).expect(3);
        assert_eq!(ended.stdout, "");
        assert!(ended.stderr.contains("PALANCA_MODEL"), "{}", ended.stderr);
    }
}

#[test]
fn a_log_is_written_or_refused() {
    let bench = Bench::new(&[("a.txt", "x")]);
    let read = r#"{"path": "a.txt"}"#;
    bench.run(&["call", "read_file", read, "--log-file", "one.jsonl"]).expect(0);
    let batch = format!("{{\"tool\": \"read_file\", \"args\": {read}}}\n{{\"tool\": \"none\"}}\n");
    bench.run_with(&["call", "--batch", "-", "--log-file", "two.jsonl"], &batch).expect(1);
    for (file, calls) in [("one.jsonl", 1), ("two.jsonl", 2)] {
        let lines: Vec<Value> = bench.read(file).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let of = |event: &str| lines.iter().filter(|line| line["event"] == event).count();
        let spans = lines.len() - 2 * calls;
        assert_eq!((of("tool_started"), of("tool_ended"), of("span")), (calls, calls, spans), "{lines:?}");
        assert!(spans >= calls, "{lines:?}");
    }
    let refused = bench.run(&["call", "read_file", read, "--log-file", "none/x.jsonl"]).expect(3);
    assert!(refused.stderr.contains("none/x.jsonl") && refused.stdout.is_empty(), "{}", refused.stderr);
    for arguments in [
        &["tools", "list"][..],
        &["explain", "read_file", read],
        &["check", "commands"],
        &["config", "show"],
        &["doctor"],
        &["sessions", "list"],
        &["audit", "show"],
        &["approvals", "list"],
        &["store", "check"],
        &["skills", "list"],
        &["agents"],
        &["init", "--list-presets"],
    ] {
        let refused = bench.run(&[arguments, &["--log-file", "x.jsonl"]].concat()).expect(3);
        assert!(refused.stderr.contains("palanca call") && refused.stdout.is_empty(), "{}", refused.stderr);
    }
    assert!(!bench.workspace().join("x.jsonl").exists());
}
