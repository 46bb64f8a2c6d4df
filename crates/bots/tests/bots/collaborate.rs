//! Bots that talk with each other: as themselves, for so long, and in no rings.

use crate::house::{House, block_on, chat, say};
use palanca_core::ToolResult;
use palanca_core::ports::NoAsker;
use palanca_core::tool::Cancel;
use palanca_testkit::Turn;
use serde_json::{Value, json};
use std::io::Read as _;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

const BOTS: &str = "[{id: ana, confirmMode: yolo, name: Ana}, {id: bob, name: Bob, description: keeps the books, confirmMode: yolo, \
                    disabledTools: [exec], folder: books}, {id: eva, confirmMode: yolo}, {id: off, enabled: false}, \
                    {id: bad, timezone: Madrid}]";

fn house(more: &str, turns: Vec<Turn>) -> House {
    let house = House::new(&format!("{BOTS}\ncollaboration: {{enabled: true{more}}}"), turns);
    std::fs::create_dir(house.path("books")).unwrap();
    house
}

fn send(to: &str, words: &str) -> Value {
    json!({"action": "send", "targetBotId": to, "message": words})
}

fn again(to: &str, words: &str, session: &Value) -> Value {
    json!({"action": "send", "targetBotId": to, "message": words, "sessionId": session})
}

fn error(result: &ToolResult) -> &str {
    result.error.as_deref().unwrap_or(&result.output)
}

/// Calls of `collaborate` by ana in one chat.
async fn calls(bots: &palanca_bots::Bots, all: &[Value]) -> Vec<ToolResult> {
    let executor = bots.executor(&chat("1"), "ana", Arc::new(NoAsker)).unwrap();
    let mut results = Vec::new();
    for arguments in all {
        results.push(executor.execute("collaborate", arguments.clone()).await);
    }
    executor.end().await;
    results
}

pub fn others_are_discovered_with_what_they_can_do() {
    let bots = |more: &str| house(more, Vec::new());
    let found = block_on(calls(&bots("").bots(), &[json!({"action": "discover"})])).remove(0);
    let data = found.data.clone().unwrap();
    let ids: Vec<&str> = data.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["bob", "eva", "bad"], "not itself, and not one that is switched off");
    let tools: Vec<&str> = data[0]["tools"].as_array().unwrap().iter().map(|tool| tool.as_str().unwrap()).collect();
    assert!(tools.contains(&"file_write") && tools.contains(&"save_memory"), "{tools:?}");
    for without in ["exec", "collaborate", "delegate_to_bot"] {
        assert!(!tools.contains(&without), "{without}: {tools:?}");
    }
    let told = "- **bob** (Bob)\n  Description: keeps the books\n  Tools: file_read, file_write, ";
    assert!(
        found.output.starts_with(told) && found.output.contains("\n  Model: openai:a\n- **eva**\n"),
        "{}",
        found.output
    );
    let none = block_on(calls(&bots(", enableTargetTools: false").bots(), &[json!({"action": "discover"})])).remove(0);
    assert_eq!(none.data.unwrap()[0]["tools"], json!([]));
}

pub fn one_that_is_asked_is_itself_and_remembers_the_conversation() {
    let note = Turn::calls([
        ("save_memory", json!({"fact": "ana asked for the balance"})),
        ("file_write", json!({"path": "balance.txt", "content": "12\n"})),
    ]);
    let house = house("", vec![note, Turn::text("It is 12."), Turn::text("As I said, 12.")]);
    let bots = house.bots();
    block_on(async {
        let executor = bots.executor(&chat("1"), "ana", Arc::new(NoAsker)).unwrap();
        let first = executor.execute("collaborate", send("bob", "The balance?")).await;
        assert!(first.success && first.foreign, "{first:?}");
        let data = first.data.unwrap();
        assert_eq!(data["response"], "It is 12.");
        let session = data["sessionId"].as_str().unwrap();
        assert!(session.len() == 8 && session.bytes().all(|byte| byte.is_ascii_hexdigit()), "{session}");
        assert!(first.output.contains("EXTERNAL_UNTRUSTED_CONTENT"), "{}", first.output);
        let second = executor.execute("collaborate", again("bob", "Sure?", &data["sessionId"])).await;
        assert_eq!(second.data.unwrap()["response"], "As I said, 12.");
        let ended = executor.execute("collaborate", json!({"action": "end_session", "sessionId": session})).await;
        assert!(ended.success && ended.output.contains(session), "{ended:?}");
        let gone = executor.execute("collaborate", again("bob", "?", &data["sessionId"])).await;
        assert!(error(&gone).contains("Leave out sessionId"), "{gone:?}");
        executor.end().await;
    });
    // With its own folders, and nothing of the other's.
    assert_eq!(std::fs::read_to_string(house.path("books/balance.txt")).unwrap(), "12\n");
    assert!(house.path("config/soul/bob/memory").is_dir() && !house.path("config/soul/ana").exists());
    let heard = house.heard();
    assert!(heard[0][0].contains("The balance?") && heard[0][0].contains("EXTERNAL_UNTRUSTED_CONTENT"), "{heard:?}");
    assert!(heard[2].iter().any(|said| said.contains("It is 12.")) && heard[2].last().unwrap().contains("Sure?"));
    let prompt = house.instructions(0);
    assert!(prompt.starts_with("You are Bob.") && prompt.contains("## Asked by Another Bot"), "{prompt}");
    assert!(!prompt.contains("collaborate") && !prompt.contains("delegate_to_bot"), "{prompt}");
}

