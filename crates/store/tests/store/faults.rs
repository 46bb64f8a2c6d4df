//! Databases that cannot be used: each is named, and nothing of it is overwritten.

use crate::home::{HOUR, Home, line, opened, session};
use palanca_core::call::SessionId;
use palanca_core::ports::{
    Answer, Artifacts as _, EventNumber, NewArtifact, NewContent, Questions as _, Sessions, UndoIndex, wait,
};
use palanca_core::{ConfirmMode, Scope};
use palanca_store::{Approvals as _, Database, Desk, Replacement, StoreError, Which};
use palanca_testkit::sessions::{new_event, new_session};
use palanca_testkit::{Answers, TempWorkspace, TestGate, now, skipped, until};
use palanca_tools::{ToolOptions, ToolsetName, register_all};
use rusqlite::Connection;
use serde_json::json;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

fn refusal(desk: &Desk) -> &'static str {
    wait(desk.open(&mut palanca_testkit::questions::question(1))).unwrap_err().key()
}

#[track_caller]
fn untouched(home: &Home, key: &str, kind: io::ErrorKind, said: &str) {
    let before = fs::read(home.file()).unwrap();
    assert_eq!(refusal(&home.desk()), key);
    let error = UndoIndex::append(&*home.database(), &session(), &line("x")).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(said) && error.to_string().contains("palanca.db"), "{error}");
    wait(home.desk().questions(Which::All)).unwrap_err();
    assert!(fs::read(home.file()).unwrap() == before, "the file is changed");
}

#[test]
fn what_is_no_database_stays_what_it_is() {
    let home = Home::new();
    fs::create_dir(home.state()).unwrap();
    fs::write(home.file(), "not a database, but somebody's notes ".repeat(100)).unwrap();
    untouched(&home, "store-corrupt", io::ErrorKind::InvalidData, "damaged");
}

#[test]
fn a_newer_schema_is_left_to_a_newer_program() {
    let home = Home::new();
    opened(&home.desk());
    Connection::open(home.file()).unwrap().pragma_update(None, "user_version", 99).unwrap();
    untouched(&home, "store-newer", io::ErrorKind::InvalidData, "schema 99, and this program knows 8");
}

#[test]
fn the_database_of_another_program_is_not_migrated() {
    let home = Home::new();
    fs::create_dir(home.state()).unwrap();
    Connection::open(home.file()).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
    untouched(&home, "store-foreign", io::ErrorKind::InvalidData, "another program");
}

#[test]
fn a_damaged_page_is_found() {
    let home = Home::new();
    let desk = home.desk();
    for _ in 0..50 {
        opened(&desk);
    }
    let plain = Connection::open(home.file()).unwrap();
    plain.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop((plain, desk));
    let mut bytes = fs::read(home.file()).unwrap();
    bytes[4096..].iter_mut().for_each(|byte| *byte = 0x5a);
    fs::write(home.file(), &bytes).unwrap();
    assert!(matches!(home.database().check(), Err(StoreError::Corrupt { .. })), "{:?}", home.database().check());
    assert!(matches!(wait(home.desk().questions(Which::All)), Err(StoreError::Corrupt { .. })));
    assert!(fs::read(home.file()).unwrap() == bytes, "the file is changed");
}

#[test]
fn what_is_no_file_is_not_opened() {
    let home = Home::new();
    fs::create_dir_all(home.file()).unwrap();
    assert_eq!(refusal(&home.desk()), "store-closed");
    fs::remove_dir(home.file()).unwrap();
    std::os::unix::fs::symlink("/dev/null", home.file()).unwrap();
    assert_eq!(refusal(&home.desk()), "store-closed");
}

struct Mount<'a>(&'a Path);

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        // A program that another test starts holds the files of this one until it is another program.
        until("it is no longer mounted", || {
            let done = Command::new("umount").arg(self.0).stderr(Stdio::null()).status();
            done.is_ok_and(|status| status.success())
        });
    }
}

/// A file system of 512 KiB; none where mounting is not allowed.
fn small_disk(directory: &Path) -> Option<Mount<'_>> {
    fs::create_dir_all(directory).unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=512k", "tmpfs"]).arg(directory).output();
    if mounted.is_ok_and(|output| output.status.success()) {
        return Some(Mount(directory));
    }
    skipped("a disk that is full", "no small file system can be mounted here");
    None
}

