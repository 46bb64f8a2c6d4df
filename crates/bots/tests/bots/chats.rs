use crate::house::{House, block_on, chat, say};
use palanca_core::tool::Cancel;
use palanca_testkit::Turn;

pub fn a_chat_goes_on_where_it_was_left() {
    let house = House::new("[{id: ana}, {id: eva}]", ["A", "B", "C", "D"].into_iter().map(Turn::text).collect());
    let (one, two) = (house.bots(), house.bots());
    block_on(async {
        for (bots, bot, name, words) in [
            (&one, "ana", "1", "first"),
            (&one, "ana", "2", "another"),
            (&one, "eva", "1", "third"),
            // Another process, later.
            (&two, "ana", "1", "again"),
        ] {
            say(bots, bot, &chat(name), words, Cancel::new()).await.unwrap();
        }
    });
    assert_eq!(house.heard(), [vec!["first"], vec!["another"], vec!["third"], vec!["first", "A", "again"]]);
}

pub fn messages_of_a_chat_are_answered_one_after_another() {
    let answers = (0..6).map(|number| Turn::text(&format!("answer {number}"))).collect();
    let house = House::new("[{id: ana}]", answers);
    let bots = house.bots();
    block_on(async {
        let chat = chat("1");
        let said = ["a", "b", "c", "d", "e", "f"].map(|words| say(&bots, "ana", &chat, words, Cancel::new()));
        let [a, b, c, d, e, f] = said;
        let ended = tokio::join!(a, b, c, d, e, f);
        assert!(ended.5.unwrap().answer.is_some() && ended.0.is_ok());
    });
    let heard = house.heard();
    let last = heard.last().unwrap();
    assert_eq!(last.len(), 11, "{heard:?}");
    let words: Vec<&str> = last.iter().step_by(2).map(String::as_str).collect();
    assert_eq!(words, ["a", "b", "c", "d", "e", "f"]);
}

pub fn a_turn_that_is_ended_leaves_the_chat() {
    let house = House::new("[{id: ana}]", vec![Turn::text("B")]);
    let bots = house.bots();
    block_on(async {
        let ended = Cancel::new();
        ended.cancel();
        say(&bots, "ana", &chat("1"), "first", ended).await.unwrap();
        say(&bots, "ana", &chat("1"), "second", Cancel::new()).await.unwrap();
    });
    assert_eq!(house.heard(), [vec!["first", "second"]]);
}
