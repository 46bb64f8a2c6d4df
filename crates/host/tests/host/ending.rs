//! The end of a process in order.

use crate::house::{House, block_on, call, session, until};
use palanca_agent::StopReason;
use palanca_agent::session::{State, Terms};
use palanca_config::Config;
use palanca_core::ports::wait;
use palanca_core::tool::Cancel;
use palanca_host::{Drained, Session, SessionSettings, configuration};
use palanca_models::ReplayModel;
use palanca_store::{AuditSettings, Kind, entries, verify};
use palanca_testkit::PATIENCE;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// Says that it has begun, and ends when it may.
const WAITS: &str = "touch begun; while [ ! -e go ]; do sleep 0.02; done; echo went";

async fn begun(house: &House) {
    until("the command begins", || house.path("work/begun").exists()).await;
}

/// How the calls of the audit log ended.
fn recorded(house: &House) -> Vec<String> {
    let state = house.path("state");
    let verified = verify(&state, AuditSettings::default()).unwrap();
    assert!(verified.is_sound() && verified.running + verified.orphans == 0, "{verified:?}");
    let mut outcomes = Vec::new();
    entries(&state, |entry| {
        if entry.kind == Kind::Outcome {
            outcomes.push(format!("{} {}", entry.text("tool").unwrap(), entry.text("outcome").unwrap()));
        }
    })
    .unwrap();
    outcomes.sort();
    outcomes
}

pub fn what_ends_in_time_is_not_cut_off_and_nothing_new_begins() {
    let house = House::new();
    let agent = house.agent("work", |_| ());
    let (one, other) = (session(&agent), session(&agent));
    let (result, drained) = block_on(async {
        tokio::join!(call(&one, "run_command", json!({"command": WAITS})), async {
            begun(&house).await;
            let (drained, ()) = tokio::join!(house.host.drain(PATIENCE), async {
                let refused = call(&other, "read_file", json!({"path": "a.txt"})).await;
                assert_eq!(refused.code.as_deref(), Some("cancelled"));
                assert!(refused.error.unwrap().contains("takes no more calls"));
                let late = call(&session(&agent), "read_file", json!({"path": "a.txt"})).await;
                assert_eq!(late.code.as_deref(), Some("cancelled"), "one made meanwhile");
                std::fs::write(house.path("work/go"), "").unwrap();
            });
            drained
        })
    });
    assert!(result.success && result.output.contains("went"), "{result:?}");
    assert_eq!(drained, Drained::default());
    assert_eq!(recorded(&house), ["read_file stopped", "read_file stopped", "run_command done"]);
}

pub fn what_does_not_is_ended_recorded_and_told() {
    let house = House::new();
    let agent = house.agent("work", |_| ());
    let (one, idle) = (session(&agent), session(&agent));
    let cleaner = (Arc::clone(&house.host), Arc::new(Config::default()));
    let (result, drained) = block_on(async {
        // It would go on for an hour.
        let cleaner = tokio::spawn(async move { cleaner.0.keep_clean(&cleaner.1, &Cancel::new()).await });
        let started = call(&idle, "run_command", json!({"command": "sleep 1000", "background": true})).await;
        assert!(started.success, "{started:?}");
        let ended = tokio::join!(call(&one, "run_command", json!({"command": WAITS})), async {
            begun(&house).await;
            house.host.drain(Duration::from_millis(1)).await
        });
        tokio::time::timeout(PATIENCE, cleaner).await.unwrap().unwrap();
        ended
    });
    assert_eq!(result.code.as_deref(), Some("cancelled"), "{result:?}");
    assert_eq!(drained.cut_off, [one.scope().session.clone()]);
    assert_eq!((drained.abandoned, drained.programs), (vec![], vec!["sleep 1000".to_owned()]));
    assert_eq!(recorded(&house), ["run_command done", "run_command stopped"]);
}

pub fn a_turn_ends_after_its_step_and_can_be_resumed() {
    let house = House::new();
    let agent = house.agent("work", |_| ());
    let settings = |keeping| SessionSettings { keeping, mode: palanca_core::ConfirmMode::Yolo, ..Default::default() };
    let one = Session::new(&agent, settings(palanca_host::Keeping::New)).unwrap();
    let terms = || Terms { agent: "build".to_owned(), workspace: "/w".to_owned(), ..Terms::default() };
    wait(one.kept().unwrap().begin("Wait.", terms(), None)).unwrap();
    let step = json!({"tool_calls": [{"id": "c1", "name": "run_command", "arguments": {"command": WAITS}}]});
    let model = ReplayModel::parse("waits", &format!("{step}\n{}\n", json!({"content": "Never said."}))).unwrap();
    let roles = configuration::agents(&Config::default());
    let role = roles.get("build").unwrap();
    let (ended, drained) = block_on(async {
        let turn = one.turn(&model, role);
        let (ended, drained) = tokio::join!(turn.resume(Default::default(), State::default(), Some("Wait.")), async {
            begun(&house).await;
            let drained = house.host.drain(PATIENCE);
            let go = async { std::fs::write(house.path("work/go"), "").unwrap() };
            tokio::join!(drained, go).0
        });
        (ended.0, drained)
    });
    assert_eq!(ended.report.stop_reason, StopReason::UserInterrupt);
    assert_eq!((model.remaining(), drained), (1, Drained::default()));
    assert!(ended.report.tools_used[0].success);
    let id = one.scope().session.clone();
    one.leave();
    let again = Session::new(&agent, settings(palanca_host::Keeping::Again(id))).unwrap();
    let restored = wait(again.kept().unwrap().resume(terms())).unwrap();
    assert_eq!(restored.state.open.len(), 0, "its call has ended");
}
