//! A room that waits for its order: how it ends without one, and what it takes for one.

use crate::driver::{Live, Place, frame, users, write};
use palanca_testkit::until;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::net::Shutdown;
use std::path::Path;

/// The processes below this one, the nearest first: the last one becomes the program.
fn below(pid: u32) -> Vec<u32> {
    let mut found = vec![pid];
    let mut next = 0;
    while let Some(pid) = found.get(next) {
        let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        found.extend(children.split_ascii_whitespace().map(|child| child.parse::<u32>().unwrap()));
        next += 1;
    }
    found.split_off(1)
}

/// A finished room, and the processes in it.
fn finished(place: &Place) -> (Live, Vec<u32>) {
    let live = place.room();
    let wanted = if place.level == "full" { 2 } else { 1 };
    until("a room", || below(live.child.id()).len() >= wanted);
    let inside = below(live.child.id());
    (live, inside)
}

fn everywhere(test: impl Fn(Place)) {
    for level in ["full", "filters", "none"] {
        users().into_iter().for_each(|user| test(Place::new(user, level)));
    }
}

fn gone(mut live: Live, inside: &[u32], what: &str) {
    live.ended();
    until(what, || inside.iter().all(|pid| !Path::new(&format!("/proc/{pid}")).exists()));
}

#[test]
fn it_ends_with_its_lifeline() {
    everywhere(|place| {
        let (live, inside) = finished(&place);
        live.socket.shutdown(Shutdown::Both).unwrap();
        if place.level != "full" {
            // There the process that waits for the order is the one that would notice.
            live.orders.shutdown(Shutdown::Both).unwrap();
        }
        gone(live, &inside, place.level);
    });
}

#[test]
fn it_ends_with_its_helper_and_its_init() {
    for user in users() {
        let place = Place::new(user, "full");
        let (mut live, inside) = finished(&place);
        live.child.kill().unwrap();
        gone(live, &inside, "the helper");
        let (live, inside) = finished(&place);
        kill_process(Pid::from_raw(inside[0].cast_signed()).unwrap(), Signal::KILL).unwrap();
        gone(live, &inside, "its init");
    }
}

/// Sends something, and the end; nothing may be started.
fn refused(place: &Place, what: &str, send: impl FnOnce(&mut Live)) {
    let (mut live, inside) = finished(place);
    send(&mut live);
    live.orders.shutdown(Shutdown::Write).unwrap();
    let report = live.report().unwrap();
    assert_eq!(report["Failed"]["step"], "order", "{}: {what}: {report}", place.level);
    gone(live, &inside, what);
}

#[test]
fn what_is_no_whole_order_starts_nothing() {
    everywhere(|place| {
        let order = place.order(&["touch", "made"]);
        let whole = frame(&order);
        refused(&place, "nothing", |_| ());
        refused(&place, "no descriptors", |live| write(&live.orders, &whole));
        refused(&place, "half of one", |live| live.attach(&whole[..whole.len() / 2]));
        refused(&place, "two", |live| live.attach(&[whole.as_slice(), &whole].concat()));
        refused(&place, "another length", |live| live.attach(b"\xff\xff\xff\xff"));
        refused(&place, "no program", |live| live.attach(&frame(&json!({"argv": []}))));
        assert!(!place.path("made").exists());
    });
}

#[test]
fn the_second_order_is_not_taken() {
    everywhere(|place| {
        let (mut live, _) = finished(&place);
        live.order(&place.order(&["sh", "-c", "touch one; while test ! -e go; do :; done"]));
        until("one runs", || place.path("one").exists());
        live.attach(&frame(&place.order(&["touch", "two"])));
        place.file("go", "");
        let seen = live.end();
        assert_eq!((seen.code(), place.path("two").exists()), (Some(0), false), "{seen:?}");
    });
}

#[test]
fn one_that_no_longer_hides_what_it_must_is_not_used() {
    for user in users() {
        let mut place = Place::new(user, "full");
        place.masked = ["one", "later", "folder/inner"].map(|name| place.path(name)).into();
        place.file("one", "hidden");
        place.file("folder/inner", "hidden");
        let tried = |change: &dyn Fn()| -> Value {
            let (mut live, _) = finished(&place);
            change();
            live.order(&place.order(&["sh", "-c", "cat one later folder/inner 2> /dev/null; touch made"]));
            let seen = live.end();
            assert_eq!(seen.output, "");
            seen.report
        };
        assert_eq!(tried(&|| ())["Ended"]["code"], 0);
        std::fs::remove_file(place.path("made")).unwrap();
        let replaced = |name: &'static str| {
            place.file("new", "hidden as well");
            std::fs::rename(place.path("new"), place.path(name)).unwrap();
        };
        let unfit = |change: &dyn Fn()| {
            let report = tried(change);
            assert_eq!((&report["Failed"]["step"], place.path("made").exists()), (&json!("room"), false), "{report}");
        };
        unfit(&|| replaced("one"));
        unfit(&|| replaced("later"));
        unfit(&|| {
            std::fs::rename(place.path("folder"), place.path("elsewhere")).unwrap();
            place.file("folder/inner", "hidden as well");
        });
    }
}
