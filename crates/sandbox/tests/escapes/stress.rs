//! The same in full, each alone on the machine: storms of processes, gigabytes, kills at any moment.

use crate::canaries::{SYSTEM, look, search_everything};
use crate::driver::{Live, users};
use crate::limits::{Hogs, bombs, disk, memory};
use crate::survivors::{hydra, kill_ours, start};
use crate::traces::{kill_everything, run_everything};
use palanca_testkit::alone;
use std::net::Shutdown;
use std::time::{Duration, Instant};

/// Long, because machines are busy; what survives, survives longer.
const LIMIT: Duration = Duration::from_secs(60);

/// How often something is tried that goes wrong by chance: more when `PALANCA_ROUNDS` says so.
fn rounds() -> usize {
    std::env::var("PALANCA_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(25)
}

fn gone(mut live: Live, started: Instant, what: &str) {
    live.gone();
    assert!(started.elapsed() < LIMIT, "{what}: {:?}", started.elapsed());
}

fn hunted(level: &'static str, rounds: usize) {
    let _alone = alone();
    for user in users() {
        let place = hydra(user, level);
        for round in 0..rounds {
            let live = start(&place, ["1", "8", "16"][round % 3]);
            std::thread::sleep(Duration::from_millis(u64::try_from(round % 10).unwrap() * 3));
            let started = Instant::now();
            live.socket.shutdown(Shutdown::Both).unwrap();
            gone(live, started, &format!("{user:?} {level} round {round}"));
        }
    }
}

#[test]
#[ignore = "cargo xtask stress"]
fn who_is_born_while_it_is_killed_dies_too_at_the_full_level() {
    hunted("full", rounds());
}

#[test]
#[ignore = "cargo xtask stress"]
fn who_is_born_while_it_is_killed_dies_too_without_namespaces() {
    hunted("filters", rounds().div_ceil(5));
}

#[test]
#[ignore = "cargo xtask stress"]
fn who_is_born_while_it_is_killed_dies_too_without_a_sandbox() {
    hunted("none", rounds().div_ceil(5));
}

#[test]
#[ignore = "cargo xtask stress"]
fn a_hundred_that_never_stop_forking_are_gone() {
    let _alone = alone();
    for level in ["full", "filters"] {
        for user in users() {
            let place = hydra(user, level);
            for round in 0..rounds().div_ceil(5) {
                let live = start(&place, "100");
                std::thread::sleep(Duration::from_millis(50));
                let started = Instant::now();
                live.socket.shutdown(Shutdown::Both).unwrap();
                gone(live, started, &format!("{user:?} {level} round {round}"));
            }
        }
    }
}

#[test]
#[ignore = "cargo xtask stress"]
fn nothing_survives_a_sigkill_of_our_process_without_namespaces() {
    let _alone = alone();
    for user in users() {
        let place = hydra(user, "filters");
        for round in 0..rounds() {
            let mut live = start(&place, "8");
            let started = Instant::now();
            live.child.kill().unwrap();
            gone(live, started, &format!("{user:?} round {round}"));
        }
    }
}

#[test]
#[ignore = "cargo xtask stress"]
fn whichever_of_our_processes_is_killed_nothing_survives() {
    let _alone = alone();
    for user in users() {
        let place = hydra(user, "full");
        for round in 0..rounds() {
            let live = start(&place, "2");
            let started = Instant::now();
            kill_ours(&live, round % 3);
            gone(live, started, &format!("{user:?} round {round}"));
        }
    }
}

#[test]
#[ignore = "cargo xtask stress"]
fn memory_is_counted_together() {
    let _alone = alone();
    memory(&Hogs { limit: 300, each: 100, shared: 400, forked: 150 });
}

#[test]
#[ignore = "cargo xtask stress"]
fn a_fork_bomb_is_ended_when_it_meets_its_limit_and_says_so() {
    let _alone = alone();
    bombs(300, 200);
}

#[test]
#[ignore = "cargo xtask stress"]
fn a_disk_is_not_filled() {
    disk(40, 8);
}

#[test]
#[ignore = "cargo xtask stress"]
fn the_workspace_is_as_it_was_after_every_run() {
    run_everything(rounds());
}

#[test]
#[ignore = "cargo xtask stress"]
fn the_workspace_is_as_it_was_after_a_run_that_follows_a_sigkill_of_everything() {
    kill_everything(rounds());
}

#[test]
#[ignore = "cargo xtask stress"]
fn no_canary_among_the_system_s_settings_is_in_reach() {
    let _alone = alone();
    for level in ["full", "filters"] {
        look(level, &SYSTEM);
    }
}

/// All of what a program sees, which takes minutes on a machine with much in `/usr`.
#[test]
#[ignore = "cargo xtask stress"]
fn a_search_of_everything_finds_no_canary() {
    let _alone = alone();
    search_everything();
}
