//! A program that is never there when it is killed: every generation forks the next one, in a session of its own, and is
//! gone. And what a program leaves when each of our processes is killed. `processes: limits` has the other cases.

use crate::driver::{Live, Place, User, users};
use crate::rounds;
use parking_lot::Mutex;
use std::fs;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Long, because machines are busy; what survives, survives longer.
const LIMIT: Duration = Duration::from_secs(60);
/// Held by each that lets programs fork without end: beside another the hunt would be for the processor.
static STORM: Mutex<()> = Mutex::new(());

/// One that runs from generation to generation, and says so before.
const HYDRA: &str = "#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **arguments) {
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    puts(\"ready\");
    fflush(stdout);
    for (int heads = atoi(arguments[1]); heads > 1; heads--)
        if (fork() == 0) break;
    for (;;) {
        pid_t next = fork();
        if (next > 0) _exit(0);
        if (next < 0) usleep(100);
        setsid();
    }
}";

fn hydra(user: User, level: &'static str) -> Place {
    static PROGRAM: OnceLock<std::path::PathBuf> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let program = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hydra");
        let source = program.with_extension("c");
        fs::write(&source, HYDRA).unwrap();
        assert!(Command::new("cc").args(["-w", "-O1", "-o"]).arg(&program).arg(source).status().unwrap().success());
        program
    });
    let place = Place::new(user, level);
    let copied = Command::new("install").args(["-m", "755"]).arg(program).arg(place.path("hydra")).status();
    assert!(copied.unwrap().success());
    place
}

/// Whoever still holds the pipe lives; the reader returns when nobody does.
fn gone(mut live: Live, started: Instant, what: &str) {
    live.output();
    live.child.wait().unwrap();
    assert!(started.elapsed() < LIMIT, "{what}: {:?}", started.elapsed());
}

/// With a program of its own that waits, and the hydra behind it.
fn start(place: &Place, heads: &str) -> Live {
    let mut live = place.start(&["sh", "-c", &format!("./hydra {heads} & sleep 1000")]);
    assert!(live.report().unwrap()["Started"].is_object());
    live
}

fn hunted(level: &'static str, rounds: usize) {
    let _alone = STORM.lock();
    for user in users() {
        let place = hydra(user, level);
        for round in 0..rounds {
            let live = start(&place, ["1", "8", "16"][round % 3]);
            std::thread::sleep(Duration::from_millis(u64::try_from(round % 10).unwrap() * 3));
            let started = Instant::now();
            live.socket.shutdown(std::net::Shutdown::Both).unwrap();
            gone(live, started, &format!("{user:?} {level} round {round}"));
        }
    }
}

#[test]
fn who_is_born_while_it_is_killed_dies_too_at_the_full_level() {
    hunted("full", rounds());
}

#[test]
fn who_is_born_while_it_is_killed_dies_too_without_namespaces() {
    hunted("filters", rounds().div_ceil(5));
}

#[test]
fn who_is_born_while_it_is_killed_dies_too_without_a_sandbox() {
    hunted("none", rounds().div_ceil(5));
}

/// A hundred chains of births at once.
fn many_hunted(level: &'static str) {
    let _alone = STORM.lock();
    for user in users() {
        let place = hydra(user, level);
        for round in 0..rounds().div_ceil(5) {
            let live = start(&place, "100");
            std::thread::sleep(Duration::from_millis(50));
            let started = Instant::now();
            live.socket.shutdown(std::net::Shutdown::Both).unwrap();
            gone(live, started, &format!("{user:?} {level} round {round}"));
        }
    }
}

#[test]
fn a_hundred_that_never_stop_forking_are_gone_at_the_full_level() {
    many_hunted("full");
}

#[test]
fn a_hundred_that_never_stop_forking_are_gone_without_namespaces() {
    many_hunted("filters");
}

/// Our processes in the order of their birth: the one outside, and init. The program is below.
fn ours(live: &Live) -> Vec<i32> {
    let outside = i32::try_from(live.child.id()).unwrap();
    let inner = fs::read_to_string(format!("/proc/{outside}/task/{outside}/children")).unwrap();
    [outside].into_iter().chain(inner.split_whitespace().map(|pid| pid.parse().unwrap())).collect()
}

/// There is one, and one that waits for its end.
#[test]
fn nothing_survives_a_sigkill_of_our_process_without_namespaces() {
    let _alone = STORM.lock();
    for user in users() {
        let place = hydra(user, "filters");
        for round in 0..rounds() {
            let mut live = start(&place, "8");
            let started = Instant::now();
            live.child.kill().unwrap();
            live.child.wait().unwrap();
            gone(live, started, &format!("{user:?} round {round}"));
        }
    }
}

#[test]
fn whichever_of_our_processes_is_killed_nothing_survives() {
    let _alone = STORM.lock();
    for user in users() {
        let place = hydra(user, "full");
        for round in 0..rounds() {
            let mut live = start(&place, "2");
            let ours = ours(&live);
            let started = Instant::now();
            for (number, pid) in ours.iter().enumerate() {
                if round % 3 == number || round % 3 == 2 {
                    let pid = rustix::process::Pid::from_raw(*pid).unwrap();
                    // One of them may have followed the other already.
                    let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
                }
            }
            live.child.wait().unwrap();
            gone(live, started, &format!("{user:?} round {round}"));
        }
    }
}
