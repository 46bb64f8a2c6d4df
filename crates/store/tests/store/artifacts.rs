//! Long texts in the database: what every backend must hold, and what bounds them.

use crate::home::Home;
use palanca_core::Scope;
use palanca_core::call::{ArtifactId, CallId, Digest, Media, SessionId};
use palanca_core::ports::{Artifacts as _, NewArtifact, NewContent, Sessions as _, StoreFault, wait};
use palanca_store::{ArtifactLimits, Database, StoreProblem};
use palanca_testkit::now;
use palanca_testkit::sessions::new_session;
use palanca_testkit::{artifacts_conform, small_artifacts_conform};
use rusqlite::Connection;
use std::sync::Arc;
use std::time::Duration;

const DAY: Duration = Duration::from_secs(86_400);

#[test]
fn long_texts_hold_what_every_backend_must() {
    let home = Home::in_memory();
    artifacts_conform(|| home.fresh());
    small_artifacts_conform(|| home.fresh().artifacts(ArtifactLimits { each: 1_000, ..ArtifactLimits::default() }));
}

#[test]
fn the_check_reads_media_too() {
    let home = Home::new();
    let database = home.database();
    let media = Media::new("image/gif", b"GIF89a and more".to_vec()).unwrap();
    let new =
        NewArtifact { scope: &scope("s"), call: &CallId::new("c"), content: NewContent::Media(&media), foreign: None };
    let id = wait(database.keep(&new)).unwrap();
    assert_eq!(database.examine().unwrap().problems, []);
    Connection::open(home.file()).unwrap().execute("UPDATE artifacts SET media_type = 'image/png'", []).unwrap();
    let problem = StoreProblem::Artifact { artifact: id.to_string(), bytes: 15, found: 15 };
    assert_eq!(database.examine().unwrap().problems, [problem]);
    assert!(matches!(wait(database.media(&scope("s"), &id)), Err(StoreFault::Broken(_))), "it is not what it says");
}

fn scope(session: &str) -> Scope {
    Scope::session(SessionId::new(session))
}

fn kept(database: &Database, session: &str, text: &str) -> ArtifactId {
    let new =
        NewArtifact { scope: &scope(session), call: &CallId::new("c"), content: NewContent::Text(text), foreign: None };
    wait(database.keep(&new)).unwrap()
}

fn is_there(database: &Database, session: &str, id: &ArtifactId) -> bool {
    match wait(database.page(&scope(session), id, 0, 1)) {
        Ok(_) => true,
        Err(StoreFault::Missing { .. }) => false,
        Err(fault) => panic!("{fault}"),
    }
}

fn count(home: &Home, what: &str) -> i64 {
    Connection::open(home.file()).unwrap().query_row(&format!("SELECT {what}"), [], |row| row.get(0)).unwrap()
}

const BLOBS: &str = "count(*) FROM artifacts";
const PARTS: &str = "count(*) FROM artifact_parts";
const REFERENCES: &str = "count(*) FROM artifact_references";
const TOTAL: &str = "bytes FROM artifact_total";

fn limited(home: &Home, limits: ArtifactLimits) -> Database {
    Database::lazy(&home.state()).artifacts(limits).clock(Arc::clone(&home.clock) as _)
}

#[test]
fn asking_for_one_makes_no_database() {
    let home = Home::new();
    assert!(!is_there(&home.database(), "s", &ArtifactId::new("art-1")));
    assert!(!home.state().exists());
}

#[test]
fn the_same_text_is_there_once() {
    let home = Home::new();
    let database = home.database();
    let text = "0123456789".repeat(10_000);
    for session in ["s", "t", "s"] {
        kept(&database, session, &text);
    }
    let found = [BLOBS, PARTS, REFERENCES, TOTAL].map(|what| count(&home, what));
    assert_eq!(found, [1, 2, 2, 100_000]);
}

