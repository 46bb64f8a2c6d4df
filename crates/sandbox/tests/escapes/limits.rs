//! A program that forks as fast as it can takes neither the machine's processes nor longer than it is given. Every bomb here
//! stops by itself.

use crate::driver::{Place, User, users};
use palanca_testkit::{alone, compiled, until};
use serde_json::json;
use std::fs;
use std::path::Path;

/// For each number that it is told, as many processes, which wait; says how many there are. Without namespaces the kernel
/// counts a user's processes in other tests, too: what it refuses now is tried again.
const BOMB: &str = "#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pid_t born(void) {
    pid_t child;
    while ((child = fork()) < 0) usleep(1000);
    return child;
}
int main(int count, char **arguments) {
    while (count > 2 && born() > 0) count--;
    int number = atoi(arguments[count - 1]);
    for (int left = number; left > 0; left--)
        if (born() == 0) for (;;) pause();
    printf(\"%d\\n\", number);
    fflush(stdout);
    sleep(100);
}";

fn bomb(user: User, level: &'static str) -> Place {
    let place = Place::new(user, level);
    place.install(&compiled(env!("CARGO_TARGET_TMPDIR"), "bomb", BOMB, &[]), "bomb");
    place
}

const MIB: u64 = 1 << 20;

fn limited(mut place: Place, memory: u64, processes: u64, disk: Option<u64>) -> Place {
    place.limits = json!({"memory": memory * MIB, "processes": processes, "disk": disk.map(|disk| disk * MIB)});
    place
}

#[test]
fn a_fork_bomb_is_ended_when_it_meets_its_limit_and_says_so() {
    bombs(60, 40);
}

/// Three of them meet the limit, one does not.
pub fn bombs(limit: u64, each: u64) {
    for user in users() {
        for level in ["full", "filters"] {
            let place = limited(bomb(user, level), 4096, limit, None);
            let each = &each.to_string();
            let seen = place.run(&["./bomb", each, each, each]);
            assert_eq!(seen.limit(), Some("processes"), "{user:?} {level}: {seen:?}");
            assert_eq!(seen.report["Ended"]["limit"]["most"], limit);
            let seen = place.sh(&format!("./bomb {each} | head -n 1 & sleep 0.5; kill 0"));
            assert_eq!(seen.limit(), None, "{user:?} {level}: {seen:?}");
        }
    }
}

/// MiB that programs take: each of four at once, one that shares with itself, one that forks eight.
pub struct Hogs {
    pub limit: u64,
    pub each: u64,
    pub shared: u64,
    pub forked: u64,
}

#[test]
fn memory_is_counted_together() {
    memory(&Hogs { limit: 120, each: 40, shared: 140, forked: 40 });
}

/// What each of them does alone would be allowed.
pub fn memory(hogs: &Hogs) {
    let (each, all) = (hogs.each, hogs.shared);
    let hog = format!("python3 -c 'import time; x = b\"x\" * ({each} << 20); time.sleep(60)'");
    let shared = format!(
        "python3 -c 'import mmap, time
x = mmap.mmap(-1, {all} << 20); x.write(b\"x\" * ({all} << 20)); time.sleep(60)'"
    );
    // Eight that were forked share what the first one has; long enough to be looked at.
    let forked = format!(
        "python3 -c 'import os, time; x = b\"x\" * ({} << 20)
for _ in range(8):
  if os.fork() == 0: time.sleep(0.6); os._exit(0)
time.sleep(0.8)'",
        hogs.forked
    );
    for user in users() {
        for level in ["full", "filters"] {
            let place = limited(Place::new(user, level), hogs.limit, 4096, None);
            for script in [&format!("{hog} & {hog} & {hog} & {hog} & wait"), &shared] {
                let seen = place.sh(script);
                assert_eq!(seen.limit(), Some("memory"), "{user:?} {level} {script}: {seen:?}");
            }
            let seen = place.sh(&forked);
            assert_eq!((seen.code(), seen.limit()), (Some(0), None), "{user:?} {level}: {seen:?}");
        }
        let place = limited(Place::new(user, "full"), hogs.limit, 4096, None);
        for folder in ["/tmp", "/dev/shm", "/run", "$HOME"] {
            // Half of it is allowed.
            let half = format!("head -c {}M /dev/zero > {folder}", hogs.limit * 3 / 5);
            let seen = place.sh(&format!("{half}/a; {half}/b; sleep 60"));
            assert_eq!(seen.limit(), Some("memory"), "{user:?} {folder}: {seen:?}");
        }
    }
}

#[test]
fn a_disk_is_not_filled() {
    disk(16, 4);
}

/// In MiB, and in steps, which are looked at. On a disk that hardly anybody else uses: who makes room there or takes it
/// counts as well.
pub fn disk(limit: u64, step: u64) {
    let _alone = alone();
    let disk = Path::new("/dev/shm");
    let steps = |step: &str| format!("for n in $(seq 20); do {step}; sleep 0.1; done; sleep 60");
    for user in users() {
        for level in ["full", "filters"] {
            for script in [
                steps(&format!("head -c {step}M /dev/zero >> a")),
                steps(&format!("fallocate -l $((n * {step}))M b")),
                steps(&format!("head -c {step}M /dev/zero > c$n")),
            ] {
                let seen = limited(Place::below(disk, user, level), 4096, 4096, Some(limit)).sh(&script);
                assert_eq!(seen.limit(), Some("disk"), "{user:?} {level} {script}: {seen:?}");
            }
            // A file may be longer than what it takes.
            let place = limited(Place::below(disk, user, level), 4096, 4096, Some(limit));
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
        let others = place.start(&["sh", "-c", "./bomb 200 > counted"]);
        until("they are there", || fs::read_to_string(place.path("counted")).is_ok_and(|text| text.trim() == "200"));
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
