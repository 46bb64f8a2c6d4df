//! The same in full, each alone on the machine: exact times, a gigabyte, races, many random moments.

use crate::space::Space;
use crate::{attached, limits, users, volume, writes};
use palanca_testkit::{again, alone, nested};
use std::process::Command;
use std::time::Duration;

const TIMES: usize = 40;
/// For each of eight ways to race.
const TRIES: &str = "12500";
/// As somebody else.
const FEWER_TRIES: &str = "1000";
/// Over what was asked for, at most.
const LATE: Duration = Duration::from_millis(250);

#[test]
#[ignore = "cargo xtask stress"]
fn time_limits_are_exact() {
    let _alone = alone();
    let space = Space::new();
    let check = |text: &str| {
        let (_, limit, took) = limits::at_its_limit(&space, text);
        assert!(took < limit + LATE, "{text}: {took:?} instead of {limit:?}");
    };
    limits::ENDLESS.into_iter().for_each(|(text, _)| check(text));
    check(": > done; yes");
}

#[test]
#[ignore = "cargo xtask stress"]
fn a_door_closes_in_time() {
    let _alone = alone();
    let took = limits::closed();
    assert!(took < Duration::from_secs(2), "{took:?}");
}

#[test]
#[ignore = "cargo xtask stress"]
fn nothing_survives() {
    let _alone = alone();
    limits::limited(TIMES);
    limits::cancelled(TIMES);
    limits::orphaned(TIMES);
    let delays = (0..TIMES).map(|turn| Duration::from_millis(u64::try_from(turn).unwrap() * 5));
    limits::given_up(delays, async |_, delay| tokio::time::sleep(delay).await);
}

#[test]
#[ignore = "cargo xtask stress"]
fn a_gigabyte_is_counted_in_little_memory() {
    let _alone = alone();
    volume::counted(1_000_000_000);
}

#[test]
#[ignore = "cargo xtask stress"]
fn a_thousand_one_after_another_cost_nothing() {
    let _alone = alone();
    attached::spoken_to(1000);
}

#[test]
#[ignore = "cargo xtask stress"]
fn every_call_in_every_spelling_does_inside_what_it_does_outside_where_it_may() {
    writes::compared("1");
    as_others("stress::every_call");
}

#[test]
#[ignore = "cargo xtask stress"]
fn no_race_gets_at_what_may_not_be_changed() {
    let _alone = (!nested()).then(alone);
    writes::raced(if nested() { FEWER_TRIES } else { TRIES });
    as_others("stress::no_race");
}

/// The same again at the other levels, and as an ordinary user.
fn as_others(test: &str) {
    if nested() {
        return;
    }
    let run = |who: &str, mut command: Command| drop(again(who, command.arg("--ignored"), &[test]));
    run("without namespaces", users::filtered());
    run("without notifications", users::unasked(&Space::new()));
    if let Some((_home, command)) = users::ordinary() {
        run("as an ordinary user", command);
    }
}
