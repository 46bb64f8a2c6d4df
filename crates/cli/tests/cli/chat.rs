//! `palanca chat` through a pipe: a line in, an answer out. At a terminal: `terminal`.

use crate::harness::{Bench, Ended, ended};
use palanca_testkit::{Manner, ScriptedServer, Turn};
use serde_json::{Value, json};
use std::io::{Seek as _, Write as _};

/// What these lines come to, with a model that gives these answers; and what it was sent.
fn chat(bench: &Bench, arguments: &[&str], lines: &str, turns: Vec<Turn>) -> (Ended, Vec<Value>) {
    let server = ScriptedServer::spawn(turns, Manner::default());
    let mut stdin = tempfile::tempfile().unwrap();
    stdin.write_all(lines.as_bytes()).unwrap();
    stdin.rewind().unwrap();
    let mut command = bench.command(&["chat", "--model", "openai:scripted"]);
    command.args(arguments).stdin(stdin).env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", "k");
    let ended = ended(command.output().unwrap());
    (ended, server.requests().into_iter().map(|request| request.body).collect())
}

const YOLO: &[&str] = &["--mode", "yolo"];

/// Roles and texts of a request, without instructions.
fn said(request: &Value) -> Vec<(String, String)> {
    let messages = request["messages"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    messages.map(|said| (text(&said["role"]), text(&said["content"]))).filter(|(role, _)| role != "system").collect()
}

fn pair(role: &str, text: &str) -> (String, String) {
    (role.to_owned(), text.to_owned())
}

fn write(path: &str, content: &str) -> Turn {
    Turn::calls([("write_file", json!({"path": path, "content": content}))])
}

#[test]
fn each_line_is_answered_with_what_was_said_before_in_mind() {
    let bench = Bench::new(&[]);
    let (ended, requests) =
        chat(&bench, YOLO, "one\n\n  \ntwo\r\nthree", ["A", "B", "C"].into_iter().map(Turn::text).collect());
    assert_eq!(ended.expect(0).stdout, "A\nB\nC\n");
    assert_eq!(
        said(&requests[2]),
        [
            pair("user", "one"),
            pair("assistant", "A"),
            pair("user", "two"),
            pair("assistant", "B"),
            pair("user", "three")
        ]
    );
}

#[test]
fn it_goes_on_where_it_was_left_and_is_one_session() {
    let bench = Bench::new(&[]);
    chat(&bench, YOLO, "remember 7\n", vec![Turn::text("I do.")]).0.expect(0);
    let (ended, requests) = chat(&bench, &["--continue"], "which?\n", vec![Turn::text("7.")]);
    let ended = ended.expect(0);
    assert_eq!(ended.stdout, "7.\n");
    assert!(ended.stderr.contains("goes on: remember 7"), "{}", ended.stderr);
    assert_eq!(said(&requests[0]), [pair("user", "remember 7"), pair("assistant", "I do."), pair("user", "which?")]);
    let list = bench.run(&["sessions", "list", "--json"]).expect(0).json();
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
}

#[test]
fn nothing_to_go_on_with_is_said() {
    let ended = Bench::new(&[]).run_with(&["chat", "--continue"], "hello\n").expect(3);
    assert!(ended.stderr.contains("No run of") && ended.stdout.is_empty(), "{}", ended.stderr);
}

/// Answer by answer, and the model is told.
#[test]
fn undo_takes_back_what_an_answer_changed() {
    let bench = Bench::new(&[("kept.txt", "before\n")]);
    let lines = "first\nsecond\n/undo\nwhat now?\n/undo\n/undo\n";
    let turns = vec![
        write("new.txt", "first\n"),
        Turn::text("Done."),
        write("kept.txt", "after\n"),
        Turn::text("Done again."),
        Turn::text("I see."),
    ];
    let (ended, requests) = chat(&bench, YOLO, lines, turns);
    let ended = ended.expect(0);
    assert_eq!(bench.read("kept.txt"), "before\n");
    assert!(!bench.workspace().join("new.txt").exists());
    assert!(ended.stderr.contains("-after\n+before"), "the diff is shown: {}", ended.stderr);
    let told = said(requests.last().unwrap()).pop().unwrap().1;
    assert!(told.starts_with("what now?") && told.contains("kept.txt") && !told.contains("new.txt"), "{told}");
    assert_eq!(ended.stdout, "Done.\nDone again.\nI see.\n");
}

#[test]
fn undo_without_a_change_says_so() {
    let bench = Bench::new(&[]);
    let change = Turn::calls([("run_command", json!({"command": "true"}))]);
    let (ended, _) = chat(&bench, YOLO, "/undo\nhello\n/undo\n", vec![change, Turn::text("Nothing changed.")]);
    let ended = ended.expect(0);
    assert_eq!(ended.stderr.matches("nothing to undo").count(), 2, "{}", ended.stderr);
}

#[test]
fn a_slash_is_a_command_and_never_said() {
    let bench = Bench::new(&[]);
    let (ended, requests) =
        chat(&bench, YOLO, "/help\n/modle x\n/zzz\n /help me\n/quit\nnever\n", vec![Turn::text("A")]);
    let ended = ended.expect(0);
    for words in ["/model PROVIDER:MODEL", "did you mean /model", "There is no command /zzz"] {
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
    }
    assert_eq!(requests.len(), 1);
    assert_eq!(said(&requests[0]), [pair("user", "/help me")]);
}

#[test]
fn another_model_answers_from_the_next_line_on() {
    let bench = Bench::new(&[]);
    let turns = vec![Turn::text("A"), Turn::text("B")];
    let (ended, requests) = chat(&bench, YOLO, "one\n/model openai:other\n/model\ntwo\n", turns);
    let ended = ended.expect(0);
    assert_eq!(
        requests.iter().map(|request| request["model"].as_str().unwrap()).collect::<Vec<_>>(),
        ["scripted", "other"]
    );
    assert_eq!(ended.stderr.matches("The model is openai:other").count(), 2, "{}", ended.stderr);
    assert_eq!(said(&requests[1]).len(), 3);
}

/// A script must know; what was said before is kept.
#[test]
fn a_model_that_fails_ends_a_pipe_with_its_exit_code() {
    let bench = Bench::new(&[]);
    let (ended, _) = chat(&bench, YOLO, "one\ntwo\nthree\n", vec![Turn::text("A"), Turn::status(401, "no")]);
    let ended = ended.expect(4);
    assert_eq!(ended.stdout, "A\n");
    let shown = bench.run(&["sessions", "show", "latest", "--json"]).expect(0).json().to_string();
    assert!(shown.contains("two") && !shown.contains("three"), "{shown}");
}

#[test]
fn what_nobody_can_answer_is_refused_and_the_conversation_goes_on() {
    let bench = Bench::new(&[]);
    let turns = vec![write("a.txt", "x"), Turn::text("Refused."), Turn::text("B")];
    let ended = chat(&bench, &[], "one\ntwo\n", turns).0.expect(0);
    assert_eq!(ended.stdout, "Refused.\nB\n");
    assert!(!bench.workspace().join("a.txt").exists());
    assert!(ended.stderr.contains("needed"), "{}", ended.stderr);
}

/// A dry run keeps nothing.
#[test]
fn a_rehearsed_conversation_changes_nothing() {
    let bench = Bench::new(&[]);
    let (ended, _) = chat(&bench, &["--dry-run"], "one\n", vec![write("a.txt", "x"), Turn::text("A")]);
    assert_eq!(ended.expect(0).stdout, "A\n");
    assert!(!bench.workspace().join("a.txt").exists());
    assert_eq!(bench.run(&["sessions", "list", "--json"]).expect(0).json(), json!([]));
}
