use crate::driver::{Live, Place, users};
use std::time::{Duration, Instant};

const STUBBORN: &str = "trap '' TERM HUP INT
(setsid sh -c 'trap \"\" TERM; while :; do sleep 100; done' & )
setsid setsid sh -c 'trap \"\" TERM; (sleep 1000 & sleep 1000) & while :; do sleep 100; done' &
echo ready";

fn everywhere(test: impl Fn(Place)) {
    for level in ["full", "filters", "none"] {
        users().into_iter().for_each(|user| test(Place::new(user, level)));
    }
}

/// The pipe ends when the last process that holds it is gone: that is how survivors are found.
fn gone(mut live: Live, what: &str) {
    let start = Instant::now();
    live.child.wait().unwrap();
    live.output();
    assert!(start.elapsed() < Duration::from_secs(2), "{what}: {:?}", start.elapsed());
}

#[test]
fn what_a_program_leaves_behind_ends_with_it() {
    everywhere(|place| {
        let start = Instant::now();
        let seen = place.sh(&format!("{STUBBORN}; exit 7"));
        assert_eq!((seen.code(), seen.output.as_str()), (Some(7), "ready\n"), "{}", place.level);
        assert!(start.elapsed() < Duration::from_secs(5));
    });
}

#[test]
fn when_the_parent_is_gone_so_is_everything() {
    everywhere(|place| {
        let mut live = place.start(&["sh", "-c", &format!("{STUBBORN}; sleep 1000; exit 3")]);
        live.report().unwrap();
        live.socket.shutdown(std::net::Shutdown::Both).unwrap();
        gone(live, place.level);
    });
}

#[test]
fn signals_reach_every_process_inside_and_the_end_is_reported() {
    everywhere(|place| {
        for (script, signal) in [("sleep 1000 &", 15), (STUBBORN, 9)] {
            let mut live = place.start(&["sh", "-c", &format!("{script}\nsleep 1000; exit 3")]);
            let started = live.report().unwrap();
            live.signal(signal);
            let seen = live.end();
            assert_eq!(seen.report["Ended"]["signal"], signal, "{}: {started} {seen:?}", place.level);
        }
    });
}

#[test]
fn a_helper_that_is_killed_takes_everything_along() {
    for user in users() {
        let place = Place::new(user, "full");
        let mut live = place.start(&["sh", "-c", &format!("{STUBBORN}; sleep 1000; exit 3")]);
        live.report().unwrap();
        live.child.kill().unwrap();
        gone(live, "killed");
    }
}

#[test]
fn the_program_s_number_is_the_host_s() {
    everywhere(|place| {
        let mut live = place.start(&["sleep", "100"]);
        let pid = live.report().unwrap()["Started"]["pid"].as_i64().unwrap();
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap();
        assert_eq!(name, "sleep\n", "{}", place.level);
        live.signal(9);
        live.end();
    });
}
