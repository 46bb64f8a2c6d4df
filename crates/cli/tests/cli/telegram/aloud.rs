//! Two bots that speak with each other in a group, each with a model server of its own.

use super::{ANA, House, OTHER, TOKEN};
use crate::serve::Serving;
use palanca_testkit::{Manner, Received, ScriptedServer, Turn, until};
use serde_json::json;

struct Both {
    house: House,
    eva: ScriptedServer,
    serving: Serving,
}

impl Both {
    /// They know Ana. Eva's people name the number of the other bot, too, which makes no friend of it.
    fn new((mode, collaboration): (&str, &str), ana: Vec<Turn>, eva: Vec<Turn>) -> Self {
        let eva = ScriptedServer::spawn(eva, Manner::default());
        let bots = format!(
            "[{{id: ana, name: Ana, token: '{TOKEN}', allowedUsers: ['{ANA}'], confirmMode: {mode}}},
              {{id: eva, name: Eva, token: '{OTHER}', allowedUsers: ['{ANA}', '111'], model: 'ollama:eva'}}]
            \nollama: {{baseUrl: '{}'}}\ncollaboration: {{enabled: true{collaboration}}}",
            eva.url()
        );
        let house = House::new(&bots, ana);
        let serving = begin(&house);
        Self { house, eva, serving }
    }

    fn of_eva(&self) -> Vec<String> {
        self.house.telegram.sent(OTHER)
    }
}

fn begin(house: &House) -> Serving {
    let serving = house.serve();
    until("eva is there", || serving.stdout().contains("can be talked to as @eva_bot"));
    serving
}

fn ask_eva(words: &str) -> Turn {
    Turn::calls([("collaborate", json!({"action": "send", "targetBotId": "eva", "message": words, "visible": true}))])
}

fn told(request: &Received) -> String {
    request.body["messages"].to_string()
}

