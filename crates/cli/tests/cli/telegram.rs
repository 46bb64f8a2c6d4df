//! Bots in people's chats at Telegram: `palanca serve` between a server that speaks its API and a scripted model.

mod aloud;
mod files;
mod flood;
mod meanwhile;
mod peers;
mod stress;
mod webhook;

use crate::harness::Bench;
use crate::serve::Serving;
use palanca_testkit::{FakeTelegram, Manner, ScriptedServer, Turn, until};
use serde_json::{Value, json};

const TOKEN: &str = "111:a-token-of-ana_bot";
const OTHER: &str = "222:a-token-of-eva_bot";
const ANA: i64 = 7;
const MALLORY: i64 = 66;

struct House {
    bench: Bench,
    model: ScriptedServer,
    telegram: FakeTelegram,
}

impl House {
    /// With these bots, in YAML.
    fn new(bots: &str, turns: Vec<Turn>) -> Self {
        Self::with(bots, "buffer: {inboundDebounceMs: 50, queueDebounceMs: 50}", turns)
    }

    fn with(bots: &str, buffer: &str, turns: Vec<Turn>) -> Self {
        let (model, telegram) = (ScriptedServer::spawn(turns, Manner::default()), FakeTelegram::start());
        telegram.bot(TOKEN, 111, "ana_bot");
        telegram.bot(OTHER, 222, "eva_bot");
        // Any value is a key to the scripted server.
        let llm = format!("llm: {{model: 'openai:scripted', api_base: '{}', api_key_env: PATH}}", model.openai_url());
        let house = Self { bench: Bench::new(&[]), model, telegram };
        let api = format!("telegram: {{apiUrl: '{}'}}", house.telegram.url());
        house
            .bench
            .write("bots.yaml", &format!("{llm}\n{api}\n{buffer}\nfileTools: {{enabled: true}}\nbots: {bots}\n"));
        house
    }

    /// With one bot, which knows Ana.
    fn of_ana(turns: Vec<Turn>) -> Self {
        Self::new(&format!("[{{id: ana, name: Ana, token: '{TOKEN}', allowedUsers: ['{ANA}']}}]"), turns)
    }

    fn serve(&self) -> Serving {
        let serving = Serving::begin(&mut self.bench.command(&[
            "--config",
            "bots.yaml",
            "serve",
            "--no-console",
            "--drain",
            "1",
        ]));
        until("ana is there", || serving.stdout().contains("can be talked to as @ana_bot"));
        serving
    }

    fn says(&self, text: &str) {
        self.telegram.says(TOKEN, ANA, text);
    }

    fn sent(&self) -> Vec<String> {
        self.telegram.sent(TOKEN)
    }

    /// Waits for so many messages of the bot.
    #[track_caller]
    fn sends(&self, count: usize) -> Vec<String> {
        until("it answers", || self.sent().len() >= count);
        self.sent()
    }

    /// The texts up to this one. What a kill may have repeated is there once: it was sent, and the kill came before that was noted.
    fn said_up_to(&self, last: &str) -> Vec<String> {
        until("it answers", || self.sent().last().is_some_and(|said| said == last));
        let mut sent = self.sent();
        sent.dedup();
        sent
    }

    /// What the model was told in its last request, without instructions.
    fn told(&self) -> Vec<String> {
        let requests = self.model.requests();
        let messages = requests.last().unwrap().body["messages"].as_array().unwrap().iter().skip(1);
        messages.filter_map(|said| said["content"].as_str().map(str::to_owned)).collect()
    }

    fn instructions(&self) -> String {
        self.model.requests().last().unwrap().body["messages"][0]["content"].as_str().unwrap().to_owned()
    }

    /// The last message with buttons.
    fn question(&self) -> Value {
        let asked =
            || self.telegram.calls(TOKEN, "sendMessage").into_iter().rfind(|sent| !sent["reply_markup"].is_null());
        until("it asks", || asked().is_some());
        asked().unwrap()
    }

    fn write_down() -> Turn {
        Turn::calls([("file_write", json!({"path": "note.txt", "content": "milk"}))])
    }

    fn has_note(&self) -> bool {
        self.bench.workspace().join("note.txt").exists()
    }

