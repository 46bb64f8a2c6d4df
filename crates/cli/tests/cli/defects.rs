//! Defects of the systems that this one follows, each tried on the real binary. The names carry the number that the defect has
//! in the list of them; what belongs to a part of its own (guardrails, hooks, sessions) is tried there.

use crate::harness::{Bench, Ended};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;

fn call(bench: &Bench, tool: &str, arguments: &Value) -> Ended {
    bench.run(&["call", tool, &arguments.to_string(), "--mode", "yolo"])
}

/// A run whose model says these lines.
fn replay(bench: &Bench, lines: &[Value], more: &[&str]) -> Ended {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    bench.write("session.jsonl", &text);
    let mut words = vec!["run", "Do it.", "--model", "replay:session.jsonl", "--json"];
    words.extend(more);
    bench.run(&words)
}

fn asks(tool: &str, arguments: &Value) -> Value {
    json!({"content": "", "tool_calls": [{"id": "1", "name": tool, "arguments": arguments}]})
}

#[test]
fn a_pattern_is_never_an_option_of_a_program() {
    let bench = Bench::new(&[("a.txt", "one --pre=touch two\n")]);
    for tool in ["grep", "search_code"] {
        let found = call(&bench, tool, &json!({"pattern": "--pre=touch", "file_pattern": "*"})).expect(0);
        assert!(found.stdout.contains("a.txt"), "{tool}: {}", found.stdout);
        call(&bench, tool, &json!({"pattern": "x", "file_pattern": "--pre=touch made"}));
    }
    assert!(!bench.workspace().join("made").exists());
}

#[test]
fn a_pattern_lists_nothing_outside() {
    let bench = Bench::new(&[("in.txt", "")]);
    std::fs::write(bench.workspace().join("../beside.txt"), "").unwrap();
    for pattern in ["../*", "**/../../*", "/*", "/**/*.txt", "*/../../*.txt"] {
        for tool in ["list_files", "find_files"] {
            let ended = call(&bench, tool, &json!({"pattern": pattern, "recursive": true}));
            assert!(!(ended.stdout + &ended.stderr).contains("beside"), "{tool} {pattern}");
        }
    }
}

#[test]
fn what_follows_a_safe_word_is_read_too() {
    let bench = Bench::new(&[]);
    for command in ["ls; touch made", "ls && touch made", "cat x | tee made", "echo `touch made`", "ls > made", "lsx"] {
        let judged = bench.run(&["explain", "run_command", &json!({"command": command}).to_string(), "--json"]);
        assert_eq!(judged.expect(0).json()["commands"][0]["class"], "dangerous", "{command}");
    }
}

#[test]
fn a_fork_bomb_is_blocked_however_it_is_spaced() {
    let bench = Bench::new(&[]);
    for command in [":(){ :|:& };:", ": ( ) { : | : & } ; :", "f(){ f|f& };f", "bomb() {\n bomb | bomb &\n}\nbomb"] {
        let ended = call(&bench, "run_command", &json!({ "command": command })).expect(6);
        assert!(ended.stderr.contains("Guardrail"), "{command}: {}", ended.stderr);
    }
}