pub fn who_is_asked_asks_nobody_further() {
    let ring = || {
        Turn::calls([
            ("collaborate", send("eva", "Ask ana.")),
            ("delegate_to_bot", json!({"targetBotId": "eva", "message": "x"})),
        ])
    };
    let house = house("", vec![ring(), Turn::text("I cannot."), ring(), Turn::text("Nor can I.")]);
    let results = block_on(calls(&house.bots(), &[send("bob", "Ask eva."), send("bob", "Ask eva.")]));
    for (result, answer) in results.iter().zip(["I cannot.", "Nor can I."]) {
        assert_eq!(result.data.as_ref().unwrap()["response"], answer);
    }
    let heard = house.heard();
    assert_eq!(heard.len(), 4, "nobody else was asked");
    assert!(
        heard[1].iter().filter(|said| said.contains("collaborate") || said.contains("delegate_to_bot")).count() >= 2
    );
}

pub fn a_conversation_belongs_to_who_began_it() {
    let house = house(", maxRounds: 20", vec![Turn::text("Yes."), Turn::text("Yes.")]);
    let bots = house.bots();
    block_on(async {
        let ana = bots.executor(&chat("1"), "ana", Arc::new(NoAsker)).unwrap();
        let begun = ana.execute("collaborate", send("bob", "Are you there?")).await;
        let session = &begun.data.unwrap()["sessionId"];
        for (bot, name) in [("ana", "2"), ("eva", "1")] {
            let other = bots.executor(&chat(name), bot, Arc::new(NoAsker)).unwrap();
            for arguments in [again("bob", "x", session), json!({"action": "end_session", "sessionId": session})] {
                let result = other.execute("collaborate", arguments).await;
                assert_eq!(result.code.as_deref(), Some("not_found"), "{bot} {name}: {result:?}");
            }
            other.end().await;
        }
        let result = ana.execute("collaborate", again("eva", "x", session)).await;
        assert_eq!(result.code.as_deref(), Some("not_found"), "another bot is not in it: {result:?}");
        assert!(ana.execute("collaborate", again("bob", "still?", session)).await.success);
        ana.end().await;
    });
}

pub fn messages_conversations_and_their_time_are_bounded() {
    let yes = |number: usize| (0..number).map(|_| Turn::text("Yes.")).collect();
    let bounded = house(", maxConverseTurns: 2, maxRounds: 3", yes(9));
    let bots = bounded.bots();
    block_on(async {
        let ana = bots.executor(&chat("1"), "ana", Arc::new(NoAsker)).unwrap();
        let session = ana.execute("collaborate", send("bob", "1")).await.data.unwrap()["sessionId"].clone();
        assert!(ana.execute("collaborate", again("bob", "2", &session)).await.success);
        let over = ana.execute("collaborate", again("bob", "3", &session)).await;
        assert!(error(&over).contains("collaboration.maxConverseTurns: 2"), "{over:?}");
        // That was the third message of the two.
        let pause = ana.execute("collaborate", send("bob", "4")).await;
        assert!(error(&pause).starts_with("Collaboration blocked: cooldown ("), "{pause:?}");
        assert_eq!(pause.code.as_deref(), Some("rate_limited"));
        let bob = bots.executor(&chat("1"), "bob", Arc::new(NoAsker)).unwrap();
        assert!(!bob.execute("collaborate", send("ana", "5")).await.success, "it is the pause of both");
        assert!(ana.execute("collaborate", send("eva", "6")).await.success);
        ana.end().await;
        bob.end().await;
    });
    let house = house(", sessionTtlMs: 0", yes(1));
    let bots = house.bots();
    block_on(async {
        let ana = bots.executor(&chat("1"), "ana", Arc::new(NoAsker)).unwrap();
        let session = ana.execute("collaborate", send("bob", "1")).await.data.unwrap()["sessionId"].clone();
        let gone = ana.execute("collaborate", again("bob", "2", &session)).await;
        assert_eq!(gone.code.as_deref(), Some("not_found"));
        ana.end().await;
    });
}

