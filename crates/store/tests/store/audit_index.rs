//! One session's lines of the audit log, found without reading the rest.

use crate::home::Home;
use palanca_core::call::{Origin, OutcomeKind, Scope, SessionId};
use palanca_core::ports::{Record, Recorder as _};
use palanca_store::{Audit, AuditSettings, Entry, entries, entries_of};
use serde_json::json;
use std::fs;
use std::path::PathBuf;

/// So small that a file has some thirty lines.
const SMALL: AuditSettings = AuditSettings { file_bytes: 16 << 10, files: 0 };

fn logged(home: &Home, sessions: std::ops::Range<usize>) {
    fs::create_dir_all(home.state()).unwrap();
    let audit = Audit::new(&home.state(), SMALL);
    // Two sessions at a time, so that their lines lie among each other.
    for number in sessions {
        for call in 0..6 {
            for session in [number, number + 1] {
                record(&audit, &format!("s{session:04}"), &format!("call-{call}"));
            }
        }
    }
    assert!(palanca_core::ports::Recorder::healthy(&audit));
}

fn record(audit: &Audit, session: &str, call: &str) {
    let (arguments, scope) = (json!({"path": "src/main.rs"}), Scope::session(SessionId::new(session)));
    audit.record(&Record {
        at_ms: 1,
        call,
        tool: "read_file",
        origin: &Origin::Person,
        scope: &scope,
        arguments: &arguments,
        effects: &[],
        digest: None,
        outcome: OutcomeKind::Done,
        code: None,
        detail: None,
        output_bytes: 1,
        artifact: None,
        dry_run: false,
        read_only: true,
        changed: &[],
        duration_us: 1,
    });
}

/// By reading everything.
fn slowly(home: &Home, session: &str) -> Vec<Entry> {
    let mut found = Vec::new();
    entries(&home.state(), |entry| {
        if entry.text("session").is_some_and(|name| name.starts_with(session)) {
            found.push(entry);
        }
    })
    .unwrap();
    found
}

fn quickly(home: &Home, session: &str) -> (Vec<Entry>, u64) {
    let mut found = Vec::new();
    let bytes = entries_of(&home.state(), &home.database(), session, |entry| found.push(entry)).unwrap();
    (found, bytes)
}

fn put_aside(home: &Home) -> Vec<PathBuf> {
    let names = fs::read_dir(home.state()).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<_> = names.filter(|path| path.to_string_lossy().contains("/audit.0")).collect();
    names.sort();
    names
}

fn whole(home: &Home) -> u64 {
    let current = fs::metadata(home.state().join("audit.jsonl")).unwrap().len();
    current + put_aside(home).iter().map(|path| fs::metadata(path).unwrap().len()).sum::<u64>()
}

#[test]
fn the_index_finds_what_reading_everything_finds() {
    let home = Home::in_memory();
    logged(&home, 0..100);
    assert!(put_aside(&home).len() > 10, "{:?}", put_aside(&home));
    for session in ["s0000", "s0050", "s0100", "s005", "s", "", "nobody", "s0050x", "%", "S0050"] {
        let expected = slowly(&home, session);
        let (found, _) = quickly(&home, session);
        assert_eq!(found, expected, "{session:?}");
        assert_eq!(expected.is_empty(), ["nobody", "s0050x", "%", "S0050"].contains(&session), "{session:?}");
    }
}

#[test]
fn who_asks_again_reads_little() {
    let home = Home::in_memory();
    logged(&home, 0..100);
    let (_, first) = quickly(&home, "s0050");
    assert!(first >= whole(&home) * 9 / 10, "what nobody knew was read: {first} of {}", whole(&home));
    let (found, again) = quickly(&home, "s0050");
    assert_eq!(found.len(), 12);
    let current = fs::metadata(home.state().join("audit.jsonl")).unwrap().len();
    let largest = put_aside(&home).iter().map(|path| fs::metadata(path).unwrap().len()).max().unwrap();
    assert!(again <= current + 2 * largest, "{again} bytes of {}", whole(&home));
    // Only what came since is new.
    logged(&home, 100..103);
    let (found, more) = quickly(&home, "s0102");
    assert_eq!((found.len(), found == slowly(&home, "s0102")), (12, true));
    assert!(more < whole(&home) / 4, "{more} of {}", whole(&home));
}

#[test]
fn a_file_that_was_changed_or_taken_is_looked_at_again() {
    let home = Home::in_memory();
    logged(&home, 0..60);
    quickly(&home, "s");
    let files = put_aside(&home);
    let text = fs::read_to_string(&files[2]).unwrap();
    fs::write(&files[2], text.replace("\"session\":\"s0", "\"session\":\"t0")).unwrap();
    fs::remove_file(&files[4]).unwrap();
    for session in ["s", "t"] {
        let (found, _) = quickly(&home, session);
        assert!(!found.is_empty() && found == slowly(&home, session), "{session}");
    }
}

#[test]
fn without_a_database_the_log_is_read() {
    let home = Home::in_memory();
    logged(&home, 0..60);
    fs::write(home.file(), "somebody's notes ".repeat(300)).unwrap();
    let (found, bytes) = quickly(&home, "s0030");
    assert_eq!((found == slowly(&home, "s0030"), bytes), (true, whole(&home)));
    assert_eq!(found.len(), 12);
}

#[test]
fn a_log_of_one_file_needs_no_index() {
    let home = Home::in_memory();
    assert_eq!(quickly(&home, "s"), (Vec::new(), 0));
    fs::create_dir(home.state()).unwrap();
    record(&Audit::new(&home.state(), AuditSettings::default()), "s1", "call-1");
    let (found, _) = quickly(&home, "s1");
    assert_eq!(found.len(), 1);
    assert!(!home.file().exists(), "no database is made for it");
}
