//! The test suite of every session store.

use super::{new_event, new_session};
use crate::now::{Now, now};
use palanca_core::Scope;
use palanca_core::call::{BotId, CallId, ChannelId, ChatId, SessionId};
use palanca_core::ports::{
    Addition, EventFilter, EventNumber, Fence, Level, NewEvent, NewSession, Sequence, SessionFilter, SessionStatus,
    SessionSummary, Sessions, StoreFault, StoredEvent, StoredSession, wait,
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The test suite of every session store. `make` gives an empty one, `lose` makes it forget who claimed a session.
///
/// # Panics
/// At the first violation.
pub fn sessions_conform<S: Sessions>(make: impl Fn() -> S, lose: impl Fn(&S, &SessionId)) {
    an_empty_place_has_nothing(&now(&make()));
    what_is_kept_comes_back(&now(&make()));
    a_name_is_given_once(&now(&make()));
    events_are_added_after_the_last(&now(&make()));
    nothing_is_added_to_what_is_not_there(&now(&make()));
    pages_and_the_last_of_a_kind(&now(&make()));
    lists_are_filtered_newest_first(&now(&make()));
    events_of_all_sessions_are_in_one_order(&now(&make()));
    one_works_on_it_at_a_time(&now(&make()));
    what_is_removed_is_gone(&now(&make()));
    any_text_is_a_name(&now(&make()));
    of_many_who_add_at_once_one_is_next(&now(&make()));
    what_is_handed_in_is_stored_in_order(&now(&make()));
    whoever_lost_a_session_adds_nothing_to_it(&now(&make()), &lose);
}

fn id(text: &str) -> SessionId {
    SessionId::new(text)
}

fn begun(place: &Now<'_, impl Sessions>, name: &str) -> SessionId {
    place.begin(&new_session(name)).expect("a session can begin");
    id(name)
}

fn bodies(place: &Now<'_, impl Sessions>, session: &SessionId) -> Vec<(u64, String)> {
    let events = place.events(session, EventNumber(0), usize::MAX).expect("events can be read");
    events.into_iter().map(|event| (event.number.0, event.body)).collect()
}

fn an_empty_place_has_nothing(place: &Now<'_, impl Sessions>) {
    let session = id("none");
    assert_eq!(place.session(&session), Ok(None));
    assert_eq!(place.sessions(&SessionFilter::default()), Ok(Vec::new()));
    assert_eq!(place.events(&session, EventNumber(0), 10), Ok(Vec::new()));
    assert_eq!(place.last_of(&session, "said"), Ok(None));
    assert_eq!(place.remove(&session), Ok(()), "what is not there is forgotten already");
    drop(place.claim(&session).expect("a claim needs no session"));
}

fn what_is_kept_comes_back(place: &Now<'_, impl Sessions>) {
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
    place.begin(&began).expect("a session can begin");
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

fn a_name_is_given_once(place: &Now<'_, impl Sessions>) {
    let session = begun(place, "s");
    place.append(&session, EventNumber(0), &[new_event(2, "a")], None).expect("an event can be added");
    let again = place.begin(&NewSession { task: "other".to_owned(), ..new_session("s") });
    assert_eq!(again, Err(StoreFault::Exists { what: "session s".to_owned() }));
    let kept = place.session(&session).expect("it can be read").expect("it is there");
    assert_eq!((kept.began.task.as_str(), kept.last), ("a task", EventNumber(1)), "the first one is as it was");
}

fn events_are_added_after_the_last(place: &Now<'_, impl Sessions>) {
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

fn nothing_is_added_to_what_is_not_there(place: &Now<'_, impl Sessions>) {
    begun(place, "other");
    let added = place.append(&id("s"), EventNumber(0), &[new_event(2, "a")], Some(&SessionSummary::default()));
    assert_eq!(added, Err(StoreFault::Missing { what: "session s".to_owned() }));
    assert_eq!(place.session(&id("s")), Ok(None));
}

fn pages_and_the_last_of_a_kind(place: &Now<'_, impl Sessions>) {
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

fn lists_are_filtered_newest_first(place: &Now<'_, impl Sessions>) {
    for (name, workspace, parent, started_ms) in
        [("a", "/w", None, 10), ("b", "/v", None, 30), ("c", "/w", Some("a"), 20), ("d", "/w", Some("a"), 20)]
    {
        let session = NewSession {
            workspace: Some(workspace.to_owned()),
            parent: parent.map(id),
            started_ms,
            ..new_session(name)
        };
        place.begin(&session).expect("a session can begin");
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
    let mut pages = Vec::new();
    let mut page = SessionFilter { limit: Some(1), ..all.clone() };
    while let Some(last) = place.sessions(&page).expect("sessions can be read").pop() {
        pages.push(last.began.scope.session.to_string());
        page.after = Some(last.cursor());
    }
    assert_eq!(pages, ["a", "b", "d", "c"], "page by page nothing is missing and nothing is twice");
    let chat = Scope {
        bot: Some("bot".into()),
        chat: Some("chat".into()),
        channel: Some("channel".into()),
        ..Scope::session(id("e"))
    };
    let summary = SessionSummary { status: SessionStatus::Success, ..SessionSummary::default() };
    let session = NewSession { scope: chat, task: "Find 100% of the Wörter".to_owned(), ..new_session("e") };
    place.begin(&session).expect("a session can begin");
    place.append(&id("e"), EventNumber(0), &[], Some(&summary)).expect("a summary can be stored");
    for (only, wanted) in [
        ("bot", SessionFilter { bot: Some("bot".into()), ..all.clone() }),
        ("chat", SessionFilter { chat: Some("chat".into()), ..all.clone() }),
        ("channel", SessionFilter { channel: Some("channel".into()), ..all.clone() }),
        ("status", SessionFilter { status: Some(SessionStatus::Success), ..all.clone() }),
        ("text", SessionFilter { text: Some("find 100% OF the Wö".to_owned()), ..all.clone() }),
    ] {
        assert_eq!(listed(&wanted), ["e"], "{only}");
    }
    for wanted in [
        SessionFilter { bot: Some("chat".into()), ..all.clone() },
        SessionFilter { text: Some("100_".to_owned()), ..all.clone() },
        SessionFilter { text: Some("find".to_owned()), status: Some(SessionStatus::Failed), ..all },
    ] {
        assert_eq!(listed(&wanted), [] as [&str; 0], "{wanted:?}");
    }
}

/// The order of all sessions' events, which survives the removal of sessions.
fn events_of_all_sessions_are_in_one_order(place: &Now<'_, impl Sessions>) {
    let in_a_chat = Scope { chat: Some("chat".into()), ..Scope::session(id("b")) };
    place.begin(&new_session("a")).expect("a session can begin");
    let other = NewSession { scope: in_a_chat, ..new_session("b") };
    place.begin(&other).expect("a session can begin");
    let add = |name: &str, after: u64, body: &str| {
        place.append(&id(name), EventNumber(after), &[new_event(1, body)], None).expect("an event can be added");
    };
    let read = |after: Sequence, wanted: &EventFilter, limit: usize| {
        let found = place.happened(after, wanted, limit).expect("events can be read");
        let last = found.last().map_or(after, |last| last.sequence);
        (found.into_iter().map(|found| (found.scope.session.to_string(), found.event.body)).collect::<Vec<_>>(), last)
    };
    let all = EventFilter::default();
    assert_eq!(read(Sequence::default(), &all, 9), (Vec::new(), Sequence::default()));
    add("a", 0, "1");
    add("b", 0, "2");
    add("a", 1, "3");
    let named = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter().map(|(session, body)| ((*session).to_owned(), (*body).to_owned())).collect()
    };
    let (first, place_of_first) = read(Sequence::default(), &all, 1);
    assert_eq!(first, named(&[("a", "1")]));
    let (rest, last) = read(place_of_first, &all, 9);
    assert_eq!(rest, named(&[("b", "2"), ("a", "3")]));
    let of_a = EventFilter { session: Some(id("a")), ..all.clone() };
    assert_eq!(read(Sequence::default(), &of_a, 9).0, named(&[("a", "1"), ("a", "3")]));
    let of_chat = EventFilter { chat: Some("chat".into()), ..all.clone() };
    assert_eq!(read(Sequence::default(), &of_chat, 9).0, named(&[("b", "2")]));
    place.remove(&id("a")).expect("a session can be removed");
    add("b", 1, "4");
    assert_eq!(read(last, &all, 9).0, named(&[("b", "4")]), "no place is given twice");
    assert_eq!(read(Sequence::default(), &all, 9).0, named(&[("b", "2"), ("b", "4")]));
}

fn one_works_on_it_at_a_time(place: &Now<'_, impl Sessions>) {
    let session = begun(place, "s");
    let held = Err(StoreFault::Held { what: "session s".to_owned() });
    let claim = place.claim(&session).expect("nobody has it");
    assert_eq!(place.claim(&session).map(drop), held);
    assert_eq!(place.remove(&session), held, "nobody forgets it meanwhile");
    assert_eq!(place.is_held(&session), Ok(true));
    assert_eq!(place.is_held(&id("t")), Ok(false));
    drop(place.claim(&id("t")).expect("another one is free"));
    let under = place.under(&*claim);
    assert_eq!(under.append(&session, EventNumber(0), &[new_event(2, "a")], None), Ok(EventNumber(1)));
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

fn what_is_removed_is_gone(place: &Now<'_, impl Sessions>) {
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
fn any_text_is_a_name(place: &Now<'_, impl Sessions>) {
    let long = "x".repeat(5_000);
    let names =
        ["../../etc/passwd", "/tmp/x", "..", ".", "", "a/b", "a\u{0}b", "a'b\"; --", "ñ\n", "s", "S", "s ", &long];
    for name in names {
        let session = begun(place, name);
        let claim = place.claim(&session).expect("nobody has it");
        let under = place.under(&*claim);
        under.append(&session, EventNumber(0), &[new_event(2, name)], None).expect("an event can be added");
    }
    let claims: Vec<_> = names.map(|name| place.claim(&id(name)).expect("each is another one")).into();
    drop(claims);
    for name in names {
        assert_eq!(bodies(place, &id(name)), [(1, name.to_owned())], "{name:?}");
    }
}

fn of_many_who_add_at_once_one_is_next(place: &Now<'_, impl Sessions>) {
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

/// Also what nobody waits for, and what was handed in before its session was stored.
fn what_is_handed_in_is_stored_in_order(place: &Now<'_, impl Sessions>) {
    let (store, fence) = (place.store(), Fence(0));
    drop(store.begin(new_session("s"), fence, vec![new_event(1, "0")]));
    let add = |number: u64| {
        let events = vec![new_event(1, &number.to_string())];
        store.append(Addition { session: id("s"), fence, after: EventNumber(number), events, summary: None })
    };
    (1..50).for_each(|number| drop(add(number)));
    drop(add(7));
    assert_eq!(wait(add(50)), Ok(EventNumber(51)));
    let kept: Vec<_> = bodies(place, &id("s")).into_iter().map(|(_, body)| body).collect();
    assert_eq!(kept, (0..=50).map(|number| number.to_string()).collect::<Vec<_>>());
}

fn whoever_lost_a_session_adds_nothing_to_it<S: Sessions>(place: &Now<'_, S>, lose: &impl Fn(&S, &SessionId)) {
    let session = id("s");
    let first = place.claim(&session).expect("nobody has it");
    let before = place.under(&*first);
    before.begin(&new_session("s")).expect("a session can begin");
    before.append(&session, EventNumber(0), &[new_event(1, "a")], None).expect("an event can be added");
    let lost = || Err(StoreFault::Lost { what: "session s".to_owned() });
    assert_eq!(place.append(&session, EventNumber(1), &[new_event(1, "no claim")], None), lost());
    lose(place.store(), &session);
    let second = place.claim(&session).expect("nobody has it any more");
    assert!(second.fence() > first.fence());
    assert_eq!(before.append(&session, EventNumber(1), &[new_event(1, "late")], None), lost());
    let after = place.under(&*second);
    assert_eq!(after.append(&session, EventNumber(1), &[new_event(1, "b")], None), Ok(EventNumber(2)));
    drop(first);
    assert_eq!(place.is_held(&session), Ok(true), "the claim that was lost ends no other");
    assert_eq!(bodies(place, &session), [(1, "a".to_owned()), (2, "b".to_owned())]);
}
