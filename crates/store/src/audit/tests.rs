#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

mod records;

use super::line::Hash;
use super::*;
use palanca_core::call::{Origin, OutcomeKind, Scope, SessionId, Stage};
use palanca_core::ports::StageDecision;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

struct Log {
    home: TempDir,
    audit: Audit,
}

impl Log {
    fn new(file_bytes: u64) -> Self {
        let home = TempDir::new().unwrap();
        let audit = Audit::new(home.path(), AuditSettings { file_bytes, files: 0 });
        Self { home, audit }
    }

    fn path(&self) -> PathBuf {
        self.home.path().join(CURRENT)
    }

    fn lines(&self) -> Vec<String> {
        fs::read_to_string(self.path()).unwrap().lines().map(str::to_owned).collect()
    }

    fn rewrite(&self, lines: &[String]) {
        fs::write(self.path(), lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    }

    fn verified(&self) -> Verified {
        self.verified_keeping(0)
    }

    fn verified_keeping(&self, files: usize) -> Verified {
        verify(self.home.path(), AuditSettings { files, ..AuditSettings::default() }).unwrap()
    }

    fn problems(&self) -> Vec<&'static str> {
        self.verified().problems.iter().map(|problem| problem.what).collect()
    }
}

fn stages(call: &str) -> [StageRecord<'_>; 2] {
    let record = |stage, verdict| StageRecord {
        at_ms: 1,
        call,
        session: "s",
        tool: "write_file",
        stage,
        verdict,
        rule: None,
        evidence: Some("\"},{\n"),
        effects: &[],
        digest: None,
    };
    [record(Stage::Resolve, StageDecision::Allow), record(Stage::Execute, StageDecision::Begin)]
}

fn begin(audit: &Audit, call: &str) {
    audit.stages(&stages(call));
}

fn end(audit: &Audit, call: &str) {
    ended(audit, &[], call);
}

