//! What a program in the sandbox can and cannot do, seen from inside: as the user of the tests and, when that is root, as
//! an ordinary user as well.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types, dead_code)]

#[path = "../support/driver.rs"]
mod driver;
mod files;
mod filters;
mod kernel;
mod life;
mod network;
mod protected;
mod reading;
mod rooms;
mod work;

use driver::{Place, users};

/// For everybody at the full level.
fn full(test: impl Fn(Place)) {
    users().into_iter().for_each(|user| test(Place::new(user, "full")));
}

/// Runs a script and wants exactly this to be printed.
fn check(place: &Place, script: &str, expected: &str) {
    let seen = place.sh(script);
    assert_eq!(seen.output.trim_end(), expected.trim_end(), "{:?}: {script}: {:?}", place.user, seen.report);
}

#[test]
fn a_machine_that_runs_these_tests_has_the_full_level_and_says_so() {
    let probe = palanca_sandbox::Probe::by(driver::helper());
    assert_eq!(probe.level(), palanca_sandbox::Level::Full, "{:#?}", probe.findings());
    let short = std::process::Command::new(driver::helper()).args(["__sandbox", "level"]).output().unwrap();
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&short.stdout).unwrap()["level"],
        serde_json::json!(probe.level())
    );
    // Control groups are delegated to some of those who run these tests.
    let works = |(name, text): &(&str, String)| text.starts_with("works") || *name == "cgroup v2";
    assert!(probe.findings().iter().all(works), "{:#?}", probe.findings());
}
