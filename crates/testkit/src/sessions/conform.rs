//! The test suite of every session store.

use super::{new_event, new_session};
use palanca_core::Scope;
use palanca_core::call::{BotId, CallId, ChannelId, ChatId, SessionId};
use palanca_core::ports::{
    EventNumber, Level, NewEvent, NewSession, SessionFilter, SessionStatus, SessionSummary, Sessions, StoreFault,
    StoredEvent, StoredSession,
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The test suite of every session store. `make` gives an empty one.
///
/// # Panics
/// At the first violation.
pub fn sessions_conform<S: Sessions>(make: impl Fn() -> S) {
    an_empty_place_has_nothing(&make());
    what_is_kept_comes_back(&make());
    a_name_is_given_once(&make());
    events_are_added_after_the_last(&make());
    nothing_is_added_to_what_is_not_there(&make());
    pages_and_the_last_of_a_kind(&make());
    lists_are_filtered_newest_first(&make());
    one_works_on_it_at_a_time(&make());
    what_is_removed_is_gone(&make());
    any_text_is_a_name(&make());
    of_many_who_add_at_once_one_is_next(&make());
}

fn id(text: &str) -> SessionId {
    SessionId::new(text)
}

fn begun(place: &impl Sessions, name: &str) -> SessionId {
    place.begin(&new_session(name), &SessionSummary::default()).expect("a session can begin");
    id(name)
}

fn bodies(place: &impl Sessions, session: &SessionId) -> Vec<(u64, String)> {
    let events = place.events(session, EventNumber(0), usize::MAX).expect("events can be read");
    events.into_iter().map(|event| (event.number.0, event.body)).collect()
}

fn an_empty_place_has_nothing(place: &impl Sessions) {
    let session = id("none");
    assert_eq!(place.session(&session), Ok(None));
    assert_eq!(place.sessions(&SessionFilter::default()), Ok(Vec::new()));
    assert_eq!(place.events(&session, EventNumber(0), 10), Ok(Vec::new()));
    assert_eq!(place.last_of(&session, "said"), Ok(None));
    assert_eq!(place.remove(&session), Ok(()), "what is not there is forgotten already");
    drop(place.claim(&session).expect("a claim needs no session"));
}

fn what_is_kept_comes_back(place: &impl Sessions) {
    let began = NewSession {
        scope: Scope { bot: Some(BotId::new("ana")), ..Scope::session(id("s")) }
            .in_chat(ChannelId::new("terminal"), ChatId::new("c")),
        parent: Some(id("p")),
        workspace: Some("/a b/ñ".to_owned()),
        task: "línea\nand another".to_owned(),
        agent: "plan".to_owned(),
        model: Some("replay:x".to_owned()),
        started_ms: 7,
    };
    let mut summary = SessionSummary::default();
    place.begin(&began, &summary).expect("a session can begin");
    let mut kept =
        StoredSession { began: began.clone(), summary: summary.clone(), last: EventNumber(0), updated_ms: 7 };
    assert_eq!(place.session(&id("s")), Ok(Some(kept.clone())));

    summary = SessionSummary {
        status: SessionStatus::Success,
        stop_reason: Some("done".to_owned()),
        steps: 3,
        calls: 4,
        tokens: 5_000_000_000,
        dollars: Some(0.125),
    };
    let events = [
        NewEvent { at_ms: 8, kind: "called", call: Some(CallId::new("c1")), body: "{\"ñ\": \"\\u0000\"}".to_owned() },
        new_event(9, ""),
    ];
    assert_eq!(place.append(&id("s"), EventNumber(0), &events, Some(&summary)), Ok(EventNumber(2)));
    (kept.summary, kept.last, kept.updated_ms) = (summary, EventNumber(2), 9);
    assert_eq!(place.session(&id("s")), Ok(Some(kept.clone())));
    assert_eq!(place.sessions(&SessionFilter::default()), Ok(vec![kept]));
    let back = [
        StoredEvent {
            number: EventNumber(1),
            at_ms: 8,
            kind: "called".to_owned(),
            call: Some(CallId::new("c1")),
            body: events[0].body.clone(),
        },
        StoredEvent { number: EventNumber(2), at_ms: 9, kind: "said".to_owned(), call: None, body: String::new() },
    ];
    assert_eq!(place.events(&id("s"), EventNumber(0), 10), Ok(back.to_vec()));
}

fn a_name_is_given_once(place: &impl Sessions) {
    let session = begun(place, "s");
    place.append(&session, EventNumber(0), &[new_event(2, "a")], None).expect("an event can be added");
    let again = place.begin(&NewSession { task: "other".to_owned(), ..new_session("s") }, &SessionSummary::default());
    assert_eq!(again, Err(StoreFault::Exists { what: "session s".to_owned() }));
    let kept = place.session(&session).expect("it can be read").expect("it is there");
    assert_eq!((kept.began.task.as_str(), kept.last), ("a task", EventNumber(1)), "the first one is as it was");
}

fn events_are_added_after_the_last(place: &impl Sessions) {
    let session = begun(place, "s");
    let moved = Err(StoreFault::Moved { what: "session s".to_owned() });
    assert_eq!(place.append(&session, EventNumber(1), &[new_event(2, "early")], None), moved);
    assert_eq!(
        place.append(&session, EventNumber(0), &[new_event(2, "a"), new_event(2, "b")], None),
        Ok(EventNumber(2))
    );
    let summary = SessionSummary { steps: 9, ..SessionSummary::default() };
    for after in [0, 1, 3, u64::MAX] {
        assert_eq!(
            place.append(&session, EventNumber(after), &[new_event(3, "lost")], Some(&summary)),
            moved,
            "{after}"
        );
    }
    assert_eq!(bodies(place, &session), [(1, "a".to_owned()), (2, "b".to_owned())], "all or none");
    let kept = place.session(&session).expect("it can be read").expect("it is there");
    assert_eq!(kept.summary, SessionSummary::default(), "nor does it stand otherwise");
    assert_eq!(place.append(&session, EventNumber(2), &[], Some(&summary)), Ok(EventNumber(2)), "no event at all");
    let kept = place.session(&session).expect("it can be read").expect("it is there");
    assert_eq!(kept.summary, summary);
}

fn nothing_is_added_to_what_is_not_there(place: &impl Sessions) {
    begun(place, "other");
    let added = place.append(&id("s"), EventNumber(0), &[new_event(2, "a")], Some(&SessionSummary::default()));
    assert_eq!(added, Err(StoreFault::Missing { what: "session s".to_owned() }));
    assert_eq!(place.session(&id("s")), Ok(None));
}

fn pages_and_the_last_of_a_kind(place: &impl Sessions) {
    let (session, other) = (begun(place, "s"), begun(place, "t"));
    let events: Vec<NewEvent> = (1..=9)
        .map(|at| NewEvent { kind: if at % 3 == 0 { "third" } else { "said" }, ..new_event(at, &at.to_string()) })
        .collect();
    place.append(&session, EventNumber(0), &events, None).expect("events can be added");
    place.append(&other, EventNumber(0), &events, None).expect("events can be added");
    let page = |after, limit| {
        let events = place.events(&session, EventNumber(after), limit).expect("events can be read");
        events.into_iter().map(|event| event.number.0).collect::<Vec<_>>()
    };
    assert_eq!(page(0, 4), [1, 2, 3, 4]);
    assert_eq!(page(4, 4), [5, 6, 7, 8]);
    assert_eq!(page(8, 4), [9]);
    assert_eq!(page(9, 4), [] as [u64; 0]);
    assert_eq!(page(u64::MAX, usize::MAX), [] as [u64; 0]);
    assert_eq!(page(3, 0), [] as [u64; 0]);
    let last = |kind| place.last_of(&session, kind).expect("it can be read").map(|event| event.number.0);
    assert_eq!((last("third"), last("said"), last("never")), (Some(9), Some(8), None));
}

fn lists_are_filtered_newest_first(place: &impl Sessions) {
    for (name, workspace, parent, started_ms) in
        [("a", "/w", None, 10), ("b", "/v", None, 30), ("c", "/w", Some("a"), 20), ("d", "/w", Some("a"), 20)]
    {
        let session = NewSession {
            workspace: Some(workspace.to_owned()),
            parent: parent.map(id),
            started_ms,
            ..new_session(name)
        };
        place.begin(&session, &SessionSummary::default()).expect("a session can begin");
    }
    let listed = |wanted: &SessionFilter| {
        let found = place.sessions(wanted).expect("sessions can be read");
        found.into_iter().map(|kept| kept.began.scope.session.to_string()).collect::<Vec<_>>()
    };
    let all = SessionFilter::default();
    assert_eq!(listed(&all), ["b", "d", "c", "a"], "of two that changed at once, the one that began later");
    assert_eq!(listed(&SessionFilter { workspace: Some("/w".to_owned()), ..all.clone() }), ["d", "c", "a"]);
    assert_eq!(listed(&SessionFilter { level: Level::Below(id("a")), ..all.clone() }), ["d", "c"]);
    assert_eq!(listed(&SessionFilter { level: Level::Top, ..all.clone() }), ["b", "a"]);
    assert_eq!(listed(&SessionFilter { before_ms: Some(20), ..all.clone() }), ["a"]);
    assert_eq!(listed(&SessionFilter { before_ms: Some(u64::MAX), limit: Some(2), ..all.clone() }), ["b", "d"]);
    assert_eq!(listed(&SessionFilter { workspace: Some("/w%".to_owned()), ..all.clone() }), [] as [&str; 0]);
    place.append(&id("a"), EventNumber(0), &[new_event(40, "x")], None).expect("an event can be added");
    assert_eq!(listed(&all), ["a", "b", "d", "c"], "the one that changed last is the first");
}

fn one_works_on_it_at_a_time(place: &impl Sessions) {
    let session = begun(place, "s");
    let held = Err(StoreFault::Held { what: "session s".to_owned() });
    let claim = place.claim(&session).expect("nobody has it");
    assert_eq!(place.claim(&session).map(drop), held);
    assert_eq!(place.remove(&session), held, "nobody forgets it meanwhile");
    assert_eq!(place.is_held(&session), Ok(true));
    assert_eq!(place.is_held(&id("t")), Ok(false));
    drop(place.claim(&id("t")).expect("another one is free"));
    assert_eq!(place.append(&session, EventNumber(0), &[new_event(2, "a")], None), Ok(EventNumber(1)));
    drop(claim);
    assert_eq!(place.is_held(&session), Ok(false));
    drop(place.claim(&session).expect("whoever had it let go"));
    let claims = AtomicUsize::new(0);
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..200 {
                    let Ok(claim) = place.claim(&session) else { continue };
                    assert_eq!(claims.fetch_add(1, Ordering::SeqCst), 0, "two have it at once");
                    claims.fetch_sub(1, Ordering::SeqCst);
                    drop(claim);
                }
            });
        }
    });
}