pub fn a_pause_holds_for_delegation_too() {
    let ask = || Turn::calls([("delegate_to_bot", json!({"targetBotId": "bob", "message": "Hello?"}))]);
    let house = house(", maxRounds: 1", vec![ask(), Turn::text("Hello."), ask(), Turn::text("It rests.")]);
    let said = block_on(say(&house.bots(), "ana", &chat("1"), "Greet bob twice.", Cancel::new())).unwrap();
    assert_eq!(said.answer.as_deref(), Some("It rests."));
    assert!(house.heard()[3].last().unwrap().contains("Collaboration blocked: cooldown ("), "{:?}", house.heard()[3]);
}

pub fn an_answer_that_is_late_ends_the_turn() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, closed) = mpsc::channel();
    std::thread::spawn(move || {
        // Takes the request and says nothing, until the other side is gone.
        let (mut stream, _) = listener.accept().unwrap();
        let mut rest = [0; 1024];
        while stream.read(&mut rest).is_ok_and(|read| read > 0) {}
        sender.send(()).unwrap();
    });
    let bots = "[{id: ana, confirmMode: yolo}, {id: bob, model: slow}]";
    let more = format!(
        "ollama: {{baseUrl: 'http://127.0.0.1:{port}'}}\ncollaboration: {{enabled: true, internalQueryTimeout: 1500}}"
    );
    let house = House::new(&format!("{bots}\n{more}"), Vec::new());
    let bots = house.bots();
    block_on(async {
        let ana = bots.executor(&chat("1"), "ana", Arc::new(NoAsker)).unwrap();
        let late = ana.execute("collaborate", send("bob", "1")).await;
        assert!(error(&late).contains("Its turn was ended"), "{late:?}");
        ana.end().await;
    });
    closed.recv_timeout(Duration::from_secs(60)).expect("the model is asked no longer");
}

pub fn what_cannot_be_asked_is_said() {
    let house = house("", Vec::new());
    let rows = [
        (json!({"action": "send", "message": "x"}), "Missing required parameter: targetBotId"),
        (json!({"action": "send", "targetBotId": "bob"}), "Missing required parameter: message"),
        (json!({"action": "end_session"}), "Missing required parameter: sessionId"),
        (send("ana", "x"), "'ana' is you"),
        (send("bobo", "x"), "use bob"),
        (send("off", "x"), "No bot is called 'off'"),
        (send("bob", " "), "empty or too long"),
        (again("bob", "x", &json!("12345678")), "There is no conversation '12345678'"),
        (again("bob", "x", &json!("../../x")), "There is no conversation"),
        (json!({"action": "end_session", "sessionId": "12345678"}), "There is no conversation '12345678'"),
        (send("bad", "x"), "The bot 'bad' cannot answer: "),
        (send("bob", "x"), "The bot 'bob' cannot answer: The model could not be used"),
        (json!({"action": "chat"}), "action"),
    ];
    let results = block_on(calls(&house.bots(), &rows.clone().map(|(call, _)| call)));
    for (result, (call, words)) in results.iter().zip(&rows) {
        assert!(!result.success && result.for_model().contains(words), "{call}: {}", result.for_model());
    }
}

pub fn without_a_group_a_visible_message_is_internal_and_a_person_is_asked() {
    let own = house("", vec![Turn::text("Here.")]);
    let mut visible = send("bob", "x");
    visible["visible"] = json!(true);
    let result = block_on(calls(&own.bots(), &[visible])).remove(0);
    assert!(result.success && result.output.contains("nobody reads along"), "{result:?}");
    let bots = "[{id: ana, confirmMode: confirm-sensitive}, {id: bob, confirmMode: confirm-sensitive}]\ncollaboration: {enabled: true}";
    let house = House::new(bots, Vec::new());
    let result = block_on(calls(&house.bots(), &[send("bob", "x")])).remove(0);
    assert_eq!(result.code.as_deref(), Some("confirm.no_terminal"));
    let off = House::new("[{id: ana}, {id: bob}]", Vec::new());
    let result = block_on(calls(&off.bots(), &[send("bob", "x")])).remove(0);
    assert!(error(&result).contains("collaboration.enabled: true"), "{result:?}");
}

pub fn nobody_answers_for_the_one_that_is_asked() {
    let write = Turn::calls([("file_write", json!({"path": "x.txt", "content": "x"}))]);
    let bots =
        "[{id: ana, confirmMode: yolo}, {id: bob, confirmMode: confirm-sensitive}]\ncollaboration: {enabled: true}";
    let house = House::new(bots, vec![write, Turn::text("I may not.")]);
    let result = block_on(calls(&house.bots(), &[send("bob", "Write x.txt.")])).remove(0);
    assert_eq!(result.data.unwrap()["response"], "I may not.");
    assert!(!house.path("x.txt").exists());
}
