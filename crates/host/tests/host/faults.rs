//! What goes wrong around one session, and what it means for the others.

use crate::house::{House, agent_of, block_on, call, host_at, session};
use palanca_agent::session::{Entry, Notice, Terms};
use palanca_config::Config;
use palanca_core::ConfirmMode;
use palanca_host::{Agent, Session, SessionSettings};
use serde_json::json;
use std::fs;
use std::sync::Arc;

pub fn a_workspace_that_vanishes_stops_no_other() {
    let house = House::new();
    let (gone, stays) = (session(&house.agent("gone", |_| ())), session(&house.agent("stays", |_| ())));
    block_on(async {
        fs::rename(house.path("gone"), house.path("moved")).unwrap();
        fs::write(house.path("moved/a.txt"), "x").unwrap();
        // The folder that was opened is the one that is worked in, wherever it is moved.
        assert!(call(&gone, "read_file", json!({"path": "a.txt"})).await.success);
        fs::remove_dir_all(house.path("moved")).unwrap();
        let failed = call(&gone, "write_file", json!({"path": "b.txt", "content": "x"})).await;
        assert!(!failed.success && failed.error.is_some(), "{failed:?}");
        assert!(call(&stays, "write_file", json!({"path": "b.txt", "content": "x"})).await.success);
    });
}

pub fn a_home_that_cannot_be_used_is_said_once() {
    let house = House::new();
    fs::write(house.path("file"), "").unwrap();
    let (host, heard) = host_at(house.path("file"));
    let agents = [agent_of(&host, house.path("one"), |_| ()), agent_of(&host, house.path("two"), |_| ())];
    assert_eq!(heard.keys(), ["cli-home-unusable"]);
    block_on(async {
        for agent in &agents {
            assert!(call(&session(agent), "write_file", json!({"path": "a.txt", "content": "x"})).await.success);
        }
    });
}

pub fn two_processes_share_one_home() {
    let house = House::new();
    let state = house.path("state");
    let hosts = [host_at(state.clone()).0, host_at(state.clone()).0];
    block_on(async {
        let work = async |at: usize| {
            let one = session(&agent_of(&hosts[at], house.path(&format!("w{at}")), |_| ()));
            for number in 0..50 {
                let path = format!("{number}.txt");
                assert!(call(&one, "write_file", json!({"path": path, "content": "x"})).await.success);
            }
            assert_eq!(one.undo().unwrap().0.list(&one.scope().session).unwrap().len(), 50);
        };
        tokio::join!(work(0), work(1));
    });
    let verified = palanca_store::verify(&state, palanca_store::AuditSettings::default()).unwrap();
    assert!(verified.problems.is_empty(), "{verified:?}");
}

pub fn a_store_that_is_held_stops_no_call_that_only_reads() {
    let house = House::new();
    let agent = house.agent("work", |_| ());
    fs::write(house.path("work/a.txt"), "x").unwrap();
    let settings = || SessionSettings { mode: ConfirmMode::Yolo, ..SessionSettings::default() };
    let sessions = [(); 2].map(|()| Session::new(&agent, settings()).unwrap());
    block_on(async {
        for one in &sessions {
            one.kept().unwrap().begin("a task", Terms::default(), None).await.unwrap();
        }
        let other = rusqlite::Connection::open(house.path("state/palanca.db")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let one = &sessions[0];
        one.kept().unwrap().keep(&Entry::Notice(Notice { warning: false, text: "waits".to_owned() }));
        for session in &sessions {
            assert!(call(session, "read_file", json!({"path": "a.txt"})).await.success);
        }
        // What changes something waits for its row, and for nothing else.
        let change = call(one, "write_file", json!({"path": "b.txt", "content": "x"}));
        let mut change = std::pin::pin!(change);
        assert!(futures_util::poll!(&mut change).is_pending());
        assert!(call(&sessions[1], "read_file", json!({"path": "a.txt"})).await.success);
        assert!(!house.path("work/b.txt").exists());
        drop(other);
        assert!(change.await.success);
        one.kept().unwrap().stored().await;
        assert_eq!(one.kept().unwrap().fault(), None);
    });
}

pub fn what_cannot_be_built_says_what_and_where() {
    let house = House::new();
    let mut config = Config::default();
    config.workspace.root = house.path("nowhere").display().to_string();
    let fault = house.host.workspace(&Arc::new(config.clone())).err().unwrap();
    assert_eq!(fault.message.key(), "cli-workspace-failed");
    fs::create_dir(house.path("nowhere")).unwrap();
    fs::write(house.path("rules.yaml"), "rules:\n  - id: x\n    effect: nothing\n").unwrap();
    config.approvals.rules_file = Some(house.path("rules.yaml").display().to_string());
    let config = Arc::new(config);
    let fault = Agent::new(&house.host.workspace(&config).unwrap(), &config).err().unwrap();
    assert!(fault.message.plain().contains("rules.yaml"), "{fault}");
}