#[test]
fn a_command_sees_no_key_and_may_set_no_loader() {
    let bench = Bench::new(&[]);
    let mut command = bench.command(&["call", "run_command", r#"{"command": "env"}"#, "--mode", "yolo"]);
    let output = command.env("OPENAI_API_KEY", "sk-canary").env("MY_SECRET", "canary").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("PATH=") && !said.contains("canary"), "{said}");
    let set = |name: &str, value: &str, mode: &str| {
        let arguments = json!({"command": "ls", "env": {name: value}});
        bench.run(&["call", "run_command", &arguments.to_string(), "--mode", mode])
    };
    for name in ["LD_PRELOAD", "PATH", "GIT_SSH_COMMAND", "BASH_ENV", "NODE_OPTIONS", "PYTHONSTARTUP"] {
        for mode in ["yolo", "confirm-sensitive"] {
            let ended = set(name, "x", mode);
            assert!(ended.code != 0 && ended.stderr.contains(name), "{name}: {} {}", ended.code, ended.stderr);
            assert!(!ended.stderr.contains("confirm"), "asked about what cannot start: {}", ended.stderr);
        }
    }
    // Others are judged like an assignment in the text: what may change more than display needs a yes.
    for (name, value, asks) in
        [("LANG", "C", false), ("COLUMNS", "80", false), ("MANOPT", "-P x", true), ("A", "1", true)]
    {
        let ended = set(name, value, "confirm-sensitive");
        assert_eq!(ended.stderr.contains("No terminal to confirm"), asks, "{name}: {}", ended.stderr);
    }
}

#[test]
fn a_tool_that_is_not_offered_cannot_be_named() {
    let bench = Bench::new(&[("kept.txt", "kept")]);
    for agent in ["plan", "review", "resume"] {
        let delete = asks("write_file", &json!({"path": "kept.txt", "content": ""}));
        let report = replay(&bench, &[delete, json!({"content": "No."})], &["--agent", agent, "--mode", "yolo"]);
        assert_eq!(report.expect(0).json()["tools_used"][0]["success"], false, "{agent}");
    }
    assert_eq!(bench.read("kept.txt"), "kept");
}

#[test]
fn a_link_that_leads_outside_is_not_followed() {
    let bench = Bench::new(&[]);
    std::fs::write(bench.workspace().join("../beside.txt"), "outside").unwrap();
    std::os::unix::fs::symlink("../beside.txt", bench.workspace().join("link")).unwrap();
    assert!(!call(&bench, "read_file", &json!({"path": "link"})).expect(6).stdout.contains("outside"));
    call(&bench, "write_file", &json!({"path": "link", "content": "x"})).expect(6);
    assert_eq!(bench.read("../beside.txt"), "outside");
}

#[test]
fn a_failure_shows_its_output_and_no_empty_error() {
    let bench = Bench::new(&[]);
    let ended = call(&bench, "run_command", &json!({"command": "echo 3 tests failed; exit 1"}));
    let said = ended.stdout + &ended.stderr;
    assert!(said.contains("3 tests failed") && !said.contains("None") && !said.contains("null"), "{said}");
    let report = [asks("run_command", &json!({"command": "echo shown; exit 3"})), json!({"content": "It failed."})];
    let report = replay(&bench, &report, &["--mode", "yolo"]).expect(0).json();
    assert_eq!(report["tools_used"][0]["success"], false, "{report}");
}

#[test]
fn a_removed_line_that_looks_like_a_heading_is_removed() {
    let bench = Bench::new(&[("a.sql", "-- one\n-- two\nthree\n")]);
    let patch = "--- a/a.sql\n+++ b/a.sql\n@@ -1,3 +1,3 @@\n--- one\n+++ new\n -- two\n three\n";
    call(&bench, "apply_patch", &json!({"path": "a.sql", "patch": patch})).expect(0);
    assert_eq!(bench.read("a.sql"), "++ new\n-- two\nthree\n");
    let nothing = call(&bench, "apply_patch", &json!({"path": "a.sql", "patch": "no patch at all"}));
    assert_ne!(nothing.code, 0, "a patch without a hunk is no success");
}

#[test]
fn counts_ends_of_lines_and_order_of_hunks_are_strict() {
    let ten: String = (1..=10).map(|number| format!("{number}\n")).collect();
    let bench = Bench::new(&[("a", &ten), ("crlf", "one\r\ntwo\r\n"), ("bare", "one\ntwo")]);
    let overlapping = "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n";
    assert_ne!(call(&bench, "apply_patch", &json!({"path": "a", "patch": overlapping})).code, 0);
    assert_eq!(bench.read("a"), ten);
    let miscounted = "--- a/a\n+++ b/a\n@@ -1,5 +1,2 @@\n 1\n-2\n+two\n";
    let ended = call(&bench, "apply_patch", &json!({"path": "a", "patch": miscounted})).expect(0);
    assert!(ended.stdout.contains("counts -5 +2"), "wrong counts are said: {}", ended.stdout);
    assert_eq!(bench.read("a"), ten.replace("2\n", "two\n"));
    let patch = |name: &str| format!("--- a/{name}\n+++ b/{name}\n@@ -1,2 +1,3 @@\n one\n+and\n two\n");
    call(&bench, "apply_patch", &json!({"path": "crlf", "patch": patch("crlf")})).expect(0);
    assert_eq!(bench.read("crlf"), "one\r\nand\r\ntwo\r\n");
    let bare = patch("bare") + "\\ No newline at end of file\n";
    call(&bench, "apply_patch", &json!({"path": "bare", "patch": bare})).expect(0);
    assert_eq!(bench.read("bare"), "one\nand\ntwo");
}

#[test]
fn a_patch_that_fails_leaves_nothing_behind() {
    let bench = Bench::new(&[("a", "one\n")]);
    let wrong = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-other\n+new\n";
    assert_ne!(call(&bench, "apply_patch", &json!({"path": "a", "patch": wrong})).code, 0);
    let names: Vec<_> = std::fs::read_dir(bench.workspace()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["a"]);
}

#[test]
fn an_edit_keeps_line_ends_and_mode() {
    let bench = Bench::new(&[("run.sh", "#!/bin/sh\r\necho one\r\n")]);
    let path = bench.workspace().join("run.sh");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o751)).unwrap();
    call(&bench, "edit_file", &json!({"path": "run.sh", "old_str": "echo one\n", "new_str": "echo two\necho three\n"}))
        .expect(0);
    assert_eq!(bench.read("run.sh"), "#!/bin/sh\r\necho two\r\necho three\r\n");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o751);
}

