//! A write that must wait for another process holds up neither reads nor the other tasks of its thread.

use crate::home::{Home, line, session};
use palanca_core::ports::{Addition, EventNumber, Fence, SessionFilter, Sessions, UndoIndex};
use palanca_testkit::now;
use palanca_testkit::sessions::{new_event, new_session};
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::mpsc;

/// Another process's transaction that lasts until it is dropped.
fn held(home: &Home) -> Connection {
    let other = Connection::open(home.file()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

#[test]
fn reads_do_not_wait_for_a_write_that_waits() {
    let home = Home::new();
    let database = home.database();
    now(&*database).begin(&new_session("s")).unwrap();
    let other = held(&home);
    let (sender, written) = mpsc::channel();
    let writing = Arc::clone(&database);
    let writer = std::thread::spawn(move || sender.send(UndoIndex::append(&*writing, &session(), &line("x"))).unwrap());
    // Reads are right the whole time that the write waits.
    for _ in 0..50 {
        assert_eq!(now(&*database).sessions(&SessionFilter::default()).unwrap().len(), 1);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(written.try_recv().is_err(), "the write did not wait");
    drop(other);
    written.recv().unwrap().unwrap();
    writer.join().unwrap();
}

#[test]
fn whoever_waits_hands_the_other_tasks_on() {
    let home = Home::new();
    let database = home.database();
    UndoIndex::append(&*database, &session(), &line("first")).unwrap();
    let other = held(&home);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        // Two that wait: the first for the other process, the second for the first.
        let writes: Vec<_> = ["second", "third"]
            .map(|body| {
                let database = Arc::clone(&database);
                tokio::spawn(async move { UndoIndex::append(&*database, &session(), &line(body)) })
            })
            .into();
        // The only worker's other tasks still run; without that, this never comes to an end while the file is held.
        for _ in 0..50 {
            tokio::spawn(async { tokio::time::sleep(std::time::Duration::from_millis(1)).await }).await.unwrap();
        }
        assert!(writes.iter().all(|write| !write.is_finished()), "the writes did not wait");
        drop(other);
        for write in writes {
            write.await.unwrap().unwrap();
        }
    });
}

#[test]
fn what_is_handed_in_holds_up_nobody() {
    let home = Home::new();
    let database = home.database();
    now(&*database).begin(&new_session("s")).unwrap();
    let other = held(&home);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let add = |after| {
        let (after, events) = (EventNumber(after), vec![new_event(1, "x")]);
        let addition = Addition { session: session(), fence: Fence(0), after, events, summary: None };
        Sessions::append(&*database, addition)
    };
    let mut waiting: Vec<_> = (0..100).map(add).collect();
    runtime.block_on(async {
        // The only thread goes on, and reads what was stored before.
        for _ in 0..50 {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            assert_eq!(database.session(&session()).await.unwrap().unwrap().last, EventNumber(0));
        }
    });
    let mut last = waiting.pop().unwrap();
    assert!(runtime.block_on(async { futures_util::poll!(&mut last) }).is_pending(), "the write did not wait");
    drop(other);
    assert_eq!(runtime.block_on(last), Ok(EventNumber(100)));
}

#[test]
fn a_database_that_is_let_go_finishes_what_was_handed_in() {
    let home = Home::new();
    let database = home.fresh();
    let path = database.path().to_owned();
    drop(database.begin(new_session("s"), Fence(0), (0..500).map(|number| new_event(number, "x")).collect()));
    drop(database);
    let again = Connection::open(path).unwrap();
    let count: u32 = again.query_row("SELECT count(*) FROM session_events", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 500);
}
