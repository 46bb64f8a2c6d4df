use crate::pages::Browser;
use crate::world::{Stream, World};
use palanca_testkit::Turn;
use palanca_testkit::waiting::some;
use serde_json::json;
use std::time::Duration;

fn world() -> World {
    let world = World::new(["A", "B", "C"].into_iter().map(Turn::text).collect());
    for chat in ["1", "2", "3"] {
        let said =
            world.post(&format!("/api/bots/ana/chats/{chat}/messages"), &json!({"text": format!("task {chat}")}));
        assert!(said.body.contains("success"), "{}", said.body);
    }
    world
}

pub fn they_are_listed_page_by_page() {
    let world = world();
    let first = world.get("/api/sessions?limit=2").json(200);
    let task = |page: &serde_json::Value, row: usize| page["items"][row]["task"].as_str().unwrap().to_owned();
    assert_eq!((task(&first, 0), task(&first, 1)), ("task 3".to_owned(), "task 2".to_owned()));
    assert_eq!((&first["items"][0]["bot"], &first["items"][0]["status"]), (&json!("ana"), &json!("success")));
    let next = first["next"].as_str().unwrap();
    let second = world.get(&format!("/api/sessions?limit=2&cursor={next}")).json(200);
    assert_eq!(
        (task(&second, 0), second["items"].as_array().unwrap().len(), &second["next"]),
        ("task 1".to_owned(), 1, &json!(null))
    );
    assert_eq!(world.get("/api/sessions?text=task%202").json(200)["items"].as_array().unwrap().len(), 1);
    assert_eq!(world.get("/api/sessions?status=failed").json(200)["items"], json!([]));
    for (query, words) in [("cursor=x", "earlier page"), ("status=done", "running"), ("bto=ana", "Nearest: bot")] {
        let problem = world.get(&format!("/api/sessions?{query}")).json(400);
        assert!(problem["detail"].as_str().unwrap().contains(words), "{problem}");
    }
}

pub fn one_is_read_with_its_events() {
    let world = world();
    let list = world.get("/api/sessions").json(200);
    let id = list["items"][0]["id"].as_str().unwrap();
    assert_eq!(world.get(&format!("/api/sessions/{id}")).json(200), list["items"][0]);
    let events = world.get(&format!("/api/sessions/{id}/events")).json(200);
    let kinds: Vec<&str> =
        events["items"].as_array().unwrap().iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!((kinds.first(), kinds.last()), (Some(&"began"), Some(&"ended")), "{kinds:?}");
    let exported = world.get(&format!("/sessions/{id}/export"));
    assert!(exported.header("content-disposition").unwrap().contains(id), "{}", exported.head);
    let rows: Vec<serde_json::Value> = exported.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!((told, &rows[0]["session"]), (kinds, &json!(id)));
    assert_eq!(world.get("/sessions/none/export").status, 404);
    let part = world.get(&format!("/api/sessions/{id}/events?limit=1&after=1")).json(200);
    assert_eq!((&part["items"][0]["number"], &part["next"]), (&json!(2), &json!("2")));
    let problem = world.get("/api/sessions/none").json(404);
    assert!(problem["detail"].as_str().unwrap().contains("no session 'none'"), "{problem}");
}

pub fn what_a_session_changed_is_undone() {
    let world = World::new(vec![
        Turn::calls([("file_write", json!({"path": "note.txt", "content": "new\n"}))]),
        Turn::text("Done."),
    ]);
    std::fs::write(world.path("note.txt"), "old\n").unwrap();
    let mut said = Stream::of(world.begin(&world.posting("/api/bots/ana/chats/1/messages", &json!({"text": "go"}))));
    said.until("call");
    let open = some("it asks", || {
        let open = world.get("/api/approvals").json(200)["items"][0].clone();
        open.is_object().then_some(open)
    });
    let id = open["session"].as_str().unwrap();
    let path = format!("/api/sessions/{id}/undo");
    assert_eq!(world.get(&path).json(409)["type"], "urn:palanca:problem:running");
    // A person takes a while: an answer within a millisecond is no wait, and the timeline shows none.
    std::thread::sleep(Duration::from_millis(300));
    let yes = json!({"decision": "approve", "digest": open["digest"]});
    world.post(&format!("/api/approvals/{}/approve", open["id"].as_str().unwrap()), &yes).json(200);
    while said.next().1 != "ended" {}
    assert_eq!(std::fs::read_to_string(world.path("note.txt")).unwrap(), "new\n");
    let look = some("the session is let go", || {
        let look = world.get(&path);
        (look.status == 200).then(|| look.json(200))
    });
    assert_eq!((&look["changes"], &look["done"]), (&json!(["note.txt"]), &json!(false)));
    assert!(look["diff"].as_str().unwrap().contains("-new\n+old\n"), "{look}");
    let mut browser = Browser::logged_in(&world);
    let timeline = browser.get(&format!("/sessions/{id}")).body;
    // What the call waited for, when it ran, and how the session goes on.
    for part in [
        "<span>question (confirm.sensitive): ",
        "<rect class=\"waits\"",
        "<rect class=\"runs\"",
        "bots&#x2f;ana?chat=1\"",
        "Go on in its chat",
    ] {
        assert!(timeline.contains(part), "{part}: {timeline}");
    }
    let page = browser.get(&format!("/sessions/{id}/undo")).body;
    assert!(page.contains("note.txt") && page.contains("Undo them now"), "{page}");
    assert!(browser.get(&format!("/sessions/{id}")).body.contains(&format!("/sessions/{id}/undo")));
    assert_eq!(browser.post(&format!("/sessions/{id}/undo"), &[("word", "guess")]).status, 403);
    assert_eq!(std::fs::read_to_string(world.path("note.txt")).unwrap(), "new\n");
    let word = browser.word();
    assert_eq!(browser.post(&format!("/sessions/{id}/undo"), &[("word", &word)]).status, 303);
    assert_eq!(std::fs::read_to_string(world.path("note.txt")).unwrap(), "old\n");
    std::fs::write(world.path("note.txt"), "mine\n").unwrap();
    world.post(&path, &json!({})).json(409);
    assert_eq!(std::fs::read_to_string(world.path("note.txt")).unwrap(), "mine\n");
}
