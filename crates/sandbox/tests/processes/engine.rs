//! One engine serves several doors.

use crate::space::{Space, helper, living, marker, owner, script, text, wait};
use palanca_core::call::CallId;
use palanca_core::ports::{By, Processes};
use palanca_sandbox::{Engine, Isolation, Level};
use palanca_testkit::{again, executable, until};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const DOORS: usize = 30;
/// Helpers that wait at once. Each has two sockets, a list of mounts and a handle of its process.
const SPARES: usize = 8;
const OF_A_SPARE: usize = 4;

/// Threads and descriptors of this process.
fn held() -> (usize, usize) {
    let count = |what: &str| fs::read_dir(format!("/proc/self/{what}")).unwrap().count();
    (count("task"), count("fd"))
}

/// A helper that writes down how it was started.
fn telling(space: &Space) -> PathBuf {
    let (path, told) = (space.path("helper"), space.path("told"));
    let script = format!("#!/bin/sh\necho \"$*\" >> {}\nexec {} \"$@\"\n", told.display(), helper().display());
    executable(&path, script);
    path
}

/// Started by the next test, because other tests have threads and descriptors, too.
#[test]
#[ignore = "is started by another test"]
fn a_process_with_many_doors() {
    let place = Space::new();
    let helper = telling(&place);
    let unused = Engine::new();
    let before = held();
    let engine = unused.clone();
    assert_eq!(held(), before, "an engine without doors is nothing");
    let doors: Vec<_> = (0..DOORS).map(|_| Space::on(&engine, |settings| settings.helper = helper.clone())).collect();
    until("there is one thread", || held().0 == before.0 + 1);
    doors[0].sh("true");
    until("the program is gone", || held().0 == before.0 + 1);
    let one = held();
    for door in &doors {
        door.sh("true");
    }
    until("all doors cost what one does", || held().0 == one.0 && held().1 <= one.1 + OF_A_SPARE);
    for door in doors.iter().chain(&doors) {
        door.sh("true");
    }
    until("few helpers wait", || held().0 == one.0 && held().1 <= one.1 + SPARES * OF_A_SPARE);
    let told = fs::read_to_string(place.path("told")).unwrap();
    assert_eq!(told.lines().filter(|line| *line == "__sandbox level").count(), 1, "{told}");
    drop((doors, engine, unused));
    until("nothing is left", || held() == before);
}

#[test]
fn many_doors_cost_what_one_does() {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--ignored", "--exact"]).stdin(Stdio::null());
    again("many doors", &mut process, &["engine::a_process_with_many_doors"]);
}

#[test]
fn what_is_found_ahead_is_not_looked_for_by_the_first_program() {
    let (place, engine) = (Space::new(), Engine::new());
    let helper = telling(&place);
    let told = || fs::read_to_string(place.path("told")).unwrap_or_default();
    let mut settings = place.settings();
    settings.helper = helper.clone();
    if place.door().level() == Level::None {
        return;
    }
    // Nothing has to be known for a program that is not isolated.
    let isolation = std::mem::replace(&mut settings.isolation, Isolation::Unsandboxed);
    Engine::new().look_ahead(&settings);
    settings.isolation = isolation;
    engine.look_ahead(&settings);
    engine.look_ahead(&settings);
    until("it looks", || told().starts_with("__sandbox level\n"));
    let door = Space::on(&engine, |settings| settings.helper = helper);
    assert_eq!(text(&door.sh("echo found").stdout), "found\n");
    assert_eq!(told().lines().filter(|line| *line == "__sandbox level").count(), 1, "{}", told());
}

#[test]
fn a_door_that_closes_ends_its_own_programs_and_no_others() {
    let engine = Engine::new();
    let [closes, stays] = [Space::on(&engine, |_| ()), Space::on(&engine, |_| ())];
    let (owner, call) = (owner("one"), CallId::new("call"));
    let by = By { owner: &owner, call: &call, session: None };
    let start = |space: &Space| {
        let marker = marker("door");
        let hides = format!("setsid sh -c 'sleep 1000; : {marker}' & read word; echo \"heard $word\"; sleep 1000");
        let id = wait(space.door().start(&script(&hides), by)).unwrap().id;
        until("it runs", || !living(&marker).is_empty());
        (id, marker)
    };
    // With a helper that waits, too.
    for space in [&closes, &stays] {
        space.sh("true");
        space.sh("true");
    }
    let ((_, gone), (id, left)) = (start(&closes), start(&stays));
    drop(closes);
    assert_eq!((living(&gone), living(&left).is_empty()), (Vec::new(), false));
    assert_eq!(wait(stays.door().write(&owner, &id, b"you\n")), Ok(4));
    let mut read = String::new();
    until("it answers", || {
        read.push_str(&text(&stays.door().poll(&owner, &id).unwrap().output));
        read.contains("heard you\n")
    });
    assert_eq!(text(&stays.sh("echo more").stdout), "more\n");
    // The engine's last clone is the door's.
    drop(engine);
    assert_eq!(text(&stays.sh("echo more").stdout), "more\n");
    drop(stays);
    assert_eq!(living(&left), Vec::<i32>::new());
}

#[test]
fn programs_of_one_door_see_nothing_of_another() {
    let engine = Engine::new();
    let [one, two] = [Space::on(&engine, |_| ()), Space::on(&engine, |_| ())];
    if one.door().level() == Level::None {
        return;
    }
    let file = two.path("ws/file").canonicalize().unwrap_or(two.path("ws/file"));
    fs::write(&file, "secret").unwrap();
    let file = file.display();
    for _ in 0..3 {
        let seen = one.sh(&format!("cat {file}; echo x > {file}; ls $(dirname {file}); exit 0"));
        assert_eq!(text(&seen.stdout), "");
        assert_eq!(text(&two.sh("cat file").stdout), "secret");
    }
}
