//! Time limits, cancelling, giving up; and that nothing survives any of them. `stress` has exact limits and random
//! moments.

use crate::space::{Space, limits, living, marker, owner, script, text, wait, with_time};
use palanca_core::call::CallId;
use palanca_core::ports::{By, Exit, Finished, Processes, Run};
use palanca_core::tool::Cancel;
use palanca_sandbox::Engine;
use palanca_testkit::{PATIENCE, until};
use std::process::{Command, Stdio};
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
        trap '' TERM; : > done
        while :; do sleep 1; done; : {marker}"
    )
}

/// How many of these there are when the last one has begun.
const ALL: usize = 5;

/// Texts that make a file `done` when they have said everything, and what they have said.
pub(crate) const ENDLESS: [(&str, &str); 4] = [
    ("echo early; : > done; sleep 1000", "early\n"),
    ("trap '' TERM; echo deaf; : > done; while :; do sleep 1000; done", "deaf\n"),
    ("trap 'echo bye; : > done; exit 0' TERM; echo hello; sleep 1000 & wait", "hello\nbye\n"),
    (": > done; kill -STOP $$", ""),
];

/// Runs such a text, with a limit that it can come so far in, and says how long that was and how long it took.
pub(crate) fn at_its_limit(space: &Space, text: &str) -> (Finished, Duration, Duration) {
    let done = space.path("ws/done");
    with_time(text, |limit| {
        let started = Instant::now();
        let finished = space.run(&script(text), limits(limit)).unwrap();
        let took = started.elapsed();
        assert_eq!(finished.exit, Exit::TimedOut, "{text}");
        assert!(finished.time >= limit && finished.time <= took, "{text}: {:?} of {limit:?}", finished.time);
        // Whoever was stopped before has not said everything.
        std::fs::remove_file(&done).is_ok().then_some((finished, limit, took))
    })
}

#[test]
fn time_limits_hold_and_keep_what_was_printed() {
    let space = Space::new();
    for (command, stdout) in ENDLESS {
        assert_eq!(text(&at_its_limit(&space, command).0.stdout), stdout, "{command}");
    }
    // Time is over before it could begin.
    let finished = space.run(&script("sleep 1000"), limits(Duration::ZERO)).unwrap();
    assert_eq!(finished.exit, Exit::TimedOut);
}

#[test]
fn nothing_survives_a_time_limit() {
    limited(2);
}

pub(crate) fn limited(times: usize) {
    let space = Space::new();
    for _ in 0..times {
        let marker = marker("limit");
        let (finished, ..) = at_its_limit(&space, &stubborn(&marker));
        assert_eq!(text(&finished.stdout), "started\n");
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
    assert_eq!(living(&marker), [0; 0]);
}

#[test]
fn nothing_survives_a_cancel() {
    cancelled(2);
}

pub(crate) fn cancelled(times: usize) {
    let space = Space::new();
    for _ in 0..times {
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
                until("it runs", || living(&marker).len() >= ALL);
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
    given_up([0, 1, ALL], async |marker, so_many| {
        while living(marker).len() < so_many {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    });
}

/// A caller gives up at each of these moments.
pub(crate) fn given_up<T>(moments: impl IntoIterator<Item = T>, comes: impl AsyncFn(&str, T)) {
    let mut space = Space::new();
    let mut markers = Vec::new();
    for moment in moments {
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
            tokio::select! {
                biased;
                ended = space.door().run(&launch, run) => panic!("{ended:?}"),
                () = comes(&marker, moment) => {}
            }
        });
        until("all are gone", || living(&marker).is_empty());
        markers.push(marker);
    }
    // A program that was on its way when its caller gave up may have begun after that look; its helper ends it.
    until("none has come since", || markers.iter().all(|marker| living(marker).is_empty()));
    drop(space.door.take());
    assert!(markers.iter().all(|marker| living(marker).is_empty()));
}

#[test]
fn nothing_survives_the_door() {
    closed();
}

/// How long a door took to close while five programs ran.
pub(crate) fn closed() -> Duration {
    let mut space = Space::on(&Engine::new(), |_| ());
    let markers: Vec<String> = (0..5).map(|_| marker("door")).collect();
    let (owner, call) = (owner("one"), CallId::new("call"));
    for marker in &markers {
        wait(space.door().start(&script(&stubborn(marker)), By { owner: &owner, call: &call, session: None })).unwrap();
    }
    until("they run", || markers.iter().all(|marker| living(marker).len() >= ALL));
    let started = Instant::now();
    drop(space.door.take());
    let took = started.elapsed();
    assert!(markers.iter().all(|marker| living(marker).is_empty()));
    took
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
    orphaned(1);
}

pub(crate) fn orphaned(times: usize) {
    for _ in 0..times {
        let marker = marker("killed");
        // It clears nothing away.
        let left = tempfile::tempdir().unwrap();
        let mut parent = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "limits::a_process_that_will_be_killed"])
            .env("PALANCA_TEST_MARKER", &marker)
            .env("TMPDIR", left.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        until("it runs", || living(&marker).len() >= ALL * 2);
        parent.kill().unwrap();
        parent.wait().unwrap();
        until("all are gone", || living(&marker).is_empty());
    }
}

#[test]
fn no_zombies_stay() {
    let space = Space::new();
    (0..5).for_each(|_| drop(space.sh("true")));
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
    until("zombies are reaped", || zombies(&now).is_empty());
}
