//! The file itself: who may open it, what it becomes, what is in it afterwards.

use crate::home::{Home, line, opened, session};
use palanca_core::ports::{UndoIndex as _, wait};
use palanca_store::Approvals as _;
use rusqlite::Connection;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_file_is_its_owners_alone_and_made_on_first_need() {
    let home = Home::new();
    let database = home.database();
    assert!(!home.state().exists());
    database.append(&session(), &line("x")).unwrap();
    let modes = ["palanca.db", "palanca.db-wal", "palanca.db-shm"].map(|name| mode(&home.state().join(name)));
    assert_eq!((mode(&home.state()), modes), (0o700, [0o600; 3]));
    drop(database);
    std::fs::set_permissions(home.file(), PermissionsExt::from_mode(0o644)).unwrap();
    std::fs::set_permissions(home.state(), PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(home.database().lines(&session()).unwrap().len(), 1);
    assert_eq!((mode(&home.state()), mode(&home.file())), (0o700, 0o600), "what was open to others is closed");
}

#[test]
fn the_schema_is_marked_and_whole() {
    let home = Home::new();
    let desk = home.desk();
    let question = opened(&desk);
    home.database().check().unwrap();
    let plain = Connection::open(home.file()).unwrap();
    let pragma = |name: &str| plain.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!((pragma("user_version"), pragma("application_id")), (8, 0x504c_4e43));
    // A state that is none of the four, or one that its answer does not fit, cannot be written by anybody.
    for change in ["state = 'maybe'", "state = 'spent'", "answer = 'yes'"] {
        plain.execute(&format!("UPDATE questions SET {change}"), []).unwrap_err();
    }
    assert!(wait(desk.question(&question.id)).unwrap().is_some());
}

#[test]
fn undo_lines_are_numbered_within_their_session_and_can_be_withdrawn() {
    let home = Home::new();
    let database = home.database();
    let other = palanca_core::call::SessionId::new("../other ☃");
    let numbers = ["a", "b", "c"].map(|body| database.append(&session(), &line(body)).unwrap());
    database.append(&other, &line("d")).unwrap();
    database.withdraw(&session(), numbers[1]).unwrap();
    database.withdraw(&session(), numbers[1]).unwrap();
    let again = home.database();
    let bodies = |session| again.lines(session).unwrap().into_iter().map(|(_, line)| line.body).collect::<Vec<_>>();
    assert_eq!((bodies(&session()), bodies(&other)), (vec!["a".to_owned(), "c".into()], vec!["d".to_owned()]));
    assert!(numbers.is_sorted());
    let sessions = again.sessions().unwrap();
    assert_eq!(sessions.iter().map(|found| found.lines).sum::<u64>(), 3);
}