    /// In a group, from this person.
    fn says_in_group(&self, token: &str, person: i64, text: &str) {
        let at = text.find("@ana_bot");
        let entities = at.map(|at| json!([{"type": "mention", "offset": at, "length": 8}])).unwrap_or_default();
        let from = json!({"id": person, "is_bot": false, "first_name": format!("P{person}")});
        let chat = json!({"id": -50, "type": "supergroup", "title": "home"});
        let message = json!({"message_id": 3, "from": from, "chat": chat, "text": text, "entities": entities});
        self.telegram.comes(token, "message", &message);
    }
}

/// Nothing that anybody can read holds a token.
#[track_caller]
fn is_secret(house: &House, said: &str) {
    let mut texts = vec![said.to_owned(), house.bench.run(&["audit", "show", "--stages", "--json"]).expect(0).stdout];
    let mut folders = vec![house.bench.home()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else if let Ok(bytes) = std::fs::read(entry.path()) {
                texts.push(String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    for secret in ["a-token-of-ana_bot", "a-token-of-eva_bot"] {
        assert!(texts.iter().all(|text| !text.contains(secret)), "{secret}");
    }
}

#[test]
fn two_bots_talk_in_private_each_as_itself() {
    let bots = format!(
        "[{{id: ana, name: Ana, token: '{TOKEN}', allowedUsers: ['{ANA}']}},
          {{id: eva, name: Eva, token: '{OTHER}', allowedUsers: ['@p{ANA}', '{ANA}']}}, {{id: silent}}]"
    );
    let turns = vec![Turn::text("Hi."), Turn::text(&format!("My token is {TOKEN}.")), Turn::text("Eva here.")];
    let house = House::with(&bots, "buffer: {inboundDebounceMs: 2000}", turns);
    let serving = house.serve();
    house.says("/start");
    assert!(house.sends(1)[0].contains("I am Ana"));
    // What comes quickly is answered together.
    house.telegram.says_all(TOKEN, ANA, &["hello", "are you there?"]);
    assert_eq!(house.sends(2)[1], "Hi.");
    assert_eq!(house.told(), ["hello\nare you there?"]);
    assert!(!house.telegram.calls(TOKEN, "sendChatAction").is_empty());
    house.says("what is your token?");
    let said = house.sends(3)[2].clone();
    assert!(said.starts_with("My token is ") && !said.contains("a-token"), "{said}");
    assert_eq!(house.told().len(), 3, "it is the same chat");
    house.telegram.says(OTHER, ANA, "who are you?");
    until("the other answers", || house.telegram.sent(OTHER) == ["Eva here."]);
    assert_eq!(house.told(), ["who are you?"]);
    let ended = serving.end().expect(0);
    is_secret(&house, &format!("{}{}", ended.stdout, ended.stderr));
}

#[test]
fn nobody_else_is_answered_and_their_words_reach_no_model() {
    let house = House::of_ana(vec![Turn::text("Yes?")]);
    let serving = house.serve();
    house.telegram.says(TOKEN, MALLORY, "let me in");
    house.telegram.says(TOKEN, MALLORY, "/stop");
    house.says_in_group(TOKEN, MALLORY, "@ana_bot hello");
    house.says_in_group(TOKEN, ANA, "nobody is meant");
    house.says_in_group(TOKEN, ANA, "@ana_bot are you there?");
    let sent = house.sends(2);
    assert!(sent[0].contains("66") && sent[0].contains("allowedUsers"), "{sent:?}");
    until("the group is answered", || house.sent().contains(&"Yes?".to_owned()));
    assert_eq!(house.told(), ["[P7] @ana_bot are you there?"]);
    assert!(house.instructions().contains("## Group Chat"));
    assert_eq!(house.telegram.calls(TOKEN, "sendMessage").last().unwrap()["chat_id"], -50);
    let ended = serving.end().expect(0);
    assert_eq!(ended.stderr.matches("P66 (66) wrote to ana").count(), 1, "{}", ended.stderr);
    assert_eq!((house.sent().len(), house.model.turns_left()), (2, 0));
}

#[test]
fn where_nobody_is_named_strangers_talk_and_decide_nothing() {
    let bots = format!("[{{id: ana, token: '{TOKEN}', mentionPatterns: ['\\bana\\b']}}]");
    let house = House::new(&bots, vec![Turn::text("Hello."), House::write_down()]);
    let serving = house.serve();
    house.says_in_group(TOKEN, MALLORY, "Hey Ana!");
    house.sends(1);
    let told = house.told().concat();
    assert!(told.contains("EXTERNAL") && told.contains("Hey Ana!"), "{told}");
    house.telegram.says(TOKEN, MALLORY, "/start");
    assert!(house.sends(2)[1].contains("66"), "who should be named learns the number");
    house.telegram.says(TOKEN, MALLORY, "write it down");
    assert!(house.sends(3)[2].contains("owner's approval"));
    assert!(house.telegram.calls(TOKEN, "sendMessage").iter().all(|sent| sent["reply_markup"].is_null()));
    serving.kill();
    assert!(!house.has_note());
}

#[test]
fn a_button_of_who_was_asked_decides_once() {
    let house = House::of_ana(vec![House::write_down(), Turn::text("Written.")]);
    let serving = house.serve();
    house.says("write it down");
    let question = house.question();
    let text = question["text"].as_str().unwrap();
    assert!(text.contains("May I run file_write?") && text.contains("note.txt") && text.contains("milk"), "{text}");
    // Words never answer; somebody else's press, one from another chat and a made-up one do not count.
    house.says("yes");
    house.telegram.presses(TOKEN, MALLORY, &question, "Yes");
    let holds = &question["reply_markup"]["inline_keyboard"][0][0]["callback_data"];
    house.telegram.presses_with(TOKEN, ANA, &json!(-50), holds);
    house.telegram.presses_with(TOKEN, ANA, &json!(ANA), &json!("ask:yes:nothing"));
    house.telegram.presses_with(TOKEN, ANA, &json!(ANA), &json!(["x"]));
    until("they are refused", || house.telegram.calls(TOKEN, "answerCallbackQuery").len() == 4);
    assert!(!house.has_note());
    house.telegram.presses(TOKEN, ANA, &question, "Yes");
    house.telegram.presses(TOKEN, ANA, &question, "No");
    until("it is done", || house.sent().contains(&"Written.".to_owned()));
    assert!(house.has_note());
    until("the buttons go", || !house.telegram.calls(TOKEN, "editMessageText").is_empty());
    let edited = house.telegram.calls(TOKEN, "editMessageText")[0]["text"].to_string();
    assert!(edited.contains("→ yes, by P7 (7) (telegram)"), "{edited}");
    until("the last press is answered", || house.telegram.calls(TOKEN, "answerCallbackQuery").len() == 6);
    let ended = serving.end().expect(0);
    assert!(ended.stderr.contains("P66 (66) pressed a button of ana"), "{}", ended.stderr);
    let audit = house.bench.run(&["audit", "show", "--stages", "--json"]).expect(0).stdout;
    assert!(audit.contains("confirm.not_theirs") && audit.contains("P66 (66)"), "{audit}");
}

#[test]
fn a_question_is_answered_from_elsewhere_and_a_no_is_one() {
    let house =
        House::of_ana(vec![House::write_down(), Turn::text("Then not."), House::write_down(), Turn::text("Nor now.")]);
    let serving = house.serve();
    house.says("write it down");
    let asked = house.question();
    let open = house.bench.run(&["approvals", "list", "--json"]).expect(0).json();
    let id = open[0]["id"].as_str().unwrap().to_owned();
    house.bench.run(&["approvals", "answer", &id, "no"]).expect(0);
    until("it goes on", || house.sent().contains(&"Then not.".to_owned()));
    until("the chat is told", || {
        house.telegram.calls(TOKEN, "editMessageText").iter().any(|edit| edit["text"].to_string().contains("→ no, by"))
    });
    house.telegram.presses(TOKEN, ANA, &asked, "Yes");
    until("it is too late", || {
        let notices = house.telegram.calls(TOKEN, "answerCallbackQuery");
        notices.iter().any(|notice| notice["text"].to_string().contains("is over"))
    });
    house.says("again");
    until("it asks again", || house.question()["reply_markup"] != asked["reply_markup"]);
    house.telegram.presses(TOKEN, ANA, &house.question(), "No");
    until("it is declined", || house.sent().contains(&"Nor now.".to_owned()));
    serving.end().expect(0);
    assert!(!house.has_note());
}

#[test]
fn what_comes_in_is_kept_once_though_the_process_is_killed() {
    let house = is_kept_once(Serving::kill, answers_again);
    assert!(house.has_note());
}

#[test]
fn what_comes_in_is_kept_once_though_the_process_is_asked_to_end() {
    // Nobody waits for the answer to the question: it is put again, too.
    let house = is_kept_once(|serving| drop(serving.end().expect(0)), answers_again);
    assert!(house.has_note());
}

/// The question is put again: the answer goes on where it was.
fn answers_again(house: &House) {
    until("it asks again", || {
        let asked = house.telegram.calls(TOKEN, "sendMessage");
        asked.iter().filter(|sent| !sent["reply_markup"].is_null()).count() == 2
    });
    house.telegram.presses(TOKEN, ANA, &house.question(), "Yes");
}

/// Two messages, of which the first leads to a question, and the end of the process then.
fn is_kept_once(end: fn(Serving), then: fn(&House)) -> House {
    let house = House::of_ana(vec![House::write_down(), Turn::text("Written."), Turn::text("Next.")]);
    let serving = house.serve();
    house.says("write it down");
    house.question();
    house.says("and then?");
    until("it has arrived", || house.telegram.unconfirmed(TOKEN) == 0);
    end(serving);
    let serving = house.serve();
    then(&house);
    until("both are answered", || house.sent().ends_with(&["Written.".to_owned(), "Next.".to_owned()]));
    let told = house.told().join("\n");
    assert_eq!((told.matches("write it down").count(), told.matches("and then?").count()), (1, 1), "{told}");
    serving.end().expect(0);
    // Nothing is left of it.
    let serving = house.serve();
    house.says("/stop");
    until("it lives", || house.sent().last().unwrap().contains("no answer to end"));
    serving.end().expect(0);
    assert_eq!(house.model.turns_left(), 0);
    house
}

#[test]
fn an_answer_that_could_not_be_sent_is_sent_by_the_next_process() {
    let house = House::of_ana(vec![Turn::text("Here it is.")]);
    let serving = house.serve();
    let blocked = json!({"ok": false, "error_code": 429, "parameters": {"retry_after": 3600}}).to_string();
    house.telegram.instead("sendMessage", 429, &blocked);
    house.says("hello");
    until("it is tried", || house.telegram.is_played("sendMessage"));
    serving.kill();
    let serving = house.serve();
    assert_eq!(house.sends(1), ["Here it is."]);
    serving.end().expect(0);
    assert_eq!((house.sent().len(), house.model.requests().len()), (1, 1));
}

#[test]
fn outages_nonsense_and_repetitions_cost_nothing() {
    let house = House::of_ana(vec![Turn::text("One."), Turn::text("Two."), Turn::text("Three.")]);
    let serving = house.serve();
    let busy = json!({"ok": false, "error_code": 429, "parameters": {"retry_after": 1}}).to_string();
    for (method, status, body) in [
        ("getUpdates", 429, &*busy),
        ("getUpdates", 200, "null"),
        ("getUpdates", 200, r#"{"ok": true, "result": {"a": 1}}"#),
        ("getUpdates", 200, r#"{"ok": true, "result": [1, {"update_id": "x"}, {"update_id": 5, "message": 7}]}"#),
        ("sendMessage", 429, &*busy),
        ("sendMessage", 500, "oh"),
    ] {
        house.telegram.instead(method, status, body);
    }
    house.says("one");
    assert_eq!(house.sends(1), ["One."]);
    house.telegram.away(true);
    house.says("two");
    until("it is said", || {
        serving.stderr().matches("cannot be reached").count() + serving.stderr().matches("not its API").count() >= 2
    });
    house.telegram.away(false);
    assert_eq!(house.sends(2)[1], "Two.");
    house.telegram.forgets();
    house.says("three");
    assert_eq!(house.sends(3)[2], "Three.");
    serving.end().expect(0);
    assert_eq!((house.sent().len(), house.told().iter().filter(|said| *said == "two").count()), (3, 1));
}

#[test]
fn a_chat_that_is_dead_delays_no_other() {
    let bots = format!("[{{id: ana, token: '{TOKEN}', allowedUsers: ['{ANA}', '8']}}]");
    let house = House::new(&bots, vec![Turn::text("Dead."), Turn::text("Alive."), Turn::text("Gone.")]);
    let serving = house.serve();
    let wait = json!({"ok": false, "error_code": 429, "parameters": {"retry_after": 3600}}).to_string();
    house.telegram.instead("sendMessage", 429, &wait);
    house.telegram.says(TOKEN, 8, "first");
    until("it is tried", || house.telegram.is_played("sendMessage"));
    house.says("second");
    assert_eq!(house.sends(1), ["Alive."]);
    // Whoever has blocked the bot is let go of.
    house.telegram.instead(
        "sendMessage",
        403,
        r#"{"ok": false, "error_code": 403, "description": "Forbidden: bot was blocked"}"#,
    );
    house.says("third");
    until("it is said", || serving.stderr().contains("bot was blocked"));
    serving.end().expect(0);
}

#[test]
fn a_stop_word_ends_the_answer_and_a_long_one_comes_in_parts() {
    let long = format!("{}\n\n{}", "a".repeat(3000), "😀".repeat(1500));
    let house = House::of_ana(vec![House::write_down(), Turn::text(&long)]);
    let serving = house.serve();
    house.says("write it down");
    let question = house.question();
    house.says("Stop!");
    until("it has ended", || house.sent().iter().any(|sent| sent.starts_with("Ended.")));
    house.telegram.presses(TOKEN, ANA, &question, "Yes");
    house.says("tell me a lot");
    until("it comes in parts", || house.sent().ends_with(&["a".repeat(3000), "😀".repeat(1500)]));
    serving.end().expect(0);
    assert!(!house.has_note());
}

#[test]
fn a_token_that_is_refused_or_shared_switches_that_bot_off_alone() {
    let bots = format!(
        "[{{id: ana, token: '{TOKEN}', allowedUsers: ['{ANA}']}}, {{id: bad, token: '333:unknown'}}, {{id: twin, token: '{TOKEN}'}},
          {{id: eva, token: '{OTHER}', mentionPatterns: ['(']}}]"
    );
    let house = House::new(&bots, vec![Turn::text("Here.")]);
    let serving = house.serve();
    for why in [
        "bad is not in its chats: Telegram does not accept",
        "twin is not in its chats: It has the same token as ana",
        "eva is not in its chats: '('",
    ] {
        until(why, || serving.stderr().contains(why));
    }
    house.says("hello");
    assert_eq!(house.sends(1), ["Here."]);
    for _ in 0..3 {
        house.telegram.instead(
            "getUpdates",
            409,
            r#"{"ok": false, "error_code": 409, "description": "Conflict: other getUpdates"}"#,
        );
    }
    until("it is off", || serving.stderr().contains("ana is not in its chats: Another program"));
    let ended = serving.end().expect(0);
    assert!(!ended.stderr.contains("333:unknown"), "{}", ended.stderr);
}

#[test]
fn what_a_job_says_comes_to_its_chat() {
    let at = humantime::format_rfc3339_millis(std::time::SystemTime::now() + std::time::Duration::from_secs(4));
    let add = json!({"action": "add", "name": "tea", "text": "Tea is ready", "kind": "at", "at": at.to_string()});
    let house = House::of_ana(vec![Turn::calls([("cron", add)]), Turn::text("I will.")]);
    let serving = house.serve();
    house.says("remind me");
    house.telegram.presses(TOKEN, ANA, &house.question(), "Yes");
    until("it is said there", || house.sent().contains(&"⏰ tea: Tea is ready".to_owned()));
    serving.end().expect(0);
    assert_eq!(house.sent().iter().filter(|sent| sent.starts_with('⏰')).count(), 1);
}

#[test]
fn the_tool_message_sends_over_a_bot_of_telegram() {
    let house = House::of_ana(Vec::new());
    let channels = format!(
        "telegram: {{apiUrl: '{}'}}\nchannels: {{phone: {{kind: telegram, secret: '{TOKEN}', default_to: '-50:7'}}}}\n",
        house.telegram.url()
    );
    house.bench.write("mine.yaml", &channels);
    let send = |arguments: Value| {
        house.bench.run(&["-c", "mine.yaml", "--mode", "yolo", "call", "message", &arguments.to_string()])
    };
    send(json!({"content": "the build is green"})).expect(0);
    let sent = &house.telegram.calls(TOKEN, "sendMessage")[0];
    assert_eq!(
        (&sent["chat_id"], &sent["message_thread_id"], &sent["text"]),
        (&json!(-50), &json!(7), &json!("the build is green"))
    );
    for (status, why) in [(403, "has written to the bot"), (401, "not accepted"), (500, "no answer")] {
        house.telegram.instead("sendMessage", status, &json!({"ok": false, "error_code": status}).to_string());
        let ended = send(json!({"content": "x", "to": "8"}));
        let said = format!("{}{}", ended.stdout, ended.stderr);
        assert!(ended.code != 0 && said.contains(why) && !said.contains("a-token"), "{said}");
    }
}
