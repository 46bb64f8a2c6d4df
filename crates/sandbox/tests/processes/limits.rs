//! Time limits, cancelling, giving up; and that nothing survives any of them.

use crate::space::{PATIENCE, Space, limits, living, marker, owner, script, text, until, wait};
use palanca_core::call::CallId;
use palanca_core::ports::{By, Exit, Processes, Run};
use palanca_core::tool::Cancel;
use std::time::{Duration, Instant};

/// A tree that does not want to die: deaf, in other sessions, without parents, stopped.
fn stubborn(marker: &str) -> String {
    format!(
        "echo started
        deaf='trap \"\" TERM INT HUP; while :; do sleep 1; done'
        sh -c \"$deaf\" {marker}-child &
        setsid sh -c \"$deaf\" {marker}-session &
        (setsid sh -c \"$deaf\" {marker}-double &)
        sh -c 'kill -STOP $$' {marker}-stopped &
        (sleep 1000; : {marker}-plain) &
        trap '' TERM
        while :; do sleep 1; done; : {marker}"
    )
}

const DEAD: Duration = Duration::from_secs(2);

/// How often a race is tried: more when `PALANCA_TEST_REPEAT` says so.
fn times() -> usize {
    std::env::var("PALANCA_TEST_REPEAT").ok().and_then(|times| times.parse().ok()).unwrap_or(5)
}

#[test]
fn time_limits_are_exact_and_keep_what_was_printed() {
    let space = Space::new();
    let check = |command: &str, limit: u64, stdout: &str| {
        let started = Instant::now();
        let limit = Duration::from_millis(limit);
        let finished = space.run(&script(command), limits(limit)).unwrap();
        let took = started.elapsed();
        assert_eq!((finished.exit, text(&finished.stdout).as_str()), (Exit::TimedOut, stdout), "{command}");
        assert!(took >= limit && took < limit + Duration::from_millis(250), "{command}: {took:?} instead of {limit:?}");
        assert!(finished.time >= limit && finished.time <= took);
    };
    check("echo early; sleep 1000", 300, "early\n");
    check("trap '' TERM; echo deaf; while :; do sleep 1000; done", 500, "deaf\n");
    check("trap 'echo bye; exit 0' TERM; echo hello; sleep 1000 & wait", 400, "hello\nbye\n");
    check("kill -STOP $$", 300, "");
    // Time is over before it could begin.
    let finished = space.run(&script("sleep 1000"), limits(Duration::ZERO)).unwrap();
    assert_eq!(finished.exit, Exit::TimedOut);
}

#[test]
fn nothing_survives_a_time_limit() {
    let space = Space::new();
    for _ in 0..times() {
        let marker = marker("limit");
        let finished = space.run(&script(&stubborn(&marker)), limits(Duration::from_millis(300))).unwrap();
        assert_eq!((finished.exit, text(&finished.stdout).as_str()), (Exit::TimedOut, "started\n"));
        assert_eq!(living(&marker), [0; 0]);
    }
}

#[test]
fn nothing_survives_an_end() {
    let space = Space::new();
    let marker = marker("end");
    let finished =
        space.sh(&format!("setsid sh -c 'sleep 1000; : {marker}' & (sh -c 'sleep 1000; : {marker}' &) ; exit 4"));
    assert_eq!(finished.exit, Exit::Code(4));
    assert!(finished.time < Duration::from_secs(5), "{:?}", finished.time);
    assert_eq!(living(&marker), [0; 0]);
}

#[test]
fn nothing_survives_a_cancel() {
    let space = Space::new();
    for _ in 0..times() {
        let marker = marker("cancel");
        let (owner, call, cancel) = (owner("one"), CallId::new("call"), Cancel::new());
        let launch = script(&stubborn(&marker));
        let run = Run {
            by: By { owner: &owner, call: &call, session: None },
            limits: limits(PATIENCE),
            cancel: &cancel,
            tail: None,
            questions: None,
        };
        let finished = std::thread::scope(|scope| {
            scope.spawn(|| {
                until("it runs", PATIENCE, || living(&marker).len() > 4);
                cancel.cancel();
            });
            wait(space.door().run(&launch, run)).unwrap()
        });
        assert_eq!((finished.exit, text(&finished.stdout).as_str()), (Exit::Killed, "started\n"));
        assert_eq!(living(&marker), [0; 0]);
    }
}

#[test]
fn nothing_survives_a_caller_who_gives_up() {
    let mut space = Space::new();
    let mut markers = Vec::new();
    for delay in (0..times()).map(|turn| Duration::from_millis(u64::try_from(turn % 40).unwrap() * 5)) {
        let marker = marker("drop");
        let (owner, call, cancel) = (owner("one"), CallId::new("call"), Cancel::new());
        let launch = script(&stubborn(&marker));
        let run = Run {
            by: By { owner: &owner, call: &call, session: None },
            limits: limits(PATIENCE),
            cancel: &cancel,
            tail: None,
            questions: None,
        };
        wait(async {
            let _ = tokio::time::timeout(delay, space.door().run(&launch, run)).await;
        });
        until("all are gone", DEAD, || living(&marker).is_empty());
        markers.push(marker);
    }
    // A program that was on its way when its caller gave up may have begun after that look; its helper ends it.
    until("none has come since", DEAD, || markers.iter().all(|marker| living(marker).is_empty()));
    drop(space.door.take());
    assert!(markers.iter().all(|marker| living(marker).is_empty()));
}

#[test]
fn nothing_survives_the_door() {
    let mut space = Space::new();
    let markers: Vec<String> = (0..5).map(|_| marker("door")).collect();
    let (owner, call) = (owner("one"), CallId::new("call"));
    for marker in &markers {
        wait(space.door().start(&script(&stubborn(marker)), By { owner: &owner, call: &call, session: None })).unwrap();
    }
    until("they run", PATIENCE, || markers.iter().all(|marker| living(marker).len() > 4));
    let started = Instant::now();
    drop(space.door.take());
    assert!(started.elapsed() < DEAD, "{:?}", started.elapsed());
    assert!(markers.iter().all(|marker| living(marker).is_empty()));
}

/// Started by the next test, which kills it.
#[test]
#[ignore = "is started by another test"]
fn a_process_that_will_be_killed() {
    let Ok(marker) = std::env::var("PALANCA_TEST_MARKER") else { return };
    let space = Space::new();
    let (owner, call) = (owner("one"), CallId::new("call"));
    wait(space.door().start(&script(&stubborn(&marker)), By { owner: &owner, call: &call, session: None })).unwrap();
    space.sh(&stubborn(&marker));
}

#[test]
fn nothing_survives_a_killed_parent() {
    for _ in 0..times() {
        let marker = marker("killed");
        let mut parent = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "limits::a_process_that_will_be_killed"])
            .env("PALANCA_TEST_MARKER", &marker)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        until("it runs", PATIENCE, || living(&marker).len() > 9);
        parent.kill().unwrap();
        parent.wait().unwrap();
        until("all are gone", DEAD, || living(&marker).is_empty());
    }
}

#[test]
fn no_zombies_stay() {
    let space = Space::new();
    (0..20).for_each(|_| drop(space.sh("true")));
    for _ in 0..5 {
        let _ = space.run(&script("sleep 1000"), limits(Duration::from_millis(20)));
    }
    let helpers = || {
        let children = std::fs::read_dir("/proc/self/task")
            .unwrap()
            .map(|task| std::fs::read_to_string(task.unwrap().path().join("children")).unwrap_or_default());
        children.collect::<Vec<_>>().join(" ").split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    // Other tests start helpers too: what is a zombie now must not be one later.
    let zombies = |pids: &[String]| -> Vec<String> {
        let zombie = |pid: &&String| {
            std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") Z "))
        };
        pids.iter().filter(zombie).cloned().collect()
    };
    let now = zombies(&helpers());
    until("zombies are reaped", PATIENCE, || zombies(&now).is_empty());
}
