//! `call` and `explain`.

use crate::harness::Bench;
use serde_json::{Value, json};

#[test]
fn a_read_prints_the_text_and_nothing_else() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\n")]);
    let ended = bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(0);
    assert!(ended.stdout.contains("one") && ended.stdout.contains("two"), "{}", ended.stdout);
    assert_eq!(ended.stderr, "");
}

#[test]
fn a_write_without_anybody_to_ask_is_refused_with_remedies() {
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
        ("read_file", "{", 1, "line 1"),
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
    let outcomes: Vec<Value> =
        records.filter(|record| record["kind"] == "outcome").map(|record| record["outcome"].clone()).collect();
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
