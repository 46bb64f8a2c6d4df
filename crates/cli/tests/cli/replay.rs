//! The tour: a replayed session whose tools really run.

use crate::harness::{Bench, Ended, ended, repository};
use palanca_testkit::{Manner, ScriptedServer};
use std::process::Command;

const PROMPT: &str = "The total of March 2026 is too high.";

fn tour(more: &[&str]) -> (Bench, Ended) {
    let bench = Bench::new(&[]);
    let example = repository().join("examples/ledger/.");
    assert!(Command::new("cp").arg("-R").arg(example).arg(bench.workspace()).status().unwrap().success());
    let model = format!("replay:{}", repository().join("examples/ledger.session.jsonl").display());
    let mut arguments = vec!["run", PROMPT, "--model", &model];
    arguments.extend(more);
    let ended = bench.run(&arguments);
    (bench, ended)
}

#[test]
fn the_replayed_session_really_runs_searches_reads_edits_and_patches() {
    let (bench, ended) = tour(&["--mode", "yolo"]);
    let ended = ended.expect(0);
    assert!(ended.stdout.contains("Fixed."), "{}", ended.stdout);
    assert!(ended.stderr.contains("replay"), "says that the model is replayed: {}", ended.stderr);
    assert!(!ended.stderr.contains('✗'), "{}", ended.stderr);
    assert!(bench.read("ledger.py").contains("int(Decimal(text) * 100)"));
    assert!(bench.read("ledger.py").contains("(entry.day.year, entry.day.month) == (year, month)"));
    assert!(bench.read("tests/test_ledger.py").contains("test_amounts_lose_no_cent"));
}

#[test]
fn the_report_counts_every_call() {
    let (_bench, ended) = tour(&["--mode", "yolo", "--json"]);
    let report = ended.expect(0).json();
    assert_eq!((&report["status"], &report["stop_reason"]), (&"success".into(), &"llm_done".into()));
    let tools: Vec<_> =
        report["tools_used"].as_array().unwrap().iter().map(|used| used["name"].as_str().unwrap()).collect();
    assert_eq!(
        tools,
        [
            "run_command",
            "search_code",
            "read_file",
            "read_file",
            "edit_file",
            "apply_patch",
            "run_command",
            "run_command",
            "grep"
        ]
    );
    assert!(report["tools_used"].as_array().unwrap().iter().all(|used| used["success"] == true), "{report}");
}

#[test]
fn the_tour_shows_the_change_once_runs_the_tests_and_leaves_nothing_behind() {
    let bench = Bench::without_home(&[("tmp/.keep", "")]);
    let temporary = bench.workspace().join("tmp");
    let script = repository().join("examples/tour.sh");
    let ended = ended(
        Command::new(script)
            .env_clear()
            .envs([("PATH", "/usr/bin:/bin"), ("PALANCA", env!("CARGO_BIN_EXE_palanca"))])
            .envs([("HOME", bench.home()), ("PALANCA_HOME", bench.home()), ("TMPDIR", temporary.clone())])
            .output()
            .unwrap(),
    )
    .expect(0);
    let shown = format!("{}{}", ended.stderr, ended.stdout);
    assert_eq!(shown.matches("+    return int(Decimal(text) * 100)").count(), 1, "{shown}");
    assert!(ended.stdout.contains("Ran 3 tests") && ended.stdout.contains("exit_code: 0"), "{}", ended.stdout);
    let left: Vec<_> = std::fs::read_dir(temporary).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [".keep"]);
    assert!(!bench.home().exists(), "the user's own state was touched");
}

#[test]
fn a_dry_run_asks_nothing_changes_nothing_and_ends_with_one_diff() {
    let (bench, ended) = tour(&["--dry-run"]);
    let ended = ended.expect(0);
    let original = std::fs::read_to_string(repository().join("examples/ledger/ledger.py")).unwrap();
    assert_eq!(bench.read("ledger.py"), original);
    assert!(ended.stdout.contains("+    return int(Decimal(text) * 100)"), "{}", ended.stdout);
}

#[test]
fn a_prompt_comes_from_an_argument_or_from_stdin() {
    let bench = Bench::new(&[("r.jsonl", "{\"content\": \"hello\"}\n")]);
    let task = |arguments: &[&str], stdin: &str| {
        let more = ["--model", "replay:r.jsonl", "--report", "json"];
        let ended = bench.run_with(&[arguments, &more].concat(), stdin).expect(0);
        let report = &ended.stderr[ended.stderr.find("{\n").unwrap()..=ended.stderr.rfind("\n}").unwrap() + 1];
        serde_json::from_str::<serde_json::Value>(report).unwrap()["task"].as_str().unwrap().to_owned()
    };
    for (arguments, stdin, expected) in [
        (&["run", "typed"][..], "not read", "typed"),
        (&["run"], "piped\n", "piped"),
        (&["run", "-"], "\u{feff}two\r\nlines\r\n\r\n", "two\r\nlines"),
        (&["run", "--session", "latest", "-"], "again", "again"),
        (&["sessions", "resume", "latest", "-"], "and again", "and again"),
    ] {
        assert_eq!(task(arguments, stdin), expected, "{arguments:?}");
    }
}

