//! Several processes that add to sessions, and processes that are killed while they do.

use crate::home::{Home, given};
use palanca_core::call::SessionId;
use palanca_core::ports::{EventNumber, SessionFilter, SessionSummary, Sessions as _, StoreFault, wait};
use palanca_store::Database;
use palanca_testkit::now;
use palanca_testkit::sessions::{new_event, new_session};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Child;
use std::sync::Arc;
use std::time::Duration;

const EACH: usize = 300;

fn shared() -> SessionId {
    SessionId::new("shared")
}

fn begun(database: &Database, id: &str) {
    now(database).begin(&new_session(id)).unwrap();
}

fn bodies(database: &Database, id: &SessionId) -> Vec<String> {
    let events = wait(database.events(id, EventNumber(0), usize::MAX)).unwrap();
    let numbers: Vec<u64> = events.iter().map(|event| event.number.0).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "no gap, nothing twice");
    events.into_iter().map(|event| event.body).collect()
}

fn all_well(children: Vec<Child>) {
    for child in children {
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
}

#[test]
#[ignore = "started by processes_that_add_to_one_session_lose_no_update"]
fn child_shares() {
    let Some(state) = given() else { return };
    let database = Database::lazy(&state);
    let (mut after, mut moved) = (EventNumber(0), 0_u32);
    for number in 0..EACH {
        // Each writes how many there were, so that a lost update would show.
        after = loop {
            let summary = SessionSummary { calls: u32::try_from(after.0).unwrap() + 1, ..SessionSummary::default() };
            let event = new_event(after.0, &format!("{} {number}", std::process::id()));
            match now(&database).append(&shared(), after, &[event], Some(&summary)) {
                Ok(next) => break next,
                Err(StoreFault::Moved { .. }) => {
                    moved += 1;
                    after = wait(database.session(&shared())).unwrap().unwrap().last;
                }
                Err(fault) => panic!("{}", fault.message().key()),
            }
        };
    }
    eprintln!("moved {moved}");
}

#[test]
fn processes_that_add_to_one_session_lose_no_update() {
    let home = Home::in_memory();
    begun(&home.database(), "shared");
    let children: Vec<Child> = (0..3).map(|_| home.child("appends::child_shares")).collect();
    let pids: Vec<u32> = children.iter().map(Child::id).collect();
    all_well(children);
    let kept = bodies(&home.database(), &shared());
    assert_eq!(kept.len(), 3 * EACH);
    for pid in pids {
        let own = kept.iter().filter_map(|body| body.strip_prefix(&format!("{pid} ")));
        let own: Vec<usize> = own.map(|number| number.parse().unwrap()).collect();
        assert_eq!(own, (0..EACH).collect::<Vec<_>>(), "each once and in its order");
    }
    let summary = wait(home.database().session(&shared())).unwrap().unwrap().summary;
    assert_eq!(summary.calls as usize, 3 * EACH);
}

#[test]
#[ignore = "started by processes_side_by_side_never_hear_of_a_locked_database"]
fn child_alone() {
    let Some(state) = given() else { return };
    std::thread::scope(|threads| {
        for thread in 0..4 {
            let database = Database::lazy(&state);
            threads.spawn(move || {
                let id = format!("{} {thread}", std::process::id());
                begun(&database, &id);
                let claim = wait(database.claim(&SessionId::new(id.as_str()))).unwrap();
                let database = now(&database).under(&*claim);
                for number in 0..EACH as u64 {
                    let event = new_event(number, &"x".repeat(500));
                    database.append(&SessionId::new(id.as_str()), EventNumber(number), &[event], None).unwrap();
                }
            });
        }
    });
}

#[test]
fn processes_side_by_side_never_hear_of_a_locked_database() {
    let home = Home::in_memory();
    all_well((0..3).map(|_| home.child("appends::child_alone")).collect());
    let sessions = wait(home.database().sessions(&SessionFilter::default())).unwrap();
    assert_eq!(sessions.len(), 12);
    assert!(sessions.iter().all(|kept| kept.last.0 == EACH as u64));
    assert!(home.database().examine().unwrap().problems.is_empty());
}

#[test]
#[ignore = "started by kill_processes"]
fn child_adds() {
    let Some(state) = given() else { return };
    let database = Database::lazy(&state);
    let session = shared();
    let claim = wait(database.claim(&session)).unwrap();
    let database = now(&database).under(&*claim);
    let mut after = database.session(&session).unwrap().unwrap().last;
    loop {
        let body = format!("{} {}", after.0 + 1, "x".repeat((after.0 % 7 * 900) as usize));
        after = database.append(&session, after, &[new_event(1, &body)], None).unwrap();
        std::io::stderr().write_all(format!("{}\n", after.0).as_bytes()).unwrap();
    }
}

#[test]
fn killed_processes_lose_no_acknowledged_event() {
    kill_processes(20);
}

mod stress {
    #[test]
    #[ignore = "cargo xtask stress"]
    fn killed_processes_lose_no_acknowledged_event() {
        super::kill_processes(1_000);
    }
}

fn kill_processes(rounds: u64) {
    let home = Home::in_memory();
    begun(&home.database(), "shared");
    let mut unsaid = 0;
    for round in 0..rounds {
        let mut child = home.child("appends::child_adds");
        let mut steps = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut said: Vec<u64> =
            steps.by_ref().take(1 + round as usize * 37 % 400).map(|line| line.unwrap().parse().unwrap()).collect();
        std::thread::sleep(Duration::from_micros(round * 13 % 97));
        child.kill().unwrap();
        child.wait().unwrap();
        // What it still said before it died; each number is one write, so none is torn.
        said.extend(steps.map_while(Result::ok).map(|line| line.parse::<u64>().unwrap()));
        let acknowledged = *said.last().expect("it added something");
        let database = home.database();
        let kept = bodies(&database, &shared());
        let last = wait(database.session(&shared())).unwrap().unwrap().last.0;
        assert_eq!(kept.len() as u64, last);
        assert!(last == acknowledged || last == acknowledged + 1, "{last} events, {acknowledged} acknowledged");
        for (at, body) in kept.iter().enumerate() {
            assert_eq!(body.split(' ').next().unwrap(), (at + 1).to_string(), "each is its own");
        }
        unsaid += last - acknowledged;
        drop(wait(database.claim(&shared())).expect("the claim of the dead holds nobody off"));
        if round % 10 == 0 {
            // Anew, so that a round costs the same.
            assert!(database.examine().unwrap().problems.is_empty());
            wait(database.remove(&shared())).unwrap();
            begun(&database, "shared");
        }
    }
    eprintln!("{rounds} kills; {unsaid} fell between the commit and the word of it");
    let claims = std::fs::read_dir(home.state().join("claims")).unwrap().count();
    assert_eq!(claims, 0, "nothing is left of the dead");
    assert!(Arc::clone(&home.database()).examine().unwrap().problems.is_empty());
}
