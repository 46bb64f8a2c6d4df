//! Sessions in the database: what every backend must hold, and what only a file can get wrong.

use crate::home::{Home, line};
use palanca_core::call::SessionId;
use palanca_core::ports::{EventNumber, SessionFilter, Sessions, UndoIndex as _, wait};
use palanca_store::{Approvals as _, Database, Desk, Which};
use palanca_testkit::now;
use palanca_testkit::sessions::{new_event, new_session};
use palanca_testkit::sessions_conform;
use rusqlite::Connection;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

#[test]
fn sessions_hold_what_every_backend_must() {
    let home = Home::in_memory();
    let lose = |database: &Database, _: &SessionId| {
        fs::remove_dir_all(database.path().with_file_name("claims")).unwrap();
        fs::create_dir(database.path().with_file_name("claims")).unwrap();
    };
    sessions_conform(|| home.fresh(), lose);
}

#[test]
fn nothing_is_made_for_those_who_only_ask() {
    let home = Home::new();
    let database = home.database();
    let id = SessionId::new("s");
    assert!(
        wait(database.session(&id)).unwrap().is_none()
            && now(&*database).sessions(&SessionFilter::default()).unwrap().is_empty()
    );
    assert!(wait(database.events(&id, EventNumber(0), 9)).unwrap().is_empty());
    assert!(wait(database.last_of(&id, "said")).unwrap().is_none());
    wait(database.remove(&id)).unwrap();
    assert!(!home.state().exists(), "nobody kept anything");
}

#[test]
fn a_session_of_a_path_names_no_file() {
    let home = Home::new();
    let database = home.database();
    for id in ["../../../escaped", "/etc/escaped", "a/b", "..", "\u{0}", "-rf"] {
        now(&*database).begin(&new_session(id)).unwrap();
        let claim = wait(database.claim(&SessionId::new(id))).unwrap();
        let names: Vec<String> = names(&home.state().join("claims"));
        let [name] = names.as_slice() else { panic!("{id:?}: {names:?}") };
        assert!(name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id:?}: {name}");
        drop(claim);
        assert_eq!(names_of_claims(&home), [] as [&str; 0], "whoever lets go leaves nothing");
    }
    let top = names(&home.state().join(".."));
    assert_eq!(top, ["state"], "nothing beside the home");
}

fn names_of_claims(home: &Home) -> Vec<String> {
    names(&home.state().join("claims"))
}

fn names(directory: &std::path::Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn claims_on_different_sessions_do_not_conflict() {
    let home = Home::in_memory();
    std::thread::scope(|threads| {
        for thread in 0..8 {
            let database = home.database();
            threads.spawn(move || {
                let id = SessionId::new(format!("s{thread}"));
                for _ in 0..300 {
                    drop(wait(database.claim(&id)).expect("nobody else wants it"));
                }
            });
        }
    });
    assert_eq!(names_of_claims(&home), [] as [&str; 0]);
}

#[test]
fn claims_are_the_owners_alone() {
    let home = Home::new();
    let database = home.database();
    let _claim = wait(database.claim(&SessionId::new("s"))).unwrap();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let claims = home.state().join("claims");
    let file = claims.join(&names(&claims)[0]);
    assert_eq!((mode(&claims), mode(&file)), (0o700, 0o600));
}

/// A file as the first schema left it, with a row in each of its tables.
fn of_schema_one(home: &Home) {
    fs::create_dir(home.state()).unwrap();
    let plain = Connection::open(home.file()).unwrap();
    plain
        .execute_batch(concat!(
            "PRAGMA journal_mode = WAL;",
            include_str!("../../src/database/migrations/1.sql"),
            "INSERT INTO undo VALUES ('s', 7, 1, 'c', 'before');
            INSERT INTO rules VALUES ('r', 's', NULL, NULL, NULL, '/w', 'rule', 'words', 'q', 'ana', 1, 99999999999999, NULL, NULL);
            INSERT INTO questions VALUES ('q', 's', NULL, NULL, NULL, '/w', 'c', 'echo', 'd',
                '{\"origin\":\"person\",\"arguments\":{},\"effects\":[],\"commands\":[],\"isolation\":null,\"diff\":null,\"undo\":\"yes\",\"reasons\":[],\"drafts\":[]}',
                1, 99999999999999, 'open', NULL, NULL, NULL, NULL, NULL);
            PRAGMA application_id = 0x504c4e43;
            PRAGMA user_version = 1;",
        ))
        .unwrap();
}

#[test]
fn the_first_schema_is_brought_forward_with_its_rows() {
    let home = Home::new();
    of_schema_one(&home);
    let database = home.database();
    now(&*database).begin(&new_session("new")).unwrap();
    let lines = database.lines(&SessionId::new("s")).unwrap();
    assert_eq!(lines.iter().map(|(number, line)| (number.0, line.body.as_str())).collect::<Vec<_>>(), [(7, "before")]);
    let desk = Desk::new(Arc::clone(&database), crate::home::HOUR);
    let rules = wait(desk.rules(Which::All)).unwrap();
    assert_eq!(rules.iter().map(|rule| rule.words.as_str()).collect::<Vec<_>>(), ["words"]);
    let plain = Connection::open(home.file()).unwrap();
    let count: i64 =
        plain.query_row("SELECT count(*) FROM questions WHERE state = 'open'", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 1);
    let version: i64 = plain.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 8);
    assert!(database.examine().unwrap().problems.is_empty());
}

#[test]
fn many_connections_bring_it_forward_once() {
    let home = Home::in_memory();
    of_schema_one(&home);
    std::thread::scope(|threads| {
        for thread in 0..8 {
            let database = Database::lazy(&home.state());
            threads.spawn(move || {
                let id = format!("s{thread}");
                now(&database).begin(&new_session(&id)).unwrap();
                now(&database).append(&SessionId::new(id), EventNumber(0), &[new_event(1, "x")], None).unwrap();
            });
        }
    });
    let database = home.database();
    assert_eq!(now(&*database).sessions(&SessionFilter::default()).unwrap().len(), 8);
    assert_eq!(database.lines(&SessionId::new("s")).unwrap().len(), 1);
    palanca_core::ports::UndoIndex::append(&*database, &SessionId::new("s"), &line("after")).unwrap();
    assert_eq!(database.lines(&SessionId::new("s")).unwrap().len(), 2);
}