fn ended(audit: &Audit, stages: &[StageRecord<'_>], call: &str) {
    let record = Record {
        at_ms: 2,
        call,
        tool: "write_file",
        origin: &Origin::Person,
        scope: &Scope::session(SessionId::new("s")),
        arguments: &Value::Null,
        effects: &[],
        digest: None,
        outcome: OutcomeKind::Done,
        code: None,
        detail: None,
        output_bytes: 3,
        artifact: None,
        dry_run: false,
        read_only: false,
        changed: &[],
        duration_us: 4,
    };
    audit.ended(stages, &record);
}

/// The line with the hash that it must have after another.
fn with_its_hash(line: &str, before: &str) -> String {
    let (hash, rest) = line::hash_of(line).unwrap();
    let before = line::hash_of(before).unwrap().0;
    line.replace(hash.as_str(), line::hash_after(before, rest).as_str())
}

fn calls(audit: &Audit, numbers: std::ops::Range<u32>) {
    for number in numbers {
        begin(audit, &number.to_string());
        end(audit, &number.to_string());
    }
}

#[test]
fn what_was_written_is_sound_and_can_be_read() {
    let log = Log::new(16 << 20);
    assert_eq!(log.verified(), Verified::default(), "nothing yet");
    calls(&log.audit, 0..10);
    let again = Audit::new(log.home.path(), AuditSettings::default());
    calls(&again, 10..20);
    calls(&log.audit, 20..30);
    let verified = log.verified();
    assert!(verified.is_sound(), "{verified:?}");
    assert_eq!((verified.lines, verified.orphans, verified.running), (60, 0, 0));
    let mut outcomes = 0;
    entries(log.home.path(), |entry| outcomes += u32::from(entry.kind == Kind::Outcome)).unwrap();
    assert_eq!(outcomes, 30);
    assert!(log.audit.healthy());
}

#[test]
fn whatever_is_done_to_the_log_is_found() {
    type Damage = fn(&mut Vec<String>);
    let cases: [(&str, Damage, &[&str]); 8] = [
        ("a word is changed", |lines| lines[4] = lines[4].replace("write_file", "read_file"), &["changed"]),
        ("a line is taken out", |lines| drop(lines.remove(4)), &["out_of_chain"]),
        ("two lines change places", |lines| lines.swap(4, 5), &["out_of_chain", "out_of_chain", "out_of_chain"]),
        ("a line is there twice", |lines| lines.insert(4, lines[4].clone()), &["out_of_chain"]),
        ("the end is cut off", |lines| lines.truncate(13), &["cut_off"]),
        ("the beginning is cut off", |lines| drop(lines.drain(..3)), &["begins_late"]),
        ("a line is no line of ours", |lines| lines.insert(4, "hello".to_owned()), &["unreadable"]),
        ("everything is gone", Vec::clear, &["cut_off"]),
    ];
    for (what, damage, expected) in cases {
        let log = Log::new(16 << 20);
        calls(&log.audit, 0..10);
        let mut lines = log.lines();
        damage(&mut lines);
        log.rewrite(&lines);
        assert_eq!(log.problems(), expected, "{what}");
        // Writing goes on, and does not hide it.
        calls(&Audit::new(log.home.path(), AuditSettings::default()), 10..12);
        assert!(!log.verified().is_sound(), "{what}, then written on");
    }
}

#[test]
fn a_hash_made_anew_is_found_at_the_next_line() {
    let log = Log::new(16 << 20);
    calls(&log.audit, 0..5);
    let mut lines = log.lines();
    lines[6] = with_its_hash(&lines[6].replace("write_file", "read_file"), &lines[5]);
    log.rewrite(&lines);
    assert_eq!(log.problems(), ["changed"], "the line after it, which is no longer the next one");
}

#[test]
fn a_torn_line_stays_and_is_said_and_the_chain_goes_on() {
    for torn in ["{\"hash\":\"00", "x"] {
        let log = Log::new(16 << 20);
        calls(&log.audit, 0..3);
        let mut text = fs::read_to_string(log.path()).unwrap();
        text.push_str(torn);
        fs::write(log.path(), &text).unwrap();
        let verified = log.verified();
        assert!(verified.is_sound() && verified.torn == 1, "{verified:?}");
        calls(&log.audit, 3..6);
        let verified = log.verified();
        assert!(verified.is_sound() && verified.torn == 1, "{verified:?}");
        assert!(fs::read_to_string(log.path()).unwrap().starts_with(&text), "nothing is taken out");
    }
}

#[test]
fn a_head_that_lags_is_caught_up_with() {
    let log = Log::new(16 << 20);
    calls(&log.audit, 0..3);
    let head = log.home.path().join("audit.head");
    let old = fs::read(&head).unwrap();
    calls(&log.audit, 3..6);
    fs::write(&head, old).unwrap();
    assert!(log.verified().is_sound());
    calls(&Audit::new(log.home.path(), AuditSettings::default()), 6..9);
    let verified = log.verified();
    assert!(verified.is_sound() && verified.lines == 18, "{verified:?}");
}

#[test]
fn a_crash_after_the_first_line_of_all_is_no_problem() {
    let log = Log::new(16 << 20);
    begin(&log.audit, "first");
    let head = log.home.path().join("audit.head");
    let lines = fs::read(log.path()).unwrap();
    fs::remove_file(log.path()).unwrap();
    fs::remove_file(&head).unwrap();
    // What a process leaves that dies between its first line and its head: the head that it began with.
    let file = head::HeadFile::open(log.home.path()).unwrap();
    let begun = writer::begin(log.home.path(), &file.lock().unwrap()).unwrap();
    assert_eq!(begun, (head::Head::default(), false));
    assert_eq!(head::peek(log.home.path()), Some(head::Head::default()), "before any line");
    fs::write(log.path(), lines).unwrap();
    assert!(log.verified().is_sound(), "{:?}", log.verified());
    calls(&Audit::new(log.home.path(), AuditSettings::default()), 0..2);
    let verified = log.verified();
    assert!(verified.is_sound() && verified.lines == 5, "{verified:?}");
}

#[test]
fn lines_without_a_head_are_a_problem_that_stays() {
    type Loss = fn(&Path);
    let losses: [(&str, Loss); 3] = [
        ("removed", |head| fs::remove_file(head).unwrap()),
        ("emptied", |head| fs::write(head, b"").unwrap()),
        ("no head", |head| fs::write(head, b"hello").unwrap()),
    ];
    for (what, lose) in losses {
        for (file_bytes, torn) in [(16 << 20, ""), (2_000, ""), (16 << 20, "{\"hash")] {
            let log = Log::new(file_bytes);
            calls(&log.audit, 0..4);
            let mut lines = log.lines();
            lines.truncate(lines.len() - 1);
            log.rewrite(&lines);
            fs::write(log.path(), fs::read_to_string(log.path()).unwrap() + torn).unwrap();
            lose(&log.home.path().join("audit.head"));
            assert_eq!(log.problems(), ["no_head"], "{what} {file_bytes} {torn}");
            calls(&Audit::new(log.home.path(), AuditSettings { file_bytes, files: 0 }), 4..10);
            calls(&Audit::new(log.home.path(), AuditSettings { file_bytes, files: 0 }), 10..12);
            assert_eq!(log.problems(), ["no_head"], "{what} {file_bytes} {torn}, then written on");
        }
    }
}

#[test]
fn files_put_aside_are_missed_unless_only_some_are_kept() {
    let full = || {
        let log = Log::new(2_000);
        calls(&log.audit, 0..20);
        let aside = entry::put_aside(log.home.path()).unwrap();
        assert!(aside.len() > 3, "{aside:?}");
        (log, aside)
    };
    let (log, aside) = full();
    assert!(log.verified().is_sound());
    fs::remove_file(&aside[0]).unwrap();
    assert_eq!(log.problems(), ["begins_late"]);
    assert!(log.verified_keeping(3).is_sound());
    fs::remove_file(&aside[2]).unwrap();
    assert_eq!(log.problems(), ["begins_late", "out_of_chain"]);
    assert!(!log.verified_keeping(3).is_sound());

    let (log, aside) = full();
    fs::rename(&aside[1], aside[1].with_file_name("audit.000000000011.jsonl.old")).unwrap();
    assert!(!log.verified().is_sound());

    // Only the current file is left.
    let (log, aside) = full();
    aside.iter().for_each(|file| fs::remove_file(file).unwrap());
    assert_eq!(log.problems(), ["begins_late"]);
}

#[test]
fn a_history_made_up_behind_a_rotation_is_found() {
    let log = Log::new(16 << 20);
    calls(&log.audit, 0..4);
    for (prev, seq) in [(Hash::GENESIS, 1), (Hash::GENESIS, 7), (Hash::parse(&"1".repeat(64)).unwrap(), 1)] {
        let mut bodies = Bodies::default();
        bodies.note(&Note::Rotated { file: "audit.000000000006.jsonl", after: prev.as_str() });
        let mut lines = Vec::new();
        let (body, _) = bodies.iter().next().unwrap();
        line::chain(body, prev, seq, &mut lines);
        fs::write(log.path(), &lines).unwrap();
        assert!(log.problems().contains(&"begins_late") && log.problems().len() == 2, "{seq}: {:?}", log.problems());
        // ignored: gone since the first case.
        let _ = fs::remove_file(log.home.path().join("audit.head"));
        assert_eq!(log.problems(), ["begins_late", "no_head"], "{seq}");
    }
}

#[test]
fn a_full_file_is_put_aside_and_the_chain_goes_through() {
    let log = Log::new(2_000);
    let other = Audit::new(log.home.path(), AuditSettings { file_bytes: 2_000, files: 0 });
    for number in 0..20 {
        calls(if number % 3 == 0 { &other } else { &log.audit }, number..number + 1);
    }
    let verified = log.verified();
    assert!(verified.is_sound() && verified.files > 5, "{verified:?}");
    let few = Audit::new(log.home.path(), AuditSettings { file_bytes: 2_000, files: 2 });
    calls(&few, 20..30);
    let verified = log.verified_keeping(2);
    assert!(verified.is_sound() && verified.files == 3, "{verified:?}");
}

#[test]
fn files_that_are_kept_no_longer_go_and_the_rest_is_verified() {
    let log = Log::new(1_000);
    calls(&log.audit, 0..20);
    let aside = entry::put_aside(log.home.path()).unwrap();
    let (now, day) = (SystemTime::now(), std::time::Duration::from_secs(86_400));
    for (age, file) in [9, 8, 1].into_iter().zip(&aside) {
        fs::File::options().write(true).open(file).unwrap().set_modified(now - day * age).unwrap();
    }
    let gone: Vec<String> = aside[..2].iter().map(|file| entry::name(file)).collect();
    assert_eq!(log.audit.remove_before(now - 2 * day, Cleaning::OnlyTells).unwrap(), gone);
    assert!(aside[0].exists() && log.verified().is_sound());
    assert_eq!(log.audit.remove_before(now - 2 * day, Cleaning::Removes).unwrap(), gone);
    assert!(!aside[0].exists() && !aside[1].exists() && aside[2].exists());
    assert_eq!(log.audit.remove_before(now - 2 * day, Cleaning::Removes).unwrap(), [""; 0]);
    calls(&log.audit, 20..22);
    assert!(log.verified().is_sound(), "{:?}", log.verified());
    // Nothing goes that the log cannot say.
    let (current, kept) = (log.path(), log.home.path().join("kept"));
    fs::rename(&current, &kept).unwrap();
    fs::create_dir(&current).unwrap();
    let unwritten = Audit::new(log.home.path(), AuditSettings::default());
    unwritten.remove_before(now + day, Cleaning::Removes).unwrap_err();
    assert!(aside[2].exists());
    fs::remove_dir(&current).unwrap();
    fs::rename(&kept, &current).unwrap();
    // What somebody else removes is still found.
    fs::remove_file(&aside[2]).unwrap();
    assert_eq!(log.problems(), ["begins_late"]);
}

#[test]
fn threads_share_one_chain() {
    let log = Log::new(40_000);
    std::thread::scope(|scope| {
        for thread in 0..4_u32 {
            let home = log.home.path();
            scope.spawn(move || {
                let audit = Audit::new(home, AuditSettings { file_bytes: 40_000, files: 0 });
                calls(&audit, thread * 100..thread * 100 + 100);
            });
        }
    });
    let verified = log.verified();
    assert!(verified.is_sound(), "{verified:?}");
    let mut outcomes = 0;
    entries(log.home.path(), |entry| outcomes += u32::from(entry.kind == Kind::Outcome)).unwrap();
    assert_eq!(outcomes, 400);
}

#[test]
fn threads_of_one_process_write_for_each_other_and_nothing_is_lost() {
    let log = Log::new(16 << 20);
    std::thread::scope(|scope| {
        for thread in 0..4_u32 {
            let log = &log;
            scope.spawn(move || {
                for number in thread * 25..thread * 25 + 25 {
                    begin(&log.audit, &number.to_string());
                    // Who returns finds its lines in the log, whoever wrote them.
                    let mut begun = false;
                    entries(log.home.path(), |entry| begun |= entry.text("call") == Some(&number.to_string())).unwrap();
                    assert!(begun, "{number}");
                    end(&log.audit, &number.to_string());
                    ended(&log.audit, &stages("read"), "read");
                }
            });
        }
    });
    let verified = log.verified();
    assert!(verified.is_sound() && log.audit.healthy(), "{verified:?}");
    assert_eq!((verified.orphans, verified.running), (0, 0));
    assert_eq!(head::peek(log.home.path()).unwrap().open, 0);
    let mut outcomes = 0;
    entries(log.home.path(), |entry| outcomes += u32::from(entry.kind == Kind::Outcome)).unwrap();
    assert_eq!(outcomes, 200);
}

#[test]
fn a_run_that_ends_in_the_write_in_which_it_begins_is_never_open() {
    let log = Log::new(16 << 20);
    ended(&log.audit, &stages("read"), "read");
    assert_eq!((log.verified().lines, head::peek(log.home.path()).unwrap().open), (1, 0));
    begin(&log.audit, "write");
    ended(&log.audit, &stages("read"), "read");
    assert_eq!(head::peek(log.home.path()).unwrap().open, 1, "the other one is");
    end(&log.audit, "write");
    assert_eq!((log.verified().running, head::peek(log.home.path()).unwrap().open), (0, 0));
}

#[test]
fn a_run_whose_process_died_is_ended_by_the_next_one() {
    let log = Log::new(16 << 20);
    calls(&log.audit, 0..2);
    let lagging = fs::read(log.home.path().join("audit.head")).unwrap();
    begin(&log.audit, "mine");
    assert_eq!((log.verified().orphans, log.verified().running), (0, 1), "it is under way");
    // The same run, as a process that is no more would have begun it.
    let mut lines = log.lines();
    let dead = lines.pop().unwrap().replace(&format!("\"pid\":{}", std::process::id()), "\"pid\":4194305");
    lines.push(with_its_hash(&dead, lines.last().unwrap()));
    log.rewrite(&lines);
    assert_eq!(log.verified().orphans, 1);
    // A head as that process would have left it, which is one write behind.
    fs::write(log.home.path().join("audit.head"), lagging).unwrap();
    let next = Audit::new(log.home.path(), AuditSettings::default());
    calls(&next, 5..6);
    calls(&Audit::new(log.home.path(), AuditSettings::default()), 6..7);
    let verified = log.verified();
    assert!(verified.is_sound(), "{verified:?}");
    assert_eq!((verified.orphans, verified.interrupted), (0, 1));
}

#[test]
fn a_directory_that_is_gone_is_bad_health_and_nothing_else() {
    let log = Log::new(16 << 20);
    let audit = Audit::new(&log.home.path().join("nowhere"), AuditSettings::default());
    calls(&audit, 0..2);
    assert!(!audit.healthy());
}
