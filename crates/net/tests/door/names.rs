//! Names that lead to more than one place, at once or in turn, as the system's own resolver finds them.

use crate::servers::Reply;
use crate::space;
use crate::world::World;
use palanca_core::ports::{WebErrorKind, WebLimits};
use std::collections::HashSet;
use std::net::SocketAddr;

const GOOD: &str = "93.184.215.14";

fn good() -> SocketAddr {
    SocketAddr::new(GOOD.parse().unwrap(), 80)
}

#[test]
fn a_name_that_changes_its_mind_reaches_only_what_was_judged() {
    if !space::enter("names::a_name_that_changes_its_mind_reaches_only_what_was_judged") {
        return;
    }
    let world = World::new(&HashSet::from([80, 443]));
    for bad in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "::1", "fd00::1", "::ffff:127.0.0.1", "fe80::1"]
    {
        let door = palanca_net::WebDoor::system(world.options()).unwrap();
        let name = format!("turns-{}.example.com", bad.replace([':', '.'], "-").trim_matches('-'));
        let sets: [&[&str]; 5] = [&[GOOD], &[bad], &[GOOD], &[GOOD, bad], &[bad, GOOD]];
        world.names(&name, &sets);
        let url = format!("http://{name}/");
        // Each request asks again, and each answer is judged on its own.
        for (turn, set) in sets.iter().enumerate() {
            let played = world.play_through(&door, &url, WebLimits::default());
            if set.contains(&bad) {
                assert_eq!(played.answer.as_ref().unwrap_err().kind, WebErrorKind::Private, "{bad} {turn}");
                assert_eq!(played.begun(), [], "{bad} {turn}");
            } else {
                assert_eq!(played.answer.as_ref().unwrap().status, 200, "{bad} {turn}");
                assert_eq!(played.reached(), [good()], "{bad} {turn}");
                assert_eq!(played.received[0].at, good(), "{bad} {turn}");
            }
        }
        // A redirect to the same name is a new hop with a new answer.
        let name = name.replace("turns", "hop");
        world.names(&name, &[&[GOOD], &[bad]]);
        world.replies(vec![Reply::Redirect(format!("http://{name}/again"))]);
        let played = world.play_through(&door, &format!("http://{name}/"), WebLimits::default());
        let error = played.answer.as_ref().unwrap_err();
        assert_eq!(error.kind, WebErrorKind::Private, "{bad}: {error}");
        assert!(error.redirected_from.is_some(), "{bad}: {error:?}");
        assert_eq!(played.reached(), [good()], "{bad}");
        // A connection that is reset is not begun again with another answer.
        let name = name.replace("hop", "reset");
        world.names(&name, &[&[GOOD], &[bad]]);
        world.replies(vec![Reply::Reset]);
        let played = world.play_through(&door, &format!("http://{name}/"), WebLimits::default());
        assert_eq!(played.answer.unwrap_err().kind, WebErrorKind::Interrupted, "{bad}");
    }
    assert!(!world.script.lock().unwrap().asked.is_empty(), "the system's resolver asked our server");
}

#[test]
fn the_systems_own_table_of_hosts_is_judged_like_any_answer() {
    if !space::enter("names::the_systems_own_table_of_hosts_is_judged_like_any_answer") {
        return;
    }
    let world = World::new(&HashSet::from([80]));
    for (name, expected) in [
        ("loopback.hosts.example.com", Some(WebErrorKind::Private)),
        ("private.hosts.example.com", Some(WebErrorKind::Private)),
        ("mixed.hosts.example.com", Some(WebErrorKind::Private)),
        ("localhost", Some(WebErrorKind::Private)),
        ("public.hosts.example.com", None),
    ] {
        let played = world.play(&format!("http://{name}/"), WebLimits::default());
        assert_eq!(played.answer.as_ref().err().map(|error| error.kind), expected, "{name}");
        let reached: &[SocketAddr] = if expected.is_none() { &[good()] } else { &[] };
        assert_eq!(played.reached(), reached, "{name}");
        assert_eq!(played.begun().is_empty(), expected.is_some(), "{name}: {:?}", played.packets);
    }
    assert_eq!(world.script.lock().unwrap().asked, Vec::<String>::new(), "all of it was in the table");
}

#[test]
fn surroundings_lead_nowhere_else() {
    if !space::enter("names::surroundings_lead_nowhere_else") {
        return;
    }
    // Before there is any other thread.
    for variable in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        unsafe { std::env::set_var(variable, "http://127.0.0.1:8080") };
    }
    let world = World::new(&HashSet::from([80, 443, 8080]));
    for (url, port) in [("http://example.com/", 80), ("https://example.com/", 443)] {
        let cookie = "200 OK\r\nSet-Cookie: a=SECRETCOOKIE\r\nContent-Length: 1";
        world.replies(vec![Reply::Whole(cookie.to_owned(), b"x".to_vec())]);
        let door = palanca_net::WebDoor::system(world.options()).unwrap();
        for _ in 0..2 {
            let played = world.play_through(&door, url, WebLimits::default());
            assert_eq!(played.answer.as_ref().unwrap().status, 200, "{url}");
            assert_eq!(played.reached().iter().map(SocketAddr::port).collect::<Vec<_>>(), [port], "{url}");
            assert!(!played.received[0].head.contains("SECRETCOOKIE"), "{url}");
        }
    }
}