#[test]
fn the_oldest_leave_for_a_new_one() {
    let home = Home::new();
    let database = limited(&home, ArtifactLimits { each: 1_000, all: 2_500, ..ArtifactLimits::default() });
    let keep = |letter: &str| {
        home.clock.advance(Duration::from_secs(1));
        kept(&database, "s", &letter.repeat(1_000))
    };
    let (a, b) = (keep("a"), keep("b"));
    assert_eq!(keep("a"), a, "kept again, it is no longer the oldest");
    let c = keep("c");
    assert_eq!([&a, &b, &c].map(|id| is_there(&database, "s", id)), [true, false, true]);
    assert_eq!([BLOBS, REFERENCES, TOTAL].map(|what| count(&home, what)), [2, 2, 2_000]);
    let d = keep("d");
    assert_eq!([&a, &c, &d].map(|id| is_there(&database, "s", id)), [false, true, true]);
}

#[test]
fn what_is_larger_than_all_may_be_removes_nothing() {
    let home = Home::new();
    let database = limited(&home, ArtifactLimits { each: 5_000, all: 2_000, ..ArtifactLimits::default() });
    let a = kept(&database, "s", &"a".repeat(1_500));
    let large = "b".repeat(3_000);
    let new =
        NewArtifact { scope: &scope("s"), call: &CallId::new("c"), content: NewContent::Text(&large), foreign: None };
    let refused = StoreFault::TooLarge { what: "output c".to_owned(), limit: 2_000 };
    assert_eq!(wait(database.keep(&new)), Err(refused));
    assert!(is_there(&database, "s", &a));
}

#[test]
fn expired_texts_are_removed_when_another_is_stored() {
    let home = Home::new();
    let database = limited(&home, ArtifactLimits { lasts: 7 * DAY, ..ArtifactLimits::default() });
    let (a, b) = (kept(&database, "s", "a"), kept(&database, "s", "b"));
    home.clock.advance(6 * DAY);
    kept(&database, "t", "b");
    assert!(is_there(&database, "s", &a));
    home.clock.advance(2 * DAY);
    let c = kept(&database, "s", "c");
    assert_eq!([&a, &b, &c].map(|id| is_there(&database, "s", id)), [false, true, true]);
    assert_eq!([BLOBS, PARTS, REFERENCES, TOTAL].map(|what| count(&home, what)), [2, 2, 3, 2]);
}

#[test]
fn removing_a_session_removes_its_unshared_texts() {
    let home = Home::new();
    let database = home.database();
    now(&*database).begin(&new_session("s")).unwrap();
    let (own, shared) = (kept(&database, "s", "own"), kept(&database, "s", "shared"));
    kept(&database, "t", "shared");
    wait(database.remove(&SessionId::new("s"))).unwrap();
    let there = [("s", &own), ("s", &shared), ("t", &shared)].map(|(session, id)| is_there(&database, session, id));
    assert_eq!(there, [false, false, true]);
    assert_eq!([BLOBS, PARTS, REFERENCES, TOTAL].map(|what| count(&home, what)), [1, 1, 1, 6]);
    assert!(database.examine().unwrap().problems.is_empty());
}

/// Two texts whose hashes begin alike can be made by whoever tries for years; here the row says that somebody did.
#[test]
fn a_name_that_another_text_has_is_not_given_again() {
    let home = Home::new();
    let database = home.database();
    let first = kept(&database, "s", "victim");
    let plain = Connection::open(home.file()).unwrap();
    let digest = "0".repeat(64);
    assert_eq!(plain.execute("UPDATE artifacts SET digest = ?1", [&digest]).unwrap(), 1);
    let second = kept(&database, "t", "victim");
    assert_ne!(second, first);
    assert_eq!(second.as_str(), format!("art-{}", Digest::of_bytes(b"victim").to_hex()));
    assert!(!is_there(&database, "t", &first), "nor can it be read under that name");
}