fn what_is_removed_is_gone(place: &impl Sessions) {
    let (session, other) = (begun(place, "s"), begun(place, "t"));
    for session in [&session, &other] {
        place.append(session, EventNumber(0), &[new_event(2, "a")], None).expect("an event can be added");
    }
    assert_eq!(place.remove(&session), Ok(()));
    assert_eq!(place.session(&session), Ok(None));
    assert_eq!(bodies(place, &session), []);
    assert_eq!(place.last_of(&session, "said"), Ok(None));
    assert_eq!(bodies(place, &other), [(1, "a".to_owned())]);
    begun(place, "s");
    assert_eq!(bodies(place, &session), [], "a new one of that name begins anew");
    assert_eq!(place.append(&session, EventNumber(0), &[new_event(3, "b")], None), Ok(EventNumber(1)));
}

/// A store distinguishes all names; which ones people may give is decided elsewhere.
fn any_text_is_a_name(place: &impl Sessions) {
    let long = "x".repeat(5_000);
    let names =
        ["../../etc/passwd", "/tmp/x", "..", ".", "", "a/b", "a\u{0}b", "a'b\"; --", "ñ\n", "s", "S", "s ", &long];
    for name in names {
        let session = begun(place, name);
        drop(place.claim(&session).expect("nobody has it"));
        place.append(&session, EventNumber(0), &[new_event(2, name)], None).expect("an event can be added");
    }
    let claims: Vec<_> = names.map(|name| place.claim(&id(name)).expect("each is another one")).into();
    drop(claims);
    for name in names {
        assert_eq!(bodies(place, &id(name)), [(1, name.to_owned())], "{name:?}");
    }
}

