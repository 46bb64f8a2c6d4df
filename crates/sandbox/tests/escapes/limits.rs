//! A program that forks as fast as it can takes neither the machine's processes nor longer than it is given. Every bomb here
//! stops by itself.

use crate::driver::{Place, User, users};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// As many processes as it is told, which wait; says how many there are.
const BOMB: &str = "#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **arguments) {
    int number = 0;
    for (; number < atoi(arguments[1]); number++) {
        pid_t child = fork();
        if (child == 0) for (;;) pause();
        if (child < 0) break;
    }
    printf(\"%d\\n\", number);
    fflush(stdout);
    for (;;) pause();
}";

fn bomb(user: User, level: &'static str) -> Place {
    let place = Place::new(user, level);
    let file = |name: &str| place.path(name);
    fs::write(file("bomb.c"), BOMB).unwrap();
    let built = Command::new("cc").args(["-w", "-O1", "-o"]).args([file("bomb"), file("bomb.c")]).status();
    assert!(built.unwrap().success());
    place
}

#[test]
fn a_fork_bomb_stays_small_and_ends_at_once() {
    let release = rustix::system::uname().release().to_str().unwrap().to_owned();
    let new = release.split('.').take(2).map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>() >= vec![6, 14];
    for user in users() {
        let root = user == User::Own && rustix::process::geteuid().is_root();
        if root && !new {
            crate::skipped("a fork bomb of root", "this kernel does not count root's processes");
            continue;
        }
        let place = bomb(user, "full");
        let counted = place.path("counted");
        let mut live = place.start(&["sh", "-c", "./bomb 6000 > counted & while :; do sleep 0.1; done"]);
        let deadline = Instant::now() + Duration::from_secs(30);
        let number = loop {
            match fs::read_to_string(&counted).ok().and_then(|text| text.trim().parse::<u32>().ok()) {
                Some(number) => break number,
                None => assert!(Instant::now() < deadline, "{user:?}"),
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        assert!((3000..4400).contains(&number), "{user:?}: {number}");
        let started = Instant::now();
        live.socket.shutdown(std::net::Shutdown::Both).unwrap();
        live.output();
        live.child.wait().unwrap();
        assert!(started.elapsed() < Duration::from_secs(2), "{user:?}: {:?}", started.elapsed());
    }
}

/// Without namespaces the user's other processes count too, so they are added to what is allowed.
#[test]
fn who_has_many_processes_can_still_start_one_without_namespaces() {
    for user in users() {
        let place = bomb(user, "filters");
        let limit = |place: &Place| -> u32 {
            let seen = place.sh("grep '^Max processes' /proc/self/limits");
            seen.output.split_whitespace().nth(2).unwrap().parse().unwrap()
        };
        assert_eq!(limit(&Place::new(user, "full")), 4096);
        let others = place.start(&["sh", "-c", "./bomb 200 > counted & while :; do sleep 0.1; done"]);
        while fs::read_to_string(place.path("counted")).ok().is_none_or(|text| text.trim() != "200") {
            std::thread::sleep(Duration::from_millis(10));
        }
        // How many others there are changes from moment to moment; more than the machine has numbers for there cannot be.
        assert!((4296..40_000).contains(&limit(&place)), "{user:?}: {}", limit(&place));
        drop(others.socket);
    }
}

#[test]
fn a_program_is_the_first_to_go_when_memory_is_short_and_leaves_no_core() {
    for user in users() {
        for level in ["full", "filters"] {
            let seen = Place::new(user, level).sh("cat /proc/self/oom_score_adj; ulimit -c");
            assert_eq!(seen.output, "500\n0\n", "{user:?} {level}");
        }
    }
}
