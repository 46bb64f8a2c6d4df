use crate::world::World;
use palanca_testkit::Turn;
use serde_json::json;

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
    let part = world.get(&format!("/api/sessions/{id}/events?limit=1&after=1")).json(200);
    assert_eq!((&part["items"][0]["number"], &part["next"]), (&json!(2), &json!("2")));
    let problem = world.get("/api/sessions/none").json(404);
    assert!(problem["detail"].as_str().unwrap().contains("no session 'none'"), "{problem}");
}
