//! A program that forks as fast as it can takes neither the machine's processes nor longer than it is given. Every bomb here
//! stops by itself.

use crate::driver::{Place, User, users};
use serde_json::json;
use std::fs;
use std::process::Command;
use std::time::Duration;

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

const MIB: u64 = 1 << 20;

fn limited(mut place: Place, memory: u64, processes: u64, disk: Option<u64>) -> Place {
    place.limits = json!({"memory": memory * MIB, "processes": processes, "disk": disk.map(|disk| disk * MIB)});
    place
}

#[test]
fn a_fork_bomb_is_ended_when_it_meets_its_limit_and_says_so() {
    for user in users() {
        for level in ["full", "filters"] {
            let place = limited(bomb(user, level), 4096, 300, None);
            let seen = place.sh("./bomb 200 & ./bomb 200 & ./bomb 200 & while :; do sleep 0.1; done");
            assert_eq!(seen.limit(), Some("processes"), "{user:?} {level}: {seen:?}");
            assert_eq!(seen.report["Ended"]["limit"]["most"], 300);
            let seen = place.sh("./bomb 200 | head -n 1 & sleep 0.5; kill 0");
            assert_eq!(seen.limit(), None, "{user:?} {level}: {seen:?}");
        }
    }
}

/// What each of them does alone would be allowed.
#[test]
fn memory_is_counted_together() {
    let hog = "python3 -c 'import time; x = b\"x\" * (100 << 20); time.sleep(60)'";
    let shared =
        "python3 -c 'import mmap, time; x = mmap.mmap(-1, 400 << 20); x.write(b\"x\" * (400 << 20)); time.sleep(60)'";
    for user in users() {
        for level in ["full", "filters"] {
            let place = limited(Place::new(user, level), 300, 4096, None);
            for script in [&*format!("{hog} & {hog} & {hog} & {hog} & wait"), shared] {
                let seen = place.sh(script);
                assert_eq!(seen.limit(), Some("memory"), "{user:?} {level} {script}: {seen:?}");
            }
            // Eight that were forked share what the first one has.
            let forked = "python3 -c 'import os, time; x = b\"x\" * (150 << 20)\nfor _ in range(8):\n  if os.fork() == 0: time.sleep(0.6); os._exit(0)\ntime.sleep(0.8)'";
            let seen = place.sh(&forked.replace("\\n", "\n"));
            assert_eq!((seen.code(), seen.limit()), (Some(0), None), "{user:?} {level}: {seen:?}");
        }
        let place = limited(Place::new(user, "full"), 200, 4096, None);
        for folder in ["/tmp", "/dev/shm", "/run", "$HOME"] {
            let seen = place
                .sh(&format!("head -c 150M /dev/zero > {folder}/a; head -c 250M /dev/zero > {folder}/b; sleep 60"));
            assert_eq!(seen.limit(), Some("memory"), "{user:?} {folder}: {seen:?}");
        }
    }
}

#[test]
fn a_disk_is_not_filled() {
    for user in users() {
        for level in ["full", "filters"] {
            let place = limited(Place::new(user, level), 4096, 4096, Some(64));
            for script in [
                "head -c 400M /dev/zero > a; sleep 60",
                "fallocate -l 400M b; sleep 60",
                "for i in 1 2 3 4 5 6 7 8 9; do head -c 20M /dev/zero > c$i; done; sleep 60",
            ] {
                let seen = place.sh(script);
                assert_eq!(seen.limit(), Some("disk"), "{user:?} {level} {script}: {seen:?}");
                fs::read_dir(place.workspace())
                    .unwrap()
                    .flatten()
                    .for_each(|entry| fs::remove_file(entry.path()).unwrap());
            }
            // A file may be longer than what it takes.
            let seen = place.sh("truncate -s 1T sparse && sleep 0.3");
            assert_eq!((seen.code(), seen.limit()), (Some(0), None), "{user:?} {level}: {seen:?}");
        }
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
        assert_eq!(limit(&Place::new(user, "full")), 4160);
        let others = place.start(&["sh", "-c", "./bomb 200 > counted & while :; do sleep 0.1; done"]);
        while fs::read_to_string(place.path("counted")).ok().is_none_or(|text| text.trim() != "200") {
            std::thread::sleep(Duration::from_millis(10));
        }
        // How many others there are changes from moment to moment; more than the machine has numbers for there cannot be.
        assert!((4360..40_000).contains(&limit(&place)), "{user:?}: {}", limit(&place));
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
