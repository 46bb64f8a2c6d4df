//! A program that is never there when it is killed: every generation forks the next one, in a session of its own, and is
//! gone. And what a program leaves when each of our processes is killed. `processes: limits` has the other cases, and
//! `stress` many generations at once.

use crate::driver::{Live, Place, User, users};
use palanca_testkit::{compiled, until};
use std::fs;
use std::net::Shutdown;

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

pub fn hydra(user: User, level: &'static str) -> Place {
    let place = Place::new(user, level);
    place.install(&compiled(env!("CARGO_TARGET_TMPDIR"), "hydra", HYDRA, &[]), "hydra");
    place
}

/// With a program of its own that waits, and the hydra behind it, which has as many heads and says in `up` that it
/// lives.
pub fn start(place: &Place, heads: &str) -> Live {
    let mut live = place.start(&["sh", "-c", &format!("./hydra {heads} > up & sleep 1000")]);
    assert!(live.report().unwrap()["Started"].is_object());
    live
}

fn alive(place: &Place) -> Live {
    // ignored: the first one finds none.
    let _ = fs::remove_file(place.path("up"));
    let live = start(place, "1");
    until("the hydra lives", || fs::read_to_string(place.path("up")).is_ok_and(|said| said == "ready\n"));
    live
}

#[test]
fn who_is_born_while_it_is_killed_dies_too() {
    for user in users() {
        for level in ["full", "filters", "none"] {
            let mut live = alive(&hydra(user, level));
            live.socket.shutdown(Shutdown::Both).unwrap();
            live.gone();
        }
    }
}

/// Our processes in the order of their birth: the one outside, and init. The program is below.
pub fn ours(live: &Live) -> Vec<i32> {
    let outside = i32::try_from(live.child.id()).unwrap();
    let inner = fs::read_to_string(format!("/proc/{outside}/task/{outside}/children")).unwrap();
    [outside].into_iter().chain(inner.split_whitespace().map(|pid| pid.parse().unwrap())).collect()
}

/// Kills the first, the second or both of them.
pub fn kill_ours(live: &Live, which: usize) {
    for (number, pid) in ours(live).iter().enumerate() {
        if which == number || which == 2 {
            let pid = rustix::process::Pid::from_raw(*pid).unwrap();
            // ignored: one of them may have followed the other already.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}

/// There is one without namespaces, and one that waits for its end.
#[test]
fn whichever_of_our_processes_is_killed_nothing_survives() {
    for user in users() {
        let place = hydra(user, "full");
        for which in 0..3 {
            let mut live = alive(&place);
            kill_ours(&live, which);
            live.gone();
        }
        let mut live = alive(&hydra(user, "filters"));
        live.child.kill().unwrap();
        live.gone();
    }
}
