//! Several at once: one answer counts, whoever gives it.

use crate::home::{Home, given, line, opened, session};
use palanca_core::call::QuestionId;
use palanca_core::ports::{Answer, Questions as _, UndoIndex as _, wait};
use palanca_store::{Approvals as _, Database, Desk, QuestionState, Settled};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Child;
use std::sync::Arc;

/// Reads a line with ids, then answers each at once and says what became of it.
#[test]
#[ignore = "started by two_processes_answer_at_once"]
fn child_answers() {
    let Some(state) = given() else { return };
    let desk = Desk::new(Arc::new(Database::lazy(&state)), crate::home::HOUR);
    let name = std::process::id().to_string();
    std::io::stderr().write_all(b"ready\n").unwrap();
    let mut ids = String::new();
    std::io::stdin().read_line(&mut ids).unwrap();
    for id in ids.split_whitespace() {
        let word = match wait(desk.answer(&QuestionId::new(id), &Answer::Yes, &name)).unwrap() {
            Settled::Counts => "won".to_owned(),
            Settled::Already(given) => format!("lost-to-{}", given.answered_by),
            other => format!("{other:?}"),
        };
        eprintln!("{id} {word}");
    }
}

/// On a busy machine one process may be through before the other has begun; then there was no race, and another one is held.
#[test]
fn two_processes_answer_at_once() {
    let met = (0..50).any(|_| race().iter().all(|wins| *wins > 0));
    assert!(met, "they never met");
}

/// How many questions each of two processes answered first.
fn race() -> [usize; 2] {
    const QUESTIONS: usize = 1_000;
    let home = Home::in_memory();
    let desk = Desk::new(home.database(), crate::home::HOUR);
    let ids: Vec<_> = (0..QUESTIONS).map(|_| opened(&desk).id).collect();
    let mut children: Vec<Child> = (0..2).map(|_| home.child("races::child_answers")).collect();
    let mut outputs: Vec<_> = children.iter_mut().map(|child| BufReader::new(child.stderr.take().unwrap())).collect();
    for output in &mut outputs {
        output.read_line(&mut String::new()).unwrap();
    }
    // One goes through them from the front, the other from the back: they meet.
    let orders = [ids.iter().collect::<Vec<_>>(), ids.iter().rev().collect()];
    for (child, order) in children.iter_mut().zip(orders) {
        let order = order.into_iter().map(QuestionId::as_str).collect::<Vec<_>>().join(" ");
        child.stdin.take().unwrap().write_all(format!("{order}\n").as_bytes()).unwrap();
    }
    let said: Vec<String> = outputs
        .iter_mut()
        .map(|output| {
            let mut text = String::new();
            output.read_to_string(&mut text).unwrap();
            text
        })
        .collect();
    let pids: Vec<u32> = children.iter().map(Child::id).collect();
    children.iter_mut().for_each(|child| assert!(child.wait().unwrap().success()));
    let mut wins = [0, 0];
    for id in &ids {
        let word = |child: usize| {
            said[child].lines().find_map(|line| line.strip_prefix(&format!("{id} "))).unwrap().to_owned()
        };
        let winner = usize::from(word(1) == "won");
        wins[winner] += 1;
        assert_eq!(word(winner), "won");
        assert_eq!(word(1 - winner), format!("lost-to-{}", pids[winner]), "the other is told who was first");
    }
    wins
}

/// A hundred threads, each with a connection of its own, on a file that none has made yet.
#[test]
fn a_hundred_connections_on_a_new_file() {
    let home = Home::in_memory();
    let outcomes: Vec<_> = std::thread::scope(|threads| {
        let threads: Vec<_> = (0..100)
            .map(|number: usize| {
                let desk = home.desk();
                let database = home.database();
                threads.spawn(move || {
                    database.append(&session(), &line(&number.to_string())).unwrap();
                    let question = opened(&desk);
                    wait(desk.settle(&question, Answer::Yes)).unwrap();
                    wait(desk.spend(&question)).unwrap();
                    wait(desk.spend(&question)).unwrap_err();
                    question.id
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let database = home.database();
    assert_eq!(database.lines(&session()).unwrap().len(), 100);
    let desk = home.desk();
    for id in outcomes {
        assert!(matches!(wait(desk.question(&id)).unwrap().unwrap().state, QuestionState::Spent { .. }));
    }
    database.check().unwrap();
}

#[test]
#[ignore = "started by two_processes_append_to_one_session"]
fn child_appends() {
    let Some(state) = given() else { return };
    let database = Database::lazy(&state);
    for number in 0..500 {
        database.append(&session(), &line(&format!("{} {number}", std::process::id()))).unwrap();
    }
}

#[test]
fn two_processes_append_to_one_session() {
    let home = Home::in_memory();
    let children: Vec<Child> = (0..2).map(|_| home.child("races::child_appends")).collect();
    let pids: Vec<u32> = children.iter().map(Child::id).collect();
    for child in children {
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
    let lines = home.database().lines(&session()).unwrap();
    assert_eq!(lines.len(), 1_000, "no lost update");
    for pid in pids {
        let own = lines.iter().filter_map(|(_, line)| line.body.strip_prefix(&format!("{pid} ")));
        let own: Vec<usize> = own.map(|number| number.parse().unwrap()).collect();
        assert_eq!(own, (0..500).collect::<Vec<_>>(), "each in its order");
    }
}