#[test]
fn a_full_disk_keeps_what_was_there_and_refuses_the_rest() {
    let home = Home::new();
    let state = home.state();
    let Some(_mounted) = small_disk(&state) else { return };
    let desk = home.desk();
    let (first, body) = (opened(&desk), "x".repeat(8 << 10));
    let database = home.database();
    let mut kept = 0;
    let error = loop {
        match UndoIndex::append(&*database, &session(), &line(&body)) {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{error}");
    assert!(kept > 10, "{kept}");
    let mut large = palanca_testkit::questions::question(1);
    large.diff = Some("+line\n".repeat(10_000));
    assert_eq!(wait(desk.open(&mut large)).unwrap_err().key(), "store-full");
    assert_eq!(database.lines(&session()).unwrap().len(), kept);
    assert_eq!(wait(home.desk().question(&first.id)).unwrap().unwrap().id, first.id);
    database.check().unwrap();
}

#[test]
fn a_full_disk_keeps_the_events_that_were_acknowledged() {
    let home = Home::new();
    let state = home.state();
    let Some(_mounted) = small_disk(&state) else { return };
    let database = home.database();
    let session = SessionId::new("s");
    now(&*database).begin(&new_session("s")).unwrap();
    let (mut last, body) = (EventNumber(0), "x".repeat(8 << 10));
    let fault = loop {
        match now(&*database).append(&session, last, &[new_event(1, &body)], None) {
            Ok(next) => last = next,
            Err(fault) => break fault,
        }
    };
    assert_eq!(fault.message().key(), "store-full");
    assert!(last.0 > 5, "{last:?}");
    let scope = Scope::session(session.clone());
    let text = "y".repeat(200 << 10);
    let kept = wait(database.keep(&NewArtifact {
        scope: &scope,
        call: &"c".into(),
        content: NewContent::Text(&text),
        foreign: None,
    }));
    assert_eq!(kept.unwrap_err().message().key(), "store-full");
    let full = database.back_up(&state.join("copy.db"));
    assert!(matches!(&full, Err(StoreError::Full { path }) if path.ends_with("copy.db")), "{full:?}");
    let names = fs::read_dir(&state).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| !name.contains("copy")), "half a copy is left");
    for database in [database, home.database()] {
        assert_eq!(wait(database.events(&session, EventNumber(0), usize::MAX)).unwrap().len() as u64, last.0);
        assert_eq!(wait(database.session(&session)).unwrap().unwrap().last, last);
        assert_eq!(database.examine().unwrap().problems, []);
    }
    // Once there is room, the same process goes on where it was.
    let database = home.database();
    remount(&state, "size=4m");
    last = now(&*database).append(&session, last, &[new_event(1, &body)], None).unwrap();
    wait(database.keep(&NewArtifact {
        scope: &scope,
        call: &"c".into(),
        content: NewContent::Text(&text),
        foreign: None,
    }))
    .unwrap();
    assert_eq!(wait(database.events(&session, EventNumber(0), usize::MAX)).unwrap().len() as u64, last.0);
    assert_eq!(database.examine().unwrap().problems, []);
}

#[test]
fn a_read_only_disk_refuses_sessions_claims_and_texts() {
    let home = Home::new();
    let state = home.state();
    let Some(_mounted) = small_disk(&state) else { return };
    let session = SessionId::new("s");
    now(&*home.database()).begin(&new_session("s")).unwrap();
    remount(&state, "ro");
    let database = home.database();
    let scope = Scope::session(session.clone());
    let faults = [
        now(&*database).begin(&new_session("t")).map(drop),
        now(&*database).append(&session, EventNumber(0), &[new_event(1, "x")], None).map(drop),
        wait(database.claim(&session)).map(drop),
        wait(database.remove(&session)),
        wait(database.keep(&NewArtifact {
            scope: &scope,
            call: &"c".into(),
            content: NewContent::Text("x"),
            foreign: None,
        }))
        .map(drop),
    ];
    assert_eq!(faults.map(|fault| fault.unwrap_err().message().key()), ["store-closed"; 5]);
    assert!(matches!(database.replace(Replacement::Nothing), Err(StoreError::Closed { .. })));
    remount(&state, "rw");
    now(&*database).append(&session, EventNumber(0), &[new_event(1, "x")], None).unwrap();
}

/// Other tests' programs may hold files of it until they are other programs.
fn remount(directory: &Path, option: &str) {
    until("it is mounted otherwise", || {
        let remounted = Command::new("mount").args(["-o", &format!("remount,{option}")]).arg(directory).status();
        remounted.unwrap().success()
    });
}

#[test]
fn a_read_only_disk_refuses_questions_and_answers() {
    let home = Home::new();
    let state = home.state();
    let Some(_mounted) = small_disk(&state) else { return };
    let question = opened(&home.desk());
    remount(&state, "ro");
    let desk = home.desk();
    assert_eq!(refusal(&desk), "store-closed");
    assert_eq!(wait(desk.settle(&question, Answer::Yes)).unwrap_err().key(), "store-closed");
    assert_eq!(
        UndoIndex::append(&*home.database(), &session(), &line("x")).unwrap_err().kind(),
        io::ErrorKind::PermissionDenied
    );
}

#[tokio::test]
async fn a_question_that_cannot_be_stored_is_not_asked() {
    let home = Home::new();
    fs::create_dir(home.state()).unwrap();
    fs::write(home.file(), "garbage, and longer than a header would be: ".repeat(10)).unwrap();
    let desk = Arc::new(Desk::new(Arc::new(Database::lazy(&home.state())), HOUR));
    let registry = palanca_core::Registry::new();
    register_all(&registry, ToolsetName::Palanca, &ToolOptions::default()).unwrap();
    let workspace = TempWorkspace::new();
    let gate = TestGate::builder(&workspace, registry)
        .answers(Answers::always(Answer::Yes))
        .mode(ConfirmMode::ConfirmAll)
        .with(|gate| gate.questions(desk))
        .build();
    let result = gate.call("echo", json!({"message": "hi"})).await;
    assert_eq!((result.success, result.code.as_deref()), (false, Some("confirm.not_kept")));
    assert!(result.error.unwrap().contains("damaged"));
    assert_eq!(gate.answers.asked().len(), 0);
}
