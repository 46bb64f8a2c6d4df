//! A process that is killed at any moment: what it was told is kept is there, nothing is torn, no answer is spent that
//! nobody spent.

use crate::home::{HOUR, Home, given, line, opened, session};
use palanca_core::call::QuestionId;
use palanca_core::ports::{Answer, Questions as _, UndoIndex as _, wait};
use palanca_store::{Approvals as _, Database, Desk, QuestionState, Settled, Which};
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::Arc;
use std::time::Duration;

const STEPS: [&str; 4] = ["opened", "answered", "line", "spent"];

/// Opens, answers and spends for ever, and says each step once it is done.
#[test]
#[ignore = "started by kill_processes"]
fn child_asks() {
    let Some(state) = given() else { return };
    let database = Arc::new(Database::lazy(&state));
    let desk = Desk::new(Arc::clone(&database), HOUR);
    let says = |step: &str, id: &str| std::io::stderr().write_all(format!("{step} {id}\n").as_bytes()).unwrap();
    loop {
        let question = opened(&desk);
        says("opened", question.id.as_str());
        wait(desk.settle(&question, Answer::Yes)).unwrap();
        says("answered", question.id.as_str());
        let number = database.append(&session(), &line(question.id.as_str())).unwrap();
        says("line", &number.0.to_string());
        wait(desk.spend(&question)).unwrap();
        says("spent", question.id.as_str());
    }
}

#[test]
fn killed_processes_lose_nothing() {
    kill_processes(20);
}

mod stress {
    #[test]
    #[ignore = "cargo xtask stress"]
    fn killed_processes_lose_nothing() {
        super::kill_processes(1_000);
    }
}

/// Kills so many, and others until one was killed after each of the steps.
fn kill_processes(least: u64) {
    let home = Home::in_memory();
    let (mut last, mut round) = ([0; 4], 0);
    while round < least || last.contains(&0) {
        assert!(round < least + 1_000, "killed after opening, answering, the line, spending: {last:?}");
        let mut child = home.child("kills::child_asks");
        let mut steps = BufReader::new(child.stderr.take().unwrap()).lines();
        // So many steps, then somewhere within the next one: a step takes about 30 microseconds.
        let mut said: Vec<String> = steps.by_ref().take(1 + round as usize % 9).map(Result::unwrap).collect();
        std::thread::sleep(Duration::from_micros(round * 7 % 83));
        child.kill().unwrap();
        child.wait().unwrap();
        // What it still said before it died; each step is one write, so none is torn.
        said.extend(steps.map_while(Result::ok));
        let database = home.database();
        let desk = Desk::new(Arc::clone(&database), HOUR);
        let lines: BTreeSet<u64> =
            database.lines(&session()).unwrap().into_iter().map(|(number, _)| number.0).collect();
        let mut step = 0;
        for words in &said {
            let (word, id) = words.split_once(' ').unwrap();
            step = STEPS.iter().position(|step| *step == word).unwrap();
            let is = match word {
                "line" if lines.contains(&id.parse().unwrap()) => step,
                "line" => panic!("the line {id} was kept, and is lost"),
                _ => match wait(desk.question(&QuestionId::new(id))).unwrap().expect("what was kept is there").state {
                    QuestionState::Open => 0,
                    QuestionState::Answered(_) => 1,
                    QuestionState::Spent { .. } => 3,
                    QuestionState::Expired => panic!("{id} expired"),
                },
            };
            assert!(is >= step, "{word} was said of {id}, and only {} happened", STEPS[is]);
        }
        last[step] += 1;
        let all = wait(desk.questions(Which::All)).unwrap();
        let spent = all.iter().filter(|question| matches!(question.state, QuestionState::Spent { .. })).count();
        assert!(spent <= lines.len(), "a line comes before its answer is spent: {} lines, {spent} spent", lines.len());
        if round % 50 == 0 {
            database.check().unwrap();
        }
        round += 1;
    }
    home.database().check().unwrap();
}

/// Open questions stay open until they expire; an answer that comes after the asker's death counts and does nothing.
#[test]
fn questions_of_a_killed_process_stay_open_and_run_nothing() {
    let home = Home::in_memory();
    let mut child = home.child("kills::child_only_opens");
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let id = QuestionId::new(said.trim());
    let desk = Desk::new(home.database(), HOUR);
    assert_eq!(wait(desk.questions(Which::Active)).unwrap().iter().map(|open| &open.id).collect::<Vec<_>>(), [&id]);
    assert_eq!(wait(desk.answer(&id, &Answer::Yes, "bea")).unwrap(), Settled::Counts);
    assert!(matches!(wait(desk.question(&id)).unwrap().unwrap().state, QuestionState::Answered(_)), "never spent");
}

#[test]
#[ignore = "started by questions_of_a_killed_process_stay_open_and_run_nothing"]
fn child_only_opens() {
    let Some(state) = given() else { return };
    let desk = Desk::new(Arc::new(Database::lazy(&state)), HOUR);
    eprintln!("{}", opened(&desk).id);
    std::io::stdin().read_line(&mut String::new()).unwrap();
}
