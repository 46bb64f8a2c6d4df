//! `palanca store`: the database checked, copied and replaced; and what happens to calls beside one that cannot be used.

use crate::harness::Bench;
use palanca_core::call::SessionId;
use palanca_core::ports::EventNumber;
use palanca_store::Database;
use palanca_testkit::now;
use palanca_testkit::sessions::{new_event, new_session};
use serde_json::Value;
use std::fs;
use std::process::Stdio;

/// A home with a session, a long output and a change in it.
fn filled() -> Bench {
    let lines: String = (1..=3_000).map(|number| format!("line {number}\n")).collect();
    let bench = Bench::new(&[("long.txt", &lines)]);
    let read = bench.run(&["call", "read_file", r#"{"path": "long.txt"}"#, "--json"]).expect(0).json();
    assert!(read["artifact"].as_str().is_some_and(|id| id.starts_with("art-")), "{read}");
    bench.run(&["call", "write_file", r#"{"path": "b", "content": "x"}"#, "--mode", "yolo"]).expect(0);
    let database = Database::lazy(&bench.home());
    now(&database).begin(&new_session("s")).unwrap();
    let events = [new_event(1, "a"), new_event(2, "b")];
    now(&database).append(&SessionId::new("s"), EventNumber(0), &events, None).unwrap();
    bench
}

fn path(bench: &Bench) -> std::path::PathBuf {
    bench.home().join("palanca.db")
}

#[test]
fn a_home_without_a_database_is_told_so() {
    let bench = Bench::new(&[]);
    assert!(bench.run(&["store", "check"]).expect(0).stdout.contains("nothing has been stored"));
    let json = bench.run(&["store", "check", "--json"]).expect(0).json();
    assert_eq!((&json["exists"], &json["sound"]), (&false.into(), &true.into()));
    let refused = bench.run(&["store", "backup", "copy.db"]).expect(1);
    assert!(refused.stderr.contains("nothing has been stored"), "{}", refused.stderr);
    assert!(!path(&bench).exists() && !bench.workspace().join("copy.db").exists());
}

#[test]
fn a_small_call_opens_no_database() {
    let bench = Bench::new(&[("a.txt", "1")]);
    bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(0);
    assert!(!path(&bench).exists());
}

#[test]
fn long_outputs_are_kept_unless_the_configuration_says_no() {
    let bench = filled();
    let config = bench.workspace().join("own.yaml");
    fs::write(&config, "sessions: {auto_save: false}\n").unwrap();
    let arguments = ["call", "read_file", r#"{"path": "long.txt"}"#, "--json", "--config", "own.yaml"];
    let read = bench.run(&arguments).expect(0);
    assert!(!read.stderr.contains("auto_save"), "{}", read.stderr);
    assert!(read.json().get("artifact").is_none_or(Value::is_null), "{}", read.stdout);
}

#[test]
fn what_is_whole_is_counted() {
    let bench = filled();
    let said = bench.run(&["store", "check"]).expect(0).stdout;
    assert!(said.contains("is intact (schema 8): 1 session with 2 events, 1 long output (bytes: "), "{said}");
    assert!(said.ends_with("), 0 questions, 0 rules, 1 change in the undo index.\n"), "{said}");
    let spanish = bench.run(&["store", "check", "--lang", "es"]).expect(0).stdout;
    assert!(spanish.contains("1 sesión con 2 eventos, 1 salida larga (bytes: "), "{spanish}");
    let json = bench.run(&["store", "check", "--json"]).expect(0).json();
    let rows = serde_json::json!({
        "sessions": 1, "session_events": 2, "artifacts": 1, "artifact_references": 1, "questions": 0, "rules": 0, "undo": 1,
    });
    assert_eq!((&json["sound"], &json["schema"], &json["rows"]), (&true.into(), &8.into(), &rows));
}

#[test]
fn what_is_wrong_is_named() {
    let bench = filled();
    let plain = rusqlite::Connection::open(path(&bench)).unwrap();
    plain.execute_batch("DELETE FROM session_events WHERE number = 1; UPDATE artifact_parts SET body = x'00'").unwrap();
    let said = bench.run(&["store", "check"]).expect(1).stdout;
    assert!(said.contains("is NOT intact. 2 problems:\n"), "{said}");
    assert!(said.contains("The session s has gaps: its last event should be number 2, the highest present is 2, and the number of events is 1."), "{said}");
    assert!(said.contains("The text art-") && said.contains("is not what was stored"), "{said}");
    let spanish = bench.run(&["store", "check", "--lang", "es"]).expect(1).stdout;
    assert!(spanish.contains("A la sesión s le faltan eventos"), "{spanish}");
    let json = bench.run(&["store", "check", "--json"]).expect(1).json();
    let kinds: Vec<_> = json["problems"].as_array().unwrap().iter().map(|problem| &problem["kind"]).collect();
    assert_eq!(kinds, ["events", "artifact"]);
    assert_eq!(json["sound"], false);
}

#[test]
fn a_backup_is_made_once_and_brings_everything_back() {
    let bench = filled();
    bench.run(&["store", "backup", "copy.db"]).expect(0);
    let again = bench.run(&["store", "backup", "copy.db"]).expect(1).stderr;
    assert!(again.contains("The file 'copy.db' already exists"), "{again}");
    let before = fs::read(bench.workspace().join("copy.db")).unwrap();
    bench.run(&["store", "restore", "--empty"]).expect(0);
    assert!(bench.run(&["store", "check"]).expect(0).stdout.contains("nothing has been stored"));
    let said = bench.run(&["store", "restore", "copy.db"]).expect(0).stdout;
    assert!(said.contains("'copy.db' is the database now."), "{said}");
    assert!(bench.run(&["store", "check"]).expect(0).stdout.contains("1 session with 2 events, 1 long output"));
    assert_eq!(fs::read(bench.workspace().join("copy.db")).unwrap(), before, "the copy stays what it was");
    bench.run(&["sessions", "undo", "latest"]).expect(0);
    assert!(!bench.workspace().join("b").exists(), "what was written can still be taken back");
}

/// Each names itself and the way back, which works when it is followed; calls that only read go on meanwhile.
#[test]
fn a_database_that_cannot_be_used_names_the_way_back() {
    type Breaks<'a> = (&'a str, &'a dyn Fn(&Bench));
    let cases: [Breaks<'_>; 2] = [
        ("is damaged", &|bench| {
            for end in ["-wal", "-shm"] {
                fs::remove_file(bench.home().join(format!("palanca.db{end}"))).unwrap();
            }
            fs::write(path(bench), "somebody's notes ".repeat(300)).unwrap();
        }),
        ("was written by a newer version of palanca (schema 99; this one supports 8)", &|bench| {
            let plain = rusqlite::Connection::open(path(bench)).unwrap();
            plain.pragma_update(None, "user_version", 99).unwrap();
        }),
    ];
    for (words, break_it) in cases {
        let bench = filled();
        bench.run(&["store", "backup", "copy.db"]).expect(0);
        break_it(&bench);
        for command in ["store check", "store backup other.db", "approvals list", "sessions list"] {
            let command: Vec<&str> = command.split(' ').collect();
            let said = bench.run(&command).expect(1).stderr;
            assert!(said.contains(words) && said.contains("palanca store restore FILE"), "{command:?}: {said}");
            assert!(said.contains("palanca.db'"), "{command:?}: {said}");
        }
        let json = bench.run(&["store", "check", "--json"]).expect(1).json();
        assert_eq!(json["sound"], false);
        assert!(!bench.workspace().join("other.db").exists());
        bench.run(&["call", "read_file", r#"{"path": "long.txt"}"#]).expect(0);
        let refused = bench.run(&["call", "write_file", r#"{"path": "c", "content": "x"}"#, "--mode", "yolo"]);
        assert_ne!(refused.code, 0, "what cannot be undone is not done");
        assert!(!bench.workspace().join("c").exists());
        let broken = fs::read(path(&bench)).unwrap();

        let said = bench.run(&["store", "restore", "copy.db"]).expect(0).stdout;
        let aside = bench.home().join("palanca.db-aside-1");
        assert!(said.contains(aside.to_str().unwrap()), "{said}");
        assert_eq!(fs::read(aside).unwrap(), broken, "the old one is kept");
        bench.run(&["call", "write_file", r#"{"path": "c", "content": "x"}"#, "--mode", "yolo"]).expect(0);
        assert!(bench.run(&["store", "check"]).expect(0).stdout.contains("2 changes in the undo index"));
    }
}

#[test]
fn processes_on_one_store_hear_nothing_of_locks() {
    let lines: String = (1..=3_000).map(|number| format!("line {number}\n")).collect();
    let bench = Bench::new(&[("long.txt", &lines)]);
    let children: Vec<_> = (0..8)
        .map(|process| {
            let batch: String = (0..10)
                .flat_map(|number| {
                    [
                        format!(
                            r#"{{"tool": "write_file", "args": {{"path": "{process}/{number}", "content": "x"}}}}"#
                        ),
                        r#"{"tool": "read_file", "args": {"path": "long.txt"}}"#.to_owned(),
                    ]
                })
                .map(|line| line + "\n")
                .collect();
            let file = format!("calls-{process}.jsonl");
            bench.write(&file, &batch);
            let mut command = bench.command(&["call", "--batch", &file, "--mode", "yolo"]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for number in 0..3 {
        let file = format!("copy-{number}.db");
        let copied = bench.run(&["store", "backup", &file]);
        // The first one may come before anything is kept.
        assert!(copied.code == 0 || copied.stderr.contains("nothing has been stored"), "{}", copied.stderr);
    }
    for child in children {
        let ended = child.wait_with_output().unwrap();
        let (said, told) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
        let results: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let failed: Vec<_> = results.iter().filter(|result| result["success"] != true).collect();
        assert!(ended.status.success() && failed.is_empty(), "{failed:?} {told}");
        assert!(!told.contains("database"), "{told}");
        assert_eq!(results.iter().filter(|result| result["artifact"].is_string()).count(), 10);
    }
    let json = bench.run(&["store", "check", "--json"]).expect(0).json();
    let rows = &json["rows"];
    assert_eq!((&rows["undo"], &rows["artifacts"], &rows["artifact_references"]), (&80.into(), &1.into(), &8.into()));
}

#[test]
fn every_command_shows_an_example() {
    let bench = Bench::new(&[]);
    for command in [vec!["store"], vec!["store", "check"], vec!["store", "backup"], vec!["store", "restore"]] {
        let help = bench.run(&[command.as_slice(), &["--help"]].concat()).expect(0).stdout;
        assert!(help.contains("Example") && help.contains("  palanca store "), "{command:?}: {help}");
    }
    bench.run(&["store", "restore"]).expect(3);
    bench.run(&["store", "restore", "copy.db", "--empty"]).expect(3);
}

#[test]
fn what_is_older_than_it_is_kept_is_cleaned_away() {
    let bench = filled();
    let counts = |json: &Value| {
        ["sessions", "artifacts", "questions", "audit_files"].map(|key| match &json[key] {
            Value::Array(items) => items.len(),
            count => usize::try_from(count.as_u64().unwrap()).unwrap(),
        })
    };
    // The session was added to in 1970, the rest now.
    let would = bench.run(&["store", "clean", "--dry-run", "--json"]).expect(0).json();
    assert_eq!((counts(&would), &would["dry_run"]), ([1, 0, 0, 0], &true.into()), "{would}");
    let said = bench.run(&["store", "clean", "--dry-run"]).expect(0).stdout;
    assert!(said.contains("sessions 1") && said.contains("nothing was changed"), "{said}");
    let cleaned = bench.run(&["store", "clean", "--json"]).expect(0).json();
    assert_eq!((counts(&cleaned), &cleaned["sessions"][0]), ([1, 0, 0, 0], &"s".into()), "{cleaned}");
    assert_eq!(counts(&bench.run(&["store", "clean", "--json"]).expect(0).json()), [0, 0, 0, 0]);
    let sound = bench.run(&["store", "check", "--json"]).expect(0).json();
    assert_eq!((&sound["rows"]["sessions"], &sound["rows"]["session_events"]), (&0.into(), &0.into()), "{sound}");
    assert_eq!(bench.run(&["sessions", "list", "--json"]).expect(0).json().as_array().unwrap().len(), 2);
    assert!(bench.run(&["audit", "verify"]).expect(0).stderr.is_empty());
    let nowhere = bench.command(&["store", "clean"]).env("PALANCA_HOME", "/proc/nowhere").output().unwrap();
    assert_eq!(nowhere.status.code(), Some(3), "{nowhere:?}");
    // A project's own file shortens nothing.
    fs::write(bench.workspace().join("palanca.yaml"), "audit: {keep_days: 1}\n").unwrap();
    let warned = bench.run(&["store", "clean"]).expect(0).stderr;
    assert!(warned.contains("audit.keep_days"), "{warned}");
}