fn of_many_who_add_at_once_one_is_next(place: &impl Sessions) {
    const EACH: usize = 50;
    let session = begun(place, "s");
    std::thread::scope(|threads| {
        for thread in 0..4 {
            let session = &session;
            threads.spawn(move || {
                let mut after = EventNumber(0);
                for number in 0..EACH {
                    loop {
                        let event = new_event(2, &format!("{thread} {number}"));
                        match place.append(session, after, &[event], None) {
                            Ok(next) => {
                                assert_eq!(next.0, after.0 + 1);
                                after = next;
                                break;
                            }
                            Err(StoreFault::Moved { .. }) => {
                                let kept = place.session(session).expect("it can be read");
                                after = kept.expect("it is there").last;
                            }
                            Err(fault) => panic!("{fault}"),
                        }
                    }
                }
            });
        }
    });
    let kept = bodies(place, &session);
    assert_eq!(kept.iter().map(|(number, _)| *number).collect::<Vec<_>>(), (1..=4 * EACH as u64).collect::<Vec<_>>());
    for thread in 0..4 {
        let own = kept.iter().filter_map(|(_, body)| body.strip_prefix(&format!("{thread} ")));
        let own: Vec<usize> = own.map(|number| number.parse().expect("a number")).collect();
        assert_eq!(own, (0..EACH).collect::<Vec<_>>(), "each once and in its order");
    }
}
