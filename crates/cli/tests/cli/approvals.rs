//! `approvals`: a question that one process asks at its terminal, and that another answers.

use crate::harness::{Bench, Ended, ended, terminal};
use palanca_testkit::until;
use palanca_testkit::waiting::some;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write as _;
use std::process::{Child, Stdio};

const WRITE: [&str; 3] = ["call", "write_file", r#"{"path": "a.txt", "content": "x\n"}"#];

/// A process that asks at a terminal at which nobody types.
struct Asking {
    child: Child,
    _terminal: File,
}

impl Asking {
    fn start(bench: &Bench, more: &[&str]) -> Self {
        Self::of(bench, &[&WRITE, more].concat())
    }

    fn of(bench: &Bench, arguments: &[&str]) -> Self {
        let (terminal, stdin) = terminal();
        let mut command = bench.command(arguments);
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).env("USER", "ana");
        Self { child: command.spawn().unwrap(), _terminal: terminal }
    }

    fn end(self) -> Ended {
        ended(self.child.wait_with_output().unwrap())
    }
}

fn approvals(bench: &Bench, arguments: &[&str]) -> Ended {
    let mut command = bench.command(&["approvals"]);
    ended(command.args(arguments).env("USER", "bea").output().unwrap())
}

/// The one open question, once it is there.
fn open_question(bench: &Bench) -> Value {
    some("a question is kept", || match approvals(bench, &["list", "--json"]).expect(0).json().as_array()?.as_slice() {
        [question] => Some(question.clone()),
        _ => None,
    })
}

fn id(question: &Value) -> &str {
    question["id"].as_str().unwrap()
}

