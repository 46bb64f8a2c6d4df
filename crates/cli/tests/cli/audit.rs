//! What the log of stages and outcomes shows, and what it notices.

use crate::harness::Bench;
use serde_json::Value;

fn three_calls() -> Bench {
    let bench = Bench::new(&[("a.txt", "1")]);
    bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(0);
    bench.run(&["call", "read_file", r#"{"path": ".env"}"#]).expect(6);
    bench.run(&["call", "write_file", r#"{"path": "b", "content": "x"}"#, "--mode", "yolo"]).expect(0);
    bench
}

#[test]
fn every_stage_of_every_call_is_shown() {
    let bench = three_calls();
    let shown = bench.run(&["audit", "show", "--json"]).expect(0).stdout;
    let lines: Vec<Value> = shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said = |line: &Value| {
        let word = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        (word("stage"), word("verdict") + &word("outcome"), word("rule") + &word("code"))
    };
    let said: Vec<_> = lines.iter().map(said).collect();
    let row = |stage: &str, verdict: &str, rule: &str| (stage.to_owned(), verdict.to_owned(), rule.to_owned());
    let passes = |stages: &[&str]| stages.iter().map(|stage| row(stage, "allow", "")).collect::<Vec<_>>();
    let run = [passes(&["resolve", "validate", "guardrails", "confirm"]), vec![row("execute", "begin", "")]].concat();
    let refused = [
        passes(&["resolve", "validate"]),
        vec![row("guardrails", "deny", "paths.secret_file"), row("", "refused", "paths.secret_file")],
    ];
    let done = [run, vec![row("", "done", "")]].concat();
    assert_eq!(said, [done.clone(), refused.concat(), done].concat());
    let begin = lines.iter().rev().find(|line| line["verdict"] == "begin").unwrap();
    assert_eq!(begin["effects"], serde_json::json!(["write b"]));
    let session = begin["session"].as_str().unwrap();
    for stages in ["--stages", "-v"] {
        let of_one = bench.run(&["audit", "show", stages, "--session", session]).expect(0).stdout;
        assert_eq!(of_one.lines().count(), 6, "{of_one}");
    }
    assert_eq!(bench.run(&["audit", "show", "--last", "2"]).expect(0).stdout.lines().count(), 2);
}

#[test]
fn a_call_is_one_line_unless_stages_are_asked_for() {
    let bench = three_calls();
    let shown = bench.run(&["audit", "show"]).expect(0).stdout;
    let rows: Vec<&str> = shown.lines().map(|line| line.split_once("outcome").unwrap().1.trim()).collect();
    assert_eq!(rows, ["done    read a.txt", "refused paths.secret_file", "done    write b"], "{shown}");
    for unknown in [["--session", "nope"], ["--call", "nope"]] {
        let ended = bench.run(&[&["audit", "show"][..], &unknown].concat()).expect(3);
        assert!(ended.stderr.contains("has no entry for this"), "{}", ended.stderr);
    }
    // A call whose process died has stages and no outcome.
    let path = bench.home().join("audit.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let without_its_end = text.lines().count() - 1;
    std::fs::write(&path, text.split_inclusive('\n').take(without_its_end).collect::<String>()).unwrap();
    let shown = bench.run(&["audit", "show"]).expect(0).stdout;
    assert!(shown.lines().count() == 3 && shown.lines().last().unwrap().contains("execute    begin"), "{shown}");
}

#[test]
fn a_corrupt_audit_line_is_named_and_nothing_is_lost() {
    let bench = three_calls();
    assert!(bench.run(&["audit", "verify"]).expect(0).stdout.contains("is intact"));
    let path = bench.home().join("audit.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[2] = "no line at all";
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let found = bench.run(&["audit", "verify"]).expect(1).stdout;
    assert!(found.contains("audit.jsonl, line 3: not a line of this log"), "{found}");
    let spanish = bench.run(&["audit", "verify", "--lang", "es"]).expect(1).stdout;
    assert!(spanish.contains("línea 3: no es una línea de este registro"), "{spanish}");
    let json = bench.run(&["audit", "verify", "--json"]).expect(1).json();
    assert_eq!(json["problem_count"], 2, "the line, and the link that led over it: {json}");
    // The rest can still be read, and calls go on.
    let left = bench.run(&["audit", "show", "--stages", "--last", "0"]).expect(0).stdout.lines().count();
    assert_eq!(left, 6 + 4 + 1, "a read, a refused read, and the outcome of the write whose stages are gone");
    bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(0);
    assert_eq!(bench.run(&["audit", "verify", "--json"]).expect(1).json()["problem_count"], 2);
}

#[test]
fn a_log_that_cannot_be_written_is_said_and_the_call_runs() {
    let bench = Bench::new(&[("a.txt", "1")]);
    std::fs::create_dir_all(bench.home().join("audit.jsonl")).unwrap();
    let ended = bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(0);
    let path = bench.home().join("audit.jsonl").display().to_string();
    assert!(ended.stderr.contains(&path) && ended.stderr.contains("could not be written"), "{}", ended.stderr);
    assert!(ended.stdout.contains('1'));
}

#[test]
fn long_arguments_are_cut_and_a_log_that_is_not_there_is_empty() {
    let bench = Bench::new(&[]);
    assert_eq!(bench.run(&["audit", "show"]).expect(0).stdout, "");
    assert!(bench.run(&["audit", "verify"]).expect(0).stdout.contains("0 lines"));
    let long = format!(r#"{{"path": "b", "content": "{}"}}"#, "x".repeat(1000));
    bench.run(&["call", "write_file", &long, "--mode", "yolo"]).expect(0);
    let kept = std::fs::read_to_string(bench.home().join("audit.jsonl")).unwrap();
    assert!(kept.contains("… (1000 bytes)") && !kept.contains(&"x".repeat(201)));
}

#[test]
fn ids_are_typed_as_far_as_they_are_unique() {
    let bench = three_calls();
    let listed = bench.run(&["sessions", "list", "--json"]).expect(0).json();
    let ids: Vec<&str> = listed.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    let whole = bench.run(&["audit", "show", "--session", ids[0], "--json"]).expect(0).stdout;
    let common = (0..).find(|at| ids[1..].iter().all(|id| id[..=*at] != ids[0][..=*at])).unwrap();
    let shown = bench.run(&["audit", "show", "--session", &ids[0][..=common], "--json"]).expect(0).stdout;
    assert_eq!(shown, whole);
    assert_eq!(bench.run(&["audit", "show", "--session", "latest", "--json"]).expect(0).stdout, whole);
    let several = bench.run(&["audit", "show", "--session", &ids[0][..1]]).expect(3);
    assert!(ids.iter().all(|id| several.stderr.contains(id)), "{}", several.stderr);
    for unknown in [["--session", "zzz"], ["--call", "zzz"]] {
        let refused = bench.run(&["audit", "show", unknown[0], unknown[1]]).expect(3);
        assert!(refused.stderr.contains("audit show"), "{}", refused.stderr);
    }
}