#[test]
fn bots_speak_with_each_other_in_front_of_a_group_for_so_many_turns() {
    let ana = vec![ask_eva("When is lunch?"), Turn::text("I have asked."), Turn::text("Noon it is.")];
    // Whoever answers another bot is asked nothing, writes nothing and reaches no further bot.
    let tries = Turn::calls([
        ("collaborate", json!({"action": "send", "targetBotId": "ana", "message": "x"})),
        ("file_write", json!({"path": "note.txt", "content": "lunch"})),
    ]);
    let eva = vec![tries, Turn::text("At noon."), Turn::text("See you."), Turn::text("Still here.")];
    let both = Both::new(("confirm-sensitive", ", visibleMaxTurns: 3, maxRounds: 20"), ana, eva);
    let house = &both.house;
    house.says_in_group(TOKEN, ANA, "@ana_bot ask eva");
    let question = house.question();
    assert!(question["text"].to_string().contains("ask the bot eva/telegram:-50"), "{question}");
    house.telegram.presses(TOKEN, ANA, &question, "Yes");
    until("it ends", || both.of_eva().len() == 2);
    let said = |token: &str| -> Vec<String> {
        let sent = house.telegram.calls(token, "sendMessage").into_iter();
        let sent = sent.filter(|sent| sent["chat_id"] == -50 && sent["reply_markup"].is_null());
        sent.map(|sent| sent["text"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(said(TOKEN), ["@eva_bot When is lunch?", "I have asked.", "Noon it is."]);
    assert_eq!(said(OTHER), ["At noon.", "See you."]);
    let (anas, evas) = (house.model.requests(), both.eva.requests());
    let first = told(&evas[0]);
    for part in ["You are Eva.", "[Ana] When is lunch?", "EXTERNAL_UNTRUSTED_CONTENT", "## Another Bot Speaks to You"] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(!evas[0].body["tools"].to_string().contains("collaborate"));
    assert!(told(&evas[1]).contains("is not on this agent's list"), "{}", told(&evas[1]));
    assert!(told(&anas[1]).contains("Said in the group."), "{}", told(&anas[1]));
    assert!(told(&anas[2]).contains("[Eva] At noon.") && told(&anas[2]).contains("You are Ana."), "{}", told(&anas[2]));
    // A person is answered as ever.
    house.telegram.says(OTHER, ANA, "are you there?");
    until("it answers", || both.of_eva().contains(&"Still here.".to_owned()));
    assert!(both.eva.requests().last().unwrap().body["tools"].to_string().contains("collaborate"));
    assert!(!house.has_note() && (house.model.turns_left(), both.eva.turns_left()) == (0, 0));
    both.serving.end().expect(0);
}

#[test]
fn bots_that_have_nothing_left_to_say_or_pause_are_silent() {
    let ana = vec![ask_eva("One?"), Turn::text("Asked."), ask_eva("Three?"), Turn::text("Asked again.")];
    let ana = [ana, vec![Turn::text("I am alone.")]].concat();
    let eva = vec![Turn::text("Two. [DONE]"), Turn::text("Four."), Turn::text("Never.")];
    let both = Both::new(("yolo", ", maxRounds: 2, cooldownMs: 3600000"), ana, eva);
    let house = &both.house;
    house.says_in_group(TOKEN, ANA, "@ana_bot ask eva");
    until("she has answered", || both.of_eva() == ["Two."] && house.sent().contains(&"Asked.".to_owned()));
    house.says_in_group(TOKEN, ANA, "@ana_bot again");
    until("she has answered again", || both.of_eva() == ["Two.", "Four."]);
    until("both are done", || house.sent().contains(&"Asked again.".to_owned()));
    house.says_in_group(TOKEN, ANA, "@ana_bot are you alone?");
    until("nobody spoke in between", || house.sent().contains(&"I am alone.".to_owned()));
    both.serving.end().expect(0);
    assert_eq!((house.model.turns_left(), both.eva.turns_left()), (0, 1));
}

#[test]
fn what_is_meant_for_a_group_is_asked_internally_where_there_is_none_and_that_is_said() {
    let ana = vec![ask_eva("Here?"), Turn::text("She says yes."), ask_eva("There?"), Turn::text("She says so.")];
    let both = Both::new(("yolo", ""), ana, vec![Turn::text("Yes."), Turn::text("Yes, there.")]);
    let house = &both.house;
    house.says("ask eva");
    assert_eq!(house.sends(1), ["She says yes."]);
    assert!(house.told().iter().any(|told| told.contains("in no group")), "{:?}", house.told());
    // A group in which the other bot is not.
    let kicked = json!({"ok": false, "error_code": 403, "description": "Forbidden: bot is not a member"}).to_string();
    house.telegram.instead_for(OTHER, "sendChatAction", 403, &kicked);
    house.says_in_group(TOKEN, ANA, "@ana_bot ask eva");
    assert_eq!(house.sends(2)[1], "She says so.");
    assert!(house.told().iter().any(|told| told.contains("not in this group")), "{:?}", house.told());
    assert!(both.of_eva().is_empty());
    both.serving.end().expect(0);
}

#[test]
fn what_bots_say_to_each_other_is_kept_once_though_the_process_is_killed() {
    let ana = vec![ask_eva("One?"), Turn::text("Asked."), Turn::text("Three.")];
    let both = Both::new(("yolo", ", visibleMaxTurns: 2"), ana, vec![Turn::text("Two.")]);
    let Both { house, eva, serving } = both;
    let blocked = json!({"ok": false, "error_code": 429, "parameters": {"retry_after": 3600}}).to_string();
    house.telegram.instead_for(OTHER, "sendMessage", 429, &blocked);
    house.says_in_group(TOKEN, ANA, "@ana_bot ask eva");
    until("her answer is tried", || house.telegram.is_played(&format!("{OTHER}/sendMessage")));
    until("ana is done", || house.sent().contains(&"Asked.".to_owned()));
    serving.kill();
    let serving = begin(&house);
    until("it goes on", || house.sent().contains(&"Three.".to_owned()));
    serving.end().expect(0);
    assert_eq!(house.telegram.sent(OTHER), ["Two."]);
    assert_eq!((house.model.requests().len(), eva.requests().len()), (3, 1));
}
