//! What is said while an answer is under way.

use super::{ANA, House, MALLORY, TOKEN};
use palanca_testkit::{Turn, until};
use serde_json::Value;

/// The question after so many others.
fn question(house: &House, number: usize) -> Value {
    let asked = || {
        let sent = house.telegram.calls(TOKEN, "sendMessage").into_iter();
        sent.filter(|sent| !sent["reply_markup"].is_null()).collect::<Vec<_>>()
    };
    until("it asks", || asked().len() > number);
    asked().swap_remove(number)
}

fn arrives(house: &House) {
    until("it has arrived", || house.telegram.unconfirmed(TOKEN) == 0);
}

fn answers(house: &House, text: &str) {
    until("it answers", || house.sent().contains(&text.to_owned()));
}

#[test]
fn what_is_said_while_an_answer_is_under_way_is_heard_between_its_calls() {
    let turns = vec![House::write_down(), Turn::text("Milk and bread."), Turn::text("I am here.")];
    let house = House::of_ana(turns);
    let serving = house.serve();
    house.says("write it down");
    let asked = question(&house, 0);
    house.telegram.says_all(TOKEN, ANA, &["and bread", "and salt"]);
    arrives(&house);
    house.telegram.presses(TOKEN, ANA, &asked, "Yes");
    answers(&house, "Milk and bread.");
    let told = house.told();
    assert!(told[0] == "write it down" && told.ends_with(&["and bread".to_owned(), "and salt".to_owned()]), "{told:?}");
    serving.end().expect(0);
    // It was answered with the rest.
    let serving = house.serve();
    house.says("are you there?");
    answers(&house, "I am here.");
    serving.end().expect(0);
    assert_eq!((house.model.requests().len(), house.sent().len()), (3, 3));
}

#[test]
fn what_was_heard_is_said_once_though_the_process_is_killed() {
    let house = House::of_ana(vec![House::write_down(), House::write_down(), Turn::text("Both."), Turn::text("Here.")]);
    let serving = house.serve();
    house.says("write it down");
    let asked = question(&house, 0);
    house.says("and bread");
    arrives(&house);
    house.telegram.presses(TOKEN, ANA, &asked, "Yes");
    // It was heard; what comes now is not yet.
    question(&house, 1);
    house.says("and salt");
    arrives(&house);
    serving.kill();
    let serving = house.serve();
    house.telegram.presses(TOKEN, ANA, &question(&house, 2), "Yes");
    answers(&house, "Both.");
    answers(&house, "Here.");
    serving.end().expect(0);
    let told = house.told();
    for words in ["write it down", "and bread", "and salt"] {
        assert_eq!(told.iter().filter(|told| told.contains(words)).count(), 1, "{words}: {told:?}");
    }
    assert_eq!(house.model.turns_left(), 0);
}

#[test]
fn strangers_who_are_heard_meanwhile_stay_strangers() {
    let bots = format!("[{{id: ana, name: Ana, token: '{TOKEN}', allowedUsers: ['{ANA}', '*']}}]");
    let house = House::new(&bots, vec![House::write_down(), Turn::text("Written.")]);
    let serving = house.serve();
    house.says_in_group(TOKEN, ANA, "@ana_bot write it down");
    let asked = question(&house, 0);
    house.says_in_group(TOKEN, MALLORY, "@ana_bot me first");
    arrives(&house);
    house.telegram.presses(TOKEN, ANA, &asked, "Yes");
    answers(&house, "Written.");
    serving.end().expect(0);
    let told = house.told();
    let last = told.last().unwrap();
    assert!(last.contains("EXTERNAL_UNTRUSTED_CONTENT") && last.contains("[P66] @ana_bot me first"), "{told:?}");
    assert_eq!(house.model.requests().len(), 2);
}