#[test]
fn a_yes_from_another_process_runs_the_call_once() {
    let bench = Bench::new(&[]);
    let asking = Asking::start(&bench, &[]);
    let question = open_question(&bench);
    assert_eq!((&question["tool"], &question["state"]), (&"write_file".into(), &"open".into()));
    assert!(!bench.workspace().join("a.txt").exists());
    let listed = approvals(&bench, &["list"]).expect(0).stdout;
    assert!(listed.lines().nth(1).unwrap().contains("write a.txt"), "{listed}");
    let page = approvals(&bench, &["show", id(&question)]).expect(0).stdout;
    for part in ["write_file", "a.txt", "+x", "confirm.sensitive", "why asked", "open"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let said = approvals(&bench, &["answer", &id(&question)[..4], "yes"]).expect(0).stdout;
    assert!(said.contains(id(&question)) && said.contains("yes"), "{said}");
    asking.end().expect(0);
    assert_eq!(bench.read("a.txt"), "x\n");
    let again = approvals(&bench, &["answer", id(&question), "no"]).expect(1).stderr;
    assert!(again.contains("answered with yes by bea (approvals) at 20"), "{again}");
    let all = approvals(&bench, &["list", "--all", "--json"]).expect(0).json();
    assert_eq!((&all[0]["state"], &all[0]["answer"]), (&"spent".into(), &"yes".into()));
    let none = approvals(&bench, &["list"]).expect(0);
    assert!(none.stdout.is_empty() && none.stderr.contains("--all"), "{}", none.stderr);
}

#[test]
fn a_no_from_another_process_refuses() {
    let bench = Bench::new(&[]);
    let asking = Asking::start(&bench, &[]);
    let question = open_question(&bench);
    approvals(&bench, &["answer", id(&question), "no"]).expect(0);
    let ended = asking.end().expect(6);
    assert!(ended.stderr.contains("declined"), "{}", ended.stderr);
    assert!(!bench.workspace().join("a.txt").exists());
}

#[test]
fn the_answers_of_the_terminal_are_answers_elsewhere_too() {
    for (word, code, written) in [
        ("Y", 0, true),
        ("sí", 0, true),
        ("n", 6, false),
        ("a", 130, false),
        ("1", 0, true),
        ("always 1", 0, true),
        ("SIEMPRE 1", 0, true),
    ] {
        let bench = Bench::new(&[]);
        let asking = Asking::start(&bench, &[]);
        let question = open_question(&bench);
        let wrong = approvals(&bench, &["answer", id(&question), "9"]).expect(3).stderr;
        assert!(wrong.contains("'9' is not an answer") && wrong.contains("always and a number from 1 to"), "{wrong}");
        let several = approvals(&bench, &["answer", id(&question), "always"]).expect(3).stderr;
        assert!(several.contains("always and a number from 1 to"), "{several}");
        let words: Vec<&str> = word.split(' ').collect();
        approvals(&bench, &[&["answer", id(&question)], &words[..]].concat()).expect(0);
        asking.end().expect(code);
        assert_eq!(bench.workspace().join("a.txt").exists(), written, "{word}");
    }
}

/// Two processes on one store: one works by a rule, and the other takes the rule back.
#[test]
fn a_rule_that_is_taken_back_stops_holding_in_a_session_that_runs() {
    let bench = Bench::new(&[]);
    let asking = Asking::start(&bench, &[]);
    let question = open_question(&bench);
    let lasts = |draft: &Value| !draft["lasts_seconds"].is_null();
    let number = question["drafts"].as_array().unwrap().iter().position(lasts).unwrap() + 1;
    approvals(&bench, &["answer", id(&question), &number.to_string()]).expect(0);
    asking.end().expect(0);

    let mut works = bench.command(&["call", "--batch", "-", "--jobs", "1"]);
    let mut works = works.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = works.stdin.take().unwrap();
    let mut write = |text: &str| {
        let call = json!({"tool": "write_file", "args": {"path": "a.txt", "content": text}});
        lines.write_all(format!("{call}\n").as_bytes()).unwrap();
    };
    write("two");
    until("the rule holds", || bench.read("a.txt") == "two");
    let rules = approvals(&bench, &["rules", "--json"]).expect(0).json();
    assert_eq!(rules[0]["question"], question["id"]);
    approvals(&bench, &["revoke", &rules[0]["id"].as_str().unwrap()[..4]]).expect(0);
    write("three");
    drop(lines);
    let ended = ended(works.wait_with_output().unwrap()).expect(6);
    assert!(ended.stdout.contains("confirm.no_terminal"), "{}", ended.stdout);
    assert_eq!(bench.read("a.txt"), "two");
}

#[test]
fn a_question_expires_where_it_is_asked_and_elsewhere() {
    let bench = Bench::new(&[("short.yaml", "approvals:\n  ttl_seconds: 1\n")]);
    let ended = Asking::start(&bench, &["-c", "short.yaml"]).end().expect(6);
    assert!(ended.stderr.contains("No answer came in time"), "{}", ended.stderr);
    let all = approvals(&bench, &["list", "--all", "--json"]).expect(0).json();
    assert_eq!(all[0]["state"], "expired");
    let late = approvals(&bench, &["answer", id(&all[0]), "yes", "--lang", "es"]).expect(1).stderr;
    assert!(late.contains("caducó el 20"), "{late}");
}

#[test]
fn an_answer_after_the_askers_death_runs_nothing() {
    let bench = Bench::new(&[]);
    let mut asking = Asking::start(&bench, &[]);
    let question = open_question(&bench);
    asking.child.kill().unwrap();
    asking.child.wait().unwrap();
    assert_eq!(id(&open_question(&bench)), id(&question), "it stays open");
    approvals(&bench, &["answer", id(&question), "yes"]).expect(0);
    let all = approvals(&bench, &["list", "--all", "--json"]).expect(0).json();
    assert_eq!(all[0]["state"], "answered", "never spent");
    assert!(!bench.workspace().join("a.txt").exists());
}

#[test]
fn what_is_not_there_is_named() {
    let bench = Bench::new(&[]);
    for (arguments, code, said) in [
        (&["answer", "none", "yes"] as &[&str], 1, "approvals list --all"),
        (&["show", "none"], 1, "approvals list --all"),
        (&["revoke", "none"], 1, "approvals rules --all"),
        (&["rules"], 0, "always"),
        (&["answer", "none", "maybe"], 3, "'maybe' is not an answer"),
    ] {
        let ended = approvals(&bench, arguments);
        assert_eq!(ended.code, code, "{arguments:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(said), "{arguments:?}: {}", ended.stderr);
    }
    assert!(!bench.home().join("palanca.db").exists(), "asking makes no database");
}

#[test]
fn a_read_opens_no_database_and_a_damaged_one_is_named() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(0);
    assert!(!bench.home().join("palanca.db").exists());
    std::fs::write(bench.home().join("palanca.db"), "somebody's notes, not a database ".repeat(20)).unwrap();
    bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(0);
    let listed = approvals(&bench, &["list"]).expect(1).stderr;
    assert!(listed.contains("damaged") && listed.contains("palanca.db"), "{listed}");
    assert!(bench.run(&["doctor"]).expect(1).stdout.contains("damaged"));
    let write = bench.run(&["call", "write_file", WRITE[2], "--mode", "yolo"]).expect(1);
    assert!(format!("{}{}", write.stdout, write.stderr).contains("damaged"), "{}{}", write.stdout, write.stderr);
    assert_eq!(bench.read("a.txt"), "one\n");
    let asked = Asking::start(&bench, &[]).end().expect(6);
    assert!(asked.stderr.contains("damaged"), "{}", asked.stderr);
    assert!(std::fs::read_to_string(bench.home().join("palanca.db")).unwrap().starts_with("somebody's notes"));
}

/// What the question offers is typed back, word by word, in both languages.
#[test]
fn always_is_offered_by_the_words_that_are_accepted() {
    for (lang, always, again) in [("en", "always", "Please answer"), ("es", "siempre", "Responde")] {
        let bench = Bench::new(&[]);
        let question = [&WRITE[..], &["--lang", lang]].concat();
        // Of several rules it takes one: without a number it is asked again.
        let (unclear, clear) = (format!("{always}\n"), format!("{always} 2\n"));
        let ended = bench.run_at_a_terminal(&question, &[("[y/n/a]", &unclear), (again, &clear)]).expect(0);
        let offered = |number: u8| ended.stderr.contains(&format!("[{number}] {always} "));
        assert!(offered(1) && offered(2), "{}", ended.stderr);
        let rules = approvals(&bench, &["rules", "--json"]).expect(0).json();
        assert_eq!(rules.as_array().unwrap().len(), 1, "{rules}");
    }
}

/// The model's side: a write, then its last words.
const WRITES: &str = concat!(
    r#"{"content": "", "tool_calls": [{"id": "w", "name": "write_file", "arguments": "{\"path\": \"a.txt\", \"content\": \"x\\n\"}"}]}"#,
    "\n{\"content\": \"written\"}\n"
);

#[test]
fn a_run_without_a_person_ends_at_its_question_and_goes_on_with_the_answer() {
    for (answer, written) in [(&["yes"][..], true), (&["no", "keep", "the", "old", "one"], false)] {
        let bench = Bench::new(&[("r.jsonl", WRITES), ("palanca.yaml", "approvals: {when_absent: park}\n")]);
        let run = ["run", "write it", "--model", "replay:r.jsonl", "--json", "-c", "palanca.yaml"];
        let ended = bench.run(&run).expect(2);
        let report = ended.json();
        assert_eq!(report["stop_reason"], "parked", "{report}");
        let session = report["session"].as_str().unwrap();
        assert!(ended.stderr.contains(session) && ended.stderr.contains("approvals"), "{}", ended.stderr);
        assert!(!bench.workspace().join("a.txt").exists());
        let question = open_question(&bench);
        let resumed = approvals(&bench, &[&["answer", id(&question)], answer, &["--resume"]].concat()).expect(0);
        assert!(resumed.stdout.ends_with("written\n"), "{} {}", resumed.stdout, resumed.stderr);
        assert_eq!(bench.workspace().join("a.txt").exists(), written);
        let all = approvals(&bench, &["list", "--all", "--json"]).expect(0).json();
        assert_eq!(all[0]["state"], if written { "spent" } else { "answered" });
        let rows = bench.run(&["sessions", "export", session]).expect(0).stdout;
        assert!(rows.contains("\"parked\"") && rows.contains("keep the old one") != written, "{rows}");
        bench.run(&["audit", "verify"]).expect(0);
    }
}

#[test]
fn an_answer_names_the_session_that_waits_for_it() {
    let bench = Bench::new(&[("r.jsonl", WRITES), ("palanca.yaml", "approvals: {when_absent: park}\n")]);
    bench.run(&["run", "write it", "--model", "replay:r.jsonl", "-c", "palanca.yaml"]).expect(2);
    let question = open_question(&bench);
    let session = question["session"].as_str().unwrap();
    let said = approvals(&bench, &["answer", id(&question), "yes"]).expect(0).stderr;
    assert!(said.contains(&format!("palanca sessions resume {session}")), "{said}");
    assert!(!bench.workspace().join("a.txt").exists());
    bench.run(&["sessions", "resume", session]).expect(0);
    assert_eq!(bench.read("a.txt"), "x\n");
}
