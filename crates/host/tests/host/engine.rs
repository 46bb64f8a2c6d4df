//! One engine serves the programs of all workspaces.

use crate::house::{House, block_on, call, session, until};
use palanca_host::Session;
use palanca_testkit::PATIENCE;
use serde_json::{Value, json};
use std::fs;
use std::time::Instant;

const WORKSPACES: usize = 50;
/// Descriptors of helpers that wait.
const SPARES: usize = 32;
/// Ends when it may.
const WAITS: &str = "until test -e go; do sleep 0.02; done; echo went on";

/// Threads and descriptors of this process, without the threads of the test's own runtime, which come and go.
fn held() -> (usize, usize) {
    let names = fs::read_dir("/proc/self/task")
        .unwrap()
        .filter_map(|task| fs::read_to_string(task.ok()?.path().join("comm")).ok());
    (names.filter(|name| !name.starts_with("tokio-")).count(), fs::read_dir("/proc/self/fd").unwrap().count())
}

/// Threads and descriptors of the tests before may still go meanwhile.
fn no_more_than((threads, descriptors): (usize, usize)) -> bool {
    let held = held();
    held.0 <= threads && held.1 <= descriptors
}

async fn run(session: &Session, command: &str) -> Value {
    let result = call(session, "run_command", json!({"command": command})).await;
    assert!(result.success, "{command}: {result:?}");
    json!(result.output)
}

/// Whether a process has this word in its command line.
fn lives(word: &str) -> bool {
    let own = std::process::id().to_string();
    let others = fs::read_dir("/proc").unwrap().flatten().filter(|entry| *entry.file_name() != *own);
    let mut lines = others.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(word))
}

pub fn fifty_workspaces_cost_one_engine() {
    let house = House::new();
    block_on(async {
        let sessions: Vec<_> = (0..WORKSPACES).map(|at| session(&house.agent(&format!("w{at}"), |_| ()))).collect();
        for (at, one) in sessions.iter().enumerate() {
            let written = call(one, "write_file", json!({"path": "own.txt", "content": format!("of {at}.")})).await;
            assert!(written.success, "{written:?}");
        }
        let without = held();
        run(&sessions[0], "cat own.txt").await;
        // Nothing but the engine is left of the first program.
        until("the program is gone", || held().0 <= without.0 + 1).await;
        let engine = held();
        for (at, one) in sessions.iter().enumerate().skip(1) {
            let other = house.path(&format!("w{}/own.txt", at - 1));
            let other = other.display();
            let seen =
                run(one, &format!("cat own.txt; cat {other}; echo x > {other}; ls -A $(dirname {other}); true")).await;
            let seen = seen.as_str().unwrap();
            assert!(seen.contains(&format!("of {at}.")) && !seen.contains(&format!("of {}.", at - 1)), "{seen}");
            assert_eq!(
                fs::read_to_string(house.path(&format!("w{}/own.txt", at - 1))).unwrap(),
                format!("of {}.", at - 1)
            );
        }
        until("fifty cost what one does", || no_more_than(engine)).await;
        // A helper waits for those who run one program after the other, but not one for each of them.
        for _ in 0..2 {
            for one in &sessions {
                run(one, "true").await;
            }
        }
        until("few helpers wait", || no_more_than((engine.0, engine.1 + SPARES))).await;
        drop(sessions);
        drop(house);
        until("nothing is left", || held().0 <= without.0).await;
    });
}

pub fn a_workspace_that_goes_takes_its_own_programs_along() {
    let house = House::new();
    let marker = |name: &str| format!("marker-{name}-{}", std::process::id());
    block_on(async {
        let [goes, stays] = ["goes", "stays"].map(|name| session(&house.agent(name, |_| ())));
        for (one, name) in [(&goes, "goes"), (&stays, "stays")] {
            let command = format!("read word; echo \"heard $word\"; sleep 1000; : {}", marker(name));
            let started = call(one, "run_command", json!({"command": command, "background": true})).await;
            assert!(started.success, "{started:?}");
            until("it runs", || lives(&marker(name))).await;
        }
        // One that somebody waits for goes on, too.
        let running = async { run(&stays, &format!(": {}; {WAITS}", marker("waits"))).await };
        let meanwhile = async {
            until("it runs", || lives(&marker("waits"))).await;
            goes.leave();
            until("its program is gone", || !lives(&marker("goes"))).await;
            assert!(lives(&marker("stays")) && lives(&marker("waits")));
            fs::write(house.path("stays/go"), "").unwrap();
        };
        let (went_on, ()) = tokio::join!(running, meanwhile);
        assert!(went_on.as_str().unwrap().contains("went on"), "{went_on}");
        let listed = call(&stays, "process", json!({"action": "list"})).await;
        let id = listed.output.split_whitespace().find(|word| word.starts_with("proc_")).unwrap().to_owned();
        let written = call(&stays, "process", json!({"action": "write", "session_id": id, "input": "it\n"})).await;
        assert!(written.success, "{written:?}");
        let begun = Instant::now();
        loop {
            let polled = call(&stays, "process", json!({"action": "poll", "session_id": id})).await;
            if polled.output.contains("heard it") {
                break;
            }
            assert!(begun.elapsed() < PATIENCE, "{polled:?}");
        }
    });
}
