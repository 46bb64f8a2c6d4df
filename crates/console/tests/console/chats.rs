use crate::pages::Browser;
use crate::world::{Stream, World, read};
use palanca_testkit::Turn;
use serde_json::{Value, json};

fn writes(text: &str) -> Turn {
    Turn::calls([("file_write", json!({"path": "note.txt", "content": text}))])
}

fn begin(world: &World, words: &str) -> Stream {
    Stream::of(world.begin(&world.posting("/api/bots/ana/chats/1/messages", &json!({"text": words}))))
}

/// Waits for the one open question and answers it.
fn answer(world: &World, word: &str, note: Option<&str>) -> Value {
    let mut news = Stream::of(world.begin(&format!("{}\r\n", world.head("GET", "/api/events"))));
    loop {
        let open = news.until("approvals");
        if let Some(id) = open["open"][0].as_str() {
            let question = world.get(&format!("/api/approvals/{id}")).json(200);
            let body = json!({"decision": word, "digest": question["digest"], "note": note});
            world.post(&format!("/api/approvals/{id}/{word}"), &body).json(200);
            return question;
        }
    }
}

pub fn a_bot_asks_and_is_answered_from_elsewhere() {
    let world = World::new(vec![writes("hello"), Turn::text("Noted.")]);
    let mut said = begin(&world, "note it");
    assert_eq!(said.until("call")["tool"], "file_write");
    let question = answer(&world, "approve", None);
    assert_eq!(
        (&question["bot"], &question["chat"], &question["channel"]),
        (&json!("ana"), &json!("1"), &json!("console"))
    );
    let result = said.until("result");
    assert_eq!(result["success"], true, "{result}");
    let ended = loop {
        let (_, kind, data) = said.next();
        if kind == "ended" {
            break data;
        }
    };
    assert_eq!((&ended["text"], &ended["status"]), (&json!("Noted."), &json!("success")), "{ended}");
    assert_eq!(std::fs::read_to_string(world.path("note.txt")).unwrap(), "hello");
    let question = world.get(&format!("/api/approvals/{}", question["id"].as_str().unwrap())).json(200);
    assert_eq!((&question["state"], &question["answered_by"]), (&json!("spent"), &json!("berta (console)")));
}

pub fn a_no_and_its_reason_reach_the_model() {
    let world = World::new(vec![writes("hello"), Turn::text("Then not.")]);
    let mut said = begin(&world, "note it");
    said.until("call");
    answer(&world, "deny", Some("not in this folder"));
    assert_eq!(said.until("result")["code"], "confirm.declined");
    while said.next().1 != "ended" {}
    assert!(!world.path("note.txt").exists());
    let heard = world.server.requests();
    assert!(heard[1].body.to_string().contains("not in this folder"), "{}", heard[1].body);
}

pub fn what_is_said_meanwhile_is_heard_or_answered_next() {
    let world = World::new(vec![writes("milk"), Turn::text("Both noted."), Turn::text("Here.")]);
    let mut first = begin(&world, "note milk");
    first.until("call");
    let mut second = begin(&world, "and bread").begun();
    answer(&world, "approve", None);
    for said in [&mut first, &mut second] {
        assert_eq!(said.until("ended")["text"], "Both noted.");
    }
    let heard = world.server.requests();
    let last = |number: usize| heard[number].body["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    assert_eq!((heard.len(), last(1)), (2, json!("and bread")));
    assert_eq!(begin(&world, "are you there?").until("ended")["text"], "Here.");
}

pub fn an_answer_is_stopped() {
    let world = World::new(vec![writes("hello"), Turn::text("Again.")]);
    let mut said = begin(&world, "note it");
    said.until("call");
    let stopped = world.post("/api/bots/ana/chats/1/stop", &json!({})).json(200);
    assert_eq!(stopped["stopped"], 1);
    while said.next().1 != "ended" {}
    assert_eq!(world.get("/api/approvals").json(200)["items"], json!([]), "its question was taken back");
    assert!(!world.path("note.txt").exists());
    let mut said = begin(&world, "and now");
    while said.next().1 != "ended" {}
}

pub fn no_secret_is_in_an_answer() {
    let secret = "ghp_7KU0eVduYDFOGxO780wTzy8FwpdKGt8Xyxqv";
    let world = World::new(vec![Turn::text(&format!("It is {secret}."))]);
    let request = world.posting("/api/bots/ana/chats/1/messages", &json!({"text": "say it"}));
    let answer = read(world.begin(&request));
    assert!(answer.body.contains("[REDACTED:github-token]") && !answer.body.contains(secret), "{}", answer.body);
    let sessions = world.get("/api/sessions").json(200);
    let id = sessions["items"][0]["id"].as_str().unwrap();
    let events = world.get(&format!("/api/sessions/{id}/events")).body;
    assert!(events.contains("REDACTED") && !events.contains(secret), "{events}");
}

pub fn every_leak_as_labelled() {
    let rows = palanca_testkit::corpus("leaks");
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let world = World::new(rows.iter().map(|row| Turn::text(&text(row, "input"))).collect());
    let mut wrong = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let path = format!("/api/bots/ana/chats/{number}/messages");
        let answer = read(world.begin(&world.posting(&path, &json!({"text": "say it"})))).body;
        let session = world.get("/api/sessions?limit=1").json(200)["items"][0]["id"].as_str().unwrap().to_owned();
        let events = world.get(&format!("/api/sessions/{session}/events")).body;
        let browser = Browser::logged_in(&world);
        let page = browser.get(&format!("/sessions/{session}")).body;
        let export = browser.get(&format!("/sessions/{session}/export")).body;
        let all = [answer, events, page, export];
        let is_held = match &*text(row, "expect") {
            "redact" => all.iter().all(|shown| !shown.contains(&text(row, "secret"))),
            _ => all.iter().all(|shown| !shown.contains("REDACTED")),
        };
        if !is_held && row["strict"] == true {
            wrong.push(format!("{}: {}", row["id"], row["why"]));
        }
    }
    assert!(wrong.is_empty() && !rows.is_empty(), "{}", wrong.join("\n"));
}

pub fn what_is_wrong_is_said() {
    let world = World::new(vec![Turn::status(401, "no such key")]);
    let text = json!({"text": "hello"});
    for (path, body, status, words) in [
        ("/api/bots/anna/chats/1/messages", &text, 404, "ana"),
        ("/api/bots/ana/chats/1/messages", &json!({"text": " "}), 400, "says nothing"),
        ("/api/bots/ana/chats/1/messages", &json!({"txt": "a"}), 400, "Nearest: text"),
        ("/api/bots/ana/chats/a%2Fb/messages", &text, 400, "may have: 64"),
    ] {
        let problem = world.post(path, body).json(status);
        assert!(problem["detail"].as_str().unwrap().contains(words), "{problem}");
    }
    let ended = world.post("/api/bots/ana/chats/1/messages", &text);
    assert!(ended.status == 200 && ended.body.contains("\"status\":\"failed\""), "{}", ended.body);
    assert_eq!(ended.header("content-type"), Some("text/event-stream"));
    let bots = world.get("/api/bots").json(200);
    assert_eq!((&bots["items"][0]["name"], &bots["items"][1]["id"]), (&json!("Ana"), &json!("eva")), "{bots}");
}
