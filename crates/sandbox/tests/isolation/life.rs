use crate::driver::{Live, Place, users};
use palanca_testkit::until;

const STUBBORN: &str = "trap '' TERM HUP INT
(setsid sh -c 'trap \"\" TERM; while :; do sleep 100; done' & )
setsid setsid sh -c 'trap \"\" TERM; (sleep 1000 & sleep 1000) & while :; do sleep 100; done' &
echo ready; : > up";

fn everywhere(test: impl Fn(Place)) {
    for level in ["full", "filters", "none"] {
        users().into_iter().for_each(|user| test(Place::new(user, level)));
    }
}

/// Starts this, which makes a file `up` when it is.
fn up(place: &Place, script: &str) -> Live {
    let mut live = place.start(&["sh", "-c", script]);
    live.report().unwrap();
    until("it is up", || place.path("up").exists());
    live
}

#[test]
fn what_a_program_leaves_behind_ends_with_it() {
    everywhere(|place| {
        let seen = place.sh(&format!("{STUBBORN}; exit 7"));
        assert_eq!((seen.code(), seen.output.as_str()), (Some(7), "ready\n"), "{}", place.level);
    });
}

#[test]
fn when_the_parent_is_gone_so_is_everything() {
    everywhere(|place| {
        let mut live = up(&place, &format!("{STUBBORN}; sleep 1000; exit 3"));
        live.socket.shutdown(std::net::Shutdown::Both).unwrap();
        live.gone();
    });
}

#[test]
fn signals_reach_every_process_inside_and_the_end_is_reported() {
    everywhere(|place| {
        for (script, signal) in [("sleep 1000 & : > up", 15), (STUBBORN, 9)] {
            let mut live = up(&place, &format!("{script}\nsleep 1000; exit 3"));
            live.signal(signal);
            let seen = live.end();
            assert_eq!(seen.report["Ended"]["signal"], signal, "{}: {seen:?}", place.level);
            std::fs::remove_file(place.path("up")).unwrap();
        }
    });
}

#[test]
fn a_helper_that_is_killed_takes_everything_along() {
    for user in users() {
        let place = Place::new(user, "full");
        let mut live = up(&place, &format!("{STUBBORN}; sleep 1000; exit 3"));
        live.child.kill().unwrap();
        live.gone();
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