#[test]
fn a_prompt_without_words_is_a_usage_error_and_no_model_is_asked() {
    let server = ScriptedServer::spawn(Vec::new(), Manner::default());
    let bench = Bench::new(&[]);
    let base = server.openai_url();
    let model = ["--model", "openai:m", "--api-base", &base];
    for (arguments, stdin) in [
        (&["run"][..], ""),
        (&["run", ""], "piped all the same"),
        (&["run", " \t\n"], ""),
        (&["run", "\u{200b}\u{feff}"], ""),
        (&["run", "-"], "\n\n"),
        (&["sessions", "resume", "latest", " "], ""),
        (&["sessions", "resume", "latest", "-"], ""),
    ] {
        let ended = bench.run_with(&[arguments, &model].concat(), stdin).expect(3);
        assert!(
            ended.stdout.is_empty() && ended.stderr.contains("The prompt is empty"),
            "{arguments:?}: {}",
            ended.stderr
        );
    }
    bench.write("task", "");
    std::fs::write(bench.workspace().join("task"), b"caf\xe9").unwrap();
    let latin = std::fs::File::open(bench.workspace().join("task")).unwrap();
    let ended = ended(bench.command(&["run"]).stdin(latin).output().unwrap()).expect(3);
    assert!(ended.stderr.contains("stdin") && ended.stderr.contains("UTF-8"), "{}", ended.stderr);
    let ended = bench.run_at_a_terminal(&["run"], &[]).expect(3);
    assert!(ended.stderr.contains("palanca run < task.md"), "{}", ended.stderr);
    assert!(server.requests().is_empty());
}

#[test]
fn a_replay_or_a_report_that_cannot_be_names_its_file() {
    let bench =
        Bench::new(&[("r.jsonl", "{\"content\": \"hello\"}\n"), ("empty.jsonl", "\n"), ("not.jsonl", "hello\n")]);
    for (model, report, said) in [
        ("replay:empty.jsonl", None, "empty.jsonl holds no model answer"),
        ("replay:none.jsonl", None, "none.jsonl"),
        ("replay:not.jsonl", None, "not.jsonl, line 1"),
        ("replay:r.jsonl", Some("."), ". is a folder"),
        ("replay:r.jsonl", Some("r.jsonl/report.md"), "r.jsonl/report.md: a part of the path is not a directory"),
        ("replay:r.jsonl", Some("/proc/none/report.md"), "--report-file"),
    ] {
        let mut arguments = vec!["run", "hi", "--model", model];
        arguments.extend(report.iter().flat_map(|file| ["--report-file", file]));
        let ended = bench.run(&arguments).expect(3);
        assert!(ended.stdout.is_empty() && ended.stderr.contains(said), "{arguments:?}: {}", ended.stderr);
    }
    // The device is full only when the run is over: its report is not lost with the file.
    let ended = bench.run(&["run", "hi", "--model", "replay:r.jsonl", "--report-file", "/dev/full"]).expect(1);
    assert_eq!(ended.stdout, "hello\n");
    assert!(ended.stderr.contains("# Report") && ended.stderr.contains("no space left"), "{}", ended.stderr);
}

#[test]
fn without_a_model_the_page_says_what_to_set() {
    let bench = Bench::new(&[]);
    let ended = bench.run(&["run", PROMPT]).expect(3);
    for said in ["--model", "PALANCA_MODEL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OLLAMA_HOST", "replay:"] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
}

#[test]
fn a_broken_replay_names_its_line() {
    let bench = Bench::new(&[("s.jsonl", "{\"content\": \"ok\"}\n{oops\n")]);
    let ended = bench.run(&["run", PROMPT, "--model", "replay:s.jsonl"]).expect(3);
    assert!(ended.stderr.contains("s.jsonl") && ended.stderr.contains('2'), "{}", ended.stderr);
    let missing = bench.run(&["run", PROMPT, "--model", "replay:none.jsonl"]).expect(3);
    assert!(missing.stderr.contains("none.jsonl"), "{}", missing.stderr);
}

#[test]
fn plan_cannot_write_whatever_the_model_says() {
    let write = r#"{"content": "", "tool_calls": [{"id": "1", "name": "write_file", "arguments": {"path": "a", "content": "x"}}]}"#;
    let bench = Bench::new(&[("s.jsonl", &format!("{write}\n{{\"content\": \"I could not.\"}}\n"))]);
    let ended = bench.run(&["run", PROMPT, "--agent", "plan", "--model", "replay:s.jsonl", "--json"]).expect(0);
    assert_eq!(ended.json()["tools_used"][0]["success"], false);
    assert!(!bench.workspace().join("a").exists());
}

#[test]
fn the_log_file_has_a_line_for_everything_that_happened() {
    let (bench, ended) = tour(&["--mode", "yolo", "--log-file", "log.jsonl", "-v"]);
    assert!(ended.expect(0).stderr.contains(" in, "), "-v shows what each model call used");
    let lines: Vec<serde_json::Value> =
        bench.read("log.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = |event: &str| lines.iter().filter(|line| line["event"] == event).count();
    assert_eq!((count("step"), count("tool_started"), count("tool_ended"), count("ended")), (6, 9, 9, 1));
}