#[test]
fn edits_of_one_file_side_by_side_are_all_kept() {
    let lines: String = (0..40).map(|number| format!("line {number};\n")).collect();
    let bench = Bench::new(&[("a.txt", &lines)]);
    let batch: String = (0..40)
        .map(|number| {
            let edit =
                json!({"path": "a.txt", "old_str": format!("line {number};"), "new_str": format!("LINE {number};")});
            format!("{}\n", json!({"tool": "edit_file", "args": edit}))
        })
        .collect();
    bench.run_with(&["call", "--batch", "-", "--jobs", "8", "--mode", "yolo"], &batch).expect(0);
    assert_eq!(bench.read("a.txt"), lines.replace("line", "LINE"));
}

#[test]
fn a_limit_on_the_run_ends_a_tool_that_hangs() {
    let bench = Bench::new(&[]);
    let sleeps = asks("run_command", &json!({"command": "sleep 60; touch outlived", "timeout": 300}));
    let ended = replay(&bench, &[sleeps, json!({"content": "done"})], &["--mode", "yolo", "--timeout", "3"]);
    assert_eq!(ended.code, 5, "{} {}", ended.stdout, ended.stderr);
    assert!(!bench.workspace().join("outlived").exists());
}

#[test]
fn arguments_that_are_no_json_are_told_to_the_model() {
    let bench = Bench::new(&[]);
    let broken = json!({"content": "", "tool_calls": [{"id": "1", "name": "read_file", "arguments": "{\"path\": "}]});
    let report = replay(&bench, &[broken, json!({"content": "I see."})], &[]).expect(0).json();
    let error = report["tools_used"][0]["error"].as_str().unwrap();
    assert!(error.contains("line 1, column 9"), "{error}");
}

#[test]
fn what_was_printed_before_the_limit_is_kept() {
    let bench = Bench::new(&[]);
    let hangs = json!({"command": "echo early; sleep 300", "timeout": 5}).to_string();
    let check = |more: &[&str]| {
        let ended = bench.run(&[&["call", "run_command", &hangs, "--mode", "yolo"], more].concat());
        assert!(ended.code != 0 && (ended.stdout + &ended.stderr).contains("early"), "{more:?}");
    };
    std::thread::scope(|threads| {
        threads.spawn(|| check(&[]));
        check(&["--json"]);
    });
}

#[test]
fn a_missing_terminal_is_reported_at_once() {
    let bench = Bench::new(&[]);
    let ended = bench.run(&["call", "write_file", r#"{"path": "a", "content": ""}"#]).expect(6);
    for remedy in ["--mode yolo", "--dry-run", "configuration"] {
        assert!(ended.stderr.contains(remedy), "{remedy}: {}", ended.stderr);
    }
}

#[test]
fn nothing_waits_for_a_terminal_that_is_not_there() {
    let bench = Bench::new(&[]);
    for command in ["cat", "read x", "git --no-pager log || true", "sh -c 'read y; echo got:$y'"] {
        let ended = call(&bench, "run_command", &json!({"command": command, "timeout": 120}));
        assert!(!ended.stderr.contains("timed out"), "{command}: {}", ended.stderr);
    }
}

#[test]
fn a_run_without_a_person_says_what_it_needed() {
    let bench = Bench::new(&[]);
    let write = asks("write_file", &json!({"path": "a.txt", "content": "x"}));
    let ended = replay(&bench, &[write, json!({"content": "I could not."})], &[]).expect(6);
    assert_eq!(ended.json()["tools_used"][0]["code"], "confirm.no_terminal");
    assert!(ended.stderr.contains("write_file a.txt") && ended.stderr.contains("--mode yolo"), "{}", ended.stderr);
}
