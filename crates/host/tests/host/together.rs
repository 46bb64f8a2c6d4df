//! Sessions that work in one workspace at the same time.

use crate::house::{House, block_on, call, session};
use palanca_files::{Force, StepNumber};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config as Cases, TestRunner};
use serde_json::json;
use std::fs;

/// What one session does: a file, and whether a command writes it.
type Deeds = Vec<(u8, bool)>;

fn deeds() -> impl Strategy<Value = Deeds> {
    vec((0..3_u8, proptest::bool::weighted(0.3)), 1..5)
}

pub fn each_session_undoes_its_own() {
    let mut runner = TestRunner::new(Cases { cases: 8, failure_persistence: None, ..Cases::default() });
    runner
        .run(&(deeds(), deeds()), |(first, second)| {
            let house = House::new();
            let agent = house.agent("work", |_| ());
            let sessions = [session(&agent), session(&agent)];
            block_on(async {
                let run = async |name: &str, at: usize, deeds: &Deeds| {
                    for (number, (file, by_command)) in deeds.iter().enumerate() {
                        let path = format!("{name}{file}.txt");
                        let result = if *by_command {
                            call(&sessions[at], "run_command", json!({"command": format!("echo {number} >> {path}")}))
                                .await
                        } else {
                            call(&sessions[at], "write_file", json!({"path": path, "content": format!("{number}\n")}))
                                .await
                        };
                        assert!(result.success, "{result:?}");
                    }
                };
                tokio::join!(run("a", 0, &first), run("b", 1, &second));
            });
            for (session, name, deeds) in [(&sessions[0], "a", &first), (&sessions[1], "b", &second)] {
                let (journal, _) = session.undo().unwrap();
                let steps = journal.list(&session.scope().session).unwrap();
                prop_assert_eq!(steps.len(), deeds.len());
                for (step, (file, _)) in steps.iter().zip(deeds) {
                    prop_assert_eq!(&step.paths, &[format!("{name}{file}.txt")]);
                }
            }
            // The first takes everything back; the second's stays.
            let (journal, disk) = sessions[0].undo().unwrap();
            let id = &sessions[0].scope().session;
            let plan = journal.plan_undo(disk, id, (StepNumber(0), Force::Refuse)).unwrap();
            journal.perform(&plan, id).unwrap();
            let mut left: Vec<String> = fs::read_dir(house.path("work"))
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            left.sort();
            let mut expected: Vec<String> = second.iter().map(|(file, _)| format!("b{file}.txt")).collect();
            expected.sort();
            expected.dedup();
            prop_assert_eq!(left, expected);
            Ok(())
        })
        .unwrap();
}

pub fn commands_and_writes_wait_for_each_other() {
    let house = House::new();
    let agent = house.agent("work", |_| ());
    // A further agent of another configuration shares the lanes of the folder.
    let other = house.agent("work", |config| config.workspace.allow_delete = true);
    fs::write(house.path("work/count"), "0\n").unwrap();
    let sessions = [session(&agent), session(&agent), session(&other)];
    let command = json!({"command": "read n < count; sleep 0.02; echo $((n + 1)) > count"});
    block_on(async {
        let add = async |at: usize| {
            for _ in 0..4 {
                let result = call(&sessions[at], "run_command", command.clone()).await;
                assert!(result.success, "{result:?}");
            }
        };
        tokio::join!(add(0), add(1), add(2));
    });
    assert_eq!(fs::read_to_string(house.path("work/count")).unwrap(), "12\n");
}
