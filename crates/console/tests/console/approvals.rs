use crate::world::World;
use palanca_core::ports::{Answer, Questions as _, Ruling, wait};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

fn decision(word: &str, digest: &str) -> Value {
    json!({"decision": word, "digest": digest})
}

pub fn a_question_is_read_and_answered() {
    let world = World::new(Vec::new());
    let asked = world.asked(1);
    let (id, digest) = (asked.id.as_str(), asked.digest.to_hex());
    let list = world.get("/api/approvals").json(200);
    assert_eq!((&list["items"][0]["id"], &list["next"]), (&json!(id), &Value::Null));
    let shown = world.get(&format!("/api/approvals/{id}")).json(200);
    assert_eq!(
        (&shown["state"], &shown["digest"], &shown["tool"]),
        (&json!("open"), &json!(digest), &json!(asked.tool))
    );
    assert!(shown["reasons"][0]["words"].is_string() && shown["effects"].is_array(), "{shown}");
    let answered = world.post(&format!("/api/approvals/{id}/approve"), &decision("approve", &digest)).json(200);
    let expected = (json!("answered"), json!("berta (console)"), json!(false));
    assert_eq!(
        (
            answered["question"]["state"].clone(),
            answered["question"]["answered_by"].clone(),
            answered["parked"].clone()
        ),
        expected
    );
    assert_eq!(wait(world.desk().ruled(&asked)), Ok(Some(Ruling::Answered(Answer::Yes))));
    assert_eq!(world.get("/api/approvals").json(200)["items"], json!([]));
    assert_eq!(world.get("/api/approvals?state=all").json(200)["items"][0]["answer"], "yes");
}

pub fn what_does_not_count_says_why() {
    let world = World::new(Vec::new());
    let asked = world.asked(1);
    let (id, digest) = (asked.id.as_str(), asked.digest.to_hex());
    let other = "0".repeat(64);
    let (yes, no) = (format!("/api/approvals/{id}/approve"), format!("/api/approvals/{id}/deny"));
    for (path, body, status, words) in [
        (&*yes, decision("deny", &digest), 400, "decision"),
        (&*no, decision("approve", &digest), 400, "decision"),
        (&*yes, decision("approve", &other), 409, "another call"),
        (&*yes, json!({"decision": "approve"}), 400, "'digest' is missing"),
        (&*yes, json!({"decision": "approve", "digset": digest}), 400, "Nearest: digest"),
        (&*yes, json!({"decision": 1, "digest": digest}), 400, "'decision' must be a text"),
        (&*yes, json!({"decision": "approve", "digest": digest, "note": "why"}), 400, "goes with a no"),
        (&*yes, json!({"decision": "approve", "digest": digest, "rule": 7}), 400, "no rule 7"),
        (&*no, json!({"decision": "deny", "digest": digest, "rule": 1}), 400, "goes with a yes"),
        (&*yes, json!([1]), 400, "not an object"),
        ("/api/approvals/none/deny", decision("deny", &digest), 404, "no question 'none'"),
    ] {
        let problem = world.post(path, &body).json(status);
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(words) && problem["status"] == status, "{path} {body}: {problem}");
    }
    assert_eq!(wait(world.desk().ruled(&asked)), Ok(None), "nothing counted");
    world.post(&no, &json!({"decision": "deny", "digest": digest, "note": "use the copy"})).json(200);
    assert_eq!(
        wait(world.desk().ruled(&asked)),
        Ok(Some(Ruling::Answered(Answer::NoBecause("use the copy".to_owned()))))
    );
    let late = world.post(&yes, &decision("approve", &digest)).json(409);
    assert_eq!((&late["answered_by"], &late["answer"]), (&json!("berta (console)"), &json!("no")));
    assert!(late["detail"].as_str().unwrap().contains("berta (console)"), "{late}");
    let mut expired = palanca_testkit::questions::question(2);
    wait(world.desk_for(Duration::ZERO).open(&mut expired)).unwrap();
    let path = format!("/api/approvals/{}/approve", expired.id);
    let gone = world.post(&path, &decision("approve", &expired.digest.to_hex()));
    assert!(gone.json(410)["detail"].as_str().unwrap().contains("expired"));
    assert_eq!(gone.header("content-type"), Some("application/problem+json"));
    let spanish = world.head("GET", "/api/approvals/none") + "Accept-Language: fr, es-AR;q=0.9\r\n\r\n";
    assert!(world.send(&spanish).json(404)["detail"].as_str().unwrap().contains("No hay ninguna pregunta"));
}

pub fn a_rule_goes_with_a_yes() {
    let world = World::new(Vec::new());
    let asked = world.asked(1);
    assert!(!asked.drafts.is_empty());
    let mut body = decision("approve", &asked.digest.to_hex());
    body["rule"] = json!(1);
    world.post(&format!("/api/approvals/{}/approve", asked.id), &body).json(200);
    let ruled = wait(world.desk().ruled(&asked));
    assert!(
        matches!(&ruled, Ok(Some(Ruling::Answered(Answer::Always(draft)))) if draft.rule == asked.drafts[0].rule),
        "{ruled:?}"
    );
}

pub fn pages_by_cursor() {
    let world = World::new(Vec::new());
    let mut asked: Vec<String> = (0..5).map(|number| world.asked(number).id.to_string()).collect();
    asked.reverse();
    let (mut found, mut cursor, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let page = world.get(&format!("/api/approvals?limit=2{cursor}")).json(200);
        found.extend(page["items"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()));
        pages += 1;
        let Some(next) = page["next"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!((found, pages), (asked, 3));
    for (query, words) in [("limit=0", "from 1 to"), ("state=closed", "open or all"), ("sate=all", "Nearest: state")] {
        let problem = world.get(&format!("/api/approvals?{query}")).json(400);
        assert!(problem["detail"].as_str().unwrap().contains(words), "{problem}");
    }
}

pub fn of_a_hundred_one_counts_and_the_others_are_told_whose() {
    let world = World::new(Vec::new());
    let asked = world.asked(1);
    let (id, digest) = (&asked.id, asked.digest.to_hex());
    let mut told = BTreeMap::new();
    let answers: Vec<_> = std::thread::scope(|scope| {
        let answer = |number: usize| {
            let word = if number.is_multiple_of(2) { "approve" } else { "deny" };
            world.post(&format!("/api/approvals/{id}/{word}"), &decision(word, &digest))
        };
        let people: Vec<_> = (0..100).map(|number| scope.spawn(move || answer(number))).collect();
        people.into_iter().map(|person| person.join().unwrap()).collect()
    });
    for answer in &answers {
        *told.entry(answer.status).or_insert(0) += 1;
        if answer.status == 409 {
            assert_eq!(answer.json(409)["answered_by"], "berta (console)");
        }
    }
    assert_eq!(told, BTreeMap::from([(200, 1), (409, 99)]));
}
