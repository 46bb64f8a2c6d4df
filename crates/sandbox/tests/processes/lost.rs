//! What is left of background programs after a crash of ours: their names, as lost.

use crate::space::{Space, living, marker, owner, script, text, wait, without};
use palanca_core::call::CallId;
use palanca_core::ports::{By, Exit, ProcessErrorKind as K, Processes};
use palanca_sandbox::{Level, Sandbox};
use palanca_testkit::{PATIENCE, until};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const STATE: &str = "PALANCA_TEST_STATE";

fn door(space: &Space, state: &Path) -> Sandbox {
    let mut settings = space.settings();
    settings.state_file = Some(state.to_owned());
    Sandbox::new(settings).unwrap()
}

/// Started by the next test, which kills it.
#[test]
#[ignore = "is started by another test"]
fn a_process_that_will_be_killed() {
    let Some(state) = std::env::var_os(STATE).map(PathBuf::from) else { return };
    let space = Space::with(|settings| settings.state_file = Some(state.clone()));
    for (name, command) in [("one", "sleep 1000"), ("one", "true"), ("two", "sleep 2000")] {
        let (owner, call) = (owner(name), CallId::new("call"));
        wait(space.door().start(&script(command), By { owner: &owner, call: &call, session: None })).unwrap();
    }
    until("one has ended", || space.door().running() == 2);
    std::fs::write(state.with_extension("ready"), "").unwrap();
    std::thread::sleep(PATIENCE);
}

#[test]
fn after_a_crash_they_are_lost() {
    let space = Space::new();
    let state = space.path("state.jsonl");
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "lost::a_process_that_will_be_killed"])
        .env(STATE, &state)
        .env("TMPDIR", space.path(""))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    until("they run", || state.with_extension("ready").exists());
    // While their process lives they are its own.
    assert_eq!(door(&space, &state).list(&owner("one")), []);
    process.kill().unwrap();
    process.wait().unwrap();
    // The crash cut a line.
    let cut = std::fs::read_to_string(&state).unwrap() + "{\"started\":{\"id\":\"proc_x";
    std::fs::write(&state, cut).unwrap();

    let after = door(&space, &state);
    let listed = |bot: &str| -> Vec<(String, Option<Exit>)> {
        after.list(&owner(bot)).into_iter().map(|status| (status.command, status.exit)).collect()
    };
    assert_eq!(listed("one"), [("sleep 1000".to_owned(), Some(Exit::Lost))]);
    assert_eq!(listed("two"), [("sleep 2000".to_owned(), Some(Exit::Lost))]);
    assert_eq!(after.running(), 0);
    let id = after.list(&owner("one")).remove(0).id;
    let polled = after.poll(&owner("one"), &id).unwrap();
    assert_eq!((polled.status.exit, polled.output.total_bytes()), (Some(Exit::Lost), 0));
    assert_eq!(after.poll(&owner("two"), &id).unwrap_err().kind, K::Unknown);
    assert_eq!(wait(after.write(&owner("one"), &id, b"x")).unwrap_err().kind, K::Ended);
    assert_eq!(wait(after.kill(&owner("one"), &id)).unwrap().exit, Some(Exit::Lost));
    assert_eq!(after.spoken(&owner("one"), &id), None);
    after.clear(&owner("one"), &id).unwrap();
    drop(after);
    // Cleared stays cleared; the other is still remembered.
    let again = door(&space, &state);
    assert_eq!((again.list(&owner("one")).len(), again.list(&owner("two")).len()), (0, 1));
}

/// Of the process, by its parents.
fn above(pid: i32) -> i32 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    status.lines().find_map(|line| line.strip_prefix("PPid:\t")).unwrap().parse().unwrap()
}

#[test]
fn a_killed_helper_takes_its_program_along() {
    let space = Space::new();
    if space.door().level() != Level::Full {
        return without("a helper that is killed", "without namespaces nothing follows it");
    }
    // The process outside the namespaces, and init inside of them.
    for place in [1, 2] {
        let marker = marker("helper");
        let launch = script(&format!("echo before; setsid sh -c 'sleep 1000; : {marker}' & sleep 1000"));
        let (owner, call) = (owner("one"), CallId::new("call"));
        let started = wait(space.door().start(&launch, By { owner: &owner, call: &call, session: None })).unwrap();
        until("it runs", || living(&marker).len() > 1);
        let helper = (0..place).fold(started.pid.unwrap(), |pid, _| above(pid));
        rustix::process::kill_process(rustix::process::Pid::from_raw(helper).unwrap(), rustix::process::Signal::KILL)
            .unwrap();
        until("it is lost", || {
            space.door().list(&owner).iter().any(|one| one.id == started.id && one.exit == Some(Exit::Lost))
        });
        assert_eq!(text(&space.door().poll(&owner, &started.id).unwrap().output), "before\n");
        until("all are gone", || living(&marker).is_empty());
    }
}

#[test]
fn an_orderly_end_loses_nothing() {
    let space = Space::new();
    let state = space.path("state.jsonl");
    let first = door(&space, &state);
    let (owner, call) = (owner("one"), CallId::new("call"));
    wait(first.start(&script("sleep 1000"), By { owner: &owner, call: &call, session: None })).unwrap();
    drop(first);
    assert_eq!(door(&space, &state).list(&owner), []);
    assert_eq!(std::fs::read_to_string(&state).unwrap(), "");
}
